import { setTimeout as delay } from 'node:timers/promises';

const [soonestMs, seldomestMs] = [25, 100];

/**
 * Asks until the answer is true, less often where it takes long: some answers are whole pages of metrics.
 * Fails with `what` when the deadline passes.
 */
export async function eventually(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  withinMs = 90_000,
): Promise<void> {
  const since = Date.now();
  while (!(await isSo())) {
    const waitedMs = Date.now() - since;
    if (waitedMs > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(Math.min(seldomestMs, Math.max(soonestMs, waitedMs / 40)));
  }
}
