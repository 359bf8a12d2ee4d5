import { describe, expect, it } from 'vitest';
import { LeaderWorkerSet } from '#src/engine/objects/leader-worker-set.js';
import type { Pod } from '#src/engine/objects/pod.js';
import {
  nextLeaderWorkerSetSteps,
  notSimulatedSettings,
} from '#src/engine/workloads/leader-worker-set/forecast.js';
import {
  formerGroupPods,
  groupBounds,
  hasSurgeGroups,
  isReadWhole,
  isTooLarge,
  newGroupPods,
} from '#src/engine/workloads/leader-worker-set/leader-set.js';
import { leadersToDelete } from '#src/engine/workloads/leader-worker-set/model.js';
import type { PodSimulator } from '#src/engine/workloads/pod-simulator.js';
import type { LeaderWorkerSetState } from '#src/engine/workloads/rollout-state.js';
import { defaultSimulationBudget } from '#src/engine/workloads/simulation.js';
import { readScenario } from '../recorded.js';

function stateOf(id: string): LeaderWorkerSetState {
  const { state } = readScenario(`leader-worker-sets/${id}`);
  if (state.kind !== 'LeaderWorkerSet') throw new Error(`${id} is a ${state.kind}`);
  return state;
}
const names = (pods: readonly Pod[]): readonly string[] => pods.map(({ metadata }) => metadata.name).sort();

interface Fields {
  readonly replicas?: number;
  readonly strategy?: object;
  readonly template?: object;
  readonly spec?: object;
  readonly annotations?: object;
  readonly worker?: object;
}
function buildSet({
  replicas = 4,
  strategy = {},
  template = {},
  spec = {},
  annotations = {},
  worker = {},
}: Fields) {
  return LeaderWorkerSet.parse({
    metadata: { name: 'inference', namespace: 'ml', uid: 'u', annotations },
    spec: {
      replicas,
      rolloutStrategy: { type: 'RollingUpdate', rollingUpdateConfiguration: strategy },
      leaderWorkerTemplate: {
        size: 2,
        workerTemplate: { spec: { containers: [{ name: 'app', image: 'a' }] }, ...worker },
        ...template,
      },
      ...spec,
    },
  });
}

describe('the bounds of an update of groups', () => {
  it.each<[object, number, object | undefined]>([
    [{ maxSurge: 1, maxUnavailable: 0 }, 4, { surge: 1, unavailable: 0 }],
    [{ maxSurge: '30%', maxUnavailable: '30%' }, 4, { surge: 2, unavailable: 1 }],
    [{ maxSurge: 9, maxUnavailable: 9 }, 4, { surge: 4, unavailable: 9 }],
    [{}, 4, { surge: 0, unavailable: 1 }],
    [{ maxSurge: 'some' }, 4, undefined],
    [{ maxUnavailable: 'some' }, 4, undefined],
  ])('%j of %d groups are %j', (strategy, replicas, expected) => {
    expect(groupBounds(buildSet({ strategy, replicas }))).toEqual(expected);
  });
});

