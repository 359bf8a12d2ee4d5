import { parseQuantity, value } from '../../../placement/quantity.js';

/** Bytes; 0 for what is no quantity. */
export function bytesOf(quantity: string): bigint {
  const parsed = parseQuantity(quantity);
  return parsed === undefined ? 0n : value(parsed);
}
