import { compareText, groupBy } from '../collections/collections.js';
import type { ClusterIndex } from '../objects/cluster-index.js';
import type { ResourceKind } from '../objects/cluster-objects.js';
import type {
  DeviceClass,
  DeviceTaintRule,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from '../objects/device.js';
import type { Labels } from '../objects/label-selector.js';
import type { Node } from '../objects/node.js';
import { isTerminal, type Pod, podKey } from '../objects/pod.js';
import type {
  CSIDriver,
  CSINode,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  VolumeAttachment,
} from '../objects/storage.js';
import { type Amounts, allocatableAmounts, plainAmount } from './amounts.js';
import { podRequests } from './pod-requests.js';
import { antiAffinityTerms, type PodTerm } from './pod-terms.js';
import { isCounted } from './resource-name.js';

/** A pod that avoids others, with its terms. */
export type AvoidingPod = { readonly pod: Pod; readonly terms: readonly PodTerm[] };

/** What the filters ask of the cluster as it is; each answer is computed once, when first asked for. */
export interface ClusterFacts {
  readonly index: ClusterIndex;
  /** Sorted by name. */
  readonly nodes: () => readonly Node[];
  readonly node: (name: string) => Node | undefined;
  /** Pods that hold something on the node: assigned and not terminal; terminating ones still count. */
  readonly podsOn: (node: string) => readonly Pod[];
  /** The node's pods were not read: whether there is room on it is not known. */
  readonly isUnread: (node: string) => boolean;
  /** The sum of what those pods request. */
  readonly requestedOn: (node: string) => Amounts;
  readonly allocatable: (node: Node) => Amounts;
  /** Assigned pods of a namespace that count, on nodes that exist. */
  readonly assignedIn: (namespace: string) => readonly Pod[];
  /** All of them, over all namespaces. */
  readonly assigned: () => readonly Pod[];
  /** True for the key (`podKey`) of a pod that ended and still exists. */
  readonly hasEnded: (key: string) => boolean;
  readonly avoidingPods: () => readonly AvoidingPod[];
  /** Pending pods for which preemption has already chosen this node. */
  readonly nominatedOn: (node: string) => readonly Pod[];
  readonly namespaceLabels: (namespace: string) => Labels;
  readonly namespacesSeen: () => boolean;
  /** True when the kind could not be read, so that a missing object proves nothing. */
  readonly isUnseen: (kind: ResourceKind) => boolean;
  readonly claim: (namespace: string, name: string) => PersistentVolumeClaim | undefined;
  readonly volume: (name: string) => PersistentVolume | undefined;
  readonly volumesOfClass: (name: string) => readonly PersistentVolume[];
  readonly storageClass: (name: string) => StorageClass | undefined;
  readonly csiNode: (name: string) => CSINode | undefined;
  readonly csiDriver: (name: string) => CSIDriver | undefined;
  readonly attachmentsTo: (node: string) => readonly VolumeAttachment[];
  readonly deviceClaims: () => readonly ResourceClaim[];
  readonly deviceClaim: (namespace: string, name: string) => ResourceClaim | undefined;
  readonly deviceClaimTemplate: (namespace: string, name: string) => ResourceClaimTemplate | undefined;
  readonly deviceClass: (name: string) => DeviceClass | undefined;
  readonly deviceClassOfExtendedResource: (resource: string) => DeviceClass | undefined;
  readonly resourceSlices: () => readonly ResourceSlice[];
  readonly deviceTaintRules: () => readonly DeviceTaintRule[];
}

export function clusterFacts(
  index: ClusterIndex,
  unseen: ReadonlySet<ResourceKind> = new Set(),
): ClusterFacts {
  const { objects } = index;
  const countedPods = remember((name: string) =>
    (index.podsByNode.get(name) ?? []).filter((pod) => !isTerminal(pod)),
  );
  const isAssigned = (pod: Pod): boolean =>
    !isTerminal(pod) && pod.spec.nodeName !== undefined && index.nodes.has(pod.spec.nodeName);
  const assigned = lazy(() => objects.Pod.filter(isAssigned));
  const ended = lazy(() => new Set(objects.Pod.filter(isTerminal).map(podKey)));
  const avoiding = lazy(() =>
    index.avoidingPods.filter(isAssigned).flatMap((pod): readonly AvoidingPod[] => {
      const terms = antiAffinityTerms(pod);
      return terms.length === 0 ? [] : [{ pod, terms }];
    }),
  );
  const byNamespace = lazy(() => groupBy(assigned(), (pod) => pod.metadata.namespace));
  const nominated = lazy(() =>
    groupBy(index.unassignedPods.filter(isNominated), (pod) => pod.status.nominatedNodeName ?? ''),
  );
  const namespaces = lazy(
    () => new Map(objects.Namespace.map((item) => [item.metadata.name, item.metadata.labels])),
  );
  const claims = named(() => objects.PersistentVolumeClaim);
  const deviceClaims = named(() => objects.ResourceClaim);
  const templates = named(() => objects.ResourceClaimTemplate);
  const volumes = named(() => objects.PersistentVolume);
  const byClass = lazy(() => groupBy(objects.PersistentVolume, volumeClass));
  const storageClasses = named(() => objects.StorageClass);
  const csiNodes = named(() => objects.CSINode);
  const csiDrivers = named(() => objects.CSIDriver);
  const attachments = lazy(() => groupBy(objects.VolumeAttachment, (attachment) => attachment.spec.nodeName));
  const deviceClasses = named(() => objects.DeviceClass);
  const byExtendedResource = lazy(
    () =>
      new Map(
        objects.DeviceClass.flatMap((item) =>
          item.spec.extendedResourceName === undefined
            ? []
            : [[item.spec.extendedResourceName, item] as const],
        ),
      ),
  );
  return {
    index,
    nodes: lazy(() =>
      [...index.nodes.values()].sort((a, b) => compareText(a.metadata.name, b.metadata.name)),
    ),
    node: (name) => index.nodes.get(name),
    podsOn: countedPods,
    isUnread: (name) => index.podsReadOn !== undefined && !index.podsReadOn.has(name),
    requestedOn: remember((name) => requestedBy(countedPods(name))),
    allocatable: remember((node: Node) => allocatableAmounts(node.status.allocatable)),
    assigned,
    assignedIn: (namespace) => byNamespace().get(namespace) ?? [],
    hasEnded: (key) => ended().has(key),
    avoidingPods: avoiding,
    nominatedOn: (node) => nominated().get(node) ?? [],
    namespaceLabels: (namespace) =>
      namespaces().get(namespace) ?? { 'kubernetes.io/metadata.name': namespace },
    namespacesSeen: () => objects.Namespace.length > 0,
    isUnseen: (kind) => unseen.has(kind),
    claim: (namespace, name) => claims().get(`${namespace}/${name}`),
    volume: (name) => volumes().get(`/${name}`),
    volumesOfClass: (name) => byClass().get(name) ?? [],
    storageClass: (name) => storageClasses().get(`/${name}`),
    csiNode: (name) => csiNodes().get(`/${name}`),
    csiDriver: (name) => csiDrivers().get(`/${name}`),
    attachmentsTo: (node) => attachments().get(node) ?? [],
    deviceClaims: () => objects.ResourceClaim,
    deviceClaim: (namespace, name) => deviceClaims().get(`${namespace}/${name}`),
    deviceClaimTemplate: (namespace, name) => templates().get(`${namespace}/${name}`),
    deviceClass: (name) => deviceClasses().get(`/${name}`),
    deviceClassOfExtendedResource: (resource) => byExtendedResource().get(resource),
    resourceSlices: () => objects.ResourceSlice,
    deviceTaintRules: () => objects.DeviceTaintRule,
  };
}

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** The class a volume belongs to; the old annotation wins (`component-helpers: GetPersistentVolumeClass`). */
export function volumeClass(volume: PersistentVolume): string {
  return volume.metadata.annotations[CLASS_ANNOTATION] ?? volume.spec.storageClassName ?? '';
}

/** The node that the scheduler chose for the pod of a claim, so that the volume is made for it. */
export function selectedNode({ metadata }: PersistentVolumeClaim): string | undefined {
  return metadata.annotations['volume.kubernetes.io/selected-node'];
}

/** The class a claim asks for (`component-helpers: GetPersistentVolumeClaimClass`). */
export function claimClass(claim: PersistentVolumeClaim): string {
  return claim.metadata.annotations[CLASS_ANNOTATION] ?? claim.spec.storageClassName ?? '';
}

/** Of an active pod without a node. A name of a node that is empty is none that the scheduler left out. */
function isNominated({ spec, status }: Pod): boolean {
  const { nominatedNodeName = '' } = status;
  return spec.nodeName === undefined && nominatedNodeName !== '';
}

type NamedObject = { readonly metadata: { readonly namespace: string; readonly name: string } };

function named<Item extends NamedObject>(items: () => readonly Item[]): () => ReadonlyMap<string, Item> {
  return lazy(
    () => new Map(items().map((item) => [`${item.metadata.namespace}/${item.metadata.name}`, item])),
  );
}

function remember<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}

