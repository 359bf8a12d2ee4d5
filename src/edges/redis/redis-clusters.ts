import type { Redis } from 'ioredis';
import * as z from 'zod';
import { Seal } from '../../doctor/incidents/approval.js';
import { clusterName } from '../../engine/objects/metadata.js';
import type { ClusterAnswers } from '../../service/clusters/ask-cluster.js';
import type { ClusterRole, ClusterRoll } from '../../service/clusters/cluster-roll.js';
import { clusterRoles, WorkerFacts } from '../../service/clusters/cluster-roll.js';
import { DoctorError } from '../../service/errors.js';
import { guarded, readRecord } from './guard.js';

/** Workers report this often; the app reads as often. */
const reportEveryMs = 5_000;
/** Without a report for so long, no worker of the cluster is expected to answer. */
const awayAfterMs = 30_000;
/** A cluster whose workers were removed is forgotten after a day. */
const forgottenAfterMs = 86_400_000;

/**
 * By the clock of Redis, and without what was not reported for a while. KEYS: roll or facts. ARGV: field, ms
 * until forgotten, what follows the time.
 */
const reportScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now) .. ARGV[3])
local all = redis.call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  local reported = tonumber(string.match(all[at + 1], '^%d+'))
  if reported == nil or now - reported > tonumber(ARGV[2]) then redis.call('HDEL', KEYS[1], all[at]) end
end
return 1
`;

/** KEYS: roll, facts. Gives the time of Redis in ms, and all fields of both. */
const readScript = `
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
return {now, redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2])}
`;

type Place = { readonly redis: Redis; readonly prefix: string };

interface ReportingWorker {
  /** Differs from that of each other process. */
  readonly id: string;
  readonly cluster: string;
  readonly roles: readonly ClusterRole[];
  readonly facts: () => WorkerFacts;
}

/**
 * Reports now and then that a worker of the cluster runs, and what it states; gives the function that stops
 * it.
 */
export function reportToClusterRoll(
  { redis, prefix }: Place,
  { id, cluster, roles, facts }: ReportingWorker,
): () => void {
  const put = (key: string, field: string, ms: number, text: string): void => {
    // While Redis is away nobody can ask, and the next report follows.
    guarded(() => redis.eval(reportScript, 1, key, field, String(ms), text)).catch(() => undefined);
  };
  const report = (): void => {
    for (const role of roles) put(keyOf(prefix), `${role} ${cluster}`, forgottenAfterMs, '');
    if (roles.length > 0) {
      put(factsKeyOf(prefix), `${cluster} ${id}`, awayAfterMs, ` ${JSON.stringify(facts())}`);
    }
  };
  report();
  const timer = setInterval(report, reportEveryMs);
  return () => clearInterval(timer);
}

interface FollowedRoll extends ClusterRoll {
  close(): void;
}

/** The clusters whose workers report, read again and again; while Redis is away the last state counts. */
export function followClusterRoll(place: Place): FollowedRoll {
  let last: ClusterRoll = rollOf(new Map(), []);
  const refresh = (): void => {
    readClusterRoll(place).then(
      (roll) => {
        last = roll;
      },
      () => undefined,
    );
  };
  refresh();
  const timer = setInterval(refresh, reportEveryMs);
  return {
    get clusters() {
      return last.clusters;
    },
    isServed: (cluster, role) => last.isServed(cluster, role),
    workersOf: (cluster) => last.workersOf(cluster),
    close: () => clearInterval(timer),
  };
}

/** The clusters whose workers report, as of now. @throws DoctorError `redis-unavailable` */
export async function readClusterRoll({ redis, prefix }: Place): Promise<ClusterRoll> {
  const [now, roll, facts] = (await guarded(() =>
    redis.eval(readScript, 2, keyOf(prefix), factsKeyOf(prefix)),
  )) as [string, string[], string[]];
  const silentMs = new Map(pairsIn(roll).map(([field, at]) => [field, Number(now) - Number(at)] as const));
  const workers = pairsIn(facts).flatMap(([field, text]): readonly Reported[] => {
    const [at = '', ...rest] = text.split(' ');
    const parsed = WorkerFacts.safeParse(jsonOf(rest.join(' ')));
    const [cluster = ''] = field.split(' ');
    return parsed.success ? [{ cluster, silentMs: Number(now) - Number(at), facts: parsed.data }] : [];
  });
  return rollOf(silentMs, workers);
}

type Reported = { readonly cluster: string; readonly silentMs: number; readonly facts: WorkerFacts };

function pairsIn(flat: readonly string[]): readonly (readonly [string, string])[] {
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ''] as const] : []));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param silentMs how long each role of each cluster had not reported when it was read, by `role cluster` */
function rollOf(silentMs: ReadonlyMap<string, number>, workers: readonly Reported[]): ClusterRoll {
  const readAt = performance.now();
  const silence = (cluster: string, role: ClusterRole): number =>
    (silentMs.get(`${role} ${cluster}`) ?? Number.POSITIVE_INFINITY) + performance.now() - readAt;
  const named = [...silentMs.keys()].flatMap((field) => {
    const [role, name = ''] = field.split(' ');
    return clusterRoles.some((each) => each === role) && clusterName.test(name) ? [name] : [];
  });
  return {
    clusters: [...new Set(named)]
      .filter((name) => Math.min(...clusterRoles.map((role) => silence(name, role))) < forgottenAfterMs)
      .sort(),
    isServed: (cluster, role) => silence(cluster, role) < awayAfterMs,
    workersOf: (cluster) =>
      workers
        .filter((each) => each.cluster === cluster)
        .filter((each) => each.silentMs + performance.now() - readAt < awayAfterMs)
        .map(({ facts }) => facts),
  };
}

function keyOf(prefix: string): string {
  return `${prefix}:cluster-workers`;
}

function factsKeyOf(prefix: string): string {
  return `${prefix}:cluster-facts`;
}

/** Nobody waits for an answer longer. */
const keptMs = 60_000;
/** A review holds two records of at most some hundred kilobytes. */
const maxLength = 4_000_000;

const StoredAnswer = z.object({ text: z.string().max(maxLength), seal: Seal.optional() });

/** Answers of workers to the process that asked; each is read once. */
export function createRedisClusterAnswers({
  redis,
  prefix,
}: {
  redis: Redis;
  prefix: string;
}): ClusterAnswers {
  const keyOf = (questionId: string): string => `${prefix}:cluster-answer:${questionId}`;
  return {
    async put(questionId, answer) {
      if (answer.text.length > maxLength) {
        throw new DoctorError({
          code: 'record-malformed',
          message: 'an answer about a cluster is too long',
          retryable: false,
        });
      }
      await guarded(() => redis.set(keyOf(questionId), JSON.stringify(answer), 'PX', keptMs));
    },
    take: (questionId) => readRecord(StoredAnswer, () => redis.getdel(keyOf(questionId))),
  };
}
