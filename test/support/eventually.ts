import { setTimeout as delay } from 'node:timers/promises';

const everyMs = 25;

/** Asks until the answer is true; fails with `what` when the deadline passes. */
export async function eventually(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  withinMs = 90_000,
): Promise<void> {
  const until = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > until) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(everyMs);
  }
}
