import type { Redis } from 'ioredis';
import { Approval, type ConsumedApproval } from '../../core/incident/approval.js';
import { movedTo } from '../../core/incident/approval-transitions.js';
import type { ApprovalStore } from '../../usecases/ports.js';
import { parseRecord } from './guard.js';
import { createVersionedRecords } from './versioned-records.js';

export interface RedisApprovalStoreOptions {
  readonly redis: Redis;
  readonly prefix: string;
  readonly ttlMs: number;
}

export function createRedisApprovalStore({ redis, prefix, ttlMs }: RedisApprovalStoreOptions): ApprovalStore {
  const records = createVersionedRecords<Approval>({
    redis,
    prefix: `${prefix}:approval:`,
    parse: (text) => parseRecord(Approval, text),
    isOpen: ({ state }) => state === 'approved' || state === 'running',
    ttlMs,
  });
  const scoreOf = (approval: Approval): number => Date.parse(approval.createdAt);

  return {
    async open(approval) {
      const stored = await records.replace(approval, scoreOf(approval));
      if (!('type' in stored)) return stored;
      return (await records.get(approval.id)) ?? approval;
    },
    get: (id) => records.get(id),
    replace: (next) => records.replace(next, scoreOf(next)),
    underway: () => records.open(),
    async consume(id) {
      for (;;) {
        const current = await records.get(id);
        if (current?.state === 'running') return asConsumed(current);
        if (current?.state !== 'approved') return { type: 'not-approved', state: current?.state };
        const stored = await records.replace(movedTo(current, 'running'), scoreOf(current));
        if (!('type' in stored)) return asConsumed(stored);
      }
    },
  };
}

/** The one place where the patcher's permit is made: the stored state has just been seen to be `running`. */
function asConsumed(approval: Approval): ConsumedApproval {
  return approval as ConsumedApproval;
}
