import { milliValue, NANO, NANO_PER_MILLI, parseQuantity, type Quantity, value } from './quantity.js';
import { canonicalQuantity } from './quantity-format.js';
import { isCounted } from './resource-name.js';

/** Amounts in the scheduler's whole numbers, by resource: thousandths for cpu, units or bytes for the rest. */
export type Amounts = ReadonlyMap<string, bigint>;

type ResourceList = Readonly<Record<string, string>>;

/** The scheduler's whole number for an exact amount (`framework/types.go: Resource.SetMaxResource`). */
export function countedAmount(resource: string, quantity: Quantity): bigint {
  return resource === 'cpu' ? milliValue(quantity) : value(quantity);
}

/** What a node offers. A quantity that cannot be read counts as nothing. */
export function allocatableAmounts(list: ResourceList): Amounts {
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
