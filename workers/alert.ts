import {
  createFailAlert,
  createHandleAlert,
  type HandleAlertDeps,
} from '../src/usecases/alerts/handle-alert.js';
import type { WorkerBase } from './diagnosis.js';
import { runWorker } from './run-worker.js';

/** Finds out what alerts are about and opens their incidents; reads clusters and never writes to them. */
export function startAlertWorker(base: WorkerBase<'alert'>, deps: HandleAlertDeps) {
  const handle = createHandleAlert(deps);
  return runWorker({
    ...base,
    queue: 'alert',
    handle: async (job, attempt) => {
      await handle(job, attempt);
      return undefined;
    },
    fail: createFailAlert(deps),
  });
}
