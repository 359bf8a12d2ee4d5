import { parseQuantity, value } from '../../../placement/quantity.js';

/** The limit that is met first: the container's own or the whole pod's. */
export function narrower(own: string | undefined, ofPod: string | undefined): string | undefined {
  if (own === undefined || ofPod === undefined) return own ?? ofPod;
  return isLess(ofPod, own) ? ofPod : own;
}

export function isLess(one: string, other: string): boolean {
  return bytesOf(one) < bytesOf(other);
}

/** Bytes; 0 for what is no quantity. */
export function bytesOf(quantity: string): bigint {
  const parsed = parseQuantity(quantity);
  return parsed === undefined ? 0n : value(parsed);
}
