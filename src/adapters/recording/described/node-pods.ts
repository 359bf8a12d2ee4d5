import { isObject } from '../../../core/cluster/wire.js';
import { parseQuantity, value } from '../../../core/placement/quantity.js';
import type { BlockOfNode, KnownObject, TextObject } from './described-kind.js';
import { allocatedOn } from './node.js';

/**
 * True when the pods that were read ask for everything that the description of the node counts: of pods that
 * it only names, no more than processor and memory is known.
 */
export function podsAreKnown(
  { name, fields }: BlockOfNode,
  objects: readonly TextObject[],
  read: ReadonlyMap<string, KnownObject>,
): boolean {
  if (!fields.has('Non-terminated Pods')) return false;
  const here = objects.filter(({ kind, spec }) => kind === 'Pod' && isObject(spec) && spec.nodeName === name);
  const onlyNamed = here.filter((object) => object.onlyNamed === true);
  if (onlyNamed.length === 0) return true;
  // Pods that were read as JSON are not among `objects`, and what they ask for is not known here.
  const others = [...allocatedOn(fields)].filter(([resource]) => resource !== 'cpu' && resource !== 'memory');
  return others.every(([resource, amount]) => {
    if (!/[1-9]/u.test(amount)) return true;
    const described = here.reduce((sum, { spec }) => sum + requestsOf(spec, resource), 0n);
    return read.size === 0 && described >= amountOf(amount);
  });
}

function requestsOf(spec: unknown, resource: string): bigint {
  if (!isObject(spec) || !Array.isArray(spec.containers)) return 0n;
  return spec.containers.reduce((sum: bigint, container: unknown) => {
    const resources = isObject(container) && isObject(container.resources) ? container.resources : {};
    const requests = isObject(resources.requests) ? resources.requests : {};
    const amount = requests[resource];
    return sum + (typeof amount === 'string' ? amountOf(amount) : 0n);
  }, 0n);
}

function amountOf(text: string): bigint {
  const quantity = parseQuantity(text);
  return quantity === undefined ? 0n : value(quantity);
}
