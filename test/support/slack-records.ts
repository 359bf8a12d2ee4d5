import type { AuditedChange } from '#src/service/change/audited-changes.js';
import type { TitledAudited } from '#src/service/people/audit-trail.js';
import type { IncidentList } from '#src/service/people/list-incidents.js';
import type { Silence } from '#src/service/people/people-ports.js';
import { buildIncident, buildRemediation } from './slack-builders.js';

export function buildAuditedChange(fields: Partial<AuditedChange> = {}): TitledAudited {
  return {
    type: 'change',
    approvalId: 'a'.repeat(32),
    incidentId: '0123456789abcdef0123',
    workload: buildIncident().workload,
    at: '2026-11-20T09:32:02Z',
    kind: 'patch-strategy',
    undoes: false,
    approved: [{ by: 'U0DANA', at: '2026-11-20T09:31:12Z', reason: 'nobody else needs the GPU' }],
    rejected: undefined,
    expired: false,
    cancelledBy: undefined,
    unknownSince: undefined,
    appliedAt: '2026-11-20T09:31:14Z',
    notApplied: undefined,
    verdict: 'recovered',
    title: buildRemediation().title,
    ...fields,
  };
}

export function buildSilence(fields: Partial<Silence> = {}): Silence {
  return {
    workload: buildIncident().workload,
    by: 'U0DANA',
    at: '2026-11-20T09:30:00Z',
    until: '2026-11-20T11:30:00Z',
    reason: 'node swap',
    ...fields,
  };
}

export function buildIncidentList(fields: Partial<IncidentList> = {}): IncidentList {
  const card = { channel: 'C0MLONCALL', ts: '1763631001.000200' };
  return {
    type: 'incidents',
    open: [{ incident: buildIncident(), card }],
    moreOpen: 0,
    recent: [],
    moreRecent: 0,
    ...fields,
  };
}
