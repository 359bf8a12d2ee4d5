import { Condition } from '../objects/metadata.js';
import type { Pod, PodStatus } from '../objects/pod.js';
import type { Container, PodSpec } from '../objects/pod-spec.js';
import { type Amounts, countedAmount } from './amounts.js';
import { parseQuantity } from './quantity.js';
import { isCounted, isPodLevelResource } from './resource-name.js';

type ResourceList = Readonly<Record<string, string>>;
/** Exact billionths by resource. */
type Exact = Map<string, bigint>;

/**
 * What the scheduler counts for a pod: running containers and sidecars together, or the largest init step if
 * that is more; pod-level requests in their place; overhead on top
 * (`component-helpers resource/helpers.go: PodRequests`).
 *
 * `assigned`: the pod has a node. Then a container that is being resized counts with the most of what it
 * wants, was allocated and runs with (`determineEffectiveRequests`); a pending pod counts with its spec
 * alone. Sums are exact and rounded up once per resource. A quantity that cannot be read counts as nothing.
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

function readRequests(pod: Pod, assigned: boolean): Amounts {
  const exact = containerRequests(pod.spec, assigned ? pod.status : undefined);
  applyPodLevel(exact, pod, assigned);
  add(exact, pod.spec.overhead);
  const amounts = new Map<string, bigint>();
  for (const [resource, nano] of exact) {
    amounts.set(resource, countedAmount(resource, { nano, format: 'DecimalSI' }));
  }
  return amounts;
}

/** The containers' share alone, exact, of a pod that has no status yet. */
export function containerRequestsOf(spec: PodSpec): ReadonlyMap<string, bigint> {
  return containerRequests(spec, undefined);
}

/** A sidecar: an init container that keeps running. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

function containerRequests(spec: PodSpec, status: PodStatus | undefined): Exact {
  const total: Exact = new Map();
  for (const container of spec.containers) {
    addContainer(total, container, status);
  }
  if (spec.initContainers.length === 0) return total;
  const sidecars: Exact = new Map();
  const largestStep: Exact = new Map();
  for (const container of spec.initContainers) {
    if (isSidecar(container)) {
      addContainer(total, container, status);
      addContainer(sidecars, container, status);
      raise(largestStep, sidecars);
    } else {
      const step = new Map(sidecars);
      add(step, withLimits(container));
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

function addContainer(total: Exact, container: Container, podStatus: PodStatus | undefined): void {
  const status = podStatus === undefined ? undefined : statusOf(podStatus, container.name);
  if (podStatus === undefined || status?.resources === undefined) {
    add(total, container.resources.requests);
    for (const [resource, text] of Object.entries(container.resources.limits)) {
      if (container.resources.requests[resource] === undefined) addOne(total, resource, text);
    }
    return;
  }
  const { resources, allocatedResources } = status;
  for (const [resource, nano] of effective(
    podStatus,
    withLimits(container),
    resources.requests,
    allocatedResources,
  )) {
    total.set(resource, (total.get(resource) ?? 0n) + nano);
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
    const exact: Exact = new Map();
    add(exact, list);
    raise(most, exact);
  }
  return most;
}

/** Kubelets before 1.33 write `status.resize` (1.32 `resource/helpers.go: determineContainerReqs`). */
export function isResizeInfeasible({ conditions, resize }: PodStatus): boolean {
  const pending = conditions.find(({ type }) => type === infeasible.type);
  return pending === undefined ? resize === infeasible.reason : pending.reason === infeasible.reason;
}

function applyPodLevel(total: Exact, pod: Pod, assigned: boolean): void {
  const requests = pod.spec.resources?.requests ?? {};
  const inPlace =
    assigned && pod.status.resources !== undefined
      ? effective(pod.status, requests, pod.status.resources.requests, pod.status.allocatedResources)
      : undefined;
  for (const [resource, text] of Object.entries(requests)) {
    if (!isPodLevelResource(resource)) continue;
    total.set(
      resource,
      inPlace === undefined ? (parseQuantity(text)?.nano ?? 0n) : (inPlace.get(resource) ?? 0n),
    );
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

function raise(total: Exact, other: ReadonlyMap<string, bigint>): void {
  for (const [resource, nano] of other) {
    const present = total.get(resource);
    if (present === undefined || nano > present) total.set(resource, nano);
  }
}
