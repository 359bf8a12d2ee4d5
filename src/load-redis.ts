import type { RedisSettings } from './adapters/redis/connection.js';
import { readNamedFile } from './read-settings.js';
import { type SettingProblem, settingProblem } from './usecases/inspect/setting-problem.js';

/** Variables of the connection to Redis, as they were read. */
export interface RedisVariables {
  readonly redisUrl: string;
  readonly redisPrefix: string;
  readonly redisCaFile?: string | undefined;
  readonly redisPasswordFile?: string | undefined;
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
  const problems: SettingProblem[] = [];
  const read = (name: string, path: string | undefined): string | undefined => {
    if (path === undefined) return undefined;
    try {
      return readNamedFile(path).toString('utf8');
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      problems.push(settingProblem(name, 'file-unusable', { problem }));
      return undefined;
    }
  };
  const ca = read('REDIS_CA_FILE', redisCaFile);
  const password = read('REDIS_PASSWORD_FILE', redisPasswordFile)?.replace(/\r?\n$/u, '');
  return problems.length > 0 ? { problems } : { url, prefix, ca, password };
}
