import type { Redis } from 'ioredis';

/** What is kept together and expires together, by the key after the prefix; the first that fits counts. */
const families = [
  ['events of jobs', /^-jobs:[^:]+:events$/],
  ['jobs', /^-jobs:/],
  ['incidents', /^:(incident|open-incident|incidents)/],
  ['approvals', /^:approval/],
  ['messages in Slack', /^:(delivery|delivering|thread|turn|held)/],
  ['audit: decisions', /^:audit-decisions/],
  ['audit: requests', /^:audit/],
  ['alerts', /^:alert/],
  ['other', /^/],
] as const;

export type RedisFamily = (typeof families)[number][0];

export const redisFamilies: readonly RedisFamily[] = families.map(([name]) => name);

export interface FamilySize {
  readonly keys: number;
  readonly bytes: number;
}

/** Keys under the prefix and their `MEMORY USAGE`, by family. */
export async function readFamilySizes(
  redis: Redis,
  prefix: string,
): Promise<Readonly<Record<RedisFamily, FamilySize>>> {
  const sizes = Object.fromEntries(redisFamilies.map((name) => [name, { keys: 0, bytes: 0 }])) as Record<
    RedisFamily,
    { keys: number; bytes: number }
  >;
  // A scan returns a key twice while the table of keys grows.
  const seen = new Set<string>();
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 500 })) {
    const found = [...new Set(keys as readonly string[])].filter((key) => !seen.has(key));
    for (const key of found) seen.add(key);
    const usages = await Promise.all(found.map((key) => redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0')));
    for (const [at, key] of found.entries()) {
      const usage = usages[at];
      // It expired in between.
      if (usage === null) continue;
      const [name] = families.find(([, of]) => of.test(key.slice(prefix.length))) ?? ['other' as const];
      sizes[name].keys += 1;
      sizes[name].bytes += Number(usage);
    }
  }
  return sizes;
}
