import { setTimeout } from 'node:timers/promises';

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
export async function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve(signal);
      });
    }
  });
}

/**
 * Ends the process: with status 0 once `stop` gives true, with 1 when it gives false, fails, or takes longer
 * than `graceMs`. What is still open then, such as a connection to a server that is away, does not keep the
 * process alive.
 */
export async function exitAfter(graceMs: number, stop: () => Promise<boolean>): Promise<never> {
  const late = setTimeout(graceMs, false);
  const isDone = await Promise.race([stop().catch(() => false), late]);
  process.exit(isDone ? 0 : 1);
}
