import { answerCalls } from '#src/edges/threads/answer-calls.js';

/** What a rule could do at worst, by name. */
const methods: Readonly<Record<string, (pieces: readonly unknown[]) => unknown>> = {
  'returns the number of its pieces': (pieces) => pieces.length,
  'returns nothing': () => undefined,
  throws: () => {
    throw new RangeError('a defect');
  },
  'recurses without end': () => {
    const recurse = (depth: number): number => recurse(depth + 1) + 1;
    return recurse(0);
  },
  'returns a function': () => () => 0,
  'loops without end': () => {
    for (let n = 0; ; n += 1) if (n < 0) return n;
  },
  'loops in a promise': async () => {
    for (;;) await undefined;
  },
  'matches an expression that backtracks': () => /^(a+)+$/.test(`${'a'.repeat(60)}!`),
  'computes an exponential recursion': () => {
    const fibonacci = (n: number): number => (n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2));
    return fibonacci(200);
  },
  'sorts with a comparison that never agrees': () => {
    for (;;) [...Array(1_000).keys()].sort(() => Math.random() - 0.5);
  },
  'counts two thousand million replicas': () => {
    let pods = 0;
    for (let n = 0; n < 2_000_000_000; n += 1) pods += String(n).length;
    for (;;) if (pods < 0) return pods;
  },
  'sleeps without end': () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  'keeps every object': () => {
    const kept: object[] = [];
    for (;;) kept.push({ name: `pod-${kept.length}`, labels: { app: `app-${kept.length}` } });
  },
  'fills a map': () => {
    const kept = new Map<number, object>();
    for (;;) kept.set(kept.size, { of: kept.size });
  },
  'ends its thread': () => process.exit(0),
};

answerCalls((method, _, pieces) => methods[method]?.(pieces));
