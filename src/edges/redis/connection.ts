import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import { DoctorError } from '../../service/errors.js';
import type { SharedClock } from '../../service/records/process-ports.js';
import { guarded, redisCode } from './guard.js';

export interface RedisSettings {
  /** `redis://` or `rediss://`. */
  readonly url: string;
  /** Prefix of every key of ours and of BullMQ's. */
  readonly prefix: string;
  /** Certificates in PEM, for `rediss://`, in place of those of Node.js. */
  readonly ca?: string | undefined;
  /** In place of one in the URL. */
  readonly password?: string | undefined;
  /** Redis Sentinels, which name the primary in place of host and port of the URL. */
  readonly sentinel?: RedisSentinels | undefined;
  /** Nodes of a Redis Cluster, in place of host and port of the URL; the prefix is then a hash tag. */
  readonly clusterNodes?: readonly RedisAddress[] | undefined;
}

type RedisAddress = { readonly host: string; readonly port: number };

interface RedisSentinels {
  readonly addresses: readonly RedisAddress[];
  /** Under which they monitor the primary. */
  readonly name: string;
  readonly password?: string | undefined;
}

type Options = Omit<RedisOptions, 'replyMapping'>;

type ConnectionOptions = Pick<
  RedisOptions,
  'commandTimeout' | 'enableOfflineQueue' | 'lazyConnect' | 'maxRetriesPerRequest' | 'socketTimeout'
> & { readonly connectTimeout: number; readonly retryStrategy: (attempt: number) => number | null };

/**
 * Opens a connection. A user in the URL keeps its name and takes the password of the settings. BullMQ copies
 * the connections that it is given, with these options. `socketTimeout` ends a connection on which nothing
 * arrives: neither a primary that hangs nor a node that is gone closes it, and another server may have its
 * role by then. A worker waits longer than the longest blocking read of BullMQ (10 s).
 */
export function openRedis(settings: Omit<RedisSettings, 'prefix'>, options: ConnectionOptions): Redis {
  const { url, ca, password, sentinel, clusterNodes } = settings;
  if (clusterNodes !== undefined) return openCluster(clusterNodes, settings, options);
  const tls = ca === undefined ? {} : { tls: { ca } };
  const throughSentinels = sentinel === undefined ? {} : sentinelOptions(sentinel, url, ca, options);
  const all: Options = { ...options, ...tls, ...throughSentinels };
  if (password === undefined) return new Redis(url, all);
  // ioredis prefers the URL, in which a user without a password has an empty one.
  const address = new URL(url);
  const username = decodeURIComponent(address.username);
  address.username = '';
  address.password = '';
  return new Redis(address.href, { ...all, ...(username === '' ? {} : { username }), password });
}

/**
 * All keys are in one slot, so a Cluster takes every command, script and transaction that a single Redis
 * takes.
 */
function openCluster(
  nodes: readonly RedisAddress[],
  { url, ca, password }: Omit<RedisSettings, 'prefix'>,
  { retryStrategy, enableOfflineQueue, lazyConnect, ...options }: ConnectionOptions,
): Redis {
  const address = new URL(url);
  const username = decodeURIComponent(address.username);
  const login = password ?? decodeURIComponent(address.password);
  const cluster = new Cluster(
    nodes.map((node) => ({ ...node })),
    {
      clusterRetryStrategy: retryStrategy,
      // A check that fails leaves `connect()` pending for ever (ioredis 6.0.0), and BullMQ waits for it
      // before it reads again.
      enableReadyCheck: false,
      ...(enableOfflineQueue === undefined ? {} : { enableOfflineQueue }),
      ...(lazyConnect === undefined ? {} : { lazyConnect }),
      redisOptions: {
        ...options,
        ...(username === '' ? {} : { username }),
        ...(login === '' ? {} : { password: login }),
        ...(address.protocol === 'rediss:' ? { tls: ca === undefined ? {} : { ca } } : {}),
      },
    },
  );
  rememberNodes(cluster, nodes);
  // Of a Redis, only commands, events, `status`, `connect` and `disconnect` are used; a Cluster has them too.
  return cluster as unknown as Redis;
}

/**
 * Has a client, and each copy that BullMQ makes of it, begin a new connection with the nodes that it has
 * learned of: those of the settings may be gone. BullMQ closes and connects its copies itself, which asks no
 * retry strategy.
 */
