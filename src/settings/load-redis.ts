import { readNamedFile } from '../edges/files/read-settings.js';
import type { RedisSettings } from '../edges/redis/connection.js';
import { type SettingProblem, settingProblem } from '../service/inspect/setting-problem.js';
import { redisVariables } from './config-variables-redis.js';

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
  return {
    url,
    prefix,
    ca,
    password,
    sentinel,
    ...(clusterNodes.length === 0 ? {} : { clusterNodes }),
  };
}
