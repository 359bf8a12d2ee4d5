import { createThreadedEngine } from '../edges/threads/threaded-engine.js';
import { createEngine } from '../service/create-engine.js';
import { withBackOff } from '../service/diagnose/diagnosis-back-off.js';
import type { DiagnosisEngine } from '../service/diagnose/engine.js';
import type { Container } from './container.js';

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

/**
 * The program of a thread, beside the module that starts it: as it was built, or as it is. The folder of a
 * build is flat.
 *
 * @param moduleUrl `import.meta.url` of the module that starts it
 */
export function threadBeside(moduleUrl: string, name: string): URL {
  return new URL(`./${name}${moduleUrl.slice(moduleUrl.lastIndexOf('.'))}`, moduleUrl);
}
