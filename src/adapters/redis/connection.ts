import { Redis, type RedisOptions } from 'ioredis';

export interface RedisSettings {
  /** `redis://` or `rediss://`. */
  readonly url: string;
  /** Prefix of every key of ours and of BullMQ's. */
  readonly prefix: string;
  /** Certificates in PEM, for `rediss://`, in place of those of Node.js. */
  readonly ca?: string | undefined;
  /** In place of one in the URL. */
  readonly password?: string | undefined;
}

type ConnectionOptions = Pick<
  RedisOptions,
  | 'commandTimeout'
  | 'connectTimeout'
  | 'enableOfflineQueue'
  | 'lazyConnect'
  | 'maxRetriesPerRequest'
  | 'retryStrategy'
>;

/** Opens a connection. A user in the URL keeps its name and takes the password of the settings. */
export function openRedis(
  { url, ca, password }: Omit<RedisSettings, 'prefix'>,
  options: ConnectionOptions,
): Redis {
  const secured = ca === undefined ? options : { ...options, tls: { ca } };
  if (password === undefined) return new Redis(url, secured);
  // ioredis prefers the URL, in which a user without a password has an empty one.
  const address = new URL(url);
  const username = decodeURIComponent(address.username);
  address.username = '';
  address.password = '';
  return new Redis(address.href, { ...secured, ...(username === '' ? {} : { username }), password });
}

/**
 * A connection for commands that people wait for: it fails at once while Redis is away, and goes on trying to come
 * back. Errors are the caller's to hear; `onError` gets what the connection says by itself.
 */
export function connectProducer(settings: RedisSettings, onError: (error: Error) => void): Redis {
  const redis = openRedis(settings, {
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
export function connectConsumer(settings: RedisSettings, onError: (error: Error) => void): Redis {
  const redis = openRedis(settings, {
    maxRetriesPerRequest: null,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  redis.on('error', onError);
  return redis;
}
