import type { NamedWorkload } from '../../doctor/commands/command.js';
import { showsGroup } from '../../doctor/incidents/group-rows.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { askedByPerson, changeRequested, isChanging } from '../../doctor/incidents/incident-transitions.js';
import { codeOf } from '../../engine/language/statement.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { MayApprove } from '../approve/may-approve.js';
import { cardKey, enqueueCard } from '../deliver/delivery-jobs.js';
import type { DeliveryStore } from '../deliver/incident-thread.js';
import { notice } from '../notices/notices.js';
import type { DiagnosisRequest, Refused, RequestDiagnosis } from '../people/conversation.js';
import { type Sights, sightIn } from '../people/sights.js';
import { incidentEntry } from '../records/audit-entries.js';
import type { IncidentStore } from '../records/incident-store.js';
import { updateIncident } from '../records/incident-store.js';
import type { AuditLog, Clock, JobQueue, NewId } from '../records/process-ports.js';
import type { ClusterReader } from './cluster-reader.js';
import { nameOf, queueDiagnosis } from './diagnose-again.js';

interface RequestDiagnosisDeps {
  readonly cluster: Pick<ClusterReader, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'get'>;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly sights: Sights;
  readonly mayApprove: MayApprove;
}

/**
 * Finds the workload that was meant among those that both the person and the channel may see, opens its
 * incident or joins the open one, and queues the diagnosis. The record is durable before the job is queued,
 * so that the sweep finds what a crash in between leaves behind. A change that the person asks for is kept
 * with the incident, if the policy lets the person approve it; the diagnosis then forecasts it.
 *
 * @throws DoctorError `redis-unavailable` when nothing could be recorded
 */
export function createRequestDiagnosis(deps: RequestDiagnosisDeps): RequestDiagnosis {
  const { cluster, incidents, jobs, audit, clock } = deps;
  return async (request) => {
    const { channel, origin, group } = request;
    const allowed = await sightIn(deps.sights, {
      by: origin.by,
      channel,
      ...(group === undefined ? {} : { group }),
    });
    if (allowed.type === 'refused') return allowed;
    const found = await cluster.find(partsOf(request), allowed.sight);
    if (found.type === 'not-found') return { ...found, limitedHere: allowed.limitedHere };
    if (found.type !== 'found') return found;
    const [workload, ...others] = found.workloads;
    if (workload === undefined) {
      return { type: 'not-found', what: 'workload', name: request.query.name, nearest: [] };
    }
    if (others.length > 0) return { type: 'choices', workloads: found.workloads };
    const refusal = await refusalOf(deps, request, workload);
    if (refusal !== undefined) return refusal;

    // The card of a group stays one: who asks for the workload that leads it gets a card of its own.
    const leading: Incident[] = [];
    const joins = (open: Incident): boolean => {
      if (!showsGroup(open)) return true;
      leading.push(open);
      return false;
    };
    const opened = await incidents.open(newIncident(deps, request, workload), { joins });
    const at = clock.now().toISOString();
    const requested = requestIn(request, at);
    const noted = opened.created
      ? opened.incident
      : await updateIncident(incidents, opened.incident.id, (current) =>
          requested === undefined
            ? askedByPerson(current, at, request.origin.by)
            : changeRequested(current, requested),
        );
    if (noted === undefined && requested !== undefined) return busy(opened.incident);
    const incident = noted ?? opened.incident;
    const { change } = request;
    const { occurrences } = incident;
    const details = {
      via: origin.via,
      occurrences,
      ...(origin.assistant === undefined ? {} : { assistant: origin.assistant }),
      ...(change === undefined ? {} : { change }),
    };
    await audit.append(incidentEntry(incident, 'diagnosis-requested', { at, by: origin.by, details }));
    if (incident.phase === 'diagnosing') {
      const job = { v: 1, incidentId: incident.id, look: incident.look } as const;
      await jobs.enqueue('diagnosis', job, opened.created ? {} : { urgency: 'person' });
    }
    await enqueueCard(jobs, incident);
    // A workload that recovered shares no failure with the group any more: only a fresh diagnosis tells its
    // card.
    for (const { id } of leading) await queueDiagnosis(deps, id);
    const shown = opened.created ? undefined : await deps.deliveries.get(cardKey(incident.id));
    return { type: 'queued', incident, joined: !opened.created, card: shown?.message };
  };
}

/**
 * A change of an object above several workloads is made for one of them, complete or not: the person chooses
 * which.
 */
function partsOf({ query, change }: DiagnosisRequest): NamedWorkload {
  return change === undefined ? query : { ...query, parts: 'changeable' };
}

function newIncident(deps: RequestDiagnosisDeps, request: DiagnosisRequest, workload: WorkloadRef): Incident {
  const at = deps.clock.now().toISOString();
  return {
    v: 1,
    id: deps.newId(),
    version: 1,
    phase: 'diagnosing',
    workload,
    origin: request.origin,
    createdAt: at,
    updatedAt: at,
    language: request.language,
    channel: request.channel,
    ...(request.threadTs === undefined ? {} : { threadTs: request.threadTs }),
    occurrences: 1,
    ...(request.origin.assistant === undefined || request.origin.by !== undefined ? {} : { asked: true }),
    ...requestedField(request, at),
    look: 1,
  };
}

function requestedField(request: DiagnosisRequest, at: string): Pick<Incident, 'requested'> {
  const requested = requestIn(request, at);
  return requested === undefined ? {} : { requested };
}

/** The change that a person asks for. Without a person there is none: nobody could be asked about it. */
function requestIn({ change, origin: { by } }: DiagnosisRequest, at: string): Incident['requested'] {
  return change === undefined || by === undefined ? undefined : { by, at, change };
}

/** People ask only for changes that the policy lets them approve. All others learn whom to ask. */
async function refusalOf(
  { mayApprove, audit, clock }: RequestDiagnosisDeps,
  { change, origin: { by, via, assistant } }: DiagnosisRequest,
  workload: WorkloadRef,
): Promise<Refused | undefined> {
  if (change === undefined || by === undefined) return undefined;
  const allowed = await mayApprove({ workload }, by, change.kind);
  if (allowed.type === 'allowed') return undefined;
  await audit.append({
    at: clock.now().toISOString(),
    action: 'change-refused',
    by,
    workload,
    details: {
      via,
      change,
      because: codeOf(allowed.because),
      ...(assistant === undefined ? {} : { assistant }),
    },
  });
  return allowed;
}

/** Another change is under way, or another incident has taken this one's place. */
function busy(incident: Incident): Refused {
  const workload = nameOf(incident);
  const because = isChanging(incident)
    ? notice('change-under-way', { workload, by: incident.change?.approvedBy ?? [] })
    : notice('still-looking', { workload });
  return { type: 'refused', because };
}
