import { describe, expect, it } from 'vitest';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import { planRemediation } from '#src/doctor/fixes/remediation.js';
import type { Rollout } from '#src/engine/objects/argo-rollout.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { buildPatchStrategy } from '../../../../support/records.js';
import { scenarios } from '../../../../support/scenarios/expectation.js';
import { snapshotOf } from '../../../../support/scenarios/snapshot-of.js';

type UpdateKind = 'abort-rollout' | 'retry-rollout' | 'promote-rollout';
type Fields = { readonly spec?: Partial<Rollout['spec']>; readonly status?: Partial<Rollout['status']> };

const { kind: _kind, strategy: _strategy, ...offered } = buildPatchStrategy();

/** The plan of a change of the update that was recorded in this folder, after these fields changed. */
async function planOf(kind: UpdateKind, folder: string, { spec, status }: Fields = {}) {
  const scenario = scenarios().find((each) => each.folder.endsWith(`/${folder}`));
  if (scenario === undefined) throw new Error(`${folder} is not recorded`);
  const snapshot = await snapshotOf(scenario);
  const workload = snapshot.workload as Rollout;
  const changed = {
    ...workload,
    spec: { ...workload.spec, ...spec },
    status: { ...workload.status, ...status },
  };
  return planRemediation({ ...offered, kind } as Remediation, { ...snapshot, workload: changed } as Snapshot);
}

const inconclusive = [{ reason: 'InconclusiveExperiment', startTime: '2026-11-25T01:05:28Z' }];

describe('the plan of a change of an update', () => {
  it.each<[UpdateKind, string, string, string, Fields?]>([
    ['abort-rollout', 'argo-rollouts/aborted', 'already-applied', 'already-applied'],
    ['abort-rollout', 'argo-rollouts/healthy', 'not-applicable', 'not-applicable'],
    ['abort-rollout', 'healthy-mid-rollout', 'not-applicable', 'not-applicable'],
    ['retry-rollout', 'argo-rollouts/pause-step', 'already-applied', 'already-applied'],
    ['retry-rollout', 'argo-rollouts/healthy', 'not-applicable', 'not-applicable'],
    ['retry-rollout', 'healthy-mid-rollout', 'not-applicable', 'not-applicable'],
    ['retry-rollout', 'argo-rollouts/aborted', 'paused', 'paused', { spec: { paused: true } }],
    ['promote-rollout', 'healthy-mid-rollout', 'not-applicable', 'not-applicable'],
    ['promote-rollout', 'argo-rollouts/paused-by-a-person', 'paused', 'paused'],
    ['promote-rollout', 'argo-rollouts/aborted', 'already-applied', 'waits-at-no-pause'],
    [
      'promote-rollout',
      'argo-rollouts/pause-step',
      'already-applied',
      'waits-at-no-pause',
      { status: { abort: true } },
    ],
    ['promote-rollout', 'argo-rollouts/canary-without-steps', 'already-applied', 'waits-at-no-pause'],
    [
      ...(['promote-rollout', 'argo-rollouts/pause-step', 'not-applicable', 'pauses-again'] as const),
      { status: { pauseConditions: inconclusive } },
    ],
  ])('%s of %s is refused as %s: %s', async (kind, folder, reason, key, fields) => {
    const workload = folder === 'healthy-mid-rollout' ? expect.any(String) : 'shop/inference';
    expect(await planOf(kind, folder, fields)).toMatchObject({
      ...{ type: 'refusal', reason, because: { key, values: { workload } } },
    });
  });

  it.each<[UpdateKind, string, readonly string[], object | undefined]>([
    ['abort-rollout', 'argo-rollouts/pause-step', ['currentPodHash', 'abortedAt'], { abort: false }],
    ['retry-rollout', 'argo-rollouts/aborted', ['currentPodHash', 'abortedAt'], { abort: true }],
    [
      ...(['promote-rollout', 'argo-rollouts/pause-step'] as const),
      ['currentPodHash', 'abortedAt', 'pauseConditions', 'currentStepIndex'],
      undefined,
    ],
  ])(
    '%s of %s holds for this update alone, and restores what it changed',
    async (kind, folder, held, undone) => {
      const plan = await planOf(kind, folder);

      expect(plan).toMatchObject({
        type: 'plan',
        remediationId: offered.id,
        target: { kind: 'Rollout', mustHold: held.map((field) => ({ path: `status.${field}` })) },
      });
      if (plan.type !== 'plan') return;
      expect(plan.undo).toEqual(
        undone && {
          request: { verb: 'patch', patchType: 'merge', subresource: 'status', body: { status: undone } },
          expects: plan.changes,
        },
      );
    },
  );
});
