import type { ClusterObjects, ResourceKind } from '../../engine/objects/cluster-objects.js';
import { controllerOf } from '../../engine/objects/metadata.js';
import type { Unseen } from '../../engine/objects/snapshot.js';
import { isObject } from '../../engine/objects/wire.js';
import { hasDeploymentStrategy, type Workload, workloadKinds } from '../../engine/objects/workload.js';
import { canonicalTemplate } from '../../engine/workloads/template-equality.js';

/**
 * Fields that the API server and the controllers store with each object of a kind
 * (`pkg/apis/(apps|core)/v1/defaults.go`; fields without `omitempty`). One that is absent was taken away: by
 * `kubectl neat`, a backup, `grep -v`, or a person who wanted to send less.
 */
const stored: Partial<Readonly<Record<ResourceKind, readonly string[]>>> = {
  Deployment: ['spec.replicas', 'spec.strategy', 'spec.template', 'status'],
  ReplicaSet: ['spec.replicas', 'spec.template', 'status.replicas'],
  StatefulSet: ['spec.replicas', 'spec.updateStrategy', 'spec.template', 'status.replicas'],
  DaemonSet: [
    'spec.updateStrategy',
    'spec.template',
    'status.currentNumberScheduled',
    'status.desiredNumberScheduled',
    'status.numberReady',
  ],
  Pod: ['spec.containers'],
  Node: ['metadata.labels', 'status.conditions', 'status.allocatable'],
  PersistentVolumeClaim: ['status.phase'],
  PersistentVolume: ['status.phase'],
  ResourceQuota: ['status.used'],
  ResourceClaim: ['spec', 'status'],
  ControllerRevision: ['data'],
  Event: ['involvedObject', 'reason', 'message'],
};
const ofEach = ['metadata.uid', 'metadata.creationTimestamp'] as const;
/** Controllers of add-ons write a status when they first see an object, which is long before it has pods. */
const ofAddOns = ['status'] as const;
const withGeneration: ReadonlySet<ResourceKind> = new Set(['ReplicaSet', ...workloadKinds]);
const isWorkload = (kind: ResourceKind): boolean => workloadKinds.some((each) => each === kind);

/** The fields that were taken away from an object before it was recorded, as paths. */
export function lackingFields(kind: ResourceKind, document: object): readonly string[] {
  if (stored[kind] === undefined && !isWorkload(kind)) return [];
  const paths = [
    ...ofEach,
    ...(withGeneration.has(kind) ? ['metadata.generation'] : []),
    ...(stored[kind] ?? (isWorkload(kind) ? ofAddOns : [])),
  ];
  return [
    ...paths.filter((path) => fieldOf(document, path) === undefined),
    ...(lackingIn[kind]?.(document) ?? []),
    ...(withGeneration.has(kind) && lacksObserved(document) ? ['status.observedGeneration'] : []),
    ...lackingInConditions(document),
  ];
}

/** What an object of a kind has because of what else it has. */
const lackingIn: Partial<Readonly<Record<ResourceKind, (document: object) => readonly string[]>>> = {
  Pod: lackingInPod,
  PersistentVolumeClaim: (claim) =>
    fieldOf(claim, 'status.phase') === 'Bound' && fieldOf(claim, 'spec.volumeName') === undefined
      ? ['spec.volumeName']
      : [],
};

/** Where one condition has a time, the writer of another one may state none. */
function lackingInConditions(document: object): readonly string[] {
  const conditions = itemsOf(document, 'status.conditions');
  const isTimed = (each: unknown): boolean => fieldOf(each, 'lastTransitionTime') !== undefined;
  return conditions.length > 0 && !conditions.some(isTimed) ? ['status.conditions[].lastTransitionTime'] : [];
}

function lackingInPod(document: object): readonly string[] {
  const labels = fieldOf(document, 'metadata.labels');
  const isOwned = itemsOf(document, 'metadata.ownerReferences').length > 0;
  const hasRevision =
    isObject(labels) && ('pod-template-hash' in labels || 'controller-revision-hash' in labels);
  const hasStarted = fieldOf(document, 'status.startTime') !== undefined;
  const statuses = itemsOf(document, 'status.containerStatuses');
  const runs = statuses.map((each) => fieldOf(each, 'state.running'));
  return [
    ...(lacksStatus(document) ? ['status'] : []),
    ...(hasRevision && !isOwned ? ['metadata.ownerReferences'] : []),
    ...(isSelected(document) && labels === undefined ? ['metadata.labels'] : []),
    ...(hasStarted && fieldOf(document, 'spec.nodeName') === undefined ? ['spec.nodeName'] : []),
    ...(itemsOf(document, 'spec.containers').some((each) => fieldOf(each, 'resources') === undefined)
      ? ['spec.containers[].resources']
      : []),
    ...(statuses.some(lacksFormerRun) ? ['status.containerStatuses[].lastState'] : []),
    ...(itemsOf(document, 'status.conditions').some(lacksReason) ? ['status.conditions[].message'] : []),
    ...(statuses.some(lacksStateReason) ? ['status.containerStatuses[].state.waiting.reason'] : []),
    ...(runs.some((run) => run !== undefined && fieldOf(run, 'startedAt') === undefined)
      ? ['status.containerStatuses[].state.running.startedAt']
      : []),
  ];
}

