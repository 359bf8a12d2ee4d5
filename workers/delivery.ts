import { createDeliver, type DeliverDeps } from '../src/usecases/deliver/deliver.js';
import type { Counters } from '../src/usecases/records/process-ports.js';
import type { WorkerBase } from './diagnosis.js';
import { runWorker } from './run-worker.js';

/** Brings Slack up to the records; a Slack that is down or throttles only delays it. */
export function startDeliveryWorker(
  base: WorkerBase<'delivery'>,
  deps: DeliverDeps & { readonly metrics: Counters },
) {
  const deliver = createDeliver(deps);
  return runWorker({
    ...base,
    queue: 'delivery',
    handle: async (job, { urgency }) => {
      const outcome = await deliver(job, urgency);
      if (outcome.type === 'later') return { afterMs: outcome.afterMs };
      if (outcome.type === 'refused') {
        base.log.error({ error: outcome.error, kind: job.kind }, 'Slack refused a message for good');
        deps.metrics.messageRefused(job.kind);
      }
      return undefined;
    },
    fail: async () => undefined,
  });
}
