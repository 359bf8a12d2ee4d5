import type { Incident } from '../../doctor/incidents/incident.js';
import { isPrivateResult } from '../../doctor/incidents/visible-incident.js';
import { nameOf } from '../diagnose/diagnose-again.js';
import { notice } from '../notices/notices.js';
import type { IncidentStore } from '../records/incident-store.js';
import type { JobQueue } from '../records/process-ports.js';
import {
  alreadyDelivered,
  type Delivered,
  deliverMessage,
  type MessageDeps,
  nothing,
  withDelivery,
} from './deliver-message.js';
import { type JobOf, resultKey } from './delivery-jobs.js';
import { notShownHere } from './incident-thread.js';

export interface PrivateDeps extends MessageDeps {
  readonly incidents: Pick<IncidentStore, 'get'>;
  readonly jobs: JobQueue;
}

/** Sends a notice to one person. */
export function deliverNotice(deps: MessageDeps, job: JobOf<'notice'>): Promise<Delivered> {
  const { id, channel, threadTs, user, statement, workload } = job;
  const content = { kind: 'notice', user, statement, workload } as const;
  return withDelivery(deps, `notice.${id}`, nothing, (delivery) =>
    deliverMessage(deps, delivery, { content, place: { channel, threadTs } }),
  );
}

/**
 * Shows a result to the person who asked and to nobody else. Where Slack or the policy refuses that, the
 * person receives a notice. A newer diagnosis has a job of its own.
 */
export function deliverResult(
  deps: PrivateDeps,
  { incidentId, look, user }: JobOf<'result'>,
): Promise<Delivered> {
  const read = () => deps.incidents.get(incidentId);
  return withDelivery(deps, resultKey(incidentId, look, user), read, async (delivery, incident) => {
    if (incident === undefined || incident.look !== look || !isPrivateResult(incident))
      return alreadyDelivered;
    const { channel, threadTs } = incident;
    const content = { kind: 'result', incident, user } as const;
    const outcome = await deliverMessage(deps, delivery, { content, place: { channel, threadTs } });
    if (outcome.type === 'refused') await reportRefusal(deps, incident, user, outcome.error);
    return outcome;
  });
}

/**
 * The person who asked learns privately, once for each diagnosis run, that the card or the result cannot be
 * shown.
 *
 * @param user `undefined` where nobody asked: no notice is sent
 * @param error of Slack, or `notShownHere`
 */
export async function reportRefusal(
  { jobs }: Pick<PrivateDeps, 'jobs'>,
  incident: Incident,
  user: string | undefined,
  error: string,
): Promise<void> {
  const { id, channel, threadTs, look, workload, origin } = incident;
  if (user === undefined) return;
  const isOpener = user === origin.by;
  await jobs.enqueue('delivery', {
    v: 1,
    kind: 'notice',
    id: `card-refused-${id}-${look}${isOpener ? '' : `-${user}`}`,
    channel,
    ...(threadTs === undefined ? {} : { threadTs }),
    user,
    ...(error === notShownHere
      ? { statement: notice('not-shown-here') }
      : { statement: notice('card-refused', { workload: nameOf(incident), error }), workload }),
  });
}
