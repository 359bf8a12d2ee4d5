import { Deployment } from '#src/engine/objects/workload.js';
import { node } from '../../../support/placement-builders.js';
import {
  buildDeployment,
  buildReplicaSet,
  type Fields,
  ownedPod,
} from '../../doctor/findings/waiting/build.js';

export const gpu = { requests: { 'nvidia.com/gpu': '1' } };
export const gpuNode = (name: string) => node(name, { allocatable: { 'nvidia.com/gpu': '1' } });

/** The only GPUs: one of the own old pod, one or two of a neighbour in the namespace `shop`. */
export function beside(neighbour: Fields): Fields {
  return {
    Node: [gpuNode('n-a'), gpuNode('n-b'), gpuNode('n-c')],
    ...neighbour,
    ReplicaSet: [
      buildReplicaSet({ revision: 1, replicas: 1, available: 1 }),
      buildReplicaSet({ revision: 2, replicas: 1 }),
      ...(neighbour.ReplicaSet ?? []),
    ],
    Pod: [
      ownedPod('web-old', 1, { on: 'n-a', ...gpu }),
      ownedPod('web-new', 2, gpu),
      ...(neighbour.Pod ?? []),
    ],
  };
}

interface ApiShape {
  readonly replicas?: number;
  readonly wanted?: number;
  readonly metadata?: object;
}

/** `shop/api` with two ready pods of one revision. */
export function api({ replicas = 2, wanted = replicas, metadata = {} }: ApiShape = {}): Fields {
  const base = buildDeployment({
    replicas: wanted,
    status: { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 },
  });
  return {
    Deployment: [
      Deployment.parse({
        ...structuredClone(base),
        metadata: { ...base.metadata, name: 'api', uid: 'api-uid', ...metadata },
        spec: { ...base.spec, template: buildReplicaSet({ revision: 1, replicas: 1 }).spec.template },
      }),
    ],
    ReplicaSet: [
      buildReplicaSet({
        revision: 1,
        replicas: wanted,
        available: 2,
        exist: 2,
        name: 'api-1',
        metadata: {
          ownerReferences: [{ kind: 'Deployment', name: 'api', uid: 'api-uid', controller: true }],
        },
      }),
    ],
    Pod: [
      ownedPod('api-1', 1, { on: 'n-b', ...gpu }, 'api'),
      ownedPod('api-2', 1, { on: 'n-c', ...gpu }, 'api'),
    ],
  };
}
