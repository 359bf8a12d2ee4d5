import type { Diagnosis } from '#src/core/diagnosis/diagnosis.js';
import type { Finding } from '#src/core/diagnosis/finding.js';
import type { Approval } from '#src/core/incident/approval.js';
import type { Change, Incident } from '#src/core/incident/incident.js';
import { tellFrom } from '#src/core/language/catalogue.js';
import { inRole } from '#src/core/language/statement.js';
import type { Remediation } from '#src/core/remediation/remediation.js';
import { noticesEn } from '#src/usecases/notices/notices-en.js';
import { noticesKo } from '#src/usecases/notices/notices-ko.js';
import type { Review } from '#src/usecases/people/conversation.js';
import { buildDryRun } from './records.js';
import { deadlock, deadlockText } from './slack-deadlock-text.js';

export const tell = tellFrom({ deadlock: deadlockText, notices: { en: noticesEn, ko: noticesKo } });

export const oldPod = 'inference-5c96d8f7b-jgvxr';
export const newPod = 'inference-7d57c9d4f-5zvcm';

export function buildRemediation(fields: Partial<Remediation> = {}): Remediation {
  return {
    kind: 'patch-strategy',
    id: 'patch-strategy-0-1',
    title: deadlock('replace-in-place', {}),
    effects: [deadlock('stops', { pod: oldPod }), deadlock('places', { pod: newPod, node: 'gpu-a' })],
    price: {
      downtime: { kind: 'gap', seconds: 40, readyAtLeast: 0, replicas: 1 },
      drift: 'strategy',
      blastRadius: { pods: 1, others: [] },
    },
    prediction: {
      victims: [{ kind: 'Pod', namespace: 'ml', name: oldPod }],
      placements: [{ pod: { kind: 'Pod', namespace: 'ml', name: newPod }, node: 'gpu-a' }],
      ends: 'complete',
      competitors: [],
    },
    strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 },
    ...fields,
  } as Remediation;
}

export function buildFinding(fields: Partial<Finding> = {}): Finding {
  const pod = { kind: 'Pod', namespace: 'ml', name: newPod };
  return {
    cause: 'surge-deadlock',
    confidence: 'proven',
    severity: 'critical',
    subject: { kind: 'Deployment', namespace: 'ml', name: 'inference' },
    resource: 'nvidia.com/gpu',
    nodes: ['gpu-a'],
    holders: [{ kind: 'Pod', namespace: 'ml', name: oldPod }],
    summary: deadlock('summary', { workload: 'ml/inference' }),
    standing: deadlock('standing', { revision: '2', minutes: 25 }),
    reasoning: [
      deadlock('needs', { pod: newPod, node: 'gpu-a' }),
      deadlock('held', { pod: oldPod }),
      deadlock('keeps', {}),
      inRole('conclusion', deadlock('counterfactual', { pod: oldPod, node: 'gpu-a' })),
      inRole('conclusion', deadlock('no-rescue', {})),
      inRole('readiness', deadlock('served', { ready: 1, wanted: 1 })),
    ],
    evidence: [
      {
        object: pod,
        field: 'status.conditions[PodScheduled]',
        value: 'False',
        at: '2026-11-20T09:05:04Z',
        says: deadlock('unplaced', { message: '0/3 nodes are available: 3 Insufficient nvidia.com/gpu.' }),
      },
    ],
    ruledOut: [{ cause: 'waiting-for-autoscaler', because: deadlock('no-node-ordered', {}) }],
    nextAttempt: { what: deadlock('retries', {}) },
    owners: [],
    remediations: [
      buildRemediation(),
      buildRemediation({
        kind: 'undo-rollout',
        id: 'undo-rollout-1',
        title: deadlock('back-to', { revision: '1' }),
        price: {
          downtime: { kind: 'none' },
          drift: 'template',
          blastRadius: { pods: 1, others: [] },
        },
      }),
    ],
    withheld: [{ kind: 'restart-rollout', because: deadlock('swaps', {}) }],
    advice: [
      {
        title: deadlock('lasting', {}),
        text: deadlock('lasting-text', { workload: 'ml/inference' }),
        snippet: 'strategy:\n  rollingUpdate:\n    maxSurge: 0\n    maxUnavailable: 1\n',
      },
    ],
    weakenedBy: [],
    ...fields,
  };
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
    demands: { approvers: 1, notRequester: false, typeName: false },
    mayDecide: true,
    ...fields,
  };
}
