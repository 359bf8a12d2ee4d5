import type { Redis } from 'ioredis';
import { clusterName } from '../../core/cluster/cluster-name.js';
import { type ClusterRole, type ClusterRoll, clusterRoles } from '../../usecases/clusters/cluster-roll.js';
import { guarded } from './guard.js';

/** Workers report this often; the app reads as often. */
const reportEveryMs = 5_000;
/** Without a report for so long, no worker of the cluster is expected to answer. */
const awayAfterMs = 30_000;
/** A cluster whose workers were removed is forgotten after a day. */
const forgottenAfterMs = 86_400_000;

/** By the clock of Redis, and without what was not reported for a day. KEYS: roll. ARGV: field, ms until forgotten. */
const reportScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now))
local all = redis.call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  if now - tonumber(all[at + 1]) > tonumber(ARGV[2]) then redis.call('HDEL', KEYS[1], all[at]) end
end
return 1
`;

/** KEYS: roll. Gives the time of Redis in ms, and all fields. */
const readScript = `
local time = redis.call('TIME')
local all = redis.call('HGETALL', KEYS[1])
table.insert(all, 1, string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)))
return all
`;

interface Place {
  readonly redis: Redis;
  readonly prefix: string;
}

/** Reports now and then that a worker of the cluster runs; gives the function that stops it. */
export function reportToClusterRoll(
  { redis, prefix }: Place,
  cluster: string,
  roles: readonly ClusterRole[],
): () => void {
  const report = (): void => {
    for (const role of roles) {
      // While Redis is away nobody can ask, and the next report follows.
      guarded(() =>
        redis.eval(reportScript, 1, keyOf(prefix), `${role} ${cluster}`, String(forgottenAfterMs)),
      ).catch(() => undefined);
    }
  };
  report();
  const timer = setInterval(report, reportEveryMs);
  return () => clearInterval(timer);
}

export interface FollowedRoll extends ClusterRoll {
  close(): void;
}

/** The clusters whose workers report, read again and again; while Redis is away the last state counts. */
export function followClusterRoll(place: Place): FollowedRoll {
  let last: ClusterRoll = rollOf(new Map());
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
    close: () => clearInterval(timer),
  };
}

/** The clusters whose workers report, as of now. @throws DoctorError `redis-unavailable` */
export async function readClusterRoll({ redis, prefix }: Place): Promise<ClusterRoll> {
  const [now, ...fields] = (await guarded(() => redis.eval(readScript, 1, keyOf(prefix)))) as string[];
  const silentMs = new Map<string, number>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    silentMs.set(fields[at] ?? '', Number(now) - Number(fields[at + 1]));
  }
  return rollOf(silentMs);
}

/** @param silentMs how long each role of each cluster had not reported when it was read, by `role cluster` */
function rollOf(silentMs: ReadonlyMap<string, number>): ClusterRoll {
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
  };
}

function keyOf(prefix: string): string {
  return `${prefix}:cluster-workers`;
}
