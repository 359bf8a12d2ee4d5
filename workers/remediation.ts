import { type ApplyRemediationDeps, createApplyRemediation } from '../src/usecases/apply-remediation.js';
import { createFailRemediation } from '../src/usecases/fail-remediation.js';
import type { WorkerBase } from './diagnosis.js';
import { runWorker } from './run-worker.js';

/** Carries out approved plans; the only worker whose ServiceAccount may write. */
export function startRemediationWorker(base: WorkerBase<'remediation'>, deps: ApplyRemediationDeps) {
  const apply = createApplyRemediation(deps);
  return runWorker({
    ...base,
    queue: 'remediation',
    handle: apply,
    fail: createFailRemediation(deps),
  });
}
