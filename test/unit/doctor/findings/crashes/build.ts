import type { z } from 'zod';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import type { Event } from '#src/engine/objects/event.js';
import type { Node } from '#src/engine/objects/node.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { node } from '../../../../support/placement-builders.js';

/** The moment of every test. */
export const now = Date.parse('2026-11-20T09:30:00Z');

/** RFC3339, so many seconds before that moment. */
export function ago(seconds: number): string {
  return new Date(now - seconds * 1000).toISOString();
}

type PodWire = z.input<typeof schemas.Pod>;
type ContainerWire = NonNullable<PodWire['spec']['containers']>[number];
type StateWire = NonNullable<
  NonNullable<NonNullable<PodWire['status']>['containerStatuses']>[number]['state']
>;

export interface ContainerShape {
  readonly name?: string;
  readonly spec?: Partial<ContainerWire>;
  readonly state?: StateWire;
  readonly lastState?: StateWire;
  readonly restarts?: number;
  readonly ready?: boolean;
  readonly started?: boolean;
}

export interface FailingPodShape {
  readonly name?: string;
  readonly node?: string;
  readonly phase?: string;
  readonly revision?: string;
  readonly containers?: readonly ContainerShape[];
  readonly inits?: readonly ContainerShape[];
  readonly spec?: Partial<PodWire['spec']>;
  readonly status?: PodWire['status'];
  readonly metadata?: Partial<PodWire['metadata']>;
}

/** A pod of ReplicaSet `web-1` on node `n-a` with one running, ready container `app` by default. */
export function failingPod(shape: FailingPodShape = {}): Pod {
  const { name = 'web-1-a', node: nodeName = 'n-a', phase = 'Running', revision = '1' } = shape;
  const containers = shape.containers ?? [{}];
  const inits = shape.inits ?? [];
  const status = (container: ContainerShape) => ({
    name: container.name ?? 'app',
    ready: container.ready ?? container.state === undefined,
    started: container.started ?? true,
    restartCount: container.restarts ?? (container.lastState === undefined ? 0 : 5),
    state: container.state ?? { running: { startedAt: ago(3600) } },
    ...(container.lastState === undefined ? {} : { lastState: container.lastState }),
  });
  const spec = (container: ContainerShape): ContainerWire => ({
    name: container.name ?? 'app',
    image: 'registry.example/web:1.0',
    ...container.spec,
  });
  return schemas.Pod.parse({
    metadata: {
      name,
      namespace: 'shop',
      uid: `${name}-uid`,
      creationTimestamp: ago(7200),
      labels: { app: 'web', 'pod-template-hash': revision },
      ownerReferences: [
        { kind: 'ReplicaSet', name: `web-${revision}`, uid: `web-${revision}-uid`, controller: true },
      ],
      ...shape.metadata,
    },
    spec: { nodeName, containers: containers.map(spec), initContainers: inits.map(spec), ...shape.spec },
    status: {
      phase,
      containerStatuses: containers.map(status),
      initContainerStatuses: inits.map(status),
      ...shape.status,
    },
  });
}

export const backingOff: StateWire = {
  waiting: {
    reason: 'CrashLoopBackOff',
    message: 'back-off 5m0s restarting failed container=app pod=web-1-a_shop(web-1-a-uid)',
  },
};

/** A run that took `seconds` and ended `before` seconds ago. */
export function ended(
  fields: { exitCode?: number; reason?: string; message?: string; seconds?: number; before?: number } = {},
): StateWire {
  const { exitCode = 1, reason = 'Error', message = '', seconds = 20, before = 120 } = fields;
  return {
    terminated: { exitCode, reason, message, startedAt: ago(before + seconds), finishedAt: ago(before) },
  };
}