/**
 * What assigned pods request together, each rounded up for itself as the scheduler does (`NodeInfo.update`).
 */
export function requestedBy(pods: readonly Pod[]): Amounts {
  const total = new Map<string, bigint>();
  const plain = new Map<string, number>();
  for (const pod of pods) {
    if (isPlain(pod)) addPlain(plain, total, pod);
    else addAmounts(total, podRequests(pod, true), 1n);
  }
  for (const [resource, amount] of plain) total.set(resource, (total.get(resource) ?? 0n) + BigInt(amount));
  return total;
}

export function addAmounts(total: Map<string, bigint>, amounts: Amounts, sign: 1n | -1n): void {
  for (const [resource, amount] of amounts) {
    total.set(resource, (total.get(resource) ?? 0n) + sign * amount);
  }
}

/** Sums of numbers are carried over from here on, long before they would no longer be exact. */
const CARRY = 2 ** 50;

/**
 * True for most pods: nothing but containers that run side by side, no amount that rounding could change or
 * that is too large, and no limit that stands in for a request. What such a pod requests is the sum of its
 * texts.
 */
function isPlain({ spec, status, resizeRule }: Pod): boolean {
  if (resizeRule !== undefined) return false;
  if (spec.initContainers.length > 0 || spec.resources !== undefined || !isEmpty(spec.overhead)) return false;
  for (const { resources } of status.containerStatuses) {
    if (resources !== undefined) return false;
  }
  for (const { resources } of spec.containers) {
    const { requests, limits } = resources;
    for (const resource in requests) {
      if (Number.isNaN(plainAmount(resource, requests[resource] ?? ''))) return false;
    }
    for (const resource in limits) {
      if (requests[resource] === undefined) return false;
    }
  }
  return true;
}

