import { App, LogLevel } from '@slack/bolt';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';
import type { LocalSlackOptions } from '../../../demo/slack/local-slack-options.js';

/** A local Slack with a real Bolt app beside it. */
export interface Rig {
  readonly slack: LocalSlack;
  readonly app: App;
  /** The app's request URL, in HTTP mode. */
  readonly appUrl: string;
  stop(): Promise<void>;
}

export type Mode = 'http' | 'socket';

/** Starts both, the app with `listeners` registered. */
export async function startRig(
  mode: Mode,
  listeners: (app: App, slack: LocalSlack) => void,
  options: LocalSlackOptions = {},
): Promise<Rig> {
  const slack = await createLocalSlack({ delivery: mode, page: false, ...options });
  const app = boltApp(slack, mode);
  listeners(app, slack);
  let appUrl = '';
  if (mode === 'http') {
    const server = await app.start(0);
    const address = 'address' in server ? server.address() : undefined;
    if (typeof address !== 'object' || address === null || address === undefined) throw new Error('no port');
    appUrl = `http://127.0.0.1:${address.port}/slack/events`;
    await slack.talksTo(appUrl);
  } else {
    await app.start();
    await slack.until(() => slack.sockets.connections() > 0, { what: 'the socket' });
  }
  return {
    slack,
    app,
    appUrl,
    async stop() {
      await app.stop();
      await slack.close();
    },
  };
}

/** A real Bolt app whose options point it at the local Slack. */
export function boltApp(slack: LocalSlack, mode: Mode): App {
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } };
  const app =
    mode === 'http'
      ? new App({
          token: slack.botToken,
          signingSecret: slack.signingSecret,
          clientOptions,
          logLevel: LogLevel.ERROR,
        })
      : new App({
          token: slack.botToken,
          appToken: slack.appToken,
          socketMode: true,
          clientOptions,
          logLevel: LogLevel.ERROR,
        });
  return app;
}
