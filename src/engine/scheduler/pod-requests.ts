import type { ClusterIndex } from '../objects/cluster-index.js';
import { Condition } from '../objects/metadata.js';
import type { Pod, PodStatus } from '../objects/pod.js';
import type { Container, PodSpec } from '../objects/pod-spec.js';
import type { ResizeRule } from '../objects/release-rules.js';
import { type Amounts, countedAmount } from './amounts.js';
import { parseQuantity } from './quantity.js';
import { isCounted, isPodLevelResource } from './resource-name.js';

type ResourceList = Readonly<Record<string, string>>;
/** Exact billionths by resource. */
type Exact = Map<string, bigint>;

/**
 * What the scheduler counts for a pod: running containers and sidecars together, or the largest init step if
 * that is more; pod-level requests in their place; overhead on top
 * (`component-helpers resource/helpers.go: PodRequests`). Sums are exact and rounded up once per resource. A
 * quantity that cannot be read counts as nothing.
 *
 * `assigned`: the pod has a node. Then a resize counts by the rule of the release; a pending pod counts with
 * its spec alone.
 */
export function podRequests(pod: Pod, assigned: boolean): Amounts {
  const known = assigned ? knownAssigned : knownPending;
  const found = known.get(pod);
  if (found !== undefined) return found;
  const made = readRequests(pod, assigned);
  known.set(pod, made);
  return made;
}

/** A simulation asks for the requests of the same pods at every step. */
const knownAssigned = new WeakMap<Pod, Amounts>();
const knownPending = new WeakMap<Pod, Amounts>();

/**
 * What the node has granted a pod, whatever its spec asks for by now: the most of what was allocated and
 * runs.
 */
export function grantedRequests(pod: Pod): Amounts {
  return readRequests({ ...pod, status: { ...pod.status, conditions: [infeasible] } }, true);
}

const infeasible = Condition.parse({ type: 'PodResizePending', status: 'True', reason: 'Infeasible' });

type RequestRule = 'as-specified' | ResizeRule;

function readRequests(pod: Pod, assigned: boolean): Amounts {
  const rule = assigned ? (pod.resizeRule ?? 'largest-of-each-container') : 'as-specified';
  const exact = containerRequests(pod, rule);
  applyPodLevel(exact, pod, rule);
  add(exact, pod.spec.overhead);
  const amounts = new Map<string, bigint>();
  for (const [resource, nano] of exact) {
    amounts.set(resource, countedAmount(resource, { nano, format: 'DecimalSI' }));
  }
  return amounts;
}

function containerRequests({ spec, status }: Pod, rule: RequestRule): Exact {
  switch (rule) {
    case 'as-specified':
      return sumOfContainers(spec, addSpecified);
    case 'largest-of-each-container':
      return sumOfContainers(spec, (total, container) => {
        const { resources, allocatedResources } = statusOf(status, container.name) ?? {};
        if (resources === undefined || isStep(spec, container)) addSpecified(total, container);
        else
          addExact(
            total,
            effective(status, withLimits(container), resources.requests, allocatedResources ?? {}),
          );
      });
    case 'largest-sum':
      return largestSum(spec, status);
  }
}

function isEmpty(list: ResourceList | undefined): boolean {
  for (const _ in list) return false;
  return true;
}

/** The sums that the kubelet states for the whole pod, else those of what it states for each container. */
function largestSum(spec: PodSpec, status: PodStatus): Exact {
  const isInfeasible = isResizeInfeasible(status);
  const unstated = (total: Exact, container: Container): void => {
    if (!isInfeasible) addSpecified(total, container);
  };
  const most: Exact = isInfeasible ? new Map() : sumOfContainers(spec, addSpecified);
  if (!isEmpty(status.allocatedResources) && !isEmpty(status.resources?.requests)) {
    raiseBy(most, status.allocatedResources);
    raiseBy(most, status.resources?.requests ?? {});
    return most;
  }
  const allocated = sumOfContainers(spec, (total, container) => {
    const { allocatedResources } = statusOf(status, container.name) ?? {};
    if (allocatedResources === undefined || isEmpty(allocatedResources)) unstated(total, container);
    else add(total, allocatedResources);
  });
  const actuated = sumOfContainers(spec, (total, container) => {
    const { resources, allocatedResources = {} } = statusOf(status, container.name) ?? {};
    if (resources !== undefined && !isEmpty(resources.requests)) add(total, resources.requests);
    else if (isEmpty(allocatedResources)) unstated(total, container);
    else add(total, allocatedResources);
  });
  raise(most, allocated);
  raise(most, actuated);
  return most;
}

/** The containers' share alone, exact, of a pod that has no status yet. */
export function containerRequestsOf(spec: PodSpec): ReadonlyMap<string, bigint> {
  return sumOfContainers(spec, addSpecified);
}

