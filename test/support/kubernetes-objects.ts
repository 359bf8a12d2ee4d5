import type { z } from 'zod';
import { resourcePaths } from '#src/edges/kubernetes/resource-paths.js';
import { type ObjectOf, type ResourceKind, schemas } from '#src/engine/objects/cluster-objects.js';
import { isObject } from '#src/engine/objects/wire.js';
import { ago, buildTemplate } from './rollout-builders.js';

/**
 * Objects of unit tests as the API server writes them. Each builder starts from a small valid object and
 * merges changes into it, the later over the earlier: maps field by field, lists as a whole; `undefined`
 * removes a field.
 */
type Wire<Kind extends ResourceKind> = z.input<(typeof schemas)[Kind]>;
export type Changes<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]?: Changes<Value[Key]> | undefined }
    : Value;
export type Change<Kind extends ResourceKind> = Changes<Wire<Kind>>;

/** An object of any kind whose uid is `<name>-uid`; of namespace `shop` where the kind has namespaces. */
export function build<Kind extends ResourceKind>(
  kind: Kind,
  name: string,
  ...changes: readonly Change<Kind>[]
): ObjectOf<Kind> {
  const namespace = resourcePaths[kind].namespaced ? 'shop' : undefined;
  const named = { metadata: { name, namespace, uid: `${name}-uid` } };
  return schemas[kind].parse(changes.reduce<unknown>(merge, named)) as ObjectOf<Kind>;
}

function merge(base: unknown, change: unknown): unknown {
  if (!isObject(base) || !isObject(change)) return change;
  const merged = Object.entries(change).map(([key, value]) => [key, merge(base[key], value)]);
  return { ...base, ...Object.fromEntries(merged) };
}

const selected = (app: string) => ({ matchLabels: { app } });
const ofApp = (app: string, image: string) => ({
  ...buildTemplate(image),
  metadata: { labels: { app } },
});

/** Revision 2 of a Deployment, whose controller has seen it. */
export function deployment(name = 'web', ...changes: readonly Change<'Deployment'>[]) {
  return build(
    'Deployment',
    name,
    {
      metadata: { generation: 2 },
      spec: { replicas: 1, selector: selected(name), template: ofApp(name, `${name}:2`) },
      status: { observedGeneration: 2 },
    },
    ...changes,
  );
}

/** A ReplicaSet `<owner>-<revision>` of that Deployment; higher revisions are younger. */
export function replicaSet(revision: number, owner = 'web', ...changes: readonly Change<'ReplicaSet'>[]) {
  const name = `${owner}-${revision}`;
  const labels = { app: owner, 'pod-template-hash': name };
  return build(
    'ReplicaSet',
    name,
    {
      metadata: {
        generation: 1,
        creationTimestamp: ago(100_000 - revision * 1000),
        labels,
        annotations: { 'deployment.kubernetes.io/revision': String(revision) },
        ...ownedBy('Deployment', owner).metadata,
      },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { ...ofApp(owner, `${owner}:${revision}`), metadata: { labels } },
      },
      status: { observedGeneration: 1, replicas: 1 },
    },
    ...changes,
  );
}

/** Its controller. */
export function ownedBy(kind: string, name: string, uid = `${name}-uid`) {
  return { metadata: { ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid, controller: true }] } };
}

/** A deleted object that still exists. */
export function leaving(since = 1) {
  return { metadata: { deletionTimestamp: ago(since) } };
}

/** A ready node with 4 cpu, 8Gi memory, 110 pods and its hostname label. */
export function node(name: string, ...changes: readonly Change<'Node'>[]) {
  return build(
    'Node',
    name,
    {
      metadata: { labels: { 'kubernetes.io/hostname': name } },
      status: {
        allocatable: { cpu: '4', memory: '8Gi', 'ephemeral-storage': '10Gi', pods: '110' },
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    },
    ...changes,
  );
}

interface Subject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
}

/** A warning about the object, a minute old. */
export function event(
  { kind, metadata: { name, namespace, uid } }: Subject,
  reason: string,
  message: string,
  ...changes: readonly Change<'Event'>[]
) {
  return build(
    'Event',
    `${name}.${reason}`,
    {
      metadata: { namespace: namespace === '' ? 'default' : namespace },
      involvedObject: { kind, name, namespace, uid },
      type: 'Warning',
      reason,
      message,
      firstTimestamp: ago(60),
      lastTimestamp: ago(60),
    },
    ...changes,
  );
}

/** A claim of 1Gi that one node may mount; bound where a volume is named. */
export function claim(
  name: string,
  volumeName?: string,
  ...changes: readonly Change<'PersistentVolumeClaim'>[]
) {
  return build(
    'PersistentVolumeClaim',
    name,
    {
      metadata: { annotations: volumeName === undefined ? {} : { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeName },
      status: { phase: volumeName === undefined ? 'Pending' : 'Bound' },
    },
    ...changes,
  );
}

export function volume(name: string, ...changes: readonly Change<'PersistentVolume'>[]) {
  return build(
    'PersistentVolume',
    name,
    {
      spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } },
      status: { phase: 'Available' },
    },
    ...changes,
  );
}

export function quota(
  hard: Readonly<Record<string, string>>,
  used: Readonly<Record<string, string>>,
  ...changes: readonly Change<'ResourceQuota'>[]
) {
  return build('ResourceQuota', 'team', { spec: { hard }, status: { hard, used } }, ...changes);
}
