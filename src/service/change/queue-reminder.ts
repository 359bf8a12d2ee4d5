import { kindOf } from '../../doctor/fixes/kind-of.js';
import type { Remediation } from '../../doctor/fixes/remediation.js';
import type { JobQueue } from '../records/process-ports.js';

const hourMs = 3_600_000;

/**
 * Queues the reminder of a change that people should take back later, such as the exclusion of nodes, once it
 * is in effect. Queuing it again adds nothing.
 */
export async function queueReminder(
  { jobs }: { readonly jobs: Pick<JobQueue, 'enqueue'> },
  { incidentId, approvalId }: { readonly incidentId: string; readonly approvalId: string },
  remediation: Remediation,
): Promise<void> {
  const hours = kindOf(remediation)?.reminder?.afterHours(remediation);
  if (hours === undefined) return;
  const reminder = { v: 1, incidentId, approvalId, remind: true } as const;
  await jobs.enqueue('verification', reminder, { delayMs: hours * hourMs });
}
