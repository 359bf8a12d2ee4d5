import { Redis } from 'ioredis';

export interface RedisSettings {
  /** `redis://` or `rediss://`. */
  readonly url: string;
  /** Prefix of every key of ours and of BullMQ's. */
  readonly prefix: string;
}

/**
 * A connection for commands that people wait for: it fails at once while Redis is away, and goes on trying to come
 * back. Errors are the caller's to hear; `onError` gets what the connection says by itself.
 */
export function connectProducer({ url }: RedisSettings, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 2_000,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  redis.on('error', onError);
  return redis;
}

/** A connection for workers, which wait for Redis as long as it takes (BullMQ asks for exactly this). */
export function connectConsumer({ url }: RedisSettings, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  redis.on('error', onError);
  return redis;
}
