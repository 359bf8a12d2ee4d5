import { setTimeout } from 'node:timers/promises';
import type { NamedWorkload } from '../../doctor/commands/command.js';
import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import type { RequestedChange } from '../../doctor/fixes/requested-change.js';
import type { MessageRef } from '../../doctor/incidents/delivery.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { openFirst } from '../../doctor/incidents/open-first.js';
import type { Language } from '../../engine/language/language.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import { cardKey } from '../deliver/delivery-jobs.js';
import type { DeliveryStore } from '../deliver/incident-thread.js';
import { notice } from '../notices/notices.js';
import type { DiagnosisRequested, Refused, RequestDiagnosis } from '../people/conversation.js';
import { knownIncidents } from '../people/list-incidents.js';
import { type Sights, sightIn } from '../people/sights.js';
import type { IncidentStore } from '../records/incident-store.js';
import type { ClusterReader } from './cluster-reader.js';
import type { DiagnosisEngine } from './engine.js';

/** An assistant proposes that people change a workload. */
interface ChangeProposal {
  readonly query: NamedWorkload;
  /** Absent: what the diagnosis recommends. */
  readonly change?: RequestedChange | undefined;
  readonly assistant: string;
  /** Whose view the assistant has: a person's, or a user group's. */
  readonly by: string | undefined;
  readonly group: string | undefined;
  /** Where the card is posted, and its language. */
  readonly channel: string;
  readonly language: Language;
}

export type ChangeProposed =
  | {
      readonly type: 'proposed';
      readonly incident: Incident;
      /** False where people had it before them already, and nothing new was opened. */
      readonly isNew: boolean;
      /** Absent while the card is not in Slack. */
      readonly card: MessageRef | undefined;
    }
  | Exclude<DiagnosisRequested, { readonly type: 'queued' }>;

type ProposeChange = (proposal: ChangeProposal) => Promise<ChangeProposed>;

interface ProposeChangeDeps {
  readonly cluster: Pick<ClusterReader, 'find' | 'snapshot'>;
  readonly deliveries: Pick<DeliveryStore, 'get'>;
  readonly engine: Pick<DiagnosisEngine, 'needs' | 'diagnose'>;
  readonly incidents: Pick<IncidentStore, 'get' | 'recent' | 'unsettled'>;
  readonly requestDiagnosis: RequestDiagnosis;
  readonly sights: Sights;
  /** How long the answer waits for the card, in milliseconds. */
  readonly maxCardMs: number;
}

const readEveryMs = 250;

/**
 * Opens the incident of a workload in a channel as a command of a person does, so that people review a fix
 * there. It changes nothing in a cluster. A workload without a recommended fix gets no card, unless a change
 * is named. Proposed again, it gives the incident that is open.
 *
 * @throws DoctorError `redis-unavailable` when nothing could be recorded
 */
export function createProposeChange(deps: ProposeChangeDeps): ProposeChange {
  return async (proposal) => {
    const { by, group, channel, change, assistant, language } = proposal;
    if (change !== undefined && by === undefined) return refused('proposal-needs-person');
    const place = { by, channel, ...(group === undefined ? {} : { group }) };
    const allowed = await sightIn(deps.sights, place);
    if (allowed.type === 'refused') return allowed;
    const { query } = proposal;
    const asked = change === undefined ? query : ({ ...query, parts: 'changeable' } as const);
    const found = await deps.cluster.find(asked, allowed.sight);
    if (found.type === 'not-found') return { ...found, limitedHere: allowed.limitedHere };
    if (found.type !== 'found') return found;
    const [workload, ...others] = found.workloads;
    if (workload === undefined || others.length > 0) return { type: 'choices', workloads: found.workloads };

    const { open } = openFirst(await knownIncidents(deps, allowed.sight));
    const existing = open.find((incident) => isAbout(incident, proposal, workload));
    if (existing !== undefined) return proposed(deps, existing, false);
    if (change === undefined) {
      const read = await deps.cluster.snapshot(workload, deps.engine.needs);
      if (read.type !== 'snapshot') return read;
      if (!hasFix(await deps.engine.diagnose(read.snapshot))) return refused('nothing-to-propose');
    }
    const requested = await deps.requestDiagnosis({
      query: queryOf(workload),
      origin: { via: 'command', assistant, ...(by === undefined ? {} : { by }) },
      channel,
      language,
      ...(group === undefined ? {} : { group }),
      ...(change === undefined ? {} : { change }),
    });
    return requested.type === 'queued' ? proposed(deps, requested.incident, true) : requested;
  };
}

function refused(key: 'proposal-needs-person' | 'nothing-to-propose'): Refused {
  return { type: 'refused', because: notice(key) };
}

/** People have the same before them in this channel. */
function isAbout(incident: Incident, { channel, change }: ChangeProposal, workload: WorkloadRef): boolean {
  return (
    incident.channel === channel &&
    isSame(incident.workload, workload) &&
    (change === undefined || isSame(incident.requested?.change, change))
  );
}

function isSame(one: object | undefined, other: object): boolean {
  return one !== undefined && JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: object): readonly unknown[] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}

function hasFix({ findings }: Diagnosis): boolean {
  return findings.some(({ remediations }) => remediations.length > 0);
}

function queryOf({ cluster, kind, namespace, name }: WorkloadRef): NamedWorkload {
  return { cluster, kind, namespace, name };
}

async function proposed(
  { deliveries, maxCardMs }: ProposeChangeDeps,
  incident: Incident,
  isNew: boolean,
): Promise<ChangeProposed> {
  const late = AbortSignal.timeout(maxCardMs);
  const { group } = incident;
  if (group?.role === 'follows') {
    const card = group.card && { channel: incident.channel, ts: group.card.ts };
    return { type: 'proposed', incident, isNew, card };
  }
  for (;;) {
    const card = (await deliveries.get(cardKey(incident.id)))?.message;
    if (card !== undefined || late.aborted) return { type: 'proposed', incident, isNew, card };
    await setTimeout(readEveryMs);
  }
}
