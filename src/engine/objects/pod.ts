import * as z from 'zod';
import { compareText } from '../collections/collections.js';
import { Condition, type ManagedFieldsEntry, ObjectMeta, type ObjectRef } from './metadata.js';
import { PodSpec, ResourceRequirements } from './pod-spec.js';
import type { ResizeRule } from './release-rules.js';
import { count32, defaulted, type Immutable, list, maybe, message, resourceList, time } from './wire.js';

export const ContainerState = z.object({
  waiting: maybe(z.object({ reason: defaulted(z.string(), ''), message: defaulted(message, '') })),
  running: maybe(z.object({ startedAt: maybe(time) })),
  terminated: maybe(
    z.object({
      exitCode: defaulted(z.int32(), 0),
      signal: maybe(z.int32()),
      reason: defaulted(z.string(), ''),
      message: defaulted(message, ''),
      startedAt: maybe(time),
      finishedAt: maybe(time),
      containerID: maybe(z.string()),
    }),
  ),
});
export type ContainerState = Immutable<z.output<typeof ContainerState>>;

const noState: z.output<typeof ContainerState> = {
  waiting: undefined,
  running: undefined,
  terminated: undefined,
};

export const ContainerStatus = z.object({
  name: z.string(),
  ready: defaulted(z.boolean(), false),
  started: maybe(z.boolean()),
  restartCount: defaulted(count32, 0),
  image: defaulted(z.string(), ''),
  imageID: defaulted(z.string(), ''),
  containerID: maybe(z.string()),
  state: defaulted(ContainerState, noState),
  lastState: defaulted(ContainerState, noState),
  /** What the node has allocated (in-place resize). */
  allocatedResources: resourceList,
  /** What the runtime has actuated (in-place resize). */
  resources: maybe(ResourceRequirements),
  /**
   * Devices that the container holds, with the health that their plugin reports (KEP-4680, on since 1.36).
   */
  allocatedResourcesStatus: list(
    z.object({
      name: z.string(),
      resources: list(z.object({ resourceID: defaulted(z.string(), ''), health: defaulted(z.string(), '') })),
    }),
  ),
});
export type ContainerStatus = Immutable<z.output<typeof ContainerStatus>>;

export const PodStatus = z.object({
  phase: defaulted(z.string(), 'Pending'),
  conditions: list(Condition),
  reason: defaulted(z.string(), ''),
  message: defaulted(message, ''),
  nominatedNodeName: maybe(z.string()),
  startTime: maybe(time),
  qosClass: maybe(z.string()),
  podIP: maybe(z.string()),
  resize: maybe(z.string()),
  /** Pod-level allocated and actuated resources (in-place resize of pod-level resources, 1.36). */
  allocatedResources: resourceList,
  resources: maybe(ResourceRequirements),
  containerStatuses: list(ContainerStatus),
  initContainerStatuses: list(ContainerStatus),
  ephemeralContainerStatuses: list(ContainerStatus),
  resourceClaimStatuses: list(z.object({ name: z.string(), resourceClaimName: maybe(z.string()) })),
  /** DRA-backed extended resources: the claim the scheduler made for them. */
  extendedResourceClaimStatus: maybe(z.object({ resourceClaimName: maybe(z.string()) })),
});
export type PodStatus = Immutable<z.output<typeof PodStatus>>;

/** Who wrote a pod's fields is of no use to anybody, and often more text than the pod itself. */
const PodMeta = ObjectMeta.extend({
  managedFields: z
    .unknown()
    .optional()
    .transform((): z.output<typeof ManagedFieldsEntry>[] => []),
});

export const Pod = z.object({
  kind: z.literal('Pod').default('Pod'),
  metadata: PodMeta,
  spec: PodSpec,
  status: PodStatus.nullish().transform((value) => value ?? PodStatus.parse({})),
});
export type Pod = Immutable<z.output<typeof Pod>> & {
  /** How a resize counts in the pod's cluster; set where it is indexed, absent for the rule up to 1.36. */
  readonly resizeRule?: ResizeRule;
};

/** True where what the pod was allocated or runs with is not what its spec requests. */
export function isResized({ spec, status }: Pod): boolean {
  return (
    status.resources !== undefined ||
    hasEntries(status.allocatedResources) ||
    status.containerStatuses.some((each) => isOther(each, spec.containers)) ||
    status.initContainerStatuses.some((each) => isOther(each, spec.initContainers))
  );
}

