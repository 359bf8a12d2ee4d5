import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Processor time of the main thread so far, in milliseconds. Linux keeps it; elsewhere that of the whole
 * process counts.
 */
function processorMs(): number {
  try {
    // Of the thread alone, and only while it ran: neither its own threads nor a busy machine add to it.
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}

/** Processor time that a task takes in the main thread, in milliseconds: the least of a few runs. */
export async function mainThreadWork(task: () => unknown, runs = 3): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const before = processorMs();
    await task();
    least = Math.min(least, processorMs() - before);
  }
  return least;
}

/**
 * Processor time of the longest turn of the event loop while a task runs, in milliseconds: so long nothing
 * else is answered. The least of a few runs, so that neither a garbage collection nor the kernel, which takes
 * back memory meanwhile, decides.
 *
 * @param enough the runs end once the least is below it
 */
export async function longestTurn(task: () => unknown, runs = 3, enough = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs && least >= enough; run += 1) {
    let longest = 0;
    let isDone = false;
    const done = Promise.resolve()
      .then(task)
      .finally(() => {
        isDone = true;
      });
    // A failure is thrown below.
    done.catch(() => undefined);
    for (let before = processorMs(); !isDone; ) {
      // Between two looks there may be several short turns: a millisecond is little beside what one may take.
      await delay(1);
      const now = processorMs();
      longest = Math.max(longest, now - before);
      before = now;
    }
    await done;
    least = Math.min(least, longest);
  }
  return least;
}

/**
 * Work of about 50 ms on a processor of 2024: what a turn may take, in milliseconds of the processor at hand.
 * It is the parser's, which most turns consist of. Hashing is no measure: some processors have instructions for it.
 */
export async function turnBudget(): Promise<number> {
  const text = `[${'{"a":1},'.repeat(500_000)}{}]`;
  return mainThreadWork(() => JSON.parse(text), 5);
}
