import type { Redis } from 'ioredis';
import { Coverage, mergePodRecords } from '../../doctor/crash-history/merge-records.js';
import { groupBy } from '../../engine/collections/collections.js';
import { type CrashHistory, PodRecord } from '../../engine/objects/pod-record.js';
import type { CrashHistoryStore, HistoryWritten } from '../../service/history/crash-history-ports.js';
import { guarded } from './guard.js';
import { createRedisLease } from './redis-claims.js';

interface RedisCrashHistoryOptions {
  readonly redis: Redis;
  readonly prefix: string;
  /** How long a record outlives its pod's last change, in milliseconds. */
  readonly keepMs: number;
  readonly leaseMs: number;
  /** Pods kept of one controller. */
  readonly maxPods: number;
  /** Controllers kept of one cluster. */
  readonly maxOwners: number;
}

/**
 * Bookmarks come about once a minute: a watch that has told nothing for much longer has a gap that is still
 * open.
 */
const openGapSeconds = 180;

/** The field of the coverage of all namespaces: no namespace has such a name. */
const everywhere = '*';

export function createRedisCrashHistory(options: RedisCrashHistoryOptions): CrashHistoryStore {
  const { redis, prefix, keepMs, leaseMs, maxPods, maxOwners } = options;
  const keysOf = (cluster: string) => {
    const root = `${prefix}:crash-history:${cluster}`;
    return {
      lease: `${root}:lease`,
      coverage: `${root}:coverage`,
      owners: `${root}:owners`,
      pods: `${root}:pods:`,
      order: `${root}:order:`,
    };
  };

  async function writeOwner(
    cluster: string,
    token: number,
    owner: string,
    records: readonly PodRecord[],
    now: number,
  ): Promise<number> {
    const { lease, pods, order, owners, coverage } = keysOf(cluster);
    const stored = await guarded(() => redis.hmget(`${pods}${owner}`, ...records.map(({ uid }) => uid)));
    const entries = records.flatMap((record, at) => {
      const known = parsed(PodRecord, stored[at] ?? '');
      const merged = known === undefined ? record : mergePodRecords(known, record);
      return [merged.uid, lastChange(merged, now), JSON.stringify(merged)];
    });
    const keys = [lease, `${pods}${owner}`, `${order}${owner}`, owners, coverage];
    const values = [token, now, keepMs, maxPods, maxOwners, owner, pods, order, ...entries];
    return Number(await guarded(() => redis.eval(writeScript, keys.length, ...keys, ...values)));
  }

  return {
    lease: (cluster) => createRedisLease({ redis, key: keysOf(cluster).lease, leaseMs }),

    async write(cluster, token, observations, now) {
      const owners = groupBy(observations, ({ owner }) => owner);
      // One connection: the commands of all controllers go out together and are answered in one go.
      const answers = await Promise.all(
        [...owners].map(([owner, each]) => {
          const records = each.map(({ record }) => record);
          return writeOwner(cluster, token, owner, records, now.getTime());
        }),
      );
      return written(answers);
    },

    async coverage(cluster, namespace) {
      const text = await guarded(() => redis.hget(keysOf(cluster).coverage, namespace || everywhere));
      return parsed(Coverage, text ?? '');
    },

    async cover(cluster, token, namespace, coverage) {
      const { lease, coverage: key } = keysOf(cluster);
      const values = [token, namespace || everywhere, JSON.stringify(coverage), keepMs];
      return written([Number(await guarded(() => redis.eval(coverScript, 2, lease, key, ...values)))]);
    },

    async read({ cluster, namespace, owners }, at) {
      const keys = keysOf(cluster);
      const [ofAll, ofNamespace, forgotten] = await guarded(() =>
        redis.hmget(keys.coverage, everywhere, namespace, '#forgotten'),
      );
      const coverage = latest([ofAll, ofNamespace].flatMap((text) => parsed(Coverage, text ?? '') ?? []));
      if (coverage === undefined) return undefined;
      const hashes = await Promise.all(
        owners.map((owner) => guarded(() => redis.hgetall(`${keys.pods}${owner}`))),
      );
      return historyOf(coverage, hashes, Number(forgotten ?? 0), at.getTime());
    },
  };

  function historyOf(
    { since, upTo, gaps }: Coverage,
    hashes: readonly Readonly<Record<string, string>>[],
    forgottenAt: number,
    now: number,
  ): CrashHistory {
    const oldest = Math.floor((now - keepMs) / 1000);
    const nowSeconds = Math.floor(now / 1000);
    const kept = hashes.map((hash) => {
      // A controller without records may be one whose records had to make room.
      const from = Object.keys(hash).length === 0 ? forgottenAt : Number(hash['#since'] ?? 0);
      return {
        from: Math.floor(from / 1000),
        dropped: Number(hash['#dropped'] ?? 0),
        pods: Object.entries(hash).flatMap(([uid, text]) =>
          uid.startsWith('#') ? [] : (parsed(PodRecord, text) ?? []),
        ),
      };
    });
    return {
      observedSince: Math.max(since, oldest, ...kept.map(({ from }) => from)),
      gaps: nowSeconds - upTo > openGapSeconds ? [...gaps, { from: upTo, to: nowSeconds }] : gaps,
      pods: kept
        .flatMap(({ pods }) => pods)
        .filter(({ endedAt }) => endedAt === undefined || endedAt >= oldest),
      dropped: kept.reduce((sum, { dropped }) => sum + dropped, 0),
    };
  }
}

