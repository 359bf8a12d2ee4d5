import type { Redis } from 'ioredis';
import type { Logger } from 'pino';

/**
 * Writes one line each time Redis is reached first, lost, or reached again, over all connections of a
 * process.
 */
export interface ConnectionLog {
  /** Follows a connection until it is closed on purpose. @returns the connection */
  watch(redis: Redis): Redis;
  /** A command failed although the connections stand: a Redis that hangs closes none. */
  onFailedCommand(error: unknown): void;
  onAnswer(): void;
}

export function createConnectionLog(log: Pick<Logger, 'info' | 'error'>): ConnectionLog {
  /** The parts of the process that cannot reach Redis at the moment. */
  const away = new Set<unknown>();
  let state: 'new' | 'connected' | 'lost' = 'new';
  const commands = {};
  const isAway = (who: unknown, err: unknown): void => {
    away.add(who);
    if (state === 'lost') return;
    state = 'lost';
    log.error({ err }, 'Redis does not answer');
  };
  const isBack = (who: unknown): void => {
    away.delete(who);
    if (away.size > 0 || state === 'connected') return;
    log.info(state === 'new' ? 'connected to Redis' : 'Redis answers again');
    state = 'connected';
  };
  return {
    watch(redis) {
      redis.on('ready', () => isBack(redis));
      redis.on('error', (error: unknown) => isAway(redis, error));
      redis.on('reconnecting', () => isAway(redis, undefined));
      return redis;
    },
    onFailedCommand: (error) => isAway(commands, error),
    onAnswer: () => {
      if (away.has(commands)) isBack(commands);
    },
  };
}
