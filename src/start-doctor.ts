import { createThreadedEngine } from './adapters/threads/threaded-doctor.js';
import type { Container } from './container.js';
import { createEngine } from './doctor.js';
import { threadBeside } from './thread-beside.js';
import { withBackOff } from './usecases/diagnose/diagnosis-back-off.js';
import type { DiagnosisEngine } from './usecases/diagnose/doctor.js';

const ownThread = threadBeside(import.meta.url, 'doctor-thread');

export interface StartEngineOptions {
  readonly maxThreads: number;
  /** Module that each thread runs; it calls `answerForEngine`. */
  readonly thread?: URL;
  /** How long one computation takes at most, in seconds. */
  readonly deadlineSeconds?: number;
}

/**
 * The engine of a process, which computes in at most `maxThreads` threads. Each engine has its own: what one
 * computes does not wait for another.
 */
export function startEngine(
  { log, endedDiagnoses }: Pick<Container, 'log' | 'endedDiagnoses'>,
  { maxThreads, thread = ownThread, deadlineSeconds }: StartEngineOptions,
): DiagnosisEngine & { close(): Promise<void> } {
  const engine = createThreadedEngine({
    entry: thread,
    maxThreads,
    ...(deadlineSeconds === undefined ? {} : { deadlineSeconds }),
    needs: createEngine().needs,
    onEnded: (ended) => log.error(ended, 'a diagnosis was ended before its result'),
  });
  return withBackOff(engine, endedDiagnoses);
}
