import type { Redis } from 'ioredis';
import { z } from 'zod';
import { WorkloadRef } from '../../core/cluster/workload.js';
import type { AuditEntry, AuditLog } from '../../usecases/ports.js';
import { guarded, parseRecord } from './guard.js';

const Entry = z.object({
  at: z.string(),
  incidentId: z.string(),
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
  ]),
  by: z.string().optional(),
  workload: WorkloadRef,
  details: z.record(z.string(), z.unknown()),
});

/** A Redis stream: entries are only ever added; the oldest leave when it holds `maxEntries`. */
export function createRedisAuditLog({
  redis,
  prefix,
  maxEntries,
}: {
  readonly redis: Redis;
  readonly prefix: string;
  readonly maxEntries: number;
}): AuditLog {
  const key = `${prefix}:audit`;
  return {
    async append(entry) {
      await guarded(() => redis.xadd(key, 'MAXLEN', '~', maxEntries, '*', 'entry', JSON.stringify(entry)));
    },
    async read(limit) {
      const rows = await guarded(() => redis.xrevrange(key, '+', '-', 'COUNT', limit));
      return rows.flatMap(([, fields]) => {
        const json = fields[1];
        return json === undefined ? [] : [parseRecord(Entry, json) as AuditEntry];
      });
    },
  };
}
