import type { Redis } from 'ioredis';
import { Approval } from '../../doctor/incidents/approval.js';
import { movedTo } from '../../doctor/incidents/approval-transitions.js';
import type { ApprovalStore } from '../../service/approve/approval-ports.js';
import type { WaitingDecisionStore } from '../../service/approve/confirm-login.js';
import type { AuditedWrite } from './audited-write.js';
import { guarded, parseRecord } from './guard.js';
import { createVersionedRecords } from './versioned-records.js';

interface RedisApprovalStoreOptions {
  readonly redis: Redis;
  readonly prefix: string;
  readonly ttlMs: number;
  readonly recordDecision: AuditedWrite;
}

export function createRedisApprovalStore({
  redis,
  prefix,
  ttlMs,
  recordDecision,
}: RedisApprovalStoreOptions): ApprovalStore {
  const records = createVersionedRecords<Approval>({
    redis,
    prefix: `${prefix}:approval:`,
    parse: (text) => parseRecord(Approval, text),
    isOpen: ({ state }) => state === 'approved' || state === 'running',
    ttlMs,
    recordDecision,
  });
  const scoreOf = (approval: Approval): number => Date.parse(approval.createdAt);

  return {
    async open(approval) {
      const stored = await records.replace(approval, scoreOf(approval));
      if (!('type' in stored)) return stored;
      return (await records.get(approval.id)) ?? approval;
    },
    get: (id) => records.get(id),
    replace: (next, decision) => records.replace(next, scoreOf(next), decision),
    underway: () => records.open(),
    async consume(id, started) {
      for (;;) {
        const current = await records.get(id);
        if (current?.state === 'running') return current;
        if (current?.state !== 'approved') return { type: 'not-approved', state: current?.state };
        const stored = await records.replace(movedTo(current, 'running'), scoreOf(current), started(current));
        if (!('type' in stored)) return stored;
      }
    },
  };
}

/** A reason of 500 characters, two ids and a signature, in bytes of UTF-8 and JSON. */
const maxLength = 8_000;

/** Decisions that wait for the login of their person; each is taken once. */
export function createRedisWaitingDecisions({
  redis,
  prefix,
}: {
  redis: Redis;
  prefix: string;
}): WaitingDecisionStore {
  const keyOf = (id: string): string => `${prefix}:waiting-decision:${id}`;
  const bounded = (text: string | null): string | undefined =>
    text === null || text.length > maxLength ? undefined : text;
  return {
    async put(id, text, ttlMs) {
      await guarded(() => redis.set(keyOf(id), text, 'PX', Math.ceil(ttlMs)));
    },
    async get(id) {
      return bounded(await guarded(() => redis.get(keyOf(id))));
    },
    async take(id) {
      return bounded(await guarded(() => redis.getdel(keyOf(id))));
    },
  };
}