function rememberNodes(cluster: Cluster, nodes: readonly RedisAddress[]): void {
  const client = cluster as unknown as { startupNodes: readonly RedisAddress[] };
  cluster.on('refresh', () => {
    const known = cluster
      .nodes('all')
      .flatMap(({ options: { host, port } }) =>
        host === undefined || port === undefined ? [] : [{ host, port }],
      );
    client.startupNodes = [...nodes.map((node) => ({ ...node })), ...known];
  });
  const duplicate = cluster.duplicate.bind(cluster);
  cluster.duplicate = (...given) => {
    const copy = duplicate(...given);
    rememberNodes(copy, nodes);
    return copy;
  };
}

function sentinelOptions(
  { addresses, name, password }: RedisSentinels,
  url: string,
  ca: string | undefined,
  { connectTimeout, retryStrategy }: ConnectionOptions,
): Options {
  const isSecured = url.startsWith('rediss:');
  return {
    sentinels: addresses.map((address) => ({ ...address })),
    name,
    // A former primary that hung and goes on takes writes until it is demoted, and loses them.
    failoverDetector: true,
    sentinelRetryStrategy: retryStrategy,
    sentinelCommandTimeout: connectTimeout,
    ...(password === undefined ? {} : { sentinelPassword: password }),
    ...(isSecured ? { enableTLSForSentinelMode: true, sentinelTLS: ca === undefined ? {} : { ca } } : {}),
  };
}

/**
 * A connection for commands that people wait for: it fails at once while Redis is away, and goes on trying to
 * come back. Errors are the caller's to hear; `onError` gets what the connection says by itself.
 */
export function connectProducer(settings: RedisSettings, onError: (error: Error) => void): Redis {
  const redis = openRedis(settings, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 2_000,
    connectTimeout: 2_000,
    socketTimeout: 4_000,
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
    socketTimeout: 15_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  redis.on('error', onError);
  return redis;
}

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

/** A script, because a Redis Cluster gives commands without a key to any of its nodes. */
const timeScript = `return redis.call('TIME')`;

/**
 * The clock of the Redis server (`TIME`), which every process sees alike and no stored key can move.
 *
 * @throws DoctorError `redis-unavailable`, retryable
 */
export function createRedisClock(redis: Redis, prefix: string): SharedClock {
  return {
    async now() {
      const [seconds, microseconds] = (
        (await guarded(() => redis.eval(timeScript, 1, `${prefix}:clock`))) as readonly string[]
      ).map(Number);
      const ms = (seconds ?? Number.NaN) * 1_000 + Math.floor((microseconds ?? Number.NaN) / 1_000);
      if (Number.isFinite(ms)) return new Date(ms);
      throw new DoctorError({
        code: 'redis-unavailable',
        message: 'Redis does not report its time',
        retryable: true,
      });
    },
  };
}

interface WriteProbeOptions {
  readonly redis: Redis;
  readonly prefix: string;
  /**
   * A write that takes longer counts as failed. Below the second that Kubernetes gives a probe by default.
   */
  readonly timeoutMs?: number;
  /** An answer holds for this time, so that frequent questions cause no load. */
  readonly keepMs?: number;
}

const keyTtlMs = 10_000;

/**
 * Whether Redis accepts writes now. A replica, a full or loading server and one that cannot save to disk all
 * answer PING while no approval, incident or job can be stored.
 *
 * @returns what is wrong, with Redis' own error code, or undefined
 */
export function createWriteProbe(options: WriteProbeOptions): () => Promise<string | undefined> {
  const { redis, prefix, timeoutMs = 800, keepMs = 1_000 } = options;
  let last: { readonly at: number; readonly answer: Promise<string | undefined> } | undefined;

  async function probe(): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('Redis does not answer'), timeoutMs);
    });
    const write = redis.set(`${prefix}:write-probe`, '1', 'PX', keyTtlMs).then(() => undefined, problemOf);
    try {
      return await Promise.race([write, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  return () => {
    const now = Date.now();
    if (last === undefined || now - last.at >= keepMs || now < last.at) last = { at: now, answer: probe() };
    return last.answer;
  };
}

function problemOf(error: unknown): string {
  const code = redisCode(error);
  return code === undefined ? 'Redis does not answer' : `Redis accepts no writes (${code})`;
}