/** An event of the kubelet about the pod, or about one of its containers. */
export function kubeletEvent(
  reason: string,
  message: string,
  fields: {
    container?: string;
    init?: boolean;
    first?: number;
    last?: number;
    type?: string;
    count?: number;
  } = {},
): Event {
  const { container, init = false, first = 600, last = 60, type = 'Warning', count = 3 } = fields;
  const list = init ? 'initContainers' : 'containers';
  return schemas.Event.parse({
    metadata: { name: `${reason}.${last}`, namespace: 'shop' },
    involvedObject: {
      kind: 'Pod',
      namespace: 'shop',
      name: 'web-1-a',
      uid: 'web-1-a-uid',
      ...(container === undefined ? {} : { fieldPath: `spec.${list}{${container}}` }),
    },
    reason,
    message,
    type,
    count,
    firstTimestamp: ago(first),
    lastTimestamp: ago(last),
    source: { component: 'kubelet', host: 'n-a' },
  });
}

export interface CrashSnapshotShape {
  readonly pods: readonly Pod[];
  readonly events?: readonly Event[];
  readonly nodes?: readonly Node[];
  readonly logs?: Snapshot['logs'];
  /** Pod template of the Deployment; a healthy one by default. */
  readonly template?: object;
  readonly others?: Partial<ClusterObjects>;
}

/**
 * Deployment `shop/web` with ReplicaSets `web-1` and `web-2` (the newest with any pod is the current one).
 */
export function crashSnapshot(shape: CrashSnapshotShape): Snapshot {
  const { pods, events = [], logs = [], others = {} } = shape;
  const revisions = [
    ...new Set(pods.map(({ metadata }) => metadata.labels['pod-template-hash'] ?? '1')),
  ].sort();
  const current = revisions.at(-1) ?? '1';
  const template = (revision: string) => ({
    metadata: { labels: { app: 'web', 'pod-template-hash': revision } },
    spec: {
      containers: [{ name: 'app', image: `registry.example/web:${revision}.0` }],
      ...(revision === current ? shape.template : {}),
    },
  });
  const names = [...new Set(pods.flatMap(({ spec }) => spec.nodeName ?? []))].filter((name) => name !== '');
  const readyOf = (some: readonly Pod[]): number =>
    some.filter(({ status }) =>
      status.conditions.some(({ type, status: state }) => type === 'Ready' && state === 'True'),
    ).length;
  const ready = readyOf(pods);
  const podsOf = (revision: string) =>
    pods.filter(({ metadata }) => (metadata.labels['pod-template-hash'] ?? '1') === revision);
  const objects = clusterObjects({
    Node: [...(shape.nodes ?? names.map((name) => node(name)))],
    Pod: [...pods, ...(others.Pod ?? [])],
    Event: [...events],
    ReplicaSet: revisions.map((revision) =>
      schemas.ReplicaSet.parse({
        metadata: {
          name: `web-${revision}`,
          namespace: 'shop',
          uid: `web-${revision}-uid`,
          annotations: { 'deployment.kubernetes.io/revision': revision },
          creationTimestamp: ago(100_000 - Number(revision) * 1000),
          ownerReferences: [{ kind: 'Deployment', name: 'web', uid: 'web-uid', controller: true }],
        },
        spec: {
          replicas: podsOf(revision).length,
          selector: { matchLabels: { app: 'web', 'pod-template-hash': revision } },
          template: template(revision),
        },
        status: {
          observedGeneration: 1,
          replicas: podsOf(revision).length,
          readyReplicas: readyOf(podsOf(revision)),
          availableReplicas: readyOf(podsOf(revision)),
        },
      }),
    ),
    ...Object.fromEntries(Object.entries(others).filter(([kind]) => kind !== 'Pod')),
  });
  const workload = schemas.Deployment.parse({
    metadata: { name: 'web', namespace: 'shop', uid: 'web-uid', generation: 2 },
    spec: {
      replicas: pods.length,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          containers: [{ name: 'app', image: `registry.example/web:${current}.0` }],
          ...shape.template,
        },
      },
    },
    status: { observedGeneration: 2, replicas: pods.length, readyReplicas: ready, availableReplicas: ready },
  });
  return {
    takenAt: new Date(now).toISOString(),
    cluster: 'prod',
    workload,
    index: indexObjects(objects),
    logs,
    unseen: [],
  };
}

/** The conditions of a pod that has been ready for so many seconds. */
export function readyFor(seconds: number): PodWire['status'] {
  return {
    phase: 'Running',
    startTime: ago(seconds + 10),
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: ago(seconds) }],
  };
}
