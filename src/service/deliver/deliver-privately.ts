import type { Incident } from '../../doctor/incidents/incident.js';
import { isPrivateResult } from '../../doctor/incidents/visible-incident.js';
import { nameOf } from '../diagnose/diagnose-again.js';
import { notice } from '../notices/notices.js';
import type { IncidentStore } from '../records/incident-store.js';
import type { JobQueue } from '../records/process-ports.js';
import type { Delivered, MessageDeps } from './deliver-message.js';
import { alreadyDelivered, deliverMessage, withDelivery } from './deliver-message.js';
import { type JobOf, resultKey } from './delivery-jobs.js';
import { notShownHere } from './incident-thread.js';

interface PrivateDeps extends MessageDeps {
  readonly incidents: Pick<IncidentStore, 'get'>;
  readonly jobs: JobQueue;
}

/** A record that is not written by then never will be. Clocks may differ by most of it. */
const assignedWithinMs = 360_000;
const assignedCheckMs = 10_000;

/** Sends a notice to one person; one about a new assignee once the record has that one. */
export function deliverNotice(
  deps: Omit<PrivateDeps, 'jobs'>,
  { id, channel, threadTs, user, statement, workload, onceAssigned }: JobOf<'notice'>,
): Promise<Delivered> {
  const content = { kind: 'notice', user, statement, workload } as const;
  const read = async () => onceAssigned && deps.incidents.get(onceAssigned.incidentId);
  return withDelivery(deps, `notice.${id}`, read, async (delivery, incident) => {
    const { by, at } = onceAssigned ?? {};
    if (at !== undefined && (incident?.assignee?.at !== at || incident.assignee.by !== by)) {
      const isLate = deps.clock.now().getTime() - Date.parse(at) > assignedWithinMs;
      return isLate ? alreadyDelivered : { type: 'later', afterMs: assignedCheckMs };
    }
    return deliverMessage(deps, delivery, { content, place: { channel, threadTs } });
  });
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
