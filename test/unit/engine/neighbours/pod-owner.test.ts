import { describe, expect, it } from 'vitest';
import { byOwner, ownerOf } from '#src/engine/neighbours/owned-pods.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { pod } from '../../../support/placement-builders.js';
import { buildReplicaSet } from '../../../support/rollout-builders.js';
import { buildExamination, foreignPod, ownedPod } from '../../doctor/findings/waiting/build.js';

const { index } = buildExamination({
  ReplicaSet: [
    buildReplicaSet({ revision: 2, replicas: 1 }),
    buildReplicaSet({ revision: 3, replicas: 1, name: 'lone-3', metadata: { ownerReferences: [] } }),
  ],
}).snapshot;

/** The pod without this label, of a ReplicaSet of that name. */
function without(pod: Pod, label: string, name: string): Pod {
  const { [label]: _, ...labels } = pod.metadata.labels;
  const ownerReferences = pod.metadata.ownerReferences.map((each) => ({ ...each, name }));
  return { ...pod, metadata: { ...pod.metadata, labels, ownerReferences } };
}

describe('the owner of a pod, as people know it,', () => {
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
    [
      'the ReplicaSet, when its pods carry no hash at all',
      without(ownedPod('api--x', 7, {}, 'api-'), 'pod-template-hash', 'api-'),
      { kind: 'ReplicaSet', name: 'api-' },
    ],
    [
      'the ReplicaSet that was read and has no owner, though its name ends in the hash',
      ownedPod('lone-3-x', 3, {}, 'lone'),
      { kind: 'ReplicaSet', name: 'lone-3' },
    ],
    ['the pod itself, when it has no controller', pod('lone'), { kind: 'Pod', name: 'lone' }],
  ])('%s', (_, each, expected) => {
    expect(ownerOf(index, each)).toMatchObject({ namespace: 'shop', ...expected });
  });

  it('is listed by priority, then by number of pods, then by name', () => {
    const pods = [
      foreignPod('b-0', 'StatefulSet', 'b'),
      foreignPod('c-0', 'StatefulSet', 'c'),
      foreignPod('c-1', 'StatefulSet', 'c'),
      foreignPod('a-0', 'StatefulSet', 'a'),
      foreignPod('z-0', 'StatefulSet', 'z', { priority: 5 }),
    ];

    expect(byOwner(index, pods).map(({ owner }) => owner.name)).toEqual(['z', 'c', 'a', 'b']);
  });

  it('has its pods by name, and their highest priority', () => {
    const pods = [
      foreignPod('c-1', 'StatefulSet', 'c', { priority: 3 }),
      foreignPod('c-0', 'StatefulSet', 'c', { priority: 9 }),
    ];

    expect(
      byOwner(index, pods).map(({ pods: its, priority }) => [its.map((pod) => pod.metadata.name), priority]),
    ).toEqual([[['c-0', 'c-1'], 9]]);
  });

  it('is another workload where only the namespace or the kind differs', () => {
    const pods = [
      foreignPod('c-0', 'StatefulSet', 'c'),
      foreignPod('c-0', 'StatefulSet', 'c', { namespace: 'pay' }),
      foreignPod('c-x', 'DaemonSet', 'c'),
    ];

    expect(byOwner(index, pods).map(({ owner }) => `${owner.namespace}/${owner.kind}`)).toEqual([
      'pay/StatefulSet',
      'shop/DaemonSet',
      'shop/StatefulSet',
    ]);
  });
});
