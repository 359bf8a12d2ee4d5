import { createVerifyRemediation, type VerifyRemediationDeps } from '../src/usecases/verify-remediation.js';
import type { WorkerBase } from './diagnosis.js';
import { runWorker } from './run-worker.js';

/** Looks whether changes helped, again and again until each has its verdict. */
export function startVerificationWorker(base: WorkerBase<'verification'>, deps: VerifyRemediationDeps) {
  const { verify, giveUp } = createVerifyRemediation(deps);
  return runWorker({
    ...base,
    queue: 'verification',
    handle: async (job) => {
      const outcome = await verify(job);
      return outcome.type === 'again' ? { afterMs: outcome.afterMs } : undefined;
    },
    fail: giveUp,
  });
}
