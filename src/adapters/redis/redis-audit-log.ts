import type { Redis } from 'ioredis';
import { z } from 'zod';
import { WorkloadRef } from '../../core/cluster/workload.js';
import { DoctorError } from '../../errors.js';
import type { AuditReader } from '../../usecases/people-ports.js';
import type { AuditEntry, AuditLog } from '../../usecases/ports.js';
import { guarded, parseRecord } from './guard.js';
import { workloadKey, workloadOfKey } from './workload-key.js';

const Entry = z.object({
  at: z.string(),
  incidentId: z.string().optional(),
  approvalId: z.string().optional(),
  action: z.enum([
    'diagnosis-requested',
    'review-opened',
    'review-refused',
    'approved',
    'approval-refused',
    'rejected',
    'expired',
    'dry-run',
    'applied',
    'apply-refused',
    'verdict',
    'silenced',
    'silence-lifted',
  ]),
  by: z.string().optional(),
  workload: WorkloadRef,
  details: z.record(z.string(), z.unknown()),
});

export interface RedisAuditLogOptions {
  readonly redis: Redis;
  readonly prefix: string;
  /** Entries kept over all workloads. */
  readonly maxEntries: number;
  /** How long a workload's own list of entries outlives its last one, in milliseconds. */
  readonly ttlMs: number;
}

/** Entries kept of one workload. */
const maxOfWorkload = 1_000;
/** Workloads that can be asked for by name. */
const maxWorkloads = 10_000;

type Rows = readonly (readonly [id: string, fields: readonly string[]])[];

/**
 * A Redis stream of all entries, and one for each workload. Entries are only ever added; the oldest leave when a stream
 * is full.
 */
export function createRedisAuditLog(options: RedisAuditLogOptions): AuditLog & AuditReader {
  const { redis, prefix, maxEntries, ttlMs } = options;
  const allKey = `${prefix}:audit`;
  const workloadsKey = `${prefix}:audit-workloads`;
  const keyOf = (workload: WorkloadRef): string => `${prefix}:audit-of:${workloadKey(workload)}`;

  async function rowsBefore(key: string, before: string | undefined, limit: number): Promise<Rows> {
    const from = before === undefined ? '+' : `(${before}`;
    return guarded(() => redis.xrevrange(key, from, '-', 'COUNT', limit));
  }

  return {
    async append(entry) {
      const json = JSON.stringify(entry);
      const ofWorkload = keyOf(entry.workload);
      const added = await guarded(() =>
        redis
          .multi()
          .xadd(allKey, 'MAXLEN', '~', maxEntries, '*', 'entry', json)
          .xadd(ofWorkload, 'MAXLEN', '~', maxOfWorkload, '*', 'entry', json)
          .pexpire(ofWorkload, ttlMs)
          .zadd(workloadsKey, Date.now(), workloadKey(entry.workload))
          .zremrangebyrank(workloadsKey, 0, -maxWorkloads - 1)
          .exec(),
      );
      const failed = added?.find(([error]) => error !== null)?.[0];
      if (added === null || failed != null) throw unwritten(failed);
    },
    async read(limit) {
      return entriesOf(await rowsBefore(allKey, undefined, limit));
    },
    async page(limit, { of, before } = {}) {
      const rows = await rowsBefore(of === undefined ? allKey : keyOf(of), before, limit);
      const last = rows.at(-1)?.[0];
      return {
        entries: entriesOf(rows),
        ...(rows.length < limit || last === undefined ? {} : { before: last }),
      };
    },
    async workloads() {
      const keys = await guarded(() => redis.zrevrange(workloadsKey, 0, maxWorkloads - 1));
      return keys.flatMap((key) => workloadOfKey(key) ?? []);
    },
  };
}

/** An entry that a newer version wrote, and this one does not know, hides no other. */
function entriesOf(rows: Rows): readonly AuditEntry[] {
  return rows.flatMap(([, fields]) => {
    const json = fields[1];
    if (json === undefined) return [];
    try {
      return [parseRecord(Entry, json) as AuditEntry];
    } catch (error) {
      if (error instanceof DoctorError && error.code === 'record-malformed') return [];
      throw error;
    }
  });
}

function unwritten(cause: unknown): DoctorError {
  return new DoctorError({
    code: 'redis-unavailable',
    message: 'Redis did not take an entry of the audit',
    retryable: true,
    cause,
  });
}
