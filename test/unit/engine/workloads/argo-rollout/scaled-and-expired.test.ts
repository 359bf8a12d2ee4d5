import { describe, expect, it } from 'vitest';
import { actArgoRollout } from '#src/engine/workloads/argo-rollout/forecast.js';
import {
  type ArgoRolloutFields,
  buildArgoReplicaSet,
  buildArgoRollout,
  buildArgoState,
  type SetFields,
  sizesByHash,
} from '../../../../support/argo-rollout-builders.js';
import { ago, buildPods } from '../../../../support/rollout-builders.js';

function acted(fields: ArgoRolloutFields, sets: readonly SetFields[], deleted: readonly string[] = []) {
  const replicaSets = sets.map(buildArgoReplicaSet).map((set) => {
    const isDeleted = deleted.some((hash) => set.metadata.name === `web-${hash}`);
    return isDeleted ? { ...set, metadata: { ...set.metadata, deletionTimestamp: ago(5) } } : set;
  });
  const pods = replicaSets.flatMap((set) => buildPods(set, set.status.availableReplicas, 0));
  const services = { web: { hash: 'stable', isManaged: true } };
  const start = buildArgoState(buildArgoRollout(fields), replicaSets, pods, services);
  const { state } = actArgoRollout(start, () => true);
  return { sizes: sizesByHash(state), status: state.rollout.status };
}

describe('a blue-green Rollout whose replicas were changed', () => {
  const fields = {
    blueGreen: { autoPromotionEnabled: false },
    status: { blueGreen: { activeSelector: 'stable' } },
  };
  const sets = (replicas: number): readonly SetFields[] => [
    { hash: 'new', replicas, desired: 2 },
    { hash: 'stable', replicas, desired: 2 },
  ];

  it.each([1, 3])('from 2 to %d scales the active and the preview pods', (replicas) => {
    expect(acted({ replicas, ...fields }, sets(2)).sizes).toEqual({ new: replicas, stable: replicas });
  });

  it('counts the active pods alone: three, of which one is not available yet', () => {
    expect(acted({ replicas: 3, ...fields }, sets(2)).status).toMatchObject({
      availableReplicas: 2,
      HPAReplicas: 3,
    });
  });
});

describe('former revisions of a Rollout', () => {
  const former = (hash: string, revision: number, age: number): SetFields => ({
    hash,
    replicas: 0,
    revision,
    age,
  });
  const complete = { status: { stableRS: 'stable', currentPodHash: 'stable' }, image: 'web:stable' };
  const sets = [
    { hash: 'stable', replicas: 1 },
    former('a', 2, 9_000),
    former('b', 3, 8_000),
    former('c', 4, 7_000),
  ];
  const kept = (spec: object, of = sets, deleted: readonly string[] = []) =>
    Object.keys(acted({ ...complete, spec }, of, deleted).sizes).sort();

  it('are removed beyond the limit of the history, the oldest first', () => {
    expect(kept({ revisionHistoryLimit: 3 })).toEqual(['a', 'b', 'c', 'stable']);
    expect(kept({ revisionHistoryLimit: 2 })).toEqual(['b', 'c', 'stable']);
    expect(kept({ revisionHistoryLimit: 0 })).toEqual(['stable']);
  });

  it('that are being deleted do not count', () => {
    expect(kept({ revisionHistoryLimit: 2 }, sets, ['a'])).toEqual(['a', 'b', 'c', 'stable']);
  });
});
