import { createContext, Script } from 'node:vm';
import { exitStatus, failure } from './exit-status.js';

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
  try {
    context ??= createContext({});
    context.compute = compute;
    return program.runInContext(context, { timeout: seconds * 1_000 }) as Value;
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw failure(exitStatus.unseen, 'too-large', { workload, seconds });
  }
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
