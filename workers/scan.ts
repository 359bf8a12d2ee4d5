import { createFailScan, createRunScan, type RunScanDeps } from '../src/usecases/diagnose/run-scan.js';
import type { WorkerBase } from './diagnosis.js';
import { runWorker } from './run-worker.js';

/** Looks at whole namespaces; reads clusters and never writes to them. */
export function startScanWorker(base: WorkerBase<'scan'>, deps: RunScanDeps) {
  const run = createRunScan(deps);
  const fail = createFailScan(deps);
  return runWorker({
    ...base,
    queue: 'scan',
    handle: (job) => run(job),
    fail: ({ scanId }, reference) => fail(scanId, reference),
  });
}
