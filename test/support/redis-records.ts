import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { AuditEntry, StoredLink } from '#src/doctor/audit/audit-entry.js';
import type { Approval } from '#src/doctor/incidents/approval.js';
import { type AuditedWrite, createAuditedWrite } from '#src/edges/redis/audited-write.js';
import { createRedisApprovalStore } from '#src/edges/redis/redis-approval-store.js';
import { createRedisAuditLog } from '#src/edges/redis/redis-audit-log.js';
import { createRedisChangeStopStore, createRedisSilenceStore } from '#src/edges/redis/redis-in-force.js';
import { createRedisIncidentStore } from '#src/edges/redis/redis-incident-store.js';
import type { Silence } from '#src/service/people/people-ports.js';
import { changeEntry } from '#src/service/records/audit-entries.js';

/** The entry that a silence is recorded with. */
export function silenceEntry(
  action: 'silenced' | 'silence-lifted',
  { workload, by, at }: Silence,
): AuditEntry {
  return { at, action, by, workload, details: {} };
}

/** The entry that the start of a change is recorded with. */
export function startEntry(approval: Approval): AuditEntry {
  return changeEntry(approval, 'started', new Date('2026-11-20T09:31:00Z'));
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const dayMs = 86_400_000;
/** Longer than a file takes on any machine: no record expires during a test. */
const ttlMs = dayMs;

export function openDecisions(
  redis: Redis,
  prefix: string,
  onDecision: (link: StoredLink) => void = () => undefined,
): AuditedWrite {
  return createAuditedWrite({ redis, prefix, digest: sha256, keepMs: dayMs, onDecision });
}

/** The records that decisions are written with, as the container opens them. */
export function openRecords(redis: Redis, prefix: string, onDecision?: (link: StoredLink) => void) {
  const recordDecision = openDecisions(redis, prefix, onDecision);
  return {
    incidents: createRedisIncidentStore({ redis, prefix, ttlMs, recordDecision }),
    approvals: createRedisApprovalStore({ redis, prefix, ttlMs, recordDecision }),
    audit: createRedisAuditLog({
      redis,
      prefix,
      digest: sha256,
      recordDecision,
      maxRequests: 1_000,
      ttlMs,
    }),
    silences: createRedisSilenceStore({ redis, prefix, recordDecision }),
    stops: createRedisChangeStopStore({ redis, prefix, recordDecision }),
  };
}
