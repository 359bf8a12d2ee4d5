import { createThreadedDoctor } from './adapters/threads/threaded-doctor.js';
import type { Container } from './container.js';
import { createDoctor } from './doctor.js';
import { threadBeside } from './thread-beside.js';
import { withBackOff } from './usecases/diagnose/diagnosis-back-off.js';
import type { Doctor } from './usecases/diagnose/doctor.js';

const ownThread = threadBeside(import.meta.url, 'doctor-thread');

export interface StartDoctorOptions {
  readonly maxThreads: number;
  /** Module that each thread runs; it calls `answerForDoctor`. */
  readonly thread?: URL;
  /** How long one computation takes at most, in seconds. */
  readonly deadlineSeconds?: number;
}

/**
 * The doctor of a process, which computes in at most `maxThreads` threads. Each doctor has its own: what one computes
 * does not wait for another.
 */
export function startDoctor(
  { log, endedDiagnoses }: Pick<Container, 'log' | 'endedDiagnoses'>,
  { maxThreads, thread = ownThread, deadlineSeconds }: StartDoctorOptions,
): Doctor & { close(): Promise<void> } {
  const doctor = createThreadedDoctor({
    entry: thread,
    maxThreads,
    ...(deadlineSeconds === undefined ? {} : { deadlineSeconds }),
    needs: createDoctor().needs,
    onEnded: (ended) => log.error(ended, 'a diagnosis was ended before its result'),
  });
  return withBackOff(doctor, endedDiagnoses);
}
