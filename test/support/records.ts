import type { PatchStrategy } from '#src/doctor/fixes/kinds/patch-strategy/forms.js';
import type { UndoRollout } from '#src/doctor/fixes/kinds/undo-rollout/plan.js';
import { canonicalPlan, type Plan } from '#src/doctor/fixes/plan.js';
import type { Approval, DryRun } from '#src/doctor/incidents/approval.js';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { digest } from './authority.js';

const at = '2026-11-20T09:30:00.000Z';

/** An incident about `ml/inference` that has just been asked for. */
export function buildIncident(fields: Partial<Incident>): Incident {
  return {
    v: 1,
    id: 'i1',
    version: 1,
    phase: 'diagnosing',
    workload: { cluster: 'prod', kind: 'Deployment', namespace: 'ml', name: 'inference' },
    origin: { via: 'command', by: 'U0DANA' },
    createdAt: at,
    updatedAt: at,
    language: 'en',
    channel: 'C0ONCALL',
    occurrences: 1,
    look: 1,
    ...fields,
  };
}

/** Stop the old pod first, with a gap of some 40 s. */
export function buildPatchStrategy(fields: Partial<PatchStrategy> = {}): PatchStrategy {
  return {
    kind: 'patch-strategy',
    id: 'patch-strategy-in-place',
    title: { catalogue: 'patch-strategy', key: 'title-in-place', values: {} },
    effects: [],
    price: {
      downtime: { kind: 'gap', seconds: 40, readyAtLeast: 0, replicas: 1 },
      drift: 'strategy',
      blastRadius: { pods: 1, others: [] },
    },
    prediction: { victims: [], placements: [], ends: 'complete', competitors: [] },
    strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 },
    ...fields,
  };
}

/** Roll back to revision 1; `thenDelete`: pods that the second step deletes. */
export function buildUndoRollout(thenDelete: readonly string[] | undefined): UndoRollout {
  const { price } = buildPatchStrategy();
  return {
    kind: 'undo-rollout',
    id: 'undo-rollout-db-1',
    title: { catalogue: 'undo-rollout', key: 'title', values: { revision: 1 } },
    effects: [],
    price: { ...price, drift: 'template' },
    prediction: {
      victims: [],
      placements: [],
      ends: 'complete',
      competitors: [],
    },
    toRevision: 1,
    from: { kind: 'ControllerRevision', name: 'db-1', uid: 'db-1-uid' },
    ...(thenDelete === undefined ? {} : { thenDelete }),
  };
}

const plan: Plan = {
  type: 'plan',
  remediationId: 'patch-strategy-in-place',
  target: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespace: 'ml',
    name: 'inference',
    uid: 'u1',
    generation: 2,
  },
  request: {
    verb: 'patch',
    patchType: 'merge',
    body: {
      spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
    },
  },
  changes: [{ path: 'spec.strategy.rollingUpdate.maxSurge', before: 1, after: 0 }],
};

/** The API server's answer to a dry run of this plan that it takes. */
export function buildDryRun(fields: Partial<Extract<DryRun, { readonly type: 'accepted' }>> = {}): DryRun {
  return { type: 'accepted', ask: 1, at, digest: digest(canonicalPlan(plan)), mutated: [], ...fields };
}

/** An open approval of that remediation, accepted in a dry run, not signed. */
export function buildApproval(fields: Partial<Approval>): Approval {
  const planDigest = digest(canonicalPlan(fields.plan ?? plan));
  return {
    v: 1,
    id: 'a1',
    version: 1,
    state: 'open',
    incidentId: 'i1',
    look: 1,
    workload: { cluster: 'prod', kind: 'Deployment', namespace: 'ml', name: 'inference' },
    cause: 'surge-deadlock',
    remediation: buildPatchStrategy(),
    undoes: false,
    plan,
    digest: planDigest,
    initiators: ['U0DANA'],
    reviewers: ['U0DANA'],
    dryRun: buildDryRun({ digest: planDigest }),
    needs: 1,
    decisions: [],
    createdAt: at,
    expiresAt: '2026-11-20T09:45:00.000Z',
    ...fields,
  };
}