/** A sidecar: an init container that keeps running. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

function isStep({ initContainers }: PodSpec, container: Container): boolean {
  return initContainers.includes(container) && !isSidecar(container);
}

function sumOfContainers(spec: PodSpec, addTo: (total: Exact, container: Container) => void): Exact {
  const total: Exact = new Map();
  for (const container of spec.containers) addTo(total, container);
  if (spec.initContainers.length === 0) return total;
  const sidecars: Exact = new Map();
  const largestStep: Exact = new Map();
  for (const container of spec.initContainers) {
    if (isSidecar(container)) {
      addTo(total, container);
      addTo(sidecars, container);
      raise(largestStep, sidecars);
    } else {
      const step = new Map(sidecars);
      addTo(step, container);
      raise(largestStep, step);
    }
  }
  raise(total, largestStep);
  return total;
}

/** Requests missing from a container that has limits are its limits (`defaults.go: SetDefaults_Pod`). */
function withLimits({ resources }: Container): ResourceList {
  return { ...resources.limits, ...resources.requests };
}

function addSpecified(total: Exact, { resources: { requests, limits } }: Container): void {
  add(total, requests);
  for (const resource in limits) {
    if (requests[resource] === undefined) addOne(total, resource, limits[resource] ?? '0');
  }
}

function statusOf({ initContainerStatuses, containerStatuses }: PodStatus, name: string) {
  return (
    initContainerStatuses.find((status) => status.name === name) ??
    containerStatuses.find((status) => status.name === name)
  );
}

function effective(
  podStatus: PodStatus,
  spec: ResourceList,
  actuated: ResourceList,
  allocated: ResourceList,
): Exact {
  const most: Exact = new Map();
  for (const list of isResizeInfeasible(podStatus) ? [actuated, allocated] : [spec, actuated, allocated]) {
    raiseBy(most, list);
  }
  return most;
}

/** Kubelets before 1.33 write `status.resize` (1.32 `resource/helpers.go: determineContainerReqs`). */
export function isResizeInfeasible({ conditions, resize }: PodStatus): boolean {
  const pending = conditions.find(({ type }) => type === infeasible.type);
  return pending === undefined ? resize === infeasible.reason : pending.reason === infeasible.reason;
}

function applyPodLevel(total: Exact, { spec, status }: Pod, rule: RequestRule): void {
  const requests = spec.resources?.requests ?? {};
  if (!Object.keys(requests).some(isPodLevelResource)) return;
  const inPlace =
    rule === 'as-specified' || status.resources === undefined
      ? undefined
      : effective(status, requests, status.resources.requests, status.allocatedResources);
  const stated =
    rule === 'largest-sum' && inPlace !== undefined ? [...inPlace.keys()] : Object.keys(requests);
  for (const resource of stated) {
    if (!isPodLevelResource(resource)) continue;
    const specified = parseQuantity(requests[resource] ?? '')?.nano ?? 0n;
    total.set(resource, inPlace === undefined ? specified : (inPlace.get(resource) ?? 0n));
  }
}

function add(total: Exact, list: ResourceList): void {
  for (const resource in list) addOne(total, resource, list[resource] ?? '0');
}

function addOne(total: Exact, resource: string, text: string): void {
  if (!isCounted(resource)) return;
  const quantity = parseQuantity(text);
  if (quantity === undefined) return;
  total.set(resource, (total.get(resource) ?? 0n) + quantity.nano);
}

function addExact(total: Exact, other: ReadonlyMap<string, bigint>): void {
  for (const [resource, nano] of other) total.set(resource, (total.get(resource) ?? 0n) + nano);
}

function raiseBy(total: Exact, list: ResourceList): void {
  const exact: Exact = new Map();
  add(exact, list);
  raise(total, exact);
}

function raise(total: Exact, other: ReadonlyMap<string, bigint>): void {
  for (const [resource, nano] of other) {
    const present = total.get(resource);
    if (present === undefined || nano > present) total.set(resource, nano);
  }
}

/**
 * The spec with the overhead that admission takes from its RuntimeClass (kubernetes
 * `plugin/pkg/admission/runtimeclass`). RuntimeClasses are not read: the pods of a class all have the same
 * overhead.
 */
export function withRuntimeOverhead(index: ClusterIndex, spec: PodSpec): PodSpec {
  const { runtimeClassName, overhead } = spec;
  if (runtimeClassName === undefined || Object.keys(overhead).length > 0) return spec;
  const found = overheads(index).get(runtimeClassName);
  return found === undefined ? spec : { ...spec, overhead: found };
}

type Overheads = ReadonlyMap<string, PodSpec['overhead']>;

const known = new WeakMap<ClusterIndex, Overheads>();

function overheads(index: ClusterIndex): Overheads {
  const found = known.get(index) ?? readOverheads(index);
  known.set(index, found);
  return found;
}

function readOverheads({ objects }: ClusterIndex): Overheads {
  const byClass = new Map<string, PodSpec['overhead']>();
  for (const { spec } of objects.Pod) {
    const { runtimeClassName, overhead } = spec;
    if (runtimeClassName !== undefined && Object.keys(overhead).length > 0)
      byClass.set(runtimeClassName, overhead);
  }
  return byClass;
}
