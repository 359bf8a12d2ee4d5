import {
  type ApplyRemediationDeps,
  createApplyRemediation,
  createFailRemediation,
} from '../src/usecases/apply-remediation.js';
import type { WorkerBase } from './diagnosis.js';
import { runWorker } from './run-worker.js';

/** Carries out approved plans; the only worker whose ServiceAccount may write. */
export function startRemediationWorker(base: WorkerBase<'remediation'>, deps: ApplyRemediationDeps) {
  const apply = createApplyRemediation(deps);
  return runWorker({
    ...base,
    queue: 'remediation',
    handle: async (job, attempt) => {
      await apply(job, attempt);
      return undefined;
    },
    fail: createFailRemediation(deps),
  });
}
