import { createContext, Script } from 'node:vm';
import { type CommandFailure, exitStatus, failure } from './exit-status.js';

/** How long the command line computes one workload at most, in seconds. */
const maxSeconds = 60;

/** The program reads the function before it calls it, so that one context serves all workloads of a scan. */
const program = new Script('compute()');
let context: Record<string, unknown> | undefined;

/**
 * Computes where it is called, and ends the computation when it takes too long, also in a busy loop: Node.js
 * watches the time from a thread of its own.
 *
 * @throws CommandFailure, status 3
 */
export function computeWithin<Value>(
  workload: string,
  compute: () => Value,
  seconds: number = maxSeconds,
): Value {
  return endedAfter(seconds, compute, () => tooLarge(workload, seconds));
}

function endedAfter<Value>(seconds: number, compute: () => Value, failed: () => CommandFailure): Value {
  try {
    context ??= createContext({});
    context.compute = compute;
    return program.runInContext(context, { timeout: seconds * 1_000 }) as Value;
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw failed();
  }
}

function tooLarge(workload: string, seconds: number): CommandFailure {
  return failure(exitStatus.unseen, 'too-large', { workload, seconds });
}

/** How long several are computed under one limit: Node.js starts a thread for each limit. */
const batchMs = 1_000;

/**
 * The same for many workloads, in their order. Each has at least the time that one has alone.
 *
 * @param onBatch receives the number of computed items
 * @throws CommandFailure, status 3, which names the workload that took too long
 */
export function computeEachWithin<Item, Value>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  compute: (item: Item) => Value,
  onBatch: (done: number) => void,
  seconds: number = maxSeconds,
): readonly Value[] {
  const values: Value[] = [];
  const computeSome = (): void => {
    const until = Date.now() + batchMs;
    for (const item of items.slice(values.length)) {
      values.push(compute(item));
      if (Date.now() >= until) return;
    }
  };
  while (values.length < items.length) {
    onBatch(values.length);
    endedAfter(seconds + batchMs / 1_000, computeSome, () => {
      const stopped = items[values.length];
      return tooLarge(stopped === undefined ? '' : nameOf(stopped), seconds);
    });
  }
  return values;
}

/** The error is of another context: it is no instance of this one's `Error`. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
