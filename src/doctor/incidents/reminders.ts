import { kindOf, type Remediation } from '../fixes/remediation.js';
import type { Incident } from './incident.js';

/** A fix that people are to be reminded of, as its incident states it. */
interface Reminder {
  readonly approvalId: string;
  readonly remediation: Remediation;
  readonly approvedBy: readonly string[];
  /** RFC3339. */
  readonly approvedAt: string;
  /** In milliseconds since 1970. */
  readonly dueAt: number;
}

const hourMs = 3_600_000;

/**
 * The reminders of the fixes of an incident that people should take back later, such as the exclusion of
 * nodes: of the last change, once the API server accepted it, and of the last pull request, once the workload
 * has recovered by it.
 *
 * @param merged what the pull request changes; absent: as the diagnosis before the last fix offered it
 */
export function remindersOf(
  { change, pullRequest, beforeFix }: Incident,
  merged?: Remediation,
): readonly Reminder[] {
  const reminders: Reminder[] = [];
  const add = (
    { approvalId, approvedBy, approvedAt }: Omit<Reminder, 'remediation' | 'dueAt'>,
    remediation: Remediation | undefined,
    since: string,
  ): void => {
    const hours = remediation && kindOf(remediation)?.reminder?.afterHours(remediation);
    if (remediation === undefined || hours === undefined) return;
    const dueAt = Date.parse(since) + hours * hourMs;
    reminders.push({ approvalId, remediation, approvedBy, approvedAt, dueAt });
  };
  if (change?.undoes === false && change.appliedAt !== undefined) {
    add(change, change.remediation, change.appliedAt);
  }
  if (pullRequest?.state === 'recovered' && pullRequest.undoes !== true) {
    const offered = beforeFix?.diagnosis.findings.flatMap(({ remediations }) => remediations);
    const made = merged ?? offered?.find(({ id }) => id === pullRequest.remediationId);
    add(pullRequest, made, pullRequest.mergedAt ?? pullRequest.approvedAt);
  }
  return reminders;
}

/** One that is due is given within this time, unless its job was lost. */
const givenWithinMs = 3_600_000;

/** Whether a fix of the incident has a reminder that is not given yet. */
export function hasReminder(incident: Incident, now: number): boolean {
  return remindersOf(incident).some(({ dueAt }) => dueAt + givenWithinMs > now);
}
