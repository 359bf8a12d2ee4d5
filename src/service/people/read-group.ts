import { type GroupRow, groupRows } from '../../doctor/incidents/group-rows.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import type { SharedRoot } from '../../doctor/incidents/shared-root.js';
import { visibleIn } from '../../doctor/policy/view.js';
import type { Language } from '../../engine/language/language.js';
import { cardKey } from '../deliver/delivery-jobs.js';
import type { DeliveryStore } from '../deliver/incident-thread.js';
import { notice } from '../notices/notices.js';
import type { IncidentStore } from '../records/incident-store.js';
import type { DiagnosisRequested, Refused, RequestDiagnosis } from './conversation.js';
import type { Sights } from './sights.js';

/** The workloads of a group that one person may see. */
export interface VisibleGroup {
  readonly type: 'group';
  /** The incident that leads. */
  readonly id: string;
  readonly channel: string;
  readonly root: SharedRoot;
  /** The worst first, and at least one. */
  readonly rows: readonly GroupRow[];
}

interface ReadGroupDeps {
  readonly deliveries: Pick<DeliveryStore, 'get'>;
  readonly incidents: Pick<IncidentStore, 'get'>;
  readonly sights: Pick<Sights, 'ofPerson'>;
}

type GroupRequest = { readonly incidentId: string; readonly by: string };

export type ReadGroup = (request: GroupRequest) => Promise<VisibleGroup | Refused>;

/** Reads the group that an incident leads. For somebody who may not see any workload of it there is none. */
export function createReadGroup({ incidents, sights }: ReadGroupDeps): ReadGroup {
  return async ({ incidentId, by }) => {
    const [lead, sight] = await Promise.all([incidents.get(incidentId), sights.ofPerson(by)]);
    const rows = lead === undefined ? [] : groupRows(lead);
    const visible = rows.filter(({ workload }) => visibleIn(sight, workload).workload);
    if (lead?.group?.role !== 'leads' || visible.length === 0) return unknownGroup(incidentId);
    return { type: 'group', id: lead.id, channel: lead.channel, root: lead.group.root, rows: visible };
  };
}

export type DiagnoseMember = (
  request: GroupRequest & {
    /** The incident of the workload. */
    readonly memberId: string;
    readonly languageOfChannel: (channel: string) => Language;
  },
) => Promise<DiagnosisRequested>;

/**
 * A person asks for one workload of a group: its own card follows in the thread of the group. What the person
 * or the channel may not see is not found.
 */
export function createDiagnoseMember(
  { deliveries, incidents }: Pick<ReadGroupDeps, 'deliveries' | 'incidents'>,
  request: RequestDiagnosis,
): DiagnoseMember {
  return async ({ incidentId, memberId, by, languageOfChannel }) => {
    const [lead, card] = await Promise.all([incidents.get(incidentId), deliveries.get(cardKey(incidentId))]);
    const member = lead === undefined ? undefined : groupRows(lead).find(({ id }) => id === memberId);
    if (lead === undefined || member === undefined) return unknownGroup(incidentId);
    const { cluster, kind, namespace, name } = member.workload;
    const threadTs = threadOf(lead, card?.message?.ts);
    return request({
      query: { cluster, kind, namespace, name },
      origin: { via: 'command', by, text: `${namespace}/${name}` },
      channel: lead.channel,
      language: languageOfChannel(lead.channel),
      ...(threadTs === undefined ? {} : { threadTs }),
    });
  };
}

function threadOf({ threadTs }: Incident, cardTs: string | undefined): string | undefined {
  return threadTs ?? cardTs;
}

function unknownGroup(id: string): Refused {
  return { type: 'refused', because: notice('incident-unknown', { id }) };
}
