import { type ClusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import type { ClusterQueue, QueuedWorkload } from '#src/engine/objects/kueue.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { Deployment } from '#src/engine/objects/workload.js';
import { node } from './placement-builders.js';
import { ago, buildDeployment, buildPod, buildReplicaSet } from './rollout-builders.js';

export const gpu = 'nvidia.com/gpu';

/** A container that requests GPUs. */
const gpuSpec = (count: number, more: object = {}) => ({
  containers: [
    {
      name: 'app',
      image: 'web:1',
      resources: { requests: { [gpu]: String(count) }, limits: { [gpu]: String(count) } },
    },
  ],
  ...more,
});

/** What Kueue writes of a Workload that has no quota. */
export const lacksQuota = (missing = 1, flavor = 'a100') =>
  `couldn't assign flavors to pod set main: insufficient unused quota for ${gpu} in flavor ${flavor}, ${missing} more needed`;

export interface QueuedFields {
  readonly name?: string;
  readonly namespace?: string;
  /** The pod that it is for; left out: a Job of another team. */
  readonly pod?: Pod;
  readonly gpus?: number;
  readonly queue?: string;
  readonly priority?: number;
  /** Seconds since it was created. */
  readonly age?: number;
  readonly flavor?: string;
  readonly admittedTo?: string | undefined;
  readonly conditions?: readonly object[];
  readonly spec?: object;
  readonly podSpec?: object;
  readonly status?: object;
  readonly annotations?: Record<string, string>;
}

/** Of a Job by default, whose pods are not restarted. */
export function buildQueued(fields: QueuedFields): QueuedWorkload {
  const { pod, gpus = 1, flavor = 'a100', admittedTo } = fields;
  const owner =
    pod === undefined
      ? {
          apiVersion: 'batch/v1',
          kind: 'Job',
          name: fields.name,
          uid: `${fields.name}-job`,
          controller: true,
        }
      : { apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name, uid: pod.metadata.uid, controller: true };
  const restartPolicy = pod === undefined ? 'Never' : 'Always';
  return schemas.Workload.parse({
    metadata: {
      name: fields.name ?? `pod-${pod?.metadata.name}`,
      namespace: fields.namespace ?? 'shop',
      uid: `${fields.name ?? pod?.metadata.name}-workload`,
      creationTimestamp: ago(fields.age ?? 3600),
      ownerReferences: [owner],
      annotations: fields.annotations ?? {},
    },
    spec: {
      queueName: fields.queue ?? 'gpus',
      priority: fields.priority ?? 0,
      podSets: [
        {
          name: 'main',
          count: 1,
          template: { spec: { ...gpuSpec(gpus), restartPolicy, ...fields.podSpec } },
        },
      ],
      ...fields.spec,
    },
    status:
      admittedTo === undefined
        ? {
            conditions: fields.conditions ?? [
              {
                type: 'QuotaReserved',
                status: 'False',
                reason: 'Pending',
                message: lacksQuota(gpus, flavor),
              },
            ],
            ...fields.status,
          }
        : {
            conditions: fields.conditions ?? [
              { type: 'QuotaReserved', status: 'True', reason: 'QuotaReserved' },
              { type: 'Admitted', status: 'True', reason: 'Admitted' },
            ],
            admission: {
              clusterQueue: admittedTo,
              podSetAssignments: [
                {
                  name: 'main',
                  flavors: { [gpu]: flavor },
                  resourceUsage: { [gpu]: String(gpus) },
                  count: 1,
                },
              ],
            },
            ...fields.status,
          },
  });
}

export interface ClusterQueueFields {
  readonly name?: string;
  readonly gpus?: number;
  readonly flavors?: readonly { readonly name: string; readonly gpus: number; readonly more?: object }[];
  readonly spec?: object;
  readonly status?: object;
}

export function buildClusterQueue(fields: ClusterQueueFields = {}): ClusterQueue {
  const flavors = fields.flavors ?? [{ name: 'a100', gpus: fields.gpus ?? 1 }];
  return schemas.ClusterQueue.parse({
    metadata: { name: fields.name ?? 'team' },
    spec: {
      namespaceSelector: {},
      resourceGroups: [
        {
          coveredResources: [gpu],
          flavors: flavors.map(({ name, gpus, more = {} }) => ({
            name,
            resources: [{ name: gpu, nominalQuota: String(gpus), ...more }],
          })),
        },
      ],
      ...fields.spec,
    },
    status: { conditions: [{ type: 'Active', status: 'True', reason: 'Ready' }], ...fields.status },
  });
}

export function buildLocalQueue(name = 'gpus', clusterQueue = 'team', more: object = {}, namespace = 'shop') {
  return schemas.LocalQueue.parse({ metadata: { name, namespace }, spec: { clusterQueue, ...more } });
}

export function buildFlavor(name = 'a100', spec: object = {}) {
  return schemas.ResourceFlavor.parse({ metadata: { name }, spec });
}

export interface WorldFields {
  readonly replicas?: number;
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
  readonly clusterQueue?: ClusterQueue;
  readonly newWorkload?: Partial<QueuedFields>;
  readonly newPod?: object;
  readonly newGpus?: number;
  /** Of the nodes; one GPU beside those that the old pods use by default. */
  readonly nodeGpus?: number;
  readonly oldTerminating?: boolean;
  readonly more?: Partial<ClusterObjects>;
  /** Workloads of others. */
  readonly others?: readonly QueuedWorkload[];
}

const queueLabels = { 'kueue.x-k8s.io/queue-name': 'gpus', 'kueue.x-k8s.io/managed': 'true' };
const gated = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
  lastTransitionTime: ago(900),
};

