import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Keeps small what V8 holds in a process that ends soon. What it takes for short-lived objects stays at the
 * size it begins with: 50 MB less at most, for a twentieth more processor time. V8 gives back nothing of what
 * it took before. WebAssembly, which is the parser of HTTP answers, stays as it is compiled first: optimizing
 * one of its functions takes 40 MB for a moment, and its gain comes too late. No budget for that is large
 * enough: each step of its loop counts as 33 kB.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  // By itself V8 lets what lives long double before it collects, which a diagnosis ends without.
  setFlagsFromString('--heap-growing-percent=40');
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
}

/** As V8 does it by itself: for what reads long, such as recordings and scans. */
export function letHeapGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString('--heap-growing-percent=0');
}

/**
 * Lets V8 optimize only what runs four times as long as it asks for by itself. What it compiles for a
 * diagnosis of a second is hardly used, and takes 5 MB and a tenth of the processor time. Only on Node.js 20:
 * V8 12 and newer complain about the flag on standard error.
 */
export function optimizeSeldom(): void {
  if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString('--interrupt-budget=528000');
}

/**
 * Collects garbage at once, which takes some 60 ms. Between reading and diagnosing, up to 10 MB is what
 * decoding left behind, and V8 would rather take more from the system than collect it.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
}
