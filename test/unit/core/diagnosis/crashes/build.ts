import type { z } from 'zod';
import { schemas } from '../../../../../src/core/cluster/cluster-objects.js';
import type { Event } from '../../../../../src/core/cluster/event.js';
import type { Pod } from '../../../../../src/core/cluster/pod.js';

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

export interface AilingPodShape {
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

/** A pod of ReplicaSet `web-1` on node `n-a` with one running, ready container `app`, unless said otherwise. */
export function ailingPod(shape: AilingPodShape = {}): Pod {
  const { name = 'web-1-a', node = 'n-a', phase = 'Running', revision = '1' } = shape;
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
    spec: {
      nodeName: node,
      containers: containers.map(spec),
      initContainers: inits.map(spec),
      ...shape.spec,
    },
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
export function told(
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
