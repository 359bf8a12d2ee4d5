import { describe, expect, it } from 'vitest';
import { readNeighbours } from '#src/edges/kubernetes/read-neighbours.js';
import { type ClusterObjects, clusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { buildDeployment, buildPod, buildReplicaSet } from '../../../support/rollout-builders.js';

const own = buildPod({ name: 'cart-new', owner: { name: 'cart-2', uid: 'cart-2-uid' }, node: undefined });
const other = buildPod({ name: 'web-new', owner: { name: 'web-2', uid: 'web-2-uid' }, node: undefined });

const built = buildDeployment({ replicas: 1 });
const complete = {
  ...built,
  status: {
    ...built.status,
    observedGeneration: built.metadata.generation ?? 0,
    replicas: 1,
    updatedReplicas: 1,
  },
};

/** The requests to the API, one word each. */
async function findReads(ownPods: readonly Pod[], pods: readonly Pod[]): Promise<readonly string[]> {
  const reads: string[] = [];
  const objects: ClusterObjects = clusterObjects({ Pod: pods, Deployment: [complete] });
  await readNeighbours(
    {
      objects: () => objects,
      async list(kind, { labelSelector, fieldSelector }) {
        reads.push(`list ${kind} ${labelSelector ?? fieldSelector ?? ''}`);
        const found =
          fieldSelector === 'metadata.name=web-2' ? [buildReplicaSet({ revision: 2, replicas: 1 })] : [];
        return found as never;
      },
    },
    'shop',
    ownPods,
  );
  return reads;
}

describe('other pending rollouts', () => {
  it('are read with the ReplicaSets and pods of their Deployment', async () => {
    expect(await findReads([own], [own, other])).toEqual([
      'list ReplicaSet metadata.name=web-2',
      'list ReplicaSet app=web',
      'list Pod app=web',
    ]);
  });

  it.each<readonly [string, readonly Pod[], readonly Pod[]]>([
    ['when no own pod waits', [buildPod({ name: 'cart-old' })], [other]],
    ['when no other pod waits', [own], [own, buildPod({ name: 'web-old' })]],
    ['of other namespaces', [own], [own, { ...other, metadata: { ...other.metadata, namespace: 'pay' } }]],
    [
      'of a Job',
      [own],
      [own, buildPod({ name: 'j-1', owner: { kind: 'Job', name: 'j', uid: 'j' }, node: undefined })],
    ],
  ])('are not read %s', async (_, ownPods, pods) => {
    expect(await findReads(ownPods, pods)).toEqual([]);
  });

  it('are at most five', async () => {
    const many = Array.from({ length: 9 }, (_, position) =>
      buildPod({
        name: `p${position}`,
        owner: { name: `rs-${position}`, uid: `rs-${position}` },
        node: undefined,
      }),
    );

    expect(await findReads([own], [own, ...many])).toHaveLength(5);
  });
});

describe('rollouts of the namespace that are half-way', () => {
  const unfinished = { ...complete, status: { ...complete.status, replicas: 2, updatedReplicas: 1 } };

  async function readsBeside(...objects: readonly (typeof complete)[]): Promise<readonly string[]> {
    const reads: string[] = [];
    const all: ClusterObjects = clusterObjects({ Pod: [own], Deployment: objects });
    await readNeighbours(
      {
        objects: () => all,
        async list(kind, { labelSelector, fieldSelector }) {
          reads.push(`list ${kind} ${labelSelector ?? fieldSelector ?? ''}`);
          return [] as never;
        },
      },
      'shop',
      [own],
    );
    return reads;
  }

  it('are read whole, because their new pods may run where the waiting pod could not', async () => {
    expect(await readsBeside(unfinished)).toEqual(['list ReplicaSet app=web', 'list Pod app=web']);
  });

  it('are not read while a pause keeps their new ReplicaSet from having every replica', async () => {
    const spec = { ...unfinished.spec, paused: true };

    expect(await readsBeside({ ...unfinished, spec: { ...spec, replicas: 2 } })).toEqual([]);
    expect(await readsBeside({ ...unfinished, spec })).toHaveLength(2);
  });
});

describe('a StatefulSet of the namespace', () => {
  const replica = (name: string, hash: string): Pod => {
    const pod = buildPod({ name, owner: { kind: 'StatefulSet', name: 'db', uid: 'db-uid' } });
    const labels = { ...pod.metadata.labels, 'controller-revision-hash': hash };
    return { ...pod, metadata: { ...pod.metadata, labels } };
  };

  it('is read while it has pods of two revisions', async () => {
    expect(await findReads([own], [own, replica('db-0', 'a'), replica('db-1', 'b')])).toEqual([
      'list StatefulSet metadata.name=db',
    ]);
  });

  it('is not read while its pods are of one revision', async () => {
    expect(await findReads([own], [own, replica('db-0', 'a'), replica('db-1', 'a')])).toEqual([]);
  });
});
