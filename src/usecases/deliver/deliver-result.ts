import { isPrivateResult } from '../../core/incident/private-result.js';
import type { DeliveryJob } from '../../jobs/jobs.js';
import type { IncidentStore } from '../records/incident-store.js';
import type { JobQueue } from '../records/process-ports.js';
import {
  alreadyDelivered,
  type Delivered,
  type MessageDeps,
  recordOutcome,
  withDelivery,
} from './deliver-message.js';
import { resultKey } from './delivery-jobs.js';
import type { IncidentThread } from './incident-thread.js';
import { reportRefusal } from './report-refusal.js';

interface DeliverResultDeps extends MessageDeps {
  readonly incidents: Pick<IncidentStore, 'get'>;
  readonly jobs: JobQueue;
  readonly thread: MessageDeps['thread'] & Pick<IncidentThread, 'showResult'>;
}

/**
 * Shows a result to the person who asked and to nobody else. Where Slack or the policy refuses that, the person receives
 * a notice. A newer diagnosis has a job of its own. An ephemeral message
 * cannot be searched for: after doubt it is sent again.
 */
export function deliverResult(
  deps: DeliverResultDeps,
  { incidentId, look, user }: Extract<DeliveryJob, { readonly kind: 'result' }>,
): Promise<Delivered> {
  const read = () => deps.incidents.get(incidentId);
  return withDelivery(deps, resultKey(incidentId, look, user), read, async (delivery, incident) => {
    if (delivery.record.message !== undefined) return alreadyDelivered;
    if (incident === undefined || incident.look !== look || !isPrivateResult(incident))
      return alreadyDelivered;
    const outcome = await recordOutcome(deps, delivery, 0, await deps.thread.showResult(incident, user));
    if (outcome.type === 'refused') await reportRefusal(deps, incident, user, outcome.error);
    return outcome;
  });
}
