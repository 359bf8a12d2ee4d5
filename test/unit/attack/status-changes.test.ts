import { describe, expect, it } from 'vitest';
import type { Plan } from '#src/doctor/fixes/plan.js';
import { planUndo } from '#src/doctor/fixes/plan-undo.js';
import { isPlanOfKind, planRemediation, type Remediation } from '#src/doctor/fixes/remediation.js';
import type { VerifiedApproval } from '#src/doctor/incidents/approval.js';
import type { ApiAnswer, ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { createWorkloadPatcher } from '#src/edges/kubernetes/workload-patcher.js';
import { buildArgoRollout } from '../../support/argo-rollout-builders.js';
import { trusting } from '../../support/authority.js';
import { buildPatchStrategy } from '../../support/records.js';
import { buildSnapshot, planned } from '../../support/remediation-builders.js';

const { kind: _kind, strategy: _strategy, ...offered } = buildPatchStrategy();
const steps = [{ setWeight: 50 }, { pause: {} }, { setWeight: 60 }, { pause: {} }, { analysis: {} }];
const pauseAt = (startTime: string) => [{ reason: 'CanaryPauseStep', startTime }];
const first = '2026-11-25T01:05:28Z';
const second = '2026-11-25T01:07:00Z';

const base = { observedGeneration: '2', stableRS: 'stable', currentPodHash: 'new' };
const paused = { ...base, currentStepIndex: 1, controllerPause: true, pauseConditions: pauseAt(first) };
const aborted = { ...base, currentStepIndex: 0, abort: true, abortedAt: first };

type UpdateChange = 'promote-rollout' | 'retry-rollout' | 'abort-rollout';

function planOf(kind: UpdateChange, status: object): Plan {
  const snapshot = buildSnapshot(buildArgoRollout({ canary: { steps }, status }), {});
  return planned(planRemediation({ ...offered, kind, id: kind } as Remediation, snapshot));
}

function undoOf(kind: UpdateChange, before: object, after: object): Plan {
  const { undo } = planOf(kind, before);
  const snapshot = buildSnapshot(buildArgoRollout({ canary: { steps }, status: after }), {});
  if (undo === undefined) throw new Error('no undo');
  return planned(planUndo(kind, undo, snapshot));
}

/** A Rollout with this status at the moment of the request. Its generation is the reviewed one. */
function clusterWith(
  plan: Plan,
  status: object,
  state: 'approved' | 'running',
  made?: { readonly status: object; readonly answers: number },
) {
  const sent: ApiRequest[] = [];
  const { uid, generation, name, namespace } = plan.target;
  const metadata = { name, namespace, uid, generation, resourceVersion: '7' };
  let stored = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', metadata, status };
  const answer = (body: unknown, code = 200): ApiAnswer => ({ status: code, body, retryAfterMs: undefined });
  const call = async (request: ApiRequest): Promise<ApiAnswer> => {
    const isForGood = request.method === 'PATCH' && request.query?.dryRun === undefined;
    if (isForGood) sent.push(request);
    if (isForGood && made !== undefined) {
      stored = { ...stored, status: made.status };
      return answer({ kind: 'Status', message: 'no' }, made.answers);
    }
    return answer(stored);
  };
  const patcher = createWorkloadPatcher({
    connections: [{ name: 'prod', call, stream: async () => answer('') }],
    clock: { now: () => new Date() },
    ...trusting,
    timeoutMs: 10_000,
  });
  const approval = {
    id: 'approval-1',
    state,
    workload: { cluster: 'prod' },
    plan,
    decisions: [],
    remediation: { kind: plan.remediationId },
    requested: { by: 'U0DANA', at: '2026-11-25T01:06:00Z' },
    expiresAt: '2100-01-01T00:00:00Z',
    undoes: false,
  } as unknown as VerifiedApproval;
  return { patcher, approval, sent };
}

describe('a change of the status of a Rollout', () => {
  it.each<[string, Plan, object]>([
    ['a promotion', planOf('promote-rollout', paused), paused],
    ['a retry', planOf('retry-rollout', aborted), aborted],
    ['an abort', planOf('abort-rollout', paused), paused],
    ['an abort while the update goes on', planOf('abort-rollout', paused), { ...base, currentStepIndex: 2 }],
  ])('is sent as reviewed: %s', async (_, plan, status) => {
    const { patcher, approval, sent } = clusterWith(plan, status, 'approved');

    expect(await patcher.apply(approval)).toMatchObject({ type: 'accepted' });
    expect(sent).toHaveLength(1);
  });

  it.each<[string, Plan, object]>([
    [
      'a promotion at a later pause',
      planOf('promote-rollout', paused),
      { ...paused, currentStepIndex: 3, pauseConditions: pauseAt(second) },
    ],
    [
      'a promotion at a later step whose pause began in the same second',
      planOf('promote-rollout', paused),
      { ...paused, currentStepIndex: 3 },
    ],
    [
      'a promotion at the same step of another revision',
      planOf('promote-rollout', paused),
      { ...paused, currentPodHash: 'newer' },
    ],
    [
      'a promotion of an update that somebody aborted',
      planOf('promote-rollout', paused),
      { ...aborted, abortedAt: second },
    ],
    [
      'a promotion whose pause somebody ended',
      planOf('promote-rollout', paused),
      { ...base, currentStepIndex: 2 },
    ],
    ['a retry of another abort', planOf('retry-rollout', aborted), { ...aborted, abortedAt: second }],
    [
      'a retry of another revision',
      planOf('retry-rollout', aborted),
      { ...aborted, currentPodHash: 'newer' },
    ],
    ['an abort of another revision', planOf('abort-rollout', paused), { ...base, currentPodHash: 'newer' }],
    [
      'the undo of an abort for another revision',
      undoOf('abort-rollout', paused, aborted),
      { ...aborted, currentPodHash: 'newer' },
    ],
  ])('is refused without a request: %s', async (_, plan, status) => {
    const { patcher, approval, sent } = clusterWith(plan, status, 'approved');

    expect(await patcher.apply(approval)).toMatchObject({ type: 'refused', because: 'stale' });
    expect(await patcher.dryRun(approval)).toMatchObject({ type: 'refused', because: 'stale' });
    expect(sent).toEqual([]);
  });

  it.each<[string, Plan, object]>([
    ['a promotion', planOf('promote-rollout', paused), { ...base, currentStepIndex: 2 }],
    ['a retry', planOf('retry-rollout', aborted), { ...base, currentStepIndex: 0 }],
    ['an abort', planOf('abort-rollout', paused), aborted],
  ])(
    'is not sent again where the object shows that an attempt before made it: %s',
    async (_, plan, status) => {
      const { patcher, approval, sent } = clusterWith(plan, status, 'running');

      expect(await patcher.apply(approval)).toMatchObject({ type: 'accepted' });
      expect(await patcher.findMade(approval)).toMatchObject({ type: 'accepted' });
      expect(sent).toEqual([]);
    },
  );

  it.each([403, 409, 504])(
    'counts as made where the object shows it, whatever the answer (%d)',
    async (answers) => {
      const made = { status: { ...base, currentStepIndex: 2 }, answers };
      const { patcher, approval, sent } = clusterWith(
        planOf('promote-rollout', paused),
        paused,
        'approved',
        made,
      );

      expect(await patcher.apply(approval)).toMatchObject({ type: 'accepted' });
      expect(sent).toHaveLength(1);
    },
  );

  it.each<[string, Plan, object]>([
    [
      'a promotion, at the next pause',
      planOf('promote-rollout', paused),
      { ...paused, currentStepIndex: 3, pauseConditions: pauseAt(second) },
    ],
    ['a retry, aborted since', planOf('retry-rollout', aborted), { ...aborted, abortedAt: second }],
    ['an abort, of another revision', planOf('abort-rollout', paused), { ...base, currentPodHash: 'newer' }],
  ])(
    'is neither sent again nor said to be missing where the update moved on since: %s',
    async (_, plan, status) => {
      const { patcher, approval, sent } = clusterWith(plan, status, 'running');

      expect(await patcher.apply(approval)).toMatchObject({ type: 'refused', because: 'stale' });
      expect(await patcher.findMade(approval)).toMatchObject({ type: 'refused', because: 'stale' });
      expect(sent).toEqual([]);
    },
  );

  it.each<[string, Plan, object]>([
    ['a promotion', planOf('promote-rollout', paused), paused],
    ['a retry', planOf('retry-rollout', aborted), aborted],
    ['an abort', planOf('abort-rollout', paused), paused],
  ])('was not made while the object is as reviewed: %s', async (_, plan, status) => {
    const { patcher, approval, sent } = clusterWith(plan, status, 'running');

    expect(await patcher.findMade(approval)).toBeUndefined();
    expect(await patcher.apply(approval)).toMatchObject({ type: 'accepted' });
    expect(sent).toHaveLength(1);
  });

  it.each<UpdateChange>(['promote-rollout', 'retry-rollout'])(
    'is no plan of its kind without what must still hold: %s',
    (kind) => {
      const plan = planOf(kind, kind === 'retry-rollout' ? aborted : paused);
      const { mustHold: _mustHold, ...target } = plan.target;
      const remediation = { ...offered, kind, id: kind } as Remediation;
      const workload = { cluster: 'prod', kind: 'Rollout', namespace: 'shop', name: 'web' } as const;

      expect(isPlanOfKind({ workload, remediation, undoes: false, plan })).toBe(true);
      expect(isPlanOfKind({ workload, remediation, undoes: false, plan: { ...plan, target } })).toBe(false);
    },
  );
});