function written(answers: readonly number[]): HistoryWritten {
  if (answers.some((answer) => answer < 0)) return { type: 'fenced' };
  return { type: 'written', dropped: answers.reduce((sum, answer) => sum + answer, 0) };
}

/** Of all namespaces and of the one, whichever was kept up longer. */
function latest(coverages: readonly Coverage[]): Coverage | undefined {
  return [...coverages].sort((a, b) => b.upTo - a.upTo || a.since - b.since)[0];
}

/** When it ended, else now: a living pod is written only when something happened to it. In milliseconds. */
function lastChange({ endedAt }: PodRecord, now: number): number {
  return endedAt === undefined ? now : endedAt * 1000;
}

/**
 * A record of another version, or one that somebody damaged, counts as not there: the history is evidence,
 * not truth.
 */
function parsed<Value>(
  schema: { safeParse(value: unknown): { readonly success: boolean; readonly data?: Value } },
  text: string,
): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Writes records of one controller's pods while the lease stands under that number, and keeps the limits.
 *
 * KEYS: lease, pods (hash uid to record), order (sorted set of uids by last change), owners (sorted set of
 * controllers by last write), coverage. ARGV: token, now in ms, how long to keep in ms, pods kept,
 * controllers kept, controller, key prefix of pods, key prefix of orders, then uid, time of the last change
 * in ms, and record, for each.
 *
 * Gives -1 when fenced, else how many pods and controllers were dropped for the limits; what only grew old is
 * not counted. Of too many pods those whose last change is oldest go, of too many controllers those last
 * written.
 */
const writeScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return -1 end
local now, keep = tonumber(ARGV[2]), tonumber(ARGV[3])
local dropped = 0
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now - keep)
if not redis.call('ZSCORE', KEYS[4], ARGV[6]) then
  local forgotten = redis.call('HGET', KEYS[5], '#forgotten')
  if forgotten then redis.call('HSET', KEYS[2], '#since', forgotten) end
  while redis.call('ZCARD', KEYS[4]) >= tonumber(ARGV[5]) do
    local oldest = redis.call('ZPOPMIN', KEYS[4])[1]
    redis.call('DEL', ARGV[7] .. oldest, ARGV[8] .. oldest)
    redis.call('HSET', KEYS[5], '#forgotten', ARGV[2])
    dropped = dropped + 1
  end
end
redis.call('ZADD', KEYS[4], now, ARGV[6])
for at = 9, #ARGV, 3 do
  redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 2])
  redis.call('ZADD', KEYS[3], ARGV[at + 1], ARGV[at])
end
for _, uid in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now - keep)) do
  redis.call('HDEL', KEYS[2], uid)
  redis.call('ZREM', KEYS[3], uid)
end
local over = redis.call('ZCARD', KEYS[3]) - tonumber(ARGV[4])
if over > 0 then
  for _, uid in ipairs(redis.call('ZRANGE', KEYS[3], 0, over - 1)) do
    redis.call('HDEL', KEYS[2], uid)
    redis.call('ZREM', KEYS[3], uid)
  end
  redis.call('HINCRBY', KEYS[2], '#dropped', over)
  dropped = dropped + over
end
for key = 2, 5 do redis.call('PEXPIRE', KEYS[key], keep) end
return dropped
`;

/** KEYS: lease, coverage. ARGV: token, namespace field, coverage, how long to keep in ms. */
const coverScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return -1 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return 0
`;
