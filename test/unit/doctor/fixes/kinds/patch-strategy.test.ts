import { describe, expect, it } from 'vitest';
import type { PatchStrategy } from '#src/doctor/fixes/kinds/patch-strategy/forms.js';
import {
  proposePatchCanary,
  proposePatchDaemonSet,
  proposePatchGroups,
  proposePatchStrategy,
} from '#src/doctor/fixes/kinds/patch-strategy/propose.js';
import type { Offer } from '#src/doctor/fixes/offered-fields.js';
import type { UndoPlan } from '#src/doctor/fixes/plan.js';
import { planUndo } from '#src/doctor/fixes/plan-undo.js';
import { planRemediation } from '#src/doctor/fixes/remediation.js';
import type { Workload } from '#src/engine/objects/workload.js';
import { type Forecast, tooLargeForecast, unknownForecast } from '#src/engine/workloads/forecast.js';
import type { PodSimulator } from '#src/engine/workloads/pod-simulator.js';
import type { DeploymentChange } from '#src/engine/workloads/rollout-change.js';
import type {
  ArgoRolloutState,
  DaemonSetState,
  DeploymentState,
  LeaderWorkerSetState,
  RolloutState,
} from '#src/engine/workloads/rollout-state.js';
import { pod } from '../../../../support/placement-builders.js';
import { buildPatchStrategy } from '../../../../support/records.js';
import {
  buildSnapshot,
  examined,
  gpuNode,
  keysOf,
  planned,
  type RolloutFields,
  stuckOnGpu,
} from '../../../../support/remediation-builders.js';
import { buildDeployment } from '../../../../support/rollout-builders.js';
import { buildSet } from '../../../../support/stateful-set-builders.js';
import { buildDaemonSet } from '../../../engine/workloads/daemon-set-builders.js';
import { readScenario } from '../../../engine/workloads/recorded.js';

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

interface Recommended {
  readonly id: string;
  readonly effects: readonly object[];
  readonly prediction?: object;
}

const stays = (maxUnavailable: string) => ({ key: 'stays', values: { maxSurge: '0', maxUnavailable } });
const stopsFirst = { key: 'stops-first', values: { pods: ['old-0'], graceSeconds: 30 } };
const placed = (pod: string, on: string) => ({ key: 'then-placed', values: { pod, node: on } });
const alone = { key: 'no-competitors' };
const two: RolloutFields = {
  replicas: 2,
  old: ['gpu-a', 'gpu-b'],
  nodes: [gpuNode('gpu-a', 1), gpuNode('gpu-b', 1)],
};
const kustomized = {
  'kustomize.toolkit.fluxcd.io/name': 'apps',
  'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
};

describe('the recommendation of another strategy', () => {
  /** New pods become ready once this many old pods are gone. */
  const recommended = (fields: RolloutFields, readyAfter = 0): Offer<PatchStrategy> => {
    const { simulator, state } = examined<DeploymentState>(stuckOnGpu(fields));
    const becomesReady: PodSimulator['becomesReady'] = (pod, on, difference) =>
      difference.gone.length >= readyAfter && simulator.becomesReady(pod, on, difference);
    return proposePatchStrategy({ state, simulator: { ...simulator, becomesReady } });
  };

  it.each<[string, RolloutFields, number, Recommended]>([
    [
      'stops the only old pod first',
      {},
      0,
      {
        id: 'patch-strategy-in-place',
        effects: [stopsFirst, placed('new-0', 'gpu-a'), alone, stays('1')],
        prediction: { ends: 'complete', competitors: [] },
      },
    ],
    [
      'names the pod that may be stopped first instead, and those that follow',
      two,
      0,
      {
        id: 'patch-strategy-in-place',
        effects: [
          stopsFirst,
          { key: 'or-else', values: { pods: ['old-1'] } },
          placed('new-0', 'gpu-a'),
          { key: 'then-one-by-one', values: { replicas: 2 } },
          alone,
          stays('1'),
        ],
      },
    ],
    [
      'names the pods of others that may take the place, and promises no node',
      { others: [pod('rival', { namespace: 'ml', requests: { 'nvidia.com/gpu': '1' } })] },
      0,
      {
        id: 'patch-strategy-in-place',
        effects: [stopsFirst, { key: 'competitors', values: { pods: ['ml/rival'] } }, stays('1')],
        prediction: { ends: 'contested' },
      },
    ],
    [
      'is Recreate where all old pods have to be gone',
      two,
      2,
      {
        id: 'patch-strategy-recreate',
        effects: [
          { key: 'stops-all', values: { pods: 2, graceSeconds: 30 } },
          placed('new-0', 'gpu-a'),
          alone,
        ],
      },
    ],
    [
      'stops all old pods at once where the owner refuses Recreate',
      { ...two, deployment: { labels: kustomized } },
      2,
      {
        id: 'patch-strategy-all-at-once',
        effects: [
          { key: 'stops-first', values: { pods: ['old-0', 'old-1'], graceSeconds: 30 } },
          placed('new-0', 'gpu-a'),
          alone,
          stays('100%'),
        ],
      },
    ],
  ])('%s', (_, fields, readyAfter, { id, effects, prediction = {} }) => {
    const { remediations, withheld } = recommended(fields, readyAfter);

    expect(remediations).toMatchObject([
      { id, title: { key: id.replace('patch-strategy', 'title') }, effects, prediction },
    ]);
    expect(remediations[0]?.effects).toHaveLength(effects.length);
    expect(withheld).toEqual([]);
  });

  it.each<[string, Forecast, Offer<PatchStrategy>['withheld'][number] | undefined]>([
    ['offers nothing where the rollout stays stuck', { ...unknownForecast, ends: 'stuck' }, undefined],
    [
      'says that the rollout is too large to simulate',
      tooLargeForecast('pods'),
      expect.objectContaining({ kind: 'patch-strategy' }),
    ],
  ])('%s', (_, forecast, withheld) => {
    const tried: DeploymentChange[] = [];
    const offer = proposePatchStrategy({
      ...examined<DeploymentState>(stuckOnGpu()),
      forecast: (change) => {
        tried.push(change);
        return forecast;
      },
    });

    expect(offer).toEqual({ remediations: [], withheld: withheld === undefined ? [] : [withheld] });
    // The harsher strategy is no answer where the gentle one was not tried to its end.
    expect(tried).toHaveLength(withheld === undefined ? 2 : 1);
  });

  it('says that it is not known where no forecast is known', () => {
    const offer = proposePatchStrategy({
      ...examined<DeploymentState>(stuckOnGpu()),
      forecast: () => unknownForecast,
    });
    expect(offer).toMatchObject({
      remediations: [],
      withheld: [{ kind: 'patch-strategy', because: { key: 'withheld-unknown' } }],
    });
  });
});

