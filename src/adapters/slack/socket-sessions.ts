import type { App, Receiver, SocketModeReceiver } from '@slack/bolt';
import type { Logger } from 'pino';

/** What a Socket Mode session reports. */
export interface SocketMeters {
  /** A payload arrived on the connection in use: a command, a click or an event. */
  slackDelivered(type: string): void;
  /** A connection is open: the first one, one that the client opened again, or one in place of a silent one. */
  slackConnected(reason: ConnectionReason): void;
}

export const connectionReasons = ['start', 'again', 'silence'] as const;
export type ConnectionReason = (typeof connectionReasons)[number];

export interface SocketSessionsOptions {
  readonly open: () => SocketModeReceiver;
  /** A connection on which nothing arrives for so long is replaced. */
  readonly silentMs: number;
  readonly meters: SocketMeters;
  readonly log: Logger;
}

/**
 * Receives through Socket Mode, and replaces a connection on which nothing arrives: one that answers pings may still deliver
 * nothing, and no message of Slack tells it from a quiet workspace. The new connection is open before the old one is
 * closed, so nothing is lost meanwhile.
 */
export function createSocketSessions({ open, silentMs, meters, log }: SocketSessionsOptions): Receiver {
  let app: App | undefined;
  let current: SocketModeReceiver | undefined;
  let lastAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let isReplacing = false;

  function prepare(first: ConnectionReason): SocketModeReceiver {
    const session = open();
    let reason = first;
    session.client.on('connected', () => {
      meters.slackConnected(reason);
      reason = 'again';
    });
    session.client.on('slack_event', ({ type }: { readonly type: string }) => {
      meters.slackDelivered(type);
      if (session === current) lastAt = performance.now();
    });
    if (app !== undefined) session.init(app);
    return session;
  }

  async function replaceSilent(): Promise<void> {
    if (isReplacing || performance.now() - lastAt < silentMs) return;
    isReplacing = true;
    const fresh = prepare('silence');
    try {
      await fresh.start();
      const silent = current;
      if (timer === undefined) await fresh.stop();
      else current = fresh;
      lastAt = performance.now();
      log.info({ silentMs }, 'nothing arrived from Slack for a while: its connection is replaced');
      await silent?.stop();
    } catch (err) {
      log.warn({ err }, 'a connection to Slack could not be replaced');
    } finally {
      isReplacing = false;
    }
  }

  return {
    init(given) {
      app = given;
      current = prepare('start');
    },
    async start() {
      await current?.start();
      lastAt = performance.now();
      timer = setInterval(() => void replaceSilent(), silentMs / 4);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await current?.stop();
    },
  };
}
