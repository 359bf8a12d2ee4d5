import { describe, expect, it } from 'vitest';
import { byOwner, ownerOf } from '../../../../../src/core/diagnosis/waiting/pod-owner.js';
import { pod } from '../../placement/build.js';
import { buildReplicaSet } from '../../rollout/builders.js';
import { buildExamination, foreignPod, ownedPod } from './build.js';

const { index } = buildExamination({ ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })] }).snapshot;

describe('whose a pod is, as people know it', () => {
  it.each([
    ['the Deployment above its ReplicaSet', ownedPod('web-2-x', 2), { kind: 'Deployment', name: 'web' }],
    [
      'the Deployment by the hash, when the ReplicaSet was not read',
      ownedPod('api-7-x', 7, {}, 'api'),
      { kind: 'Deployment', name: 'api' },
    ],
    [
      'the ReplicaSet itself, when its name does not end in the hash',
      ownedPod('api-7-x', 7, { labels: { 'pod-template-hash': '9' } }, 'api'),
      { kind: 'ReplicaSet', name: 'api-7' },
    ],
    [
      'its direct controller of another kind',
      foreignPod('e-1', 'DaemonSet', 'e'),
      { kind: 'DaemonSet', name: 'e' },
    ],
    ['the pod itself, when nothing controls it', pod('lone'), { kind: 'Pod', name: 'lone' }],
  ])('%s', (_, each, expected) => {
    expect(ownerOf(index, each)).toMatchObject({ namespace: 'shop', ...expected });
  });

  it('comes in order of priority, then of the number of pods, then of name', () => {
    const pods = [
      foreignPod('b-0', 'StatefulSet', 'b'),
      foreignPod('c-0', 'StatefulSet', 'c'),
      foreignPod('c-1', 'StatefulSet', 'c'),
      foreignPod('a-0', 'StatefulSet', 'a'),
      foreignPod('z-0', 'StatefulSet', 'z', { priority: 5 }),
    ];

    expect(byOwner(index, pods).map(({ owner }) => owner.name)).toEqual(['z', 'c', 'a', 'b']);
  });
});
