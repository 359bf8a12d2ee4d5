import type { z } from 'zod';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import type { Node } from '#src/engine/objects/node.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import { createPlacement, type Placement } from '#src/engine/scheduler/placement.js';
import type { Reason } from '#src/engine/scheduler/reason.js';

type PodWire = z.input<typeof schemas.Pod>;
export type SpecWire = Partial<PodWire['spec']>;

export interface PodShape {
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Requests of its one container. */
  readonly requests?: Readonly<Record<string, string>>;
  readonly hostPort?: number;
  /** The node it runs on; pending without. */
  readonly on?: string;
  readonly priority?: number;
  readonly terminating?: boolean;
  readonly phase?: string;
  readonly claim?: string;
  readonly spec?: SpecWire;
  readonly status?: PodWire['status'];
}

/** A pod in API shape: its uid is its name, its namespace `shop` by default. */
export function pod(name: string, shape: PodShape = {}): Pod {
  const { namespace = 'shop', labels = {}, requests = {}, hostPort, on, priority, claim } = shape;
  const ports = hostPort === undefined ? [] : [{ containerPort: hostPort, hostPort }];
  return schemas.Pod.parse({
    metadata: {
      name,
      namespace,
      uid: name,
      labels,
      annotations: shape.annotations,
      ...(shape.terminating === true ? { deletionTimestamp: '2026-11-20T09:00:00Z' } : {}),
    },
    spec: {
      containers: [{ name: 'app', resources: { requests }, ports }],
      nodeName: on,
      priority,
      volumes: claim === undefined ? [] : [{ name: 'data', persistentVolumeClaim: { claimName: claim } }],
      ...shape.spec,
    },
    status: { phase: shape.phase ?? (on === undefined ? 'Pending' : 'Running'), ...shape.status },
  });
}

export interface NodeShape {
  readonly labels?: Readonly<Record<string, string>>;
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  readonly unschedulable?: boolean;
}

/** A node with 4 cpu, 8Gi memory, 110 pods and its hostname label by default. */
export function node(
  name: string,
  { labels, allocatable, taints = [], unschedulable }: NodeShape = {},
): Node {
  return schemas.Node.parse({
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec: { taints, unschedulable },
    status: {
      allocatable: { cpu: '4', memory: '8Gi', 'ephemeral-storage': '10Gi', pods: '110', ...allocatable },
    },
  });
}

export function claim(
  name: string,
  spec: Partial<z.input<typeof schemas.PersistentVolumeClaim>['spec']> = {},
) {
  const bound = spec?.volumeName !== undefined;
  return schemas.PersistentVolumeClaim.parse({
    metadata: {
      name,
      namespace: 'shop',
      uid: `uid-${name}`,
      annotations: bound ? { 'pv.kubernetes.io/bind-completed': 'yes' } : {},
    },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
    status: { phase: bound ? 'Bound' : 'Pending' },
  });
}

export function volume(
  name: string,
  spec: Partial<z.input<typeof schemas.PersistentVolume>['spec']> = {},
  labels: Readonly<Record<string, string>> = {},
) {
  return schemas.PersistentVolume.parse({
    metadata: { name, labels },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, ...spec },
    status: { phase: spec?.claimRef === undefined ? 'Available' : 'Bound' },
  });
}

/** Volume affinity to one label value. */
export function reaches(key: string, ...values: string[]) {
  return {
    nodeAffinity: {
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values }] }] },
    },
  };
}

export function placementOf(objects: Partial<ClusterObjects>, version = '1.36.3'): Placement {
  return createPlacement(indexObjects(clusterObjects(objects), undefined, parseServerVersion(`v${version}`)));
}

/** The reasons for which the first node refuses the pod. */
export function reasonsFor(wanted: Pod, objects: Partial<ClusterObjects>): readonly Reason[] {
  const [first] = objects.Node ?? [];
  if (first === undefined) throw new Error('a node is needed');
  return placementOf(objects).check(wanted, first).reasons;
}

export function texts(reasons: readonly Reason[]): readonly string[] {
  return reasons.map(({ text }) => text);
}

export function names(pods: readonly Pod[]): readonly string[] {
  return pods.map(({ metadata }) => metadata.name);
}
