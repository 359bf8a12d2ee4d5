import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { Finding } from '#src/doctor/findings/finding.js';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import type { Approval } from '#src/doctor/incidents/approval.js';
import type { Change, Incident } from '#src/doctor/incidents/incident.js';
import type { Statement } from '#src/engine/language/statement.js';
import { createTell } from '#src/service/create-engine.js';
import type { Review } from '#src/service/people/conversation.js';
import finding from './deadlock-finding.json' with { type: 'json' };
import { buildDryRun } from './records.js';

export const tell = createTell();

export const oldPod = 'inference-5c96d8f7b-jgvxr';
export const newPod = 'inference-7d57c9d4f-5zvcm';

/** What the rule finds in the recorded incident `gpu-one-node`, of `ml/inference`. */
const recorded = Finding.parse(finding);
const [stopFirst, , rollBack] = recorded.remediations;

export function buildRemediation(fields: Partial<Remediation> = {}): Remediation {
  return {
    ...stopFirst,
    id: 'patch-strategy-0-1',
    price: {
      downtime: { kind: 'gap', seconds: 40, readyAtLeast: 0, replicas: 1 },
      drift: 'strategy',
      blastRadius: { pods: 1, others: [] },
    },
    ...fields,
  } as Remediation;
}

export function buildFinding(fields: Partial<Finding> = {}): Finding {
  return {
    ...recorded,
    remediations: [buildRemediation(), { ...rollBack, id: 'undo-rollout-1' } as Remediation],
    ...fields,
  };
}

/** A statement of the rule's reasoning, of a role if one is named. */
export function buildStatement(role?: Statement['role']): Statement {
  const found = recorded.reasoning.find((statement) => statement.role === role);
  if (found === undefined) throw new Error(`the recorded finding has no statement of role ${String(role)}`);
  return found;
}

export function buildDiagnosis(fields: Partial<Diagnosis> = {}): Diagnosis {
  return {
    takenAt: '2026-11-20T09:30:04Z',
    workload: { cluster: 'prod-eu', kind: 'Deployment', namespace: 'ml', name: 'inference' },
    uid: 'f3b7c1de',
    generation: 2,
    revision: '2',
    ready: { pods: 1, wanted: 1 },
    findings: [buildFinding()],
    unseen: [],
    defects: [],
    ...fields,
  };
}

export function buildIncident(fields: Partial<Incident> = {}): Incident {
  return {
    v: 1,
    id: '0123456789abcdef0123',
    version: 2,
    phase: 'diagnosed',
    workload: { cluster: 'prod-eu', kind: 'Deployment', namespace: 'ml', name: 'inference' },
    origin: { via: 'command', by: 'U0ALICE', text: 'ml/inference' },
    createdAt: '2026-11-20T09:30:01Z',
    updatedAt: '2026-11-20T09:30:04Z',
    language: 'en',
    channel: 'C0INCIDENTS',
    occurrences: 1,
    look: 1,
    diagnosis: buildDiagnosis(),
    ...fields,
  };
}

export function buildApproval(fields: Partial<Approval> = {}): Approval {
  const { workload } = buildIncident();
  return {
    v: 1,
    id: 'a'.repeat(32),
    version: 1,
    state: 'open',
    incidentId: '0123456789abcdef0123',
    look: 1,
    workload,
    cause: 'surge-deadlock',
    remediation: buildRemediation(),
    undoes: false,
    plan: {
      type: 'plan',
      remediationId: 'patch-strategy-0-1',
      target: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        namespace: 'ml',
        name: 'inference',
        uid: 'f3b7c1de',
        generation: 2,
      },
      request: {
        verb: 'patch',
        patchType: 'merge',
        body: { spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } } },
      },
      changes: [
        { path: 'spec.strategy.rollingUpdate.maxSurge', before: '25%', after: 0 },
        { path: 'spec.strategy.rollingUpdate.maxUnavailable', before: '25%', after: 1 },
      ],
    },
    digest: 'd'.repeat(64),
    initiators: ['U0ALICE'],
    needs: 1,
    decisions: [],
    createdAt: '2026-11-20T09:30:30Z',
    expiresAt: '2026-11-20T09:45:30Z',
    ...fields,
  };
}

export function buildChange(fields: Partial<Change> = {}): Change {
  return {
    approvalId: 'a'.repeat(32),
    cause: 'surge-deadlock',
    remediation: buildRemediation(),
    undoes: false,
    approvedBy: ['U0DANA'],
    approvedAt: '2026-11-20T09:31:12Z',
    ...fields,
  };
}

/** What applied changes carry. */
export const applied = {
  appliedAt: '2026-11-20T09:31:14Z',
  generation: 3,
  verifyUntil: '2026-11-20T09:41:14Z',
  undo: {
    request: { verb: 'patch' as const, patchType: 'merge' as const, body: {} },
    expects: [{ path: 'spec.strategy.rollingUpdate.maxSurge', before: 0, after: '25%' }],
  },
};

export function buildReview(fields: Partial<Review> = {}): Review {
  return {
    type: 'review',
    incident: buildIncident(),
    approval: buildApproval(),
    dryRun: buildDryRun({ at: '2026-11-20T09:30:30Z' }),
    demands: { approvers: 1, notRequester: false, typeName: false, login: false },
    mayDecide: true,
    ...fields,
  };
}
