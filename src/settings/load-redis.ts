import * as z from 'zod';
import { readNamedFile } from '../edges/files/read-settings.js';
import type { RedisSettings } from '../edges/redis/connection.js';
import { type SettingProblem, settingProblem } from '../service/inspect/setting-problem.js';
import { namesIn, path, variable } from './config-variable.js';

/** Variables of the connection to Redis, as they were read. */
export interface RedisVariables {
  readonly redisUrl: string;
  readonly redisPrefix: string;
  readonly redisCaFile?: string | undefined;
  readonly redisPasswordFile?: string | undefined;
  readonly redisSentinels?: readonly { readonly host: string; readonly port: number }[] | undefined;
  readonly redisClusterNodes?: readonly { readonly host: string; readonly port: number }[] | undefined;
  readonly redisSentinelName?: string | undefined;
  readonly redisSentinelPasswordFile?: string | undefined;
}

/**
 * Reads the files that the settings of Redis name. A line break at the end of the password is not part of it.
 *
 * @returns the settings, or every problem at once; the password is never part of a problem
 */
export function loadRedis(
  variables: RedisVariables,
): RedisSettings | { readonly problems: readonly SettingProblem[] } {
  const { redisUrl: url, redisPrefix: prefix, redisCaFile, redisPasswordFile } = variables;
  const { redisSentinels: addresses = [], redisSentinelName: name, redisSentinelPasswordFile } = variables;
  const { redisClusterNodes: clusterNodes = [] } = variables;
  const problems: SettingProblem[] = [];
  const read = (variable: string, path: string | undefined): string | undefined => {
    if (path === undefined) return undefined;
    try {
      return readNamedFile(path).toString('utf8');
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      problems.push(settingProblem(variable, 'file-unusable', { problem }));
      return undefined;
    }
  };
  const readPassword = (variable: string, path: string | undefined): string | undefined =>
    read(variable, path)?.replace(/\r?\n$/u, '');
  const lacks = ({ name, expects }: (typeof redisVariables)[keyof typeof redisVariables]): void => {
    problems.push(settingProblem(name, 'missing', { expected: expects }));
  };
  const ca = read('REDIS_CA_FILE', redisCaFile);
  const password = readPassword('REDIS_PASSWORD_FILE', redisPasswordFile);
  const sentinelPassword = readPassword('REDIS_SENTINEL_PASSWORD_FILE', redisSentinelPasswordFile);
  const isNamed = name !== undefined || redisSentinelPasswordFile !== undefined;
  if (addresses.length === 0 && isNamed) lacks(redisVariables.redisSentinels);
  if (addresses.length > 0 && name === undefined) lacks(redisVariables.redisSentinelName);
  if (clusterNodes.length > 0) {
    if (!prefix?.startsWith('{')) problems.push(settingProblem('REDIS_PREFIX', 'redis-prefix-spread', {}));
    if (addresses.length > 0) problems.push(settingProblem('REDIS_CLUSTER_NODES', 'redis-two-ways', {}));
  }
  if (problems.length > 0) return { problems };
  const sentinel =
    addresses.length === 0 || name === undefined
      ? undefined
      : { addresses, name, password: sentinelPassword };
  return { url, prefix, ca, password, sentinel, ...(clusterNodes.length === 0 ? {} : { clusterNodes }) };
}

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
    { en: '`host:port`, several separated by commas', ko: '`host:port` 형식, 여러 개는 쉼표로 구분' },
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
    { en: '`host:port`, several separated by commas', ko: '`host:port` 형식, 여러 개는 쉼표로 구분' },
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