describe('the recommendation of other bounds of a recorded rollout', () => {
  const offer = (id: string): Offer<PatchStrategy> => {
    const { objects, state } = readScenario(id);
    const takenAt = new Date(state.now).toISOString();
    const seen = <State extends RolloutState>(workload: Workload) =>
      examined<State>(buildSnapshot(workload, objects, { takenAt }));
    switch (state.kind) {
      case 'Rollout':
        return proposePatchCanary(seen<ArgoRolloutState>(state.rollout));
      case 'DaemonSet':
        return proposePatchDaemonSet(seen<DaemonSetState>(state.daemonSet));
      case 'LeaderWorkerSet':
        return proposePatchGroups(seen<LeaderWorkerSetState>(state.leaderWorkerSet));
      default:
        throw new Error(`${id} is of another kind`);
    }
  };

  it.each([
    ['argo-rollouts/host-port-canary', ['stops-first', 'then-placed']],
    ['argo-rollouts/canary-of-four-replicas', ['stops-first', 'then-placed', 'then-one-by-one']],
    ['daemon-set-surge-memory', ['stops-first', 'new-pod-placed', 'then-node-by-node']],
    ['controls/quota-full-daemon-pods-one-by-one', ['stops-first', 'new-pod-placed']],
    ['leader-worker-sets/one-pod-group', ['removes-surge-group', 'stops-group-first']],
    ['leader-worker-sets/quota-for-one-group', ['stops-group-first']],
    ['leader-worker-sets/two-groups', ['removes-surge-group', 'stops-group-first', 'then-group-by-group']],
  ])('of %s states %j', (id, effects) => {
    const [remediation] = offer(id).remediations;

    expect(remediation).toMatchObject({
      id: 'patch-strategy-in-place',
      title: { key: 'title-in-place' },
      strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 },
      price: { drift: 'strategy' },
      prediction: { ends: 'complete' },
    });
    expect(keysOf(remediation?.effects ?? [])).toEqual([...effects, 'no-competitors', 'stays']);
    expect(remediation?.effects).toContainEqual(expect.objectContaining(stays('1')));
  });

  it.each(['group-of-two', 'quota-for-a-worker', 'quota-for-one-group'])(
    'of %s counts the time in which a leader or its worker is missing as downtime',
    (id) => {
      const [remediation] = offer(`leader-worker-sets/${id}`).remediations;
      expect(remediation?.price.downtime).toMatchObject({ kind: 'gap', readyAtLeast: 0, replicas: 2 });
      // The leader has a grace period of 30 s, and its worker stops after it.
      expect(remediation?.price.downtime.seconds).toBeGreaterThan(60);
    },
  );

  it.each([
    'argo-rollouts/routed-canary',
    'argo-rollouts/blue-green',
    'argo-rollouts/lock-canary',
    'argo-rollouts/host-port-of-another-workload',
    'daemon-pod-too-large-for-one-node',
    'leader-worker-sets/larger-than-every-node',
  ])('is not made for %s', (id) => {
    expect(offer(id)).toEqual({ remediations: [], withheld: [] });
  });
});
