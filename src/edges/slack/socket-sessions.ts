import { setTimeout as pause } from 'node:timers/promises';
import type { App, Receiver, SocketModeReceiver } from '@slack/bolt';
import type { Logger } from 'pino';
import type { ConnectionReason, SocketMeters } from '../../service/records/process-ports.js';

interface SocketSessionsOptions {
  readonly open: () => SocketModeReceiver;
  /** A connection on which nothing arrives for so long is replaced. */
  readonly silentMs: number;
  readonly meters: SocketMeters;
  readonly log: Logger;
}

/** An open connection, and when something last arrived on it. */
type Session = { readonly receiver: SocketModeReceiver; lastAt: number };

/** So long Slack waits for an acknowledgement, which it takes on the connection of the message alone. */
const maxAckMs = 3_000;

/**
 * Receives through Socket Mode, and replaces a connection on which nothing arrives: one that answers pings
 * may still deliver nothing, and no message of Slack tells it from a quiet workspace. The new connection is
 * open before the old one is closed. An old one that delivers after all is kept, and the new one is closed
 * once what arrived on it is acknowledged.
 */
export function createSocketSessions({ open, silentMs, meters, log }: SocketSessionsOptions): Receiver {
  let app: App | undefined;
  const sessions = new Set<Session>();
  let openedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let isReplacing = false;

  function prepare(first: ConnectionReason): Session {
    const session: Session = { receiver: open(), lastAt: 0 };
    const { client } = session.receiver;
    let reason = first;
    client.on('connected', () => {
      meters.slackConnected(reason);
      reason = 'again';
    });
    client.on('slack_event', ({ type }: { type: string }) => {
      meters.slackDelivered(type);
      session.lastAt = performance.now();
    });
    if (app !== undefined) session.receiver.init(app);
    return session;
  }

  const quietMs = (since: number): number => performance.now() - since;

  async function replaceSilent(): Promise<void> {
    const isSilent = [openedAt, ...[...sessions].map(({ lastAt }) => lastAt)].every(
      (at) => quietMs(at) >= silentMs,
    );
    if (isReplacing || !isSilent) return;
    isReplacing = true;
    const fresh = prepare('silence');
    try {
      await fresh.receiver.start();
      if (timer === undefined) return await fresh.receiver.stop();
      sessions.add(fresh);
      openedAt = performance.now();
      log.info({ silentMs }, 'nothing arrived from Slack for a while: its connection is replaced');
      await closeIdle();
    } catch (err) {
      log.warn({ err }, 'a connection to Slack could not be replaced');
    } finally {
      isReplacing = false;
    }
  }

  /** Closes one of two connections, the old one first, once what arrived on it is acknowledged. */
  async function closeIdle(): Promise<void> {
    for (;;) {
      await pause(maxAckMs, undefined, { ref: false });
      const idle = [...sessions].find(({ lastAt }) => quietMs(lastAt) >= maxAckMs);
      if (timer === undefined) return;
      if (idle === undefined) continue;
      sessions.delete(idle);
      return await idle.receiver.stop();
    }
  }

  return {
    init(given) {
      app = given;
      sessions.add(prepare('start'));
    },
    async start() {
      await Promise.all([...sessions].map(({ receiver }) => receiver.start()));
      openedAt = performance.now();
      timer = setInterval(() => void replaceSilent(), silentMs / 4);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await Promise.all([...sessions].map(({ receiver }) => receiver.stop()));
    },
  };
}
