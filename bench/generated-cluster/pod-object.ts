import { type ApiObject, uidOf } from './api-object.js';

export interface PodShape {
  readonly number: number;
  readonly name: string;
  readonly namespace: string;
  readonly app: string;
  readonly hash: string;
  readonly owner: { readonly name: string; readonly uid: string };
  readonly image: string;
  readonly requests: Readonly<Record<string, string>>;
  /** Absent: it waits for a place. */
  readonly nodeName?: string;
  readonly createdAt: string;
  /** What the scheduler says of a waiting pod. */
  readonly refusal?: string;
}

/** A pod of a ReplicaSet, with what admission adds to it; running and ready when it has a node. */
export function podObject(shape: PodShape): ApiObject {
  const { name, namespace, app, hash, owner, image, requests, nodeName, createdAt } = shape;
  const extended = Object.entries(requests).filter(([resource]) => resource.includes('/'));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: uidOf(3, shape.number),
      creationTimestamp: createdAt,
      generateName: name.slice(0, -5),
      labels: { app, 'pod-template-hash': hash },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', ...owner, controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: {
      containers: [
        {
          name: 'server',
          image,
          imagePullPolicy: 'IfNotPresent',
          resources: { requests, ...(extended.length > 0 ? { limits: Object.fromEntries(extended) } : {}) },
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
        },
      ],
      dnsPolicy: 'ClusterFirst',
      enableServiceLinks: true,
      ...(nodeName === undefined ? {} : { nodeName }),
      preemptionPolicy: 'PreemptLowerPriority',
      priority: 0,
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
      securityContext: {},
      serviceAccount: 'default',
      serviceAccountName: 'default',
      terminationGracePeriodSeconds: 30,
      tolerations: ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map((key) => ({
        key,
        effect: 'NoExecute',
        operator: 'Exists',
        tolerationSeconds: 300,
      })),
    },
    status: nodeName === undefined ? waiting(shape) : running(shape),
  };
}

function waiting({ createdAt, refusal = '' }: PodShape): object {
  return {
    phase: 'Pending',
    qosClass: 'Burstable',
    conditions: [
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: refusal,
        lastTransitionTime: createdAt,
      },
    ],
  };
}

function running({ number, createdAt, image }: PodShape): object {
  return {
    phase: 'Running',
    qosClass: 'Burstable',
    podIP: `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`,
    startTime: createdAt,
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: createdAt,
    })),
    containerStatuses: [
      {
        name: 'server',
        image,
        imageID: `${image.split(':')[0]}@sha256:${number.toString(16).padStart(64, '0')}`,
        containerID: `containerd://${number.toString(16).padStart(64, 'c')}`,
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: createdAt } },
        lastState: {},
      },
    ],
  };
}
