import { describe, expect, it } from 'vitest';
import {
  groupIndexOf,
  groupLabels,
  LeaderWorkerSet,
  leaderWorkerSetOfPod,
  revisionKeyOf,
} from '#src/engine/objects/leader-worker-set.js';
import { buildPod } from '../../../support/rollout-builders.js';

const set = (spec: object, template: object = {}) => ({
  metadata: { name: 'inference', namespace: 'shop' },
  spec: { leaderWorkerTemplate: { workerTemplate: {}, ...template }, ...spec },
});
const withBounds = (rollingUpdateConfiguration: object) =>
  set({ rolloutStrategy: { rollingUpdateConfiguration } });

describe('a LeaderWorkerSet', () => {
  it.each<[string, object]>([
    ['fewer than 0 groups', set({ replicas: -1 })],
    ['groups without a leader', set({}, { size: 0 })],
    ['groups of fewer than 0 pods', set({}, { size: -3 })],
    ['more groups than an int32 can count', set({ replicas: 4_294_967_296 })],
    ['a part of a pod', set({}, { size: 1.5 })],
    ['no template of workers', set({}, { workerTemplate: undefined })],
    ['a partition below 0', withBounds({ partition: -1 })],
    ['maxSurge below 0', withBounds({ maxSurge: -1 })],
    ['maxUnavailable below 0 %', withBounds({ maxUnavailable: '-10%' })],
  ])('is not readable with %s', (_, sent) => {
    expect(LeaderWorkerSet.safeParse(sent).success).toBe(false);
  });

  it.each<[string, object]>([
    ['bounds in percent', withBounds({ maxSurge: '50%', maxUnavailable: '0%' })],
    ['a strategy of a later version', set({ rolloutStrategy: { type: 'Lockstep' } })],
    ['no status', set({})],
    ['no groups', set({ replicas: 0 })],
  ])('is readable with %s', (_, sent) => {
    expect(LeaderWorkerSet.safeParse(sent).success).toBe(true);
  });
});

describe('a pod with labels of a group', () => {
  const labelled = (labels: Readonly<Record<string, string>>) => buildPod({ name: 'inference-0', labels });

  it.each(['', '-1', 'first', '1e3', '99999999999'])('has no group number in %j', (text) => {
    expect(groupIndexOf(labelled({ [groupLabels.groupIndex]: text }))).toBe(-1);
  });

  it('has the number and the revision that the labels name', () => {
    const pod = labelled({ [groupLabels.groupIndex]: '12', [groupLabels.revision]: 'abc' });
    expect([groupIndexOf(pod), revisionKeyOf(pod)]).toEqual([12, 'abc']);
    expect([groupIndexOf(labelled({})), revisionKeyOf(labelled({}))]).toEqual([-1, '']);
  });

  it('is part of a LeaderWorkerSet only where a StatefulSet controls it', () => {
    const pod = labelled({ [groupLabels.name]: 'inference' });
    const owned = (kind: string) => ({
      ...pod,
      metadata: {
        ...pod.metadata,
        ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'inference', uid: 'u', controller: true }],
      },
    });
    expect(leaderWorkerSetOfPod(owned('StatefulSet'))).toBe('inference');
    expect(leaderWorkerSetOfPod(owned('ReplicaSet'))).toBeUndefined();
  });
});
