import type { Pod } from '../cluster/pod.js';
import type { Container } from '../cluster/pod-spec.js';
import { isSidecar } from '../placement/pod-requests.js';
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../placement/quantity.js';
import { isPodLevelResource } from '../placement/resource-name.js';

export type Quantities = ReadonlyMap<string, Quantity>;
type ResourceList = Readonly<Record<string, string>>;

/** The readable quantities of a list, exact and as written. */
export function quantitiesOf(list: ResourceList): Quantities {
  const entries = Object.entries(list).map(([resource, text]) => [resource, parseQuantity(text)] as const);
  return new Map(
    entries.flatMap(([resource, quantity]) => (quantity ? [[resource, quantity] as const] : [])),
  );
}

export function sumOf(a: Quantities, b: Quantities): Quantities {
  const sum = new Map(a);
  for (const [resource, quantity] of b) {
    const present = sum.get(resource);
    sum.set(resource, present === undefined ? quantity : addQuantities(present, quantity));
  }
  return sum;
}

/**
 * Limits of the whole pod: containers and sidecars together, or the largest init step if that is more;
 * pod-level limits in their place; overhead on top of limits that exist
 * (`component-helpers resource/helpers.go: PodLimits`). Not simulated: what an in-place resize has actuated.
 */
export function podLimits({ spec }: Pod): Quantities {
  const running = [...spec.containers, ...spec.initContainers.filter(isSidecar)]
    .map(limitsOf)
    .reduce(sumOf, new Map());
  const total = new Map(maximum(running, initLimits(spec.initContainers)));
  for (const [resource, quantity] of quantitiesOf(spec.resources?.limits ?? {})) {
    if (isPodLevelResource(resource)) total.set(resource, quantity);
  }
  for (const [resource, quantity] of quantitiesOf(spec.overhead)) {
    const present = total.get(resource);
    if (present !== undefined && present.nano !== 0n) total.set(resource, addQuantities(present, quantity));
  }
  return total;
}

function initLimits(containers: readonly Container[]): Quantities {
  let sidecars: Quantities = new Map();
  let largest: Quantities = new Map();
  for (const container of containers) {
    if (isSidecar(container)) sidecars = sumOf(sidecars, limitsOf(container));
    largest = maximum(largest, isSidecar(container) ? sidecars : sumOf(sidecars, limitsOf(container)));
  }
  return largest;
}

function limitsOf({ resources }: Container): Quantities {
  return quantitiesOf(resources.limits);
}

function maximum(a: Quantities, b: Quantities): Quantities {
  const result = new Map(a);
  for (const [resource, quantity] of b) {
    const present = result.get(resource);
    if (present === undefined || compareQuantities(present, quantity) < 0) result.set(resource, quantity);
  }
  return result;
}
