import type { CauseId } from '../findings/cause-id.js';
import type { Diagnosis } from '../findings/diagnosis.js';
import { mainFindingOf } from '../findings/main-finding.js';
import type { Assignee, Incident } from './incident.js';

/**
 * Whether somebody can be on it: its last diagnosis found a cause, and no other incident goes on in its
 * place.
 */
export function isAssignable(incident: Pick<Incident, 'diagnosis' | 'phase' | 'successor'>): boolean {
  return causeOf(incident) !== undefined;
}

/** Who is on the incident now; nobody once it is over or another cause was found. */
export function assigneeOf(incident: Incident): Assignee | undefined {
  const { assignee } = incident;
  return assignee !== undefined && causeOf(incident) === assignee.cause ? assignee : undefined;
}

/**
 * `by` is on the incident from now on.
 *
 * @param over whom `by` takes it from, or who hands it to `by`; absent where nobody may be on it
 * @returns `undefined` when the incident is over, when `by` is on it already, or when another person than
 *   `over` is
 */
export function assigned(incident: Incident, by: string, at: string, over?: string): Incident | undefined {
  const cause = causeOf(incident);
  const present = assigneeOf(incident)?.by;
  if (cause === undefined || present === by || (present !== undefined && present !== over)) return undefined;
  return { ...incident, version: incident.version + 1, updatedAt: at, assignee: { by, at, cause } };
}

/** `by` is no longer on the incident; `undefined` when they were not. */
export function unassigned(incident: Incident, by: string, at: string): Incident | undefined {
  if (assigneeOf(incident)?.by !== by) return undefined;
  return { ...incident, version: incident.version + 1, updatedAt: at, assignee: undefined };
}

/** The assignee after a fresh diagnosis: the same person as long as the cause is the same. */
export function assigneeAfter(
  { assignee }: Pick<Incident, 'assignee'>,
  diagnosis: Diagnosis,
): Assignee | undefined {
  return assignee !== undefined && mainFindingOf(diagnosis).main?.cause === assignee.cause
    ? assignee
    : undefined;
}

function causeOf({
  diagnosis,
  phase,
  successor,
}: Pick<Incident, 'diagnosis' | 'phase' | 'successor'>): CauseId | undefined {
  if (diagnosis === undefined || phase === 'failed' || successor !== undefined) return undefined;
  return mainFindingOf(diagnosis).main?.cause;
}