/** A Deployment with a GPU for each pod, whose new pod waits at Kueue's gate beside the old ones. */
export function queuedRollout(fields: WorldFields = {}): {
  readonly workload: Deployment;
  readonly objects: Partial<ClusterObjects>;
  readonly newPod: Pod;
  readonly oldPods: readonly Pod[];
} {
  const { replicas = 1, newGpus = 1, more = {} } = fields;
  const built = buildDeployment({
    replicas,
    maxSurge: fields.maxSurge ?? 1,
    maxUnavailable: fields.maxUnavailable ?? 0,
    status: {
      replicas: replicas + 1,
      updatedReplicas: 1,
      readyReplicas: replicas,
      availableReplicas: replicas,
      conditions: [],
    },
  });
  const workload = Deployment.parse({
    ...built,
    spec: { ...built.spec, template: templateOf(2, newGpus) },
  });
  const sets = [
    buildReplicaSet({ revision: 1, replicas, available: replicas }),
    buildReplicaSet({ revision: 2, replicas: 1 }),
  ];
  const replicaSets = sets.map((set, at) => ({
    ...set,
    spec: {
      ...set.spec,
      template: { ...set.spec.template, ...templateOf(at + 1, at === 0 ? 1 : newGpus, set.metadata.name) },
    },
  }));
  const oldPods = Array.from({ length: replicas }, (_, at) =>
    buildPod({
      name: `old-${at}`,
      owner: { name: 'web-1', uid: 'web-1-uid' },
      labels: { ...queueLabels, 'pod-template-hash': 'web-1' },
      spec: gpuSpec(1),
      ...(fields.oldTerminating === true ? { terminating: true } : {}),
    }),
  );
  const newPod = buildPod({
    name: 'new-0',
    owner: { name: 'web-2', uid: 'web-2-uid' },
    labels: { ...queueLabels, 'pod-template-hash': 'web-2' },
    node: undefined,
    age: 900,
    spec: gpuSpec(newGpus, { schedulingGates: [{ name: 'kueue.x-k8s.io/admission' }] }),
    status: { phase: 'Pending', conditions: [gated] },
    ...fields.newPod,
  });
  const clusterQueue = fields.clusterQueue ?? buildClusterQueue({ gpus: replicas });
  const { name } = clusterQueue.metadata;
  return {
    workload,
    newPod,
    oldPods,
    objects: {
      ReplicaSet: replicaSets as ClusterObjects['ReplicaSet'],
      Pod: [...oldPods, newPod],
      Node: [node('n-a', { allocatable: { [gpu]: String(fields.nodeGpus ?? replicas + 1) } })],
      ClusterQueue: [clusterQueue],
      LocalQueue: [buildLocalQueue('gpus', name)],
      ResourceFlavor: [buildFlavor()],
      Workload: [
        ...oldPods.map((pod) => buildQueued({ pod, admittedTo: name })),
        buildQueued({ pod: newPod, age: 900, gpus: newGpus, ...fields.newWorkload }),
        ...(fields.others ?? []),
      ],
      ...more,
    },
  };
}

function templateOf(revision: number, gpus: number, hash?: string) {
  const labels = { app: 'web', ...queueLabels, ...(hash === undefined ? {} : { 'pod-template-hash': hash }) };
  const spec = gpuSpec(gpus);
  const raw = {
    metadata: { labels },
    spec: { ...spec, containers: spec.containers.map((each) => ({ ...each, image: `web:${revision}` })) },
  };
  return hash === undefined ? raw : Deployment.shape.spec.shape.template.parse(raw);
}
