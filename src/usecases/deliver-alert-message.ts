import { jobIdOf } from '../jobs/job-ids.js';
import type { DeliveryJob } from '../jobs/jobs.js';
import type { AlertStore, AlertThread } from './alert-ports.js';
import { cardKey } from './delivery-jobs.js';
import type { DeliveryStore } from './incident-thread.js';
import type { IncidentStore } from './ports.js';
import { busyMs, type Delivered, lockMs, once, type PostDeps, there } from './post-once.js';

export interface DeliverAlertMessageDeps extends PostDeps {
  readonly alerts: AlertStore;
  readonly alertThread: AlertThread;
  readonly deliveries: DeliveryStore;
  readonly incidents: IncidentStore;
}

/** Deliveries about alerts; the others are about incidents. */
export type AlertDelivery = Extract<DeliveryJob, { readonly kind: 'question' | 'pointer' }>;

const absentMs = 1_000;

export function isAlertDelivery(job: DeliveryJob): job is AlertDelivery {
  return job.kind === 'question' || job.kind === 'pointer';
}

/**
 * Posts a question, or where the incident of a further alert is; each once.
 *
 * @throws DoctorError `slack-unavailable`, retryable, when Slack gave no usable answer
 */
export function createDeliverAlertMessage(given: Omit<DeliverAlertMessageDeps, 'turn'>) {
  const deps: DeliverAlertMessageDeps = { ...given, turn: { urgency: 'alert', fairnessKey: '' } };
  return async (job: AlertDelivery): Promise<Delivered> => {
    const held = await deps.deliveries.held();
    if (held > 0) return { type: 'later', afterMs: held };
    const key = jobIdOf('delivery', job);
    const release = await deps.deliveries.lock(key, lockMs);
    if (release === undefined) return { type: 'later', afterMs: busyMs };
    try {
      return job.kind === 'question' ? await ask(deps, job, key) : await point(deps, job, key);
    } finally {
      await release();
    }
  };
}

async function ask(
  deps: DeliverAlertMessageDeps,
  { alertId, of }: Extract<AlertDelivery, { readonly kind: 'question' }>,
  key: string,
): Promise<Delivered> {
  const record = await deps.alerts.get(alertId);
  const question = record?.question;
  if (record === undefined || question?.of !== of) return there;
  const { channel, threadTs } = question.place;
  return once(deps, key, channel, threadTs, () =>
    deps.alertThread.postQuestion(question, record.language, key),
  );
}

async function point(
  deps: DeliverAlertMessageDeps,
  { incidentId, channel, threadTs }: Extract<AlertDelivery, { readonly kind: 'pointer' }>,
  key: string,
): Promise<Delivered> {
  const incident = await deps.incidents.get(incidentId);
  if (incident === undefined) return there;
  const card = await deps.deliveries.get(cardKey(incidentId));
  if (card?.refused !== undefined) return { type: 'refused', error: card.refused };
  const message = card?.message;
  if (message === undefined) return { type: 'later', afterMs: absentMs };
  const outcome = await once(deps, key, channel, threadTs, () =>
    deps.alertThread.postPointer({ channel, threadTs }, incident, message, key),
  );
  if (outcome.type === 'delivered') await deps.deliveries.rememberThread(channel, threadTs, incidentId);
  return outcome;
}
