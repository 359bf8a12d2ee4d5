import type { Assignee, Incident } from '../../doctor/incidents/incident.js';
import {
  assigned,
  assigneeOf,
  isAssignable,
  unassigned,
} from '../../doctor/incidents/incident-transitions.js';
import { enqueueCard } from '../deliver/delivery-jobs.js';
import { type DiagnoseAgainDeps, incidentFor, nameOf, type ViewDeps } from '../diagnose/diagnose-again.js';
import { notice, refuse } from '../notices/notices.js';
import { incidentEntry } from '../records/audit-entries.js';
import { updateIncident } from '../records/incident-store.js';
import type { AuditLog } from '../records/process-ports.js';
import type { Refused } from './conversation.js';
import type { PeopleDirectory } from './people-ports.js';

/** What a person does about who works on an incident. */
export type AssignStep =
  /** `by` works on it, unless somebody else does. */
  | { readonly type: 'take' }
  /** `by` works on it in place of `from`, who gets a notice. */
  | { readonly type: 'take-over'; readonly from: string }
  /** `to` works on it in place of `by`, and gets a notice. */
  | { readonly type: 'hand-over'; readonly to: string }
  | { readonly type: 'hand-back' };

/** Who works on the incident after the step. */
export type Assigned =
  /** `isNew`: since this step; otherwise `by` was on it before. */
  | { readonly type: 'yours'; readonly incident: Incident; readonly since: string; readonly isNew: boolean }
  | {
      readonly type: 'held';
      readonly incident: Incident;
      readonly assignee: Assignee;
      readonly isNew: boolean;
    }
  | { readonly type: 'free'; readonly incident: Incident }
  | Refused;

export type AssignIncident = (request: {
  readonly incidentId: string;
  readonly by: string;
  readonly step: AssignStep;
}) => Promise<Assigned>;

interface AssignIncidentDeps extends DiagnoseAgainDeps, Pick<ViewDeps, 'sights'> {
  readonly audit: AuditLog;
  readonly people: Pick<PeopleDirectory, 'person'>;
}

/**
 * Records who works on an incident. Everybody who may view its workload may do so. Of several people who
 * press at the same time one is on it, and the others learn who.
 */
export function createAssignIncident(deps: AssignIncidentDeps): AssignIncident {
  const { audit, clock, incidents, jobs, people } = deps;
  return async ({ incidentId, by: pressing, step }) => {
    const incident = await incidentFor(deps, incidentId, pressing);
    if (incident === undefined) return refuse('incident-unknown', { id: incidentId });
    const by = await recordedId(people, pressing, assigneeOf(incident)?.by);
    const workload = nameOf(incident);
    if (!isAssignable(incident)) return refuse('incident-over', { workload });
    if (step.type === 'hand-over' && (await incidentFor(deps, incidentId, step.to)) === undefined) {
      return refuse('assignee-cannot-view', { workload, user: step.to });
    }
    const at = clock.now().toISOString();
    await notifyOther(deps, incident, after(incident, by, at, step), by);
    let from: string | undefined;
    const stored = await updateIncident(incidents, incident, (current) => {
      from = assigneeOf(current)?.by;
      return after(current, by, at, step);
    });
    if (stored !== undefined) {
      const to = assigneeOf(stored)?.by;
      const details = { ...(to === undefined ? {} : { to }), ...(from === undefined ? {} : { from }) };
      const action = to === undefined ? 'unassigned' : 'assigned';
      await audit.append(incidentEntry(incident, action, { at, by, details }));
      await enqueueCard(jobs, stored);
    }
    const known = stored ?? (await incidents.get(incidentId)) ?? incident;
    const assignee = assigneeOf(known);
    const isNew = stored !== undefined;
    if (assignee === undefined) return { type: 'free', incident: known };
    if (assignee.by !== by) return { type: 'held', incident: known, assignee, isNew };
    return { type: 'yours', incident: known, since: assignee.at, isNew };
  };
}

function after(incident: Incident, by: string, at: string, step: AssignStep): Incident | undefined {
  switch (step.type) {
    case 'take':
      return assigned(incident, by, at);
    case 'take-over':
      return assigned(incident, by, at, step.from);
    case 'hand-over':
      return assigneeOf(incident)?.by === by ? assigned(incident, step.to, at, by) : undefined;
    case 'hand-back':
      return unassigned(incident, by, at);
  }
}

/** The record is written within this time. A notice that comes before it waits longer. */
const writtenWithinMs = 1_000;

/**
 * Queues a notice to the person whom the step concerns and who does not make it. It is sent once the record
 * has the new assignee.
 */
async function notifyOther(
  { jobs }: Pick<AssignIncidentDeps, 'jobs'>,
  incident: Incident,
  assignedTo: Incident | undefined,
  by: string,
): Promise<void> {
  const assignee = assignedTo && assigneeOf(assignedTo);
  if (assignee === undefined) return;
  const { id, channel, threadTs, workload } = incident;
  const user = assignee.by === by ? assigneeOf(incident)?.by : assignee.by;
  if (user === undefined || user === by) return;
  const statement = notice(user === assignee.by ? 'handed-to-you' : 'taken-from-you', {
    workload: nameOf(incident),
    by,
  });
  await jobs.enqueue(
    'delivery',
    {
      v: 1,
      kind: 'notice',
      channel,
      user,
      workload,
      statement,
      id: `assigned.${id}.${Date.parse(assignee.at)}.${assignee.by}.${user}`,
      ...(threadTs === undefined ? {} : { threadTs }),
      onceAssigned: { incidentId: id, by: assignee.by, at: assignee.at },
    },
    { delayMs: writtenWithinMs },
  );
}

/**
 * Of these ids, those of the person with the id `by`. Records keep the id under which somebody acted, and a
 * workspace that joins an organisation gives its people a second one. A check that two people decided counts
 * people, not ids.
 *
 * @throws DoctorError when the chat cannot be asked: two ids are not taken for two people by a guess
 */
export async function idsOfPerson(
  people: Pick<PeopleDirectory, 'person'>,
  by: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const others = [...new Set(ids)].filter((id) => id !== by);
  const own = new Set(ids.includes(by) ? [by] : []);
  if (others.length === 0) return own;
  const person = await people.person(by);
  // Outside of an organisation a person has one id.
  if (person?.organisationId === undefined) return own;
  const isSame = async (id: string): Promise<boolean> =>
    person.ids.includes(id) || (await people.person(id))?.organisationId === person.organisationId;
  const answers = await Promise.all(others.map(isSame));
  return new Set([...own, ...others.filter((_, index) => answers[index])]);
}

/** The id under which a record knows the person with the id `by`; `by` itself where it does not. */
async function recordedId(
  people: Pick<PeopleDirectory, 'person'>,
  by: string,
  recorded: string | undefined,
): Promise<string> {
  if (recorded === undefined || recorded === by) return by;
  return (await idsOfPerson(people, by, [recorded])).has(recorded) ? recorded : by;
}
