import type { Redis } from 'ioredis';
import {
  AuditEntry,
  type ChainCheck,
  chainStart,
  checkLinks,
  finishCheck,
  isDecision,
  readLink,
  type StoredLink,
} from '../../doctor/audit/audit-entry.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import { DoctorError } from '../../service/errors.js';
import type { AuditReader } from '../../service/people/people-ports.js';
import type { AuditLog } from '../../service/records/process-ports.js';
import {
  type AuditedWrite,
  decisionKeys,
  maxWorkloads,
  noChange,
  readEnd,
  workloadKey,
  workloadOfKey,
} from './audited-write.js';
import { guarded, parseRecord } from './guard.js';

interface RedisAuditLogOptions {
  readonly redis: Redis;
  readonly prefix: string;
  readonly digest: (text: string) => string;
  readonly recordDecision: AuditedWrite;
  /** Requests and refusals kept over all workloads. */
  readonly maxRequests: number;
  /** How long a workload's own list of requests outlives its last one, in milliseconds. */
  readonly ttlMs: number;
}

/** Requests and refusals kept of one workload. */
const maxRequestsOfWorkload = 1_000;
/** Decisions read at once. */
const pageSize = 500;
/** Decisions read at most to find those of one workload. */
const maxSearched = 20_000;

type Rows = readonly (readonly [id: string, fields: readonly string[]])[];

/**
 * Decisions are one Redis stream, a hash chain that only age shortens. Requests and refusals are streams of
 * their own, one for all and one for each workload, whose oldest entries leave when they are full.
 */
export function createRedisAuditLog(options: RedisAuditLogOptions): AuditLog & AuditReader {
  const { redis, prefix, digest, recordDecision, maxRequests, ttlMs } = options;
  const allKey = `${prefix}:audit`;
  const { stream: decisionsKey, workloads: workloadsKey } = decisionKeys(prefix);
  const keyOf = (workload: WorkloadRef): string => `${prefix}:audit-of:${workloadKey(workload)}`;

  async function rowsBefore(key: string, before: string | undefined, limit: number): Promise<Rows> {
    const from = before === undefined ? '+' : `(${before}`;
    return guarded(() => redis.xrevrange(key, from, '-', 'COUNT', limit));
  }

  async function appendRequest(entry: AuditEntry): Promise<void> {
    const { workload } = entry;
    if (workload === undefined) throw new RangeError('a request without a workload');
    const json = JSON.stringify(entry);
    const ofWorkload = keyOf(workload);
    const added = await guarded(() =>
      redis
        .multi()
        .xadd(allKey, 'MAXLEN', '~', maxRequests, '*', 'entry', json)
        .xadd(ofWorkload, 'MAXLEN', '~', maxRequestsOfWorkload, '*', 'entry', json)
        .pexpire(ofWorkload, ttlMs)
        .zadd(workloadsKey, Date.now(), workloadKey(workload))
        .zremrangebyrank(workloadsKey, 0, -maxWorkloads - 1)
        .exec(),
    );
    const failed = added?.find(([error]) => error !== null)?.[0];
    if (added === null || failed != null) throw unwritten(failed);
  }

  return {
    async append(entry) {
      if (isDecision(entry)) await recordDecision(entry, noChange);
      else await appendRequest(entry);
    },
    async requests(limit, { of, before } = {}) {
      const rows = await rowsBefore(of === undefined ? allKey : keyOf(of), before, limit);
      const last = rows.at(-1)?.[0];
      return {
        entries: rows.flatMap(([, fields]) => requestOf(fieldOf(fields, 'entry'))),
        ...(rows.length < limit || last === undefined ? {} : { before: last }),
      };
    },
    async decisions(limit, { of, before } = {}) {
      const wanted = of === undefined ? undefined : workloadKey(of);
      const entries: AuditEntry[] = [];
      let from = before;
      for (let searched = 0; searched < maxSearched; searched += pageSize) {
        const rows = await rowsBefore(decisionsKey, from, pageSize);
        for (const [id, fields] of rows) {
          from = id;
          const entry = readLink(fieldOf(fields, 'link'))?.entry;
          if (entry === undefined || !isOf(entry, wanted)) continue;
          entries.push(entry);
          if (entries.length === limit) return { entries, before: id };
        }
        if (rows.length < pageSize) return { entries };
      }
      return { entries, ...(from === undefined ? {} : { before: from }) };
    },
    async checkDecisions() {
      return checkDecisionChain({ redis, prefix, digest });
    },
    async workloads() {
      const keys = await guarded(() => redis.zrevrange(workloadsKey, 0, maxWorkloads - 1));
      return keys.flatMap((key) => workloadOfKey(key) ?? []);
    },
  };
}

/**
 * Checks every decision that is kept, oldest first. Decisions that are recorded meanwhile do not break the
 * check: the end of the chain is read first, and links after it are left out.
 */
export async function checkDecisionChain({
  redis,
  prefix,
  digest,
}: Pick<RedisAuditLogOptions, 'redis' | 'prefix' | 'digest'>): Promise<ChainCheck> {
  const { stream } = decisionKeys(prefix);
  const end = await guarded(() => readEnd(redis, prefix));
  let progress = chainStart;
  let from = '-';
  for (;;) {
    const rows: Rows = await guarded(() => redis.xrange(stream, from, '+', 'COUNT', pageSize));
    const links = rows.map(
      ([, fields]): StoredLink => ({ text: fieldOf(fields, 'link'), hash: fieldOf(fields, 'hash') }),
    );
    const isAtEnd = links.findIndex(({ hash }) => hash === end.hash);
    progress = checkLinks(progress, isAtEnd < 0 ? links : links.slice(0, isAtEnd + 1), digest);
    const last = rows.at(-1)?.[0];
    if (isAtEnd >= 0 || progress.type === 'broken' || rows.length < pageSize || last === undefined) {
      return finishCheck(progress, end);
    }
    from = `(${last}`;
  }
}

/** @param key of the wanted workload; undefined for all decisions */
function isOf({ workload }: AuditEntry, key: string | undefined): boolean {
  return key === undefined || (workload !== undefined && workloadKey(workload) === key);
}

function fieldOf(fields: readonly string[], name: string): string {
  const place = fields.findIndex((field, index) => index % 2 === 0 && field === name);
  return place < 0 ? '' : (fields[place + 1] ?? '');
}

/** An entry that a newer version wrote, and this one does not know, hides no other. */
function requestOf(json: string): readonly AuditEntry[] {
  try {
    return [parseRecord(AuditEntry, json)];
  } catch (error) {
    if (error instanceof DoctorError && error.code === 'record-malformed') return [];
    throw error;
  }
}

function unwritten(cause: unknown): DoctorError {
  return new DoctorError({
    code: 'redis-unavailable',
    message: 'Redis did not record an audit entry',
    retryable: true,
    cause,
  });
}