describe('settings of a LeaderWorkerSet that are not simulated', () => {
  const claims = { volumeClaimTemplates: [{ metadata: { name: 'data' } }] };
  const named = (label: string) => ({
    spec: {
      containers: [{ name: 'app', image: 'a' }],
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', matchLabelKeys: [label] }],
    },
  });
  it.each<[string, Fields, readonly string[]]>([
    ['none', {}, []],
    [
      'an exclusive topology',
      { annotations: { 'leaderworkerset.sigs.k8s.io/exclusive-topology': 'rack' } },
      ['leaderworkerset.sigs.k8s.io/exclusive-topology'],
    ],
    [
      'an exclusive topology of parts of a group',
      { annotations: { 'leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology': 'rack' } },
      ['leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology'],
    ],
    [
      'a computed label',
      { worker: named('leaderworkerset.sigs.k8s.io/group-key') },
      ['leaderworkerset.sigs.k8s.io/group-key'],
    ],
    ['claims', { template: claims }, ['spec.leaderWorkerTemplate.volumeClaimTemplates']],
    ['claims of groups of one pod', { template: { ...claims, size: 1 } }, []],
    [
      'another strategy',
      { spec: { rolloutStrategy: { type: 'OnDelete' } } },
      ['spec.rolloutStrategy.type: OnDelete'],
    ],
    ['another start', { spec: { startupPolicy: 'Later' } }, ['spec.startupPolicy: Later']],
    ['leaders first', { spec: { startupPolicy: 'LeaderReady' } }, []],
    [
      'another restart',
      { template: { restartPolicy: 'Never' } },
      ['spec.leaderWorkerTemplate.restartPolicy: Never'],
    ],
    ...['Default', 'None', 'RecreateGroupAfterStart'].map(
      (restartPolicy): [string, Fields, readonly string[]] => [
        `the restart policy ${restartPolicy}`,
        { template: { restartPolicy } },
        [],
      ],
    ),
  ])('are known: %s', (_, fields, expected) => {
    expect(notSimulatedSettings(buildSet(fields))).toEqual(expected);
  });
});

describe('the pods of groups', () => {
  it('are of the newest revision or of a former one', () => {
    const state = stateOf('group-of-two');
    expect([names(newGroupPods(state)), names(formerGroupPods(state))]).toEqual([
      ['inference-1', 'inference-1-1'],
      ['inference-0', 'inference-0-1'],
    ]);
    expect(formerGroupPods(stateOf('healthy'))).toEqual([]);
  });

  it('are read whole where each StatefulSet has pods, or reports none', () => {
    const state = stateOf('healthy');
    const { statefulSets, pods } = state;
    expect(isReadWhole(state)).toBe(true);
    expect(isReadWhole({ ...state, statefulSets: [] })).toBe(false);
    expect(
      isReadWhole({ ...state, pods: pods.filter(({ metadata }) => !metadata.name.endsWith('-1')) }),
    ).toBe(false);
    const empty = statefulSets.map((set) => ({ ...set, status: { ...set.status, replicas: 0 } }));
    expect(isReadWhole({ ...state, statefulSets: empty, pods: [] })).toBe(true);
  });

  it('are too many beyond the limit of one simulation', () => {
    const state = stateOf('healthy');
    const ofReplicas = (replicas: number): LeaderWorkerSetState => ({
      ...state,
      leaderWorkerSet: { ...state.leaderWorkerSet, spec: { ...state.leaderWorkerSet.spec, replicas } },
    });
    const { size } = state.leaderWorkerSet.spec.leaderWorkerTemplate;
    const most = Math.floor(defaultSimulationBudget.maxPods / size);
    expect([most, most + 1].map((replicas) => isTooLarge(ofReplicas(replicas)))).toEqual([false, true]);
    const statefulSets = state.statefulSets.map((set) => ({
      ...set,
      spec: { ...set.spec, replicas: most + 1 },
    }));
    expect(isTooLarge({ ...state, statefulSets })).toBe(true);
    const works: PodSimulator = { placementOf: () => 'n', becomesReady: () => true };
    expect(nextLeaderWorkerSetSteps(ofReplicas(most + 1), { kind: 'none' }, works)).toMatchObject({
      ends: 'too-large',
      limit: 'pods',
      steps: [],
    });
  });

  it('include groups beside the wanted ones while an update surges', () => {
    expect(['group-of-two', 'healthy'].map((id) => hasSurgeGroups(stateOf(id)))).toEqual([true, false]);
    expect(hasSurgeGroups({ ...stateOf('healthy'), statefulSets: [] })).toBe(true);
  });
});

