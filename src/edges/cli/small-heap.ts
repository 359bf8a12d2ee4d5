import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Node.js 20 has V8 11, which takes less memory by itself, and knows flags that later versions lack. */
const isOfNode20 = Number.parseInt(process.versions.v8, 10) < 12;

/**
 * Keeps small what V8 holds in a process that ends soon. WebAssembly, which is the parser of HTTP answers,
 * stays as it is compiled first: optimizing one of its functions takes 40 MB for a moment, and its gain comes
 * too late. No budget for that is large enough: each step of its loop counts as 33 kB.
 *
 * After Node.js 20, what V8 takes for short-lived objects also stays at the size it begins with, and what
 * lives long may not double before it collects. On Node.js 20 that would save 33 MB for a tenth of the
 * processor time, and the process stays below 160 MB without it.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  if (isOfNode20) return;
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=40');
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
  if (isOfNode20) setFlagsFromString('--interrupt-budget=528000');
}

/**
 * Collects garbage at once, which takes some 60 ms. Between reading and diagnosing, up to 10 MB is what
 * decoding left behind, and V8 would rather take more from the system than collect it. Only on Node.js 20:
 * what later versions hold stays small without it, and they spend 7 % more processor time with it.
 */
export function collectGarbage(): void {
  if (!isOfNode20) return;
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
}
