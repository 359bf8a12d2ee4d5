import { queueNames } from '#src/service/jobs/jobs.js';
import type { StormStack } from '../../demo/storm/storm-stack.js';
import { type FamilySize, type RedisFamily, readFamilySizes, redisFamilies } from './redis-families.js';
import { residentBytes } from './resident-memory.js';

/** What a long run holds at one moment. */
export interface Mark {
  readonly families: Readonly<Record<RedisFamily, FamilySize>>;
  readonly keys: number;
  readonly bytes: number;
  /** Resident memory in bytes, by process. */
  readonly resident: Readonly<Record<string, number>>;
  /** Alerts that are remembered. */
  readonly alertRecords: number;
  readonly incidents: number;
  /** Entries in the list of requests of all workloads. */
  readonly requests: number;
  /** Jobs that ended and are kept, of the queue that keeps most of them. */
  readonly mostEnded: number;
  /** Jobs that ended and are kept, or that wait. */
  readonly jobs: number;
  /** Events of jobs, of the queue that keeps most of them. */
  readonly mostEvents: number;
  readonly events: number;
  readonly failedJobs: number;
}

export async function takeMark({ stack, redis, prefix }: StormStack): Promise<Mark> {
  const families = await readFamilySizes(redis, prefix);
  const sum = (of: keyof FamilySize) => redisFamilies.reduce((total, name) => total + families[name][of], 0);
  const ofQueues = (read: (key: string) => Promise<number>) =>
    Promise.all(queueNames.map((name) => read(`${prefix}-jobs:${name}`)));
  const sizeOf = (state: string) => ofQueues((key) => redis.zcard(`${key}:${state}`));
  const lengthOf = (state: string) => ofQueues((key) => redis.llen(`${key}:${state}`));
  const [ended, failed] = [await sizeOf('completed'), await sizeOf('failed')];
  const waiting = [
    await sizeOf('delayed'),
    await sizeOf('prioritized'),
    await lengthOf('wait'),
    await lengthOf('active'),
  ];
  const events = await ofQueues((key) => redis.xlen(`${key}:events`));
  const parts = [...stack.apps, ...stack.workers];
  const resident = await Promise.all(
    parts.map(async ({ name, pid }) => [name, pid === undefined ? 0 : await residentBytes(pid)] as const),
  );
  return {
    families,
    keys: sum('keys'),
    bytes: sum('bytes'),
    resident: Object.fromEntries(resident),
    alertRecords: await redis.zcard(`${prefix}:alerts-by-time`),
    incidents: await redis.zcard(`${prefix}:incidents`),
    requests: await redis.xlen(`${prefix}:audit`),
    mostEnded: Math.max(...ended),
    jobs: total([...ended, ...failed, ...waiting.flat()]),
    mostEvents: Math.max(...events),
    events: total(events),
    failedJobs: total(failed),
  };
}

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** One line for people who publish the numbers. */
export function describeMark({ families, keys, bytes, resident, ...counts }: Mark): string {
  const numbers = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  const memory = Object.entries(resident).map(([name, size]) => `${name} ${megabytes(size)}`);
  const parts = redisFamilies
    .filter((name) => families[name].keys > 0)
    .map((name) => `${name} ${families[name].keys}/${megabytes(families[name].bytes)}`);
  return `keys ${keys}, ${megabytes(bytes)} (${parts.join(', ')}); ${numbers.join(', ')}; ${memory.join(', ')}`;
}
