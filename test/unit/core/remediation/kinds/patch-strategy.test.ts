import { describe, expect, it } from 'vitest';
import type { Workload } from '#src/core/cluster/workload.js';
import type { UndoPlan } from '#src/core/remediation/plan.js';
import { planRemediation } from '#src/core/remediation/plan-remediation.js';
import { planUndo } from '#src/core/remediation/plan-undo.js';
import { buildPatchStrategy } from '#support/records.js';
import { buildSnapshot, planned } from '#support/remediation-builders.js';
import { buildDeployment } from '#support/rollout-builders.js';
import { buildSet } from '#support/stateful-set-builders.js';
import { buildDaemonSet } from '../../rollout/daemon-set-builders.js';

const inPlace = { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 } as const;
const recreate = { type: 'Recreate' } as const;
const planFor = (workload: Workload, strategy: typeof inPlace | typeof recreate = inPlace) =>
  planRemediation(buildPatchStrategy({ strategy }), buildSnapshot(workload));

const workloads = {
  rolling: buildDeployment({ replicas: 2 }),
  recreated: buildDeployment({ replicas: 2, recreate: true }),
  daemons: buildDaemonSet({ maxSurge: 1, maxUnavailable: 0 }),
};

describe('the plan for another strategy', () => {
  it.each<[string, Workload, typeof inPlace | typeof recreate, object, object]>([
    [
      'replaces in place',
      workloads.rolling,
      inPlace,
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } } },
    ],
    [
      'sets Recreate, and clears the fields that conflict with it',
      workloads.rolling,
      recreate,
      { strategy: { type: 'Recreate', rollingUpdate: null } },
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } } },
    ],
    [
      'sets RollingUpdate after Recreate',
      workloads.recreated,
      inPlace,
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
      { strategy: { type: 'Recreate', rollingUpdate: null } },
    ],
    [
      'replaces daemons in place',
      workloads.daemons,
      inPlace,
      { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
      { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
    ],
  ])('%s, and its undo restores the previous strategy', (_, workload, strategy, body, former) => {
    const { request, undo, target } = planned(planFor(workload, strategy));

    expect(request).toEqual({ verb: 'patch', patchType: 'merge', body: { spec: body } });
    expect(undo?.request).toEqual({ verb: 'patch', patchType: 'merge', body: { spec: former } });
    expect(target).toMatchObject({ apiVersion: 'apps/v1', kind: workload.kind, uid: workload.metadata.uid });
  });

  it('names only the fields that change, before and after', () => {
    expect(planned(planFor(workloads.rolling)).changes).toEqual([
      { path: 'spec.strategy.rollingUpdate.maxSurge', before: '25%', after: 0 },
      { path: 'spec.strategy.rollingUpdate.maxUnavailable', before: '25%', after: 1 },
    ]);
    expect(planned(planFor(workloads.recreated)).changes).toEqual([
      { path: 'spec.strategy.type', before: 'Recreate', after: 'RollingUpdate' },
      { path: 'spec.strategy.rollingUpdate.maxSurge', before: undefined, after: 0 },
      { path: 'spec.strategy.rollingUpdate.maxUnavailable', before: undefined, after: 1 },
    ]);
  });

  it.each<[string, Workload, typeof inPlace | typeof recreate, string]>([
    ['of a paused Deployment', buildDeployment({ replicas: 1, paused: true }), inPlace, 'paused'],
    ['of a StatefulSet', buildSet({ replicas: 1 }), inPlace, 'not-applicable'],
    ['of a DaemonSet that would have to be recreated', workloads.daemons, recreate, 'not-applicable'],
    ['that is set already', workloads.recreated, recreate, 'already-applied'],
  ])('%s is refused', (_, workload, strategy, reason) => {
    expect(planFor(workload, strategy)).toMatchObject({ type: 'refusal', reason });
  });
});

describe('the undo of another strategy', () => {
  const undo = planned(planFor(workloads.rolling)).undo as UndoPlan;
  const changed = buildDeployment({ replicas: 2, maxSurge: 0, maxUnavailable: 1 });

  it('restores the previous values, and states the reverse change', () => {
    const plan = planned(planUndo('patch-strategy-in-place', undo, buildSnapshot(changed)));

    expect(plan.remediationId).toBe('undo-patch-strategy-in-place');
    expect(plan.request).toEqual(undo.request);
    expect(plan.changes).toEqual(
      undo.expects.map(({ path, before, after }) => ({ path, before: after, after: before })),
    );
  });

  it('is refused after one of its fields was changed, and names the field', () => {
    const elsewhere = buildDeployment({ replicas: 2, maxSurge: 0, maxUnavailable: 2 });
    expect(planUndo('x', undo, buildSnapshot(elsewhere))).toMatchObject({
      reason: 'drifted',
      because: {
        values: { workload: 'shop/web', path: 'spec.strategy.rollingUpdate.maxUnavailable', found: '2' },
      },
    });
  });

  it('is refused where the field is gone', () => {
    expect(planUndo('x', undo, buildSnapshot(workloads.recreated))).toMatchObject({
      reason: 'drifted',
      because: { values: { path: 'spec.strategy.rollingUpdate.maxSurge', found: '-' } },
    });
  });

  it('works on a paused Deployment, since it starts no rollout', () => {
    const paused = buildDeployment({ replicas: 2, maxSurge: 0, maxUnavailable: 1, paused: true });
    expect(planUndo('x', undo, buildSnapshot(paused)).type).toBe('plan');
  });

  it('of a field of the template waits until the Deployment is resumed', () => {
    const path = 'spec.template.metadata.annotations[x]';
    const ofTemplate: UndoPlan = { ...undo, expects: [{ path, before: 'a', after: undefined }] };
    const paused = buildDeployment({ replicas: 2, paused: true });
    expect(planUndo('x', ofTemplate, buildSnapshot(paused))).toMatchObject({ reason: 'paused' });
    expect(planUndo('x', ofTemplate, buildSnapshot(workloads.rolling)).type).toBe('plan');
  });
});
