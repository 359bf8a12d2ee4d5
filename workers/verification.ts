import { createRemindExclusion, type RemindExclusionDeps } from '../src/usecases/change/remind-exclusion.js';
import {
  createVerifyRemediation,
  type VerifyRemediationDeps,
} from '../src/usecases/change/verify-remediation.js';
import type { WorkerBase } from './diagnosis.js';
import { runWorker } from './run-worker.js';

/** Looks whether changes helped, again and again until each has its verdict; and reminds of those meant to be lifted. */
export function startVerificationWorker(
  base: WorkerBase<'verification'>,
  deps: VerifyRemediationDeps & RemindExclusionDeps,
) {
  const { verify, giveUp } = createVerifyRemediation(deps);
  const remind = createRemindExclusion(deps);
  return runWorker({
    ...base,
    queue: 'verification',
    handle: async (job) => {
      if (job.remind) {
        await remind(job);
        return undefined;
      }
      const outcome = await verify(job);
      return outcome.type === 'again' ? { afterMs: outcome.afterMs } : undefined;
    },
    fail: giveUp,
  });
}