/** Kinds of Kubernetes find their pods by labels; the kind of somebody else may do without. */
function isSelected(document: object): boolean {
  return itemsOf(document, 'metadata.ownerReferences').some((owner) =>
    /^(?:apps|batch)\//u.test(String(fieldOf(owner, 'apiVersion'))),
  );
}

/** A scheduler states why it placed a pod nowhere. */
function lacksReason(condition: unknown): boolean {
  const isRefusal = fieldOf(condition, 'type') === 'PodScheduled' && fieldOf(condition, 'status') === 'False';
  return isRefusal && ['reason', 'message'].some((name) => fieldOf(condition, name) === undefined);
}

/** A kubelet states why a container waits. */
function lacksStateReason(status: unknown): boolean {
  const waiting = fieldOf(status, 'state.waiting');
  return waiting !== undefined && fieldOf(waiting, 'reason') === undefined;
}

/**
 * The API server writes `lastState` with every status, and it is empty where the kubelet has lost the former
 * run (after a reboot, or once the dead container is gone). A status without it was changed.
 */
function lacksFormerRun(status: unknown): boolean {
  const restarts = fieldOf(status, 'restartCount');
  return typeof restarts === 'number' && restarts > 0 && fieldOf(status, 'lastState') === undefined;
}

/** Controllers write the generation that they observed with the first count of pods. */
function lacksObserved(document: object): boolean {
  const counts = ['replicas', 'currentNumberScheduled', 'desiredNumberScheduled'];
  return (
    fieldOf(document, 'status.observedGeneration') === undefined &&
    counts.some((count) => Number(fieldOf(document, `status.${count}`) ?? 0) > 0)
  );
}

/**
 * The API server stores a phase with every pod. Kubelets write the states of the containers and the
 * conditions of a pod together.
 */
function lacksStatus(document: object): boolean {
  const phase = fieldOf(document, 'status.phase');
  if (phase !== 'Pending' && phase !== 'Running') return phase === undefined;
  const conditions = itemsOf(document, 'status.conditions');
  const has = (wanted: string): boolean => conditions.some((each) => fieldOf(each, 'type') === wanted);
  return itemsOf(document, 'status.containerStatuses').length > 0 ? !has('Ready') : has('ContainersReady');
}

function itemsOf(document: object, path: string): readonly unknown[] {
  const value = fieldOf(document, path);
  return Array.isArray(value) ? value : [];
}

/** `undefined` for null and for empty text too: the API server stores none in these fields. */
function fieldOf(document: unknown, path: string): unknown {
  let value = document;
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
  return value === '' ? undefined : (value ?? undefined);
}

/** Gathers the fields that objects of each kind and namespace were recorded without. */
export function createPartlyRecorded() {
  const found = new Map<string, Unseen & { readonly fields: string[] }>();
  return {
    add(what: ResourceKind, namespace: string, fields: readonly string[]): void {
      if (fields.length === 0) return;
      const key = `${what}/${namespace}`;
      const known = found.get(key) ?? {
        what,
        namespace,
        because: 'partly-recorded',
        message: '',
        fields: [],
      };
      known.fields.push(...fields.filter((each) => !known.fields.includes(each)));
      found.set(key, known);
    },
    unseen: (): readonly Unseen[] => [...found.values()],
  };
}

/**
 * A controller makes no second ReplicaSet of one template: where two are equal, what told them apart was
 * replaced by one text.
 */
export function equalRevisions(workload: Workload, { ReplicaSet }: ClusterObjects): readonly Unseen[] {
  if (!hasDeploymentStrategy(workload)) return [];
  const { uid, namespace } = workload.metadata;
  const own = ReplicaSet.filter((each) => controllerOf(each)?.uid === uid);
  const templates = new Set(own.map(({ spec }) => canonicalTemplate(spec.template.raw)));
  const fields = ['spec.template.spec.containers[].image'];
  return templates.size === own.length
    ? []
    : [{ what: 'ReplicaSet', namespace, because: 'partly-recorded', message: '', fields }];
}
