import { createWorkloadPatcher } from '../src/adapters/kubernetes/workload-patcher.js';
import type { Container } from '../src/container.js';
import {
  createDryRunRemediation,
  createFailDryRun,
  type DryRunRemediationDeps,
} from '../src/usecases/approve/dry-run-remediation.js';
import {
  type ApplyRemediationDeps,
  createApplyRemediation,
} from '../src/usecases/change/apply-remediation.js';
import { createFailRemediation } from '../src/usecases/change/fail-remediation.js';
import type { WorkloadPatcher } from '../src/usecases/change/workload-patcher.js';
import type { WorkerBase } from './diagnosis.js';
import { runWorker } from './run-worker.js';

/** The only writer to clusters. No other process builds one. */
export function createPatcher({
  config,
  connections,
  clock,
  sharedClock,
  authority,
}: Container): WorkloadPatcher {
  const timeoutMs = config.readTimeoutSeconds * 1_000;
  return createWorkloadPatcher({ connections, clock, sharedClock, authority, timeoutMs });
}

/** Carries out approved plans; with the dry runs, the only worker whose ServiceAccount may write. */
export function startRemediationWorker(base: WorkerBase<'remediation'>, deps: ApplyRemediationDeps) {
  const apply = createApplyRemediation(deps);
  return runWorker({
    ...base,
    queue: 'remediation',
    handle: apply,
    fail: createFailRemediation(deps),
  });
}

/** Has the API server try plans under review. A queue of its own: a person waits, and changes may wait for a cluster. */
export function startDryRunWorker(base: WorkerBase<'dry-run'>, deps: DryRunRemediationDeps) {
  return runWorker({
    ...base,
    queue: 'dry-run',
    handle: createDryRunRemediation(deps),
    fail: createFailDryRun(deps),
  });
}
