import { type ApiObject, uidOf } from './api-object.js';
import type { ClusterShape } from './generate-cluster.js';
import { nodeName } from './node-object.js';
import { type PodShape, podObject } from './pod-object.js';

const namespace = 'ml';
const name = 'inference';
const updatedAt = '2026-11-20T09:05:00Z';
const since = '2026-11-01T08:00:00Z';
const revisions = {
  old: { hash: '6c9f7d5b8d', image: 'registry.example/ml/inference:1.4.2', number: 1 },
  young: { hash: '7b5d9c8f6c', image: 'registry.example/ml/inference:1.5.0', number: 2 },
} as const;
type Revision = (typeof revisions)[keyof typeof revisions];
const requests = { cpu: '2', memory: '8Gi', 'nvidia.com/gpu': '1' };

/** The workload that waits for itself. */
export const deadlocked = { kind: 'Deployment', namespace, name } as const;

/** The moment the cluster is looked at. */
export const takenAt = '2026-11-20T09:30:00Z';

/**
 * Deployment `ml/inference` in an update since 25 minutes, with the default strategy, or for several replicas one that
 * keeps all of them: its old pods hold GPUs, other workloads hold all others, and the new pod waits.
 *
 * @param holders numbers of the nodes whose GPU an old pod holds
 */
export function deadlockObjects(
  { nodes, gpuNodes, replicas }: ClusterShape,
  holders: readonly number[],
): readonly ApiObject[] {
  const others = nodes - gpuNodes;
  const refusal =
    `0/${nodes} nodes are available: ${nodes} Insufficient nvidia.com/gpu. preemption: 0/${nodes} nodes are available: ` +
    `${gpuNodes} No preemption victims found for incoming pod, ${others} Preemption is not helpful for scheduling.`;
  const old = replicaSet(revisions.old, replicas);
  const young = replicaSet(revisions.young, 1);
  const waiting = ownPod(young, revisions.young, 0, { createdAt: updatedAt, refusal });
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, uid: uidOf(4, 0) } },
    deployment(replicas),
    old,
    young,
    ...holders.map((holder, number) =>
      ownPod(old, revisions.old, number + 1, { createdAt: since, nodeName: nodeName(holder) }),
    ),
    waiting,
    refusalEvent(waiting, refusal),
  ];
}

function ownPod(
  { metadata }: ApiObject,
  { hash, image }: Revision,
  number: number,
  rest: Pick<PodShape, 'createdAt' | 'nodeName' | 'refusal'>,
): ApiObject {
  return podObject({
    ...rest,
    namespace,
    app: name,
    requests,
    number,
    name: `${name}-${hash}-${(number + 0x1000000).toString(36)}`,
    hash,
    image,
    owner: { name: metadata.name, uid: metadata.uid },
  });
}

const template = (image: string) => ({
  metadata: { labels: { app: name } },
  spec: {
    containers: [{ name: 'server', image, resources: { requests, limits: { 'nvidia.com/gpu': '1' } } }],
  },
});

function deployment(replicas: number): ApiObject {
  const condition = (type: string, reason: string, at: string) => ({
    type,
    status: 'True',
    reason,
    message: '',
    lastUpdateTime: at,
    lastTransitionTime: since,
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name,
      namespace,
      uid: uidOf(5, 0),
      generation: 2,
      creationTimestamp: since,
      labels: { app: name },
      annotations: { 'deployment.kubernetes.io/revision': '2' },
    },
    spec: {
      replicas,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 3_600,
      selector: { matchLabels: { app: name } },
      strategy: {
        type: 'RollingUpdate',
        rollingUpdate:
          replicas === 1 ? { maxSurge: '25%', maxUnavailable: '25%' } : { maxSurge: 1, maxUnavailable: 0 },
      },
      template: template(revisions.young.image),
    },
    status: {
      observedGeneration: 2,
      replicas: replicas + 1,
      updatedReplicas: 1,
      readyReplicas: replicas,
      availableReplicas: replicas,
      unavailableReplicas: 1,
      conditions: [
        condition('Available', 'MinimumReplicasAvailable', since),
        condition('Progressing', 'ReplicaSetUpdated', updatedAt),
      ],
    },
  };
}

function replicaSet({ hash, image, number }: Revision, replicas: number): ApiObject {
  const labels = { app: name, 'pod-template-hash': hash };
  const { metadata, spec } = template(image);
  const ready = number === revisions.old.number ? replicas : 0;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      uid: uidOf(6, number),
      generation: 1,
      creationTimestamp: number === revisions.old.number ? since : updatedAt,
      labels,
      annotations: {
        'deployment.kubernetes.io/desired-replicas': String(replicas),
        'deployment.kubernetes.io/max-replicas': String(replicas + 1),
        'deployment.kubernetes.io/revision': String(number),
      },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          name,
          uid: uidOf(5, 0),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { ...metadata, labels }, spec },
    },
    status: {
      observedGeneration: 1,
      replicas,
      fullyLabeledReplicas: replicas,
      readyReplicas: ready,
      availableReplicas: ready,
    },
  };
}

function refusalEvent(pod: ApiObject, message: string): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${pod.metadata.name}.18a1b2c3d4e5f607`, namespace, uid: uidOf(7, 0) },
    involvedObject: {
      apiVersion: 'v1',
      kind: 'Pod',
      namespace,
      name: pod.metadata.name,
      uid: pod.metadata.uid,
    },
    type: 'Warning',
    reason: 'FailedScheduling',
    message,
    source: { component: 'default-scheduler' },
    firstTimestamp: updatedAt,
    lastTimestamp: '2026-11-20T09:25:30Z',
    count: 5,
  };
}
