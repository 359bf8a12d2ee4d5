import type { Quantity } from './quantity.js';
import { canonicalQuantity, milliValue, NANO, NANO_PER_MILLI, parseQuantity, value } from './quantity.js';
import { isCounted } from './resource-name.js';

/**
 * Amounts in the scheduler's whole numbers, by resource: thousandths for cpu, units or bytes for the rest.
 */
export type Amounts = ReadonlyMap<string, bigint>;

type ResourceList = Readonly<Record<string, string>>;

/** The scheduler's whole number for an exact amount (`framework/types.go: Resource.SetMaxResource`). */
export function countedAmount(resource: string, quantity: Quantity): bigint {
  return resource === 'cpu' ? milliValue(quantity) : value(quantity);
}

const knownCpu = new Map<string, number>();
const knownOther = new Map<string, number>();
const KNOWN_LIMIT = 8192;
const LARGEST_PLAIN = 2n ** 46n;

/**
 * A quantity as the scheduler counts it, read in one step; what cannot be read counts as nothing. NaN where
 * something was rounded, so that such amounts may not simply be added, and above 2^46, so that sums stay
 * exact as numbers.
 */
export function plainAmount(resource: string, text: string): number {
  const known = resource === 'cpu' ? knownCpu : knownOther;
  const found = known.get(text);
  if (found !== undefined) return found;
  const quantity = parseQuantity(text);
  const amount = quantity === undefined ? 0n : countedAmount(resource, quantity);
  const unit = resource === 'cpu' ? NANO_PER_MILLI : NANO;
  const isExact = quantity === undefined || amount * unit === quantity.nano;
  const isSmall = amount <= LARGEST_PLAIN && amount >= -LARGEST_PLAIN;
  const plain = isExact && isSmall ? Number(amount) : Number.NaN;
  if (known.size >= KNOWN_LIMIT) known.clear();
  known.set(text, plain);
  return plain;
}

/**
 * What a node offers. A quantity that cannot be read counts as nothing. Nodes of a pool offer the same, and
 * share it.
 */
export function allocatableAmounts(list: ResourceList): Amounts {
  let text = '';
  for (const resource in list) text += `${resource}=${list[resource]} `;
  const found = knownAllocatable.get(text);
  if (found !== undefined) return found;
  const amounts = readAllocatable(list);
  if (knownAllocatable.size >= KNOWN_LIMIT) knownAllocatable.clear();
  knownAllocatable.set(text, amounts);
  return amounts;
}

const knownAllocatable = new Map<string, Amounts>();

function readAllocatable(list: ResourceList): Amounts {
  const amounts = new Map<string, bigint>();
  for (const [resource, text] of Object.entries(list)) {
    const quantity = parseQuantity(text);
    if (quantity === undefined || (resource !== 'pods' && !isCounted(resource))) continue;
    amounts.set(resource, countedAmount(resource, quantity));
  }
  return amounts;
}

/** A scheduler's whole number as canonical quantity text: `1500m` cpu, `2Gi` memory, `1` GPU. */
export function amountText(resource: string, amount: bigint): string {
  if (resource === 'cpu') return canonicalQuantity({ nano: amount * NANO_PER_MILLI, format: 'DecimalSI' });
  const counted = resource === 'pods' || resource.includes('/');
  return canonicalQuantity({ nano: amount * NANO, format: counted ? 'DecimalSI' : 'BinarySI' });
}