/** Looks at texts only, and makes nothing: in a large cluster nearly all pods run with what they request. */
function isOther(
  { name, resources, allocatedResources }: ContainerStatus,
  containers: PodSpec['containers'],
): boolean {
  const requests = containers.find((each) => each.name === name)?.resources.requests;
  return differs(resources?.requests, requests) || differs(allocatedResources, requests);
}

type Requests = Readonly<Record<string, string>>;

function differs(found: Requests | undefined, requests: Requests | undefined): boolean {
  for (const resource in found) if (found[resource] !== requests?.[resource]) return true;
  return false;
}

function hasEntries(list: Requests): boolean {
  for (const _ in list) return true;
  return false;
}

/** Succeeded or Failed: the scheduler and the quota no longer count it. */
export function isTerminal(pod: Pod): boolean {
  return pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
}

/** Deleted, but the object still exists. It still holds its node's resources. */
export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

/** Neither terminal nor terminating (`controller_utils.go: IsPodActive`). */
export function isActive(pod: Pod): boolean {
  return !isTerminal(pod) && !isTerminating(pod);
}

/** Has condition Ready=True (`pkg/api/v1/pod/util.go: IsPodReady`). */
export function isReady(pod: Pod): boolean {
  return pod.status.conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

/**
 * Ready for at least `minReadySeconds` at `now`, in epoch milliseconds
 * (`pkg/api/v1/pod/util.go: IsPodAvailable`).
 */
export function isAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  const ready = pod.status.conditions.find(({ type, status }) => type === 'Ready' && status === 'True');
  if (ready === undefined) return false;
  if (minReadySeconds === 0) return true;
  if (ready.lastTransitionTime === undefined) return false;
  return Date.parse(ready.lastTransitionTime) + minReadySeconds * 1000 <= now;
}

/**
 * The containers that the kubelet starts again and again. Their state stays `terminated` for most of each
 * back-off: it becomes `CrashLoopBackOff` only when the kubelet next looks at the pod, at the end of the
 * back-off since 1.35 (`pod_workers.go: completeWork`).
 */
export function containersInCrashLoop({ spec, status }: Pod): readonly ContainerStatus[] {
  const again = (each: ContainerStatus, isDone: boolean): boolean =>
    each.state.waiting?.reason === 'CrashLoopBackOff' ||
    (each.state.terminated !== undefined && each.restartCount > 0 && !isDone);
  const isWell = ({ state }: ContainerStatus): boolean => state.terminated?.exitCode === 0;
  return [
    ...status.initContainerStatuses.filter((each) => again(each, isWell(each))),
    ...status.containerStatuses.filter((each) =>
      again(each, spec.restartPolicy === 'Never' || (spec.restartPolicy === 'OnFailure' && isWell(each))),
    ),
  ];
}

/** A device that a container of the pod holds and whose plugin reports it as unhealthy. */
export interface UnhealthyDevice {
  readonly container: string;
  readonly resource: string;
  readonly device: string;
}

export function unhealthyDevicesOf({ status }: Pod): readonly UnhealthyDevice[] {
  return status.containerStatuses.flatMap(({ name: container, allocatedResourcesStatus }) =>
    allocatedResourcesStatus.flatMap(({ name: resource, resources }) =>
      resources
        .filter(({ health }) => health === 'Unhealthy')
        .map(({ resourceID: device }) => ({ container, resource, device })),
    ),
  );
}

/** True once the scheduler has decided for a node. */
export function hasNode(pod: Pod): boolean {
  return pod.spec.nodeName !== undefined && pod.spec.nodeName !== '';
}

/** What names a pod in sets: its uid, or namespace/name for a pod that has none yet. */
export function podKey(pod: Pod): string {
  return pod.metadata.uid === '' ? `${pod.metadata.namespace}/${pod.metadata.name}` : pod.metadata.uid;
}

type Named = { readonly metadata: { readonly namespace: string; readonly name: string } };

export function podNames(pods: readonly Named[]): readonly string[] {
  return pods.map(({ metadata }) => metadata.name);
}

/** As `namespace/name`. */
export function qualifiedPodNames(pods: readonly Named[]): readonly string[] {
  return pods.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
}

export function byPodName(a: Pod, b: Pod): number {
  return (
    compareText(a.metadata.namespace, b.metadata.namespace) ||
    compareText(a.metadata.name, b.metadata.name) ||
    compareText(podKey(a), podKey(b))
  );
}

/** The pod as evidence and cards name it. */
export function refOf({ metadata }: Pod): ObjectRef {
  return { kind: 'Pod', namespace: metadata.namespace, name: metadata.name };
}
