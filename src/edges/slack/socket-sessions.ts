import type { App, Receiver, SocketModeReceiver } from '@slack/bolt';
import type { Logger } from 'pino';
import type { ConnectionReason, SocketMeters } from '../../service/records/process-ports.js';

export interface SocketSessionsOptions {
  readonly open: () => SocketModeReceiver;
  /** A connection on which nothing arrives for so long is replaced. */
  readonly silentMs: number;
  readonly meters: SocketMeters;
  readonly log: Logger;
}

/**
 * Receives through Socket Mode, and replaces a connection on which nothing arrives: one that answers pings
 * may still deliver nothing, and no message of Slack tells it from a quiet workspace. The new connection is
 * open before the old one is closed, so nothing is lost meanwhile.
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
    session.client.on('slack_event', ({ type }: { type: string }) => {
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