describe('groups that are made anew', () => {
  const withPod = (name: string, status: object, more: Partial<Fields> = {}): readonly string[] => {
    const state = stateOf('healthy');
    const pods = state.pods.map((pod) =>
      pod.metadata.name === name ? { ...pod, status: { ...pod.status, ...status } } : pod,
    );
    const { leaderWorkerSet } = state;
    const { spec, metadata } = leaderWorkerSet;
    const leaderWorkerTemplate = { ...spec.leaderWorkerTemplate, ...more.template };
    const annotations = { ...metadata.annotations, ...more.annotations };
    const changed = {
      ...leaderWorkerSet,
      metadata: { ...metadata, annotations },
      spec: { ...spec, leaderWorkerTemplate },
    };
    return names(leadersToDelete({ ...state, pods, leaderWorkerSet: changed } as LeaderWorkerSetState));
  };
  const restarted = (restartCount: number, phase = 'Running') => ({
    phase,
    containerStatuses: [{ name: 'app', ready: true, restartCount }],
  });
  const inInit = {
    phase: 'Pending',
    containerStatuses: [],
    initContainerStatuses: [{ name: 'i', restartCount: 2 }],
  };
  const afterStart = { template: { restartPolicy: 'RecreateGroupAfterStart' } };
  const annotated = {
    annotations: { 'leaderworkerset.sigs.k8s.io/experimental-recreate-group-after-start': 'true' },
  };

  it.each<[string, string, object, Partial<Fields>, readonly string[]]>([
    ['a worker was restarted', 'inference-0-1', restarted(1), {}, ['inference-0']],
    ['a leader was restarted', 'inference-0', restarted(1), {}, ['inference-0']],
    ['an init container was restarted', 'inference-0-1', inInit, {}, ['inference-0']],
    ['nothing was restarted', 'inference-0-1', restarted(0), {}, []],
    ['a pod that has ended was restarted', 'inference-0-1', restarted(1, 'Failed'), {}, []],
    [
      'pods may be restarted alone',
      'inference-0-1',
      restarted(1),
      { template: { restartPolicy: 'None' } },
      [],
    ],
    ['a worker of a whole group was restarted', 'inference-0-1', restarted(1), afterStart, ['inference-0']],
    [
      'a worker was restarted before its group had started',
      'inference-0-1',
      restarted(1, 'Pending'),
      afterStart,
      [],
    ],
    ['the same by an annotation', 'inference-0-1', restarted(1, 'Pending'), annotated, []],
    [
      'a group lacks a pod and waits for its start',
      'inference-0-1',
      restarted(1),
      { template: { restartPolicy: 'RecreateGroupAfterStart', size: 3 } },
      [],
    ],
  ])('are known where %s', (_, name, status, more, expected) => {
    expect(withPod(name, status, more)).toEqual(expected);
  });

  it('are not those of a leader of another revision, or that is being deleted already', () => {
    const state = stateOf('healthy');
    const deletionTimestamp = '2026-11-25T12:00:00Z';
    const changed = (name: string, metadata: object) => (pod: Pod) =>
      pod.metadata.name === name ? { ...pod, metadata: { ...pod.metadata, ...metadata } } : pod;
    const worker = changed('inference-0-1', { deletionTimestamp });
    const deleted = { ...state, pods: state.pods.map(worker) };
    expect(names(leadersToDelete(deleted))).toEqual(['inference-0']);
    const both = { ...deleted, pods: deleted.pods.map(changed('inference-0', { deletionTimestamp })) };
    expect(leadersToDelete(both)).toEqual([]);
    const labels = { 'leaderworkerset.sigs.k8s.io/template-revision-hash': 'other' };
    const foreign = { ...deleted, pods: deleted.pods.map(changed('inference-0', { labels })) };
    expect(leadersToDelete(foreign)).toEqual([]);
    const reborn = { ...deleted, pods: deleted.pods.map(changed('inference-0', { uid: 'another' })) };
    expect(leadersToDelete(reborn)).toEqual([]);
    expect(leadersToDelete({ ...deleted, statefulSets: [] })).toEqual([]);
  });
});
