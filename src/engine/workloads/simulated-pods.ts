import { type Condition, namesOf } from '../objects/metadata.js';
import { hasNode, isTerminal, type Pod } from '../objects/pod.js';
import type { PodTemplate } from '../objects/pod-spec.js';
import { apiTime } from './creation-order.js';
import { newCondition, withCondition } from './deployment-writes.js';

/** What owns a simulated pod. */
export interface SimulatedOwner {
  readonly kind: 'ReplicaSet' | 'StatefulSet' | 'DaemonSet';
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
}

/**
 * A pod as its controller would create it now, not yet scheduled. `like`: an existing pod of the same
 * revision, whose spec also holds what admission filled in; without one, the template's spec stands.
 */
export function simulatedPod(
  owner: SimulatedOwner,
  template: PodTemplate,
  name: string,
  now: number,
  like: Pod | undefined,
): Pod {
  const { namespace, uid, name: ownerName } = owner.metadata;
  return {
    kind: 'Pod',
    metadata: {
      ...template.metadata,
      name,
      namespace,
      uid: simulatedUid(name),
      resourceVersion: '',
      creationTimestamp: apiTime(now),
      deletionTimestamp: undefined,
      deletionGracePeriodSeconds: undefined,
      labels: { ...template.metadata.labels, ...like?.metadata.labels },
      annotations: template.metadata.annotations,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: owner.kind, name: ownerName, uid, controller: true }],
    },
    spec: { ...(like?.spec ?? template.spec), nodeName: template.spec.nodeName },
    status: emptyStatus,
  };
}

/**
 * Whether the pod exists in a simulation only, under a name that its controller would not give it. A member
 * of a StatefulSet has the name of its ordinal, and another uid.
 */
export function hasInventedName({ metadata }: Pod): boolean {
  return metadata.uid === simulatedUid(metadata.name);
}

function simulatedUid(name: string): string {
  return `simulated:${name}`;
}

/** The names of those that have one. */
export function knownNames(pods: readonly Pod[]): readonly string[] {
  return namesOf(pods.filter((pod) => !hasInventedName(pod)));
}

const emptyStatus: Pod['status'] = {
  phase: 'Pending',
  conditions: [],
  reason: '',
  message: '',
  nominatedNodeName: undefined,
  startTime: undefined,
  qosClass: undefined,
  podIP: undefined,
  resize: undefined,
  allocatedResources: {},
  resources: undefined,
  containerStatuses: [],
  initContainerStatuses: [],
  ephemeralContainerStatuses: [],
  resourceClaimStatuses: [],
  extendedResourceClaimStatus: undefined,
};

/** The pod with a node, its containers still to start. */
export function placed(pod: Pod, node: string, now: number): Pod {
  return {
    ...pod,
    spec: { ...pod.spec, nodeName: node },
    status: {
      ...pod.status,
      conditions: withTrue(pod.status.conditions, 'PodScheduled', now),
      startTime: apiTime(now),
    },
  };
}

/** The pod running and ready since `now`. */
export function readied(pod: Pod, now: number): Pod {
  const conditions = withTrue(pod.status.conditions, 'Ready', now);
  return { ...pod, status: { ...pod.status, phase: 'Running', conditions } };
}

/** The pod with a deletion under way that ends after `seconds`. */
function terminating(pod: Pod, now: number, seconds: number): Pod {
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      deletionTimestamp: apiTime(now + seconds * 1000),
      deletionGracePeriodSeconds: seconds,
    },
  };
}

/** True for a pod that a simulation created. */
export function isSimulated({ metadata }: Pod): boolean {
  return metadata.uid.startsWith('simulated:');
}

function withTrue(conditions: readonly Condition[], type: string, now: number): readonly Condition[] {
  return withCondition(conditions, newCondition(type, 'True', '', '', now));
}

/**
 * A pod without a node and one that has ended are gone at once; others take their grace period
 * (kubernetes `registry/core/pod/strategy.go: CheckGracefulDelete`).
 */
export function deletedPod(pod: Pod, now: number): readonly Pod[] {
  if (!hasNode(pod) || isTerminal(pod)) return [];
  return [terminating(pod, now, Math.max(1, pod.spec.terminationGracePeriodSeconds))];
}
