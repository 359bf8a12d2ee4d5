import * as z from 'zod';
import { namesIn, path, variable } from './config-variable.js';

/** `host:port`, with an IPv6 address in brackets. */
const Address = z
  .string()
  .regex(/^(?:\[[0-9a-fA-F:.]+\]|[^\s:/@?#[\]]+):\d{1,5}$/u)
  .transform((text) => {
    const colon = text.lastIndexOf(':');
    return { host: text.slice(0, colon).replace(/^\[|\]$/gu, ''), port: Number(text.slice(colon + 1)) };
  })
  .refine(({ port }) => port > 0 && port < 65_536);

/**
 * A `%` in the user or password that begins no code such as `%25` ends the connection before it is opened.
 */
function hasReadableLogin(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** The variables of the connection to Redis; `load-redis` reads the files that they name. */
export const redisVariables = {
  redisUrl: variable(
    'REDIS_URL',
    'Redis for queues and records; needs `noeviction`',
    { en: 'a URL such as `redis://127.0.0.1:6379`', ko: '`redis://127.0.0.1:6379` 형식의 URL' },
    z
      .url({ protocol: /^rediss?$/ })
      .refine(hasReadableLogin)
      .default('redis://127.0.0.1:6379'),
  ),
  redisCaFile: variable(
    'REDIS_CA_FILE',
    'certificates of the authorities that may sign the one of Redis, for `rediss://`; those of Node.js when unset',
    { en: 'a path to a PEM file', ko: 'PEM 파일 경로' },
    z.string().min(1).optional(),
  ),
  redisPasswordFile: path(
    'REDIS_PASSWORD_FILE',
    'file with the password of Redis, in place of one in REDIS_URL',
  ),
  redisSentinels: variable(
    'REDIS_SENTINELS',
    'addresses of Redis Sentinels, which name the primary in place of the host in REDIS_URL, see docs/redis.md',
    {
      en: '`host:port`, several separated by commas',
      ko: '`host:port` 형식, 여러 개는 쉼표로 구분',
    },
    z.string().transform(namesIn).pipe(z.array(Address)).default([]),
  ),
  redisSentinelName: variable(
    'REDIS_SENTINEL_NAME',
    'name under which the Redis Sentinels monitor the primary; needed with REDIS_SENTINELS',
    { en: 'a name such as `mymaster`', ko: '`mymaster` 같은 이름' },
    z.string().min(1).optional(),
  ),
  redisSentinelPasswordFile: path(
    'REDIS_SENTINEL_PASSWORD_FILE',
    'file with the password of the Redis Sentinels, which may differ from that of Redis',
  ),
  redisClusterNodes: variable(
    'REDIS_CLUSTER_NODES',
    'addresses of nodes of a Redis Cluster, in place of the host in REDIS_URL, see docs/redis.md',
    {
      en: '`host:port`, several separated by commas',
      ko: '`host:port` 형식, 여러 개는 쉼표로 구분',
    },
    z.string().transform(namesIn).pipe(z.array(Address)).default([]),
  ),
  redisPrefix: variable(
    'REDIS_PREFIX',
    'prefix of all keys in Redis; in braces for Redis Cluster, such as `{rollout-doctor}`',
    {
      en: 'letters, digits, `-`, all in braces or none',
      ko: '영문자, 숫자, `-`, 전체를 중괄호로 감쌀 수 있음',
    },
    z
      .string()
      .regex(/^(?:[A-Za-z0-9-]+|\{[A-Za-z0-9-]+\})$/)
      .default('rollout-doctor'),
  ),
} as const;
