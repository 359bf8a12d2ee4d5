import { type ApiObject, uidOf } from './api-object.js';
import { nodeName } from './node-object.js';
import { type PodShape, podObject } from './pod-object.js';
import { seededText } from './seeded-text.js';

const updatedAt = '2026-11-20T09:05:00Z';
const since = '2026-11-01T08:00:00Z';
const revisions = {
  old: { hash: '6c9f7d5b8d', tag: '1.4.2', number: 1 },
  young: { hash: '7b5d9c8f6c', tag: '1.5.0', number: 2 },
} as const;
type Revision = (typeof revisions)[keyof typeof revisions];

/** A deadlocked Deployment, and the nodes that have the resource that its new pod needs. */
export interface DeadlockShape {
  readonly namespace: string;
  readonly name: string;
  /** An extended resource; every node that has it has one. */
  readonly resource: string;
  /** Nodes that have it: all are taken. */
  readonly candidates: number;
  /** Of the workload; at most `candidates`. Its own pods hold as many. */
  readonly replicas: number;
}

/** The deadlocked workload of a generated cluster, unless the caller names another one. */
export const deadlocked = { kind: 'Deployment', namespace: 'ml', name: 'inference' } as const;

export function gpuDeadlock(candidates = 64, replicas = 1): DeadlockShape {
  const { namespace, name } = deadlocked;
  return { namespace, name, resource: 'nvidia.com/gpu', candidates, replicas };
}

/** The moment the cluster is looked at. */
export const takenAt = '2026-11-20T09:30:00Z';

/**
 * One Deployment in an update since 25 minutes, with the default strategy, or for several replicas one that
 * keeps all of them: its old pods hold devices, other workloads hold all others, and the new pod waits.
 *
 * @param place numbers of the nodes whose device an old pod holds, and what keeps several deadlocks apart
 */
export function deadlockObjects(
  nodes: number,
  shape: DeadlockShape,
  place: { readonly position: number; readonly holders: readonly number[]; readonly firstPod: number },
): readonly ApiObject[] {
  const { namespace, replicas, resource, candidates } = shape;
  const { position, holders, firstPod } = place;
  const others = nodes - candidates;
  const refusal =
    `0/${nodes} nodes are available: ${nodes} Insufficient ${resource}. preemption: 0/${nodes} nodes are available: ` +
    `${candidates} No preemption victims found for incoming pod, ${others} Preemption is not helpful for scheduling.`;
  const old = replicaSet(shape, position, revisions.old, replicas);
  const young = replicaSet(shape, position, revisions.young, 1);
  const waiting = ownPod(shape, young, revisions.young, firstPod, { createdAt: updatedAt, refusal });
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, uid: uidOf(4, position) } },
    deployment(shape, position),
    old,
    young,
    ...holders.map((holder, number) =>
      ownPod(shape, old, revisions.old, firstPod + number + 1, {
        createdAt: since,
        nodeName: nodeName(holder),
      }),
    ),
    waiting,
    refusalEvent(waiting, namespace, position, refusal),
  ];
}

function ownPod(
  shape: DeadlockShape,
  { metadata }: ApiObject,
  { hash, tag }: Revision,
  number: number,
  rest: Pick<PodShape, 'createdAt' | 'nodeName' | 'refusal'>,
): ApiObject {
  const { namespace, name } = shape;
  return podObject({
    ...rest,
    namespace,
    app: name,
    requests: requestsOf(shape),
    number,
    name: `${name}-${hash}-${seededText(12, number).suffix(5)}`,
    hash,
    image: imageOf(shape, tag),
    owner: { name: metadata.name, uid: metadata.uid },
  });
}

function imageOf({ namespace, name }: DeadlockShape, tag: string): string {
  return `registry.example/${namespace}/${name}:${tag}`;
}

function requestsOf({ resource }: DeadlockShape): Readonly<Record<string, string>> {
  return { cpu: '2', memory: '8Gi', [resource]: '1' };
}

const template = (shape: DeadlockShape, tag: string) => ({
  metadata: { labels: { app: shape.name } },
  spec: {
    containers: [
      {
        name: 'server',
        image: imageOf(shape, tag),
        resources: { requests: requestsOf(shape), limits: { [shape.resource]: '1' } },
      },
    ],
  },
});

function deployment(shape: DeadlockShape, position: number): ApiObject {
  const { namespace, name, replicas } = shape;
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
      uid: uidOf(5, position),
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
      template: template(shape, revisions.young.tag),
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

function replicaSet(
  shape: DeadlockShape,
  position: number,
  { hash, tag, number }: Revision,
  replicas: number,
): ApiObject {
  const { namespace, name } = shape;
  const labels = { app: name, 'pod-template-hash': hash };
  const { metadata, spec } = template(shape, tag);
  const ready = number === revisions.old.number ? replicas : 0;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      uid: uidOf(6, 10 * position + number),
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
          uid: uidOf(5, position),
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

function refusalEvent(pod: ApiObject, namespace: string, position: number, message: string): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${pod.metadata.name}.18a1b2c3d4e5f607`, namespace, uid: uidOf(7, position) },
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
