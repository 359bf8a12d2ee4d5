import { describe, expect, it } from 'vitest';
import type { Plan } from '#src/doctor/fixes/plan.js';
import { madeOutcome } from '#src/edges/kubernetes/change-body.js';
import { buildApproval } from '../../../support/records.js';

const path = 'spec.predictor.annotations[kubectl.kubernetes.io/restartedAt]';
const target = {
  kind: 'InferenceService',
  namespace: 'shop',
  name: 'llm',
  uid: 'u1',
  generation: 4,
} as const;
const plan: Plan = {
  ...{ type: 'plan', remediationId: 'r1', request: { verb: 'restart' } },
  target: { apiVersion: 'serving.kserve.io/v1beta1', ...target },
  changes: [{ path, before: undefined, after: '<now>' }],
};

/** An object that keeps no mark, after a request to restart its pods whose answer was lost. */
function made({
  restartedAt,
  ...metadata
}: {
  readonly restartedAt?: string;
  readonly uid?: string;
  readonly generation?: number;
}) {
  const annotations = { 'kubectl.kubernetes.io/restartedAt': restartedAt };
  const current = {
    metadata: { uid: 'u1', generation: 5, ...metadata },
    spec: { predictor: { annotations } },
  };
  const decisions = [
    { by: 'U0DANA', at: '2026-11-20T09:30:00.400Z', decision: 'approve', reason: '' },
  ] as const;
  const approval = { ...buildApproval({ plan }), decisions };
  return madeOutcome(approval as never, { type: 'read', current, path: '' }, false);
}

describe('a restart of an InferenceService whose answer was lost', () => {
  it('was made where its pods are to restart since the approval', () => {
    expect(made({ restartedAt: '2026-11-20T09:30:00Z' })).toMatchObject({ type: 'accepted', generation: 5 });
  });

  it.each<[string, Parameters<typeof made>[0]]>([
    ['they are not to restart', {}],
    ['they restarted before the approval', { restartedAt: '2026-11-20T09:29:59Z' }],
    ['the object did not change', { restartedAt: '2026-11-20T09:30:00Z', generation: 4 }],
    ['another object has the name', { restartedAt: '2026-11-20T09:30:00Z', uid: 'u2' }],
  ])('was not made where %s', (_, object) => {
    expect(made(object)).toBeUndefined();
  });
});
