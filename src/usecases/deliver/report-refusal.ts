import type { Incident } from '../../core/incident/incident.js';
import { nameOf } from '../diagnose/diagnose-again.js';
import { notice } from '../notices/notices.js';
import type { JobQueue } from '../records/process-ports.js';
import { notShownHere } from './incident-thread.js';

/**
 * The person who asked learns privately, once for each diagnosis run, that the card or the result cannot be shown.
 *
 * @param user `undefined` where nobody asked: no notice is sent
 * @param error of Slack, or `notShownHere`
 */
export async function reportRefusal(
  { jobs }: { readonly jobs: JobQueue },
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
      ? { statement: notice('not-shown-here', {}) }
      : { statement: notice('card-refused', { workload: nameOf(incident), error }), workload }),
  });
}