function addPlain(plain: Map<string, number>, total: Map<string, bigint>, { spec }: Pod): void {
  for (const { resources } of spec.containers) {
    const { requests } = resources;
    for (const resource in requests) {
      if (!isCounted(resource)) continue;
      const sum = (plain.get(resource) ?? 0) + plainAmount(resource, requests[resource] ?? '');
      if (Math.abs(sum) < CARRY) {
        plain.set(resource, sum);
        continue;
      }
      total.set(resource, (total.get(resource) ?? 0n) + BigInt(sum));
      plain.set(resource, 0);
    }
  }
}

function isEmpty(list: Readonly<Record<string, string>>): boolean {
  for (const _ in list) return false;
  return true;
}

/** Computes on the first call and remembers. */
export function lazy<Value>(compute: () => Value): () => Value {
  let held: { readonly value: Value } | undefined;
  return () => {
    held ??= { value: compute() };
    return held.value;
  };
}

/**
 * Remembers what was worked out for a pod in a cluster as read, so that the many worlds of a counterfactual
 * share it. Held as long as cluster and pod are.
 */
export function perPod<Value>(
  compute: (facts: ClusterFacts, pod: Pod) => Value,
): (facts: ClusterFacts, pod: Pod) => Value {
  const known = new WeakMap<ClusterFacts, WeakMap<Pod, { readonly value: Value }>>();
  return (facts, pod) => {
    const ofCluster = known.get(facts) ?? new WeakMap<Pod, { readonly value: Value }>();
    known.set(facts, ofCluster);
    const found = ofCluster.get(pod);
    if (found !== undefined) return found.value;
    const value = compute(facts, pod);
    ofCluster.set(pod, { value });
    return value;
  };
}
