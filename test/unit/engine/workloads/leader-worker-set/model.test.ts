import { describe, expect, it } from 'vitest';
import { groupLabels } from '#src/engine/objects/leader-worker-set.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { restState } from '#src/engine/workloads/fixed-point.js';
import { nextLeaderWorkerSetSteps } from '#src/engine/workloads/leader-worker-set/forecast.js';
import { leaderSetIn } from '#src/engine/workloads/leader-worker-set/leader-set.js';
import { actLeaderWorkerSet } from '#src/engine/workloads/leader-worker-set/model.js';
import type { PodSimulator } from '#src/engine/workloads/pod-simulator.js';
import type { LeaderWorkerSetState } from '#src/engine/workloads/rollout-state.js';
import { readScenario } from '../recorded.js';

function stateOf(id: string): LeaderWorkerSetState {
  const { state } = readScenario(`leader-worker-sets/${id}`);
  if (state.kind !== 'LeaderWorkerSet') throw new Error(`${id} is a ${state.kind}`);
  return state;
}

const acted = (state: LeaderWorkerSetState) => actLeaderWorkerSet(state, () => true);
const names = (pods: readonly Pod[]): readonly string[] => pods.map(({ metadata }) => metadata.name).sort();

/** The pods with one of them changed. */
function withPod(state: LeaderWorkerSetState, name: string, change: (pod: Pod) => Pod): LeaderWorkerSetState {
  const pods = state.pods.map((pod) => (pod.metadata.name === name ? change(pod) : pod));
  return { ...state, pods };
}

const deleted = (pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, deletionTimestamp: '2026-11-25T12:00:00Z' },
});

const restarted = (pod: Pod): Pod => ({
  ...pod,
  status: {
    ...pod.status,
    containerStatuses: pod.status.containerStatuses.map((status) => ({ ...status, restartCount: 1 })),
  },
});

describe('the controllers of a LeaderWorkerSet', () => {
  it.each(['one-pod-group', 'group-of-two', 'two-groups', 'leader-first', 'half-a-group'])(
    'have nothing to do in the deadlock %s',
    (id) => {
      const state = stateOf(id);
      expect(acted(state)).toMatchObject({ created: [], deleted: [], isAtRest: true });
      expect(restState(state)).toEqual({ kind: 'fixed' });
    },
  );

  it('are not known to rest where the StatefulSet of the leaders was not read', () => {
    expect(restState({ ...stateOf('two-groups'), statefulSets: [] })).toEqual({ kind: 'unknown' });
  });

  it('act where they have not seen the last change', () => {
    const state = stateOf('two-groups');
    const { leaderWorkerSet } = state;
    const metadata = { ...leaderWorkerSet.metadata, generation: 9 };
    expect(restState({ ...state, leaderWorkerSet: { ...leaderWorkerSet, metadata } })).toEqual({
      kind: 'acting',
    });
  });

  it.each([
    ['is being deleted', deleted],
    ['was restarted', restarted],
  ])('make a group anew when a worker of it %s', (_, change) => {
    const state = withPod(stateOf('healthy'), 'inference-0-1', change);
    expect(names(acted(state).deleted)).toContain('inference-0');
  });

  it('leave a group as it is where the restart policy is None', () => {
    const state = withPod(stateOf('healthy'), 'inference-0-1', restarted);
    const { leaderWorkerSet } = state;
    const { spec } = leaderWorkerSet;
    const leaderWorkerTemplate = { ...spec.leaderWorkerTemplate, restartPolicy: 'None' };
    const kept = { ...leaderWorkerSet, spec: { ...spec, leaderWorkerTemplate } };
    // The restart policy is part of the revision, so a new one would be stored: it is taken out of the
    // comparison.
    const controllerRevisions = state.controllerRevisions.filter(
      ({ metadata }) => metadata.ownerReferences[0]?.kind !== 'LeaderWorkerSet',
    );
    expect(acted({ ...state, leaderWorkerSet: kept, controllerRevisions }).deleted).toEqual([]);
  });

  it('create no worker while one of the same name is still there', () => {
    const state = stateOf('healthy');
    const [leader] = state.pods.filter(({ metadata }) => metadata.name === 'inference-0');
    const others = state.pods.filter((pod) => pod !== leader);
    const created = names(acted({ ...state, pods: others }).created);
    expect(created).toContain('inference-0');
    expect(created).not.toContain('inference-0-1');
  });

  it('remove the surge group and release the old one once maxSurge is 0', () => {
    const state = stateOf('group-of-two');
    const { leaderWorkerSet } = state;
    const { spec } = leaderWorkerSet;
    const rollingUpdateConfiguration = { maxSurge: 0, maxUnavailable: 1, partition: 0 };
    const rolloutStrategy = { ...spec.rolloutStrategy, rollingUpdateConfiguration };
    const after = acted({
      ...state,
      leaderWorkerSet: { ...leaderWorkerSet, spec: { ...spec, rolloutStrategy } },
    });
    const leaders = leaderSetIn(after.state.leaderWorkerSet, after.state.statefulSets);
    expect(leaders?.spec).toMatchObject({ replicas: 1, updateStrategy: { rollingUpdate: { partition: 0 } } });
    expect(names(after.deleted)).toEqual(['inference-0', 'inference-1', 'inference-1-1']);
  });
});

describe('a forecast of a LeaderWorkerSet', () => {
  const inPlace = { kind: 'bounds', maxSurge: 0, maxUnavailable: 1 } as const;
  const works: PodSimulator = { placementOf: () => 'anywhere', becomesReady: () => true };

  it('ends with every group of the new revision', () => {
    const forecast = nextLeaderWorkerSetSteps(stateOf('two-groups'), inPlace, works);
    expect(forecast.ends).toBe('complete');
    expect(names(forecast.victims)).toEqual(expect.arrayContaining(['inference-0', 'inference-1']));
  });

  it('is stuck where no new pod becomes ready', () => {
    const broken: PodSimulator = { ...works, becomesReady: () => false };
    expect(nextLeaderWorkerSetSteps(stateOf('two-groups'), inPlace, broken).ends).toBe('stuck');
  });

  it('is unknown with an exclusive topology', () => {
    const state = stateOf('two-groups');
    const { leaderWorkerSet } = state;
    const annotations = { 'leaderworkerset.sigs.k8s.io/exclusive-topology': 'rack' };
    const metadata = { ...leaderWorkerSet.metadata, annotations };
    const exclusive = { ...state, leaderWorkerSet: { ...leaderWorkerSet, metadata } };
    expect(nextLeaderWorkerSetSteps(exclusive, inPlace, works).ends).toBe('unknown');
  });

  it('gives new pods the numbers of their group and in it', () => {
    const { steps } = nextLeaderWorkerSetSteps(stateOf('group-of-two'), inPlace, works);
    const created = steps.flatMap((step) => step.created).map(({ metadata }) => metadata);
    expect(
      created.map(({ name, labels }) => [
        name,
        labels[groupLabels.groupIndex],
        labels[groupLabels.workerIndex],
      ]),
    ).toEqual([
      ['inference-0', '0', '0'],
      ['inference-0-1', '0', '1'],
    ]);
  });
});
