import type { QueueName } from '../src/jobs/jobs.js';
import {
  createFailDiagnosis,
  createRunDiagnosis,
  type RunDiagnosisDeps,
} from '../src/usecases/run-diagnosis.js';
import { type RunWorkerOptions, runWorker } from './run-worker.js';

/** Looks at workloads; reads clusters and never writes to them. */
export function startDiagnosisWorker(base: WorkerBase<'diagnosis'>, deps: RunDiagnosisDeps) {
  const run = createRunDiagnosis(deps);
  return runWorker({
    ...base,
    queue: 'diagnosis',
    handle: async (job, attempt) => {
      await run(job, attempt);
      return undefined;
    },
    fail: createFailDiagnosis(deps),
  });
}

export type WorkerBase<Name extends QueueName> = Omit<RunWorkerOptions<Name>, 'queue' | 'handle' | 'fail'>;
