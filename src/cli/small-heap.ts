import { setFlagsFromString } from 'node:v8';

/**
 * Keeps what V8 holds for short-lived objects at the size it begins with, which a process that ends soon does well with:
 * 50 MB less at most, for a twentieth more processor time. V8 gives back nothing of what it took before.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** As V8 does it by itself: for what reads long, such as recordings and scans. */
export function letHeapGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}
