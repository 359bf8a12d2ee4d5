import type { RequestListener } from 'node:http';
import { type App, HTTPReceiver, type Receiver } from '@slack/bolt';
import type { slackLog } from './slack-log.js';
import { maxBodyBytes, slackPath } from './slack-server.js';

/** Checks signatures by the secret of the moment. It opens no port of its own. */
export interface RotatingHttpReceiver extends Receiver {
  readonly requestListener: RequestListener;
}

/**
 * Bolt's receiver keeps the secret that it was made with, so a changed secret gets a receiver of its own. The
 * former secret no longer counts: a secret may have been replaced because somebody else has it.
 */
export function createHttpReceiver(
  signingSecret: () => string,
  logger: ReturnType<typeof slackLog>,
): RotatingHttpReceiver {
  let app: App | undefined;
  let made: { readonly secret: string; readonly receiver: HTTPReceiver } | undefined;
  const current = (): HTTPReceiver => {
    const secret = signingSecret();
    if (made?.secret === secret) return made.receiver;
    const receiver = new HTTPReceiver({
      signingSecret: secret,
      endpoints: slackPath,
      logger,
      bodyLimit: maxBodyBytes,
    });
    if (app !== undefined) receiver.init(app);
    made = { secret, receiver };
    return receiver;
  };
  return {
    init(given) {
      app = given;
      current().init(given);
    },
    start: async () => undefined,
    stop: async () => undefined,
    requestListener: (request, response) => current().requestListener(request, response),
  };
}
