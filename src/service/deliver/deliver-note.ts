import { type NoteTarget, takesNotes } from '../../doctor/alerts/alert.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { isChanging } from '../../doctor/incidents/incident-transitions.js';
import type { AlertStore } from '../alerts/alert-ports.js';
import type { IncidentStore } from '../records/incident-store.js';
import type { Delivered, MessageDeps } from './deliver-message.js';
import { alreadyDelivered, nothing, withDelivery } from './deliver-message.js';
import type { JobOf } from './delivery-jobs.js';

/** Where the sender of an alert keeps its incident. One call, one attempt. */
export interface NoteHost {
  /**
   * Adds the note unless one with this mark is there.
   *
   * @param incident the sender's name for its incident, as the alert had it
   * @returns why it was refused for good; `undefined` once the note is there
   * @throws DoctorError `note-unavailable`, retryable, if there was no usable answer
   */
  add(incident: string, note: { readonly text: string; readonly mark: string }): Promise<string | undefined>;
}

export interface NoteDeps extends Pick<MessageDeps, 'deliveries'> {
  readonly alerts: Pick<AlertStore, 'get'>;
  readonly incidents: IncidentStore;
  readonly notes?: NoteHosts | undefined;
}

interface NoteHosts extends PostMortems {
  /** Those to whose API access is configured. Others get no note. */
  readonly hosts: { readonly [Sender in NoteTarget]?: NoteHost };
}

export interface PostMortems {
  /**
   * The post-mortem as the channel of the incident may read it; `undefined` where it may not see the
   * workload.
   */
  postMortemOf(incident: Incident): Promise<string | undefined>;
}

/** The diagnosis that follows a merged fix is awaited. */
const checkMs = 2_000;

/**
 * Writes the post-mortem into the sender's incident, once for each fix. A worker that died may have written
 * it, so the host looks for the mark first; the lock keeps two workers from writing at the same time.
 */
export function deliverNote(deps: NoteDeps, job: JobOf<'note'>): Promise<Delivered> {
  const { notes } = deps;
  const { incidentId, alertId, approvalId } = job;
  if (notes === undefined) return Promise.resolve(alreadyDelivered);
  return withDelivery(deps, `${incidentId}.note.${alertId}.${approvalId}`, nothing, async (delivery) => {
    const { message, refused } = delivery.record;
    if (message !== undefined || refused !== undefined) return alreadyDelivered;
    const [incident, alert] = await Promise.all([deps.incidents.get(incidentId), deps.alerts.get(alertId)]);
    if (incident === undefined || alert === undefined) return alreadyDelivered;
    if (incident.phase === 'diagnosing' || isChanging(incident)) return { type: 'later', afterMs: checkMs };
    const { fingerprint, source } = alert.alert;
    const host = takesNotes(source) ? notes.hosts[source] : undefined;
    const text = host && (await notes.postMortemOf(incident));
    if (host === undefined || text === undefined) return alreadyDelivered;
    const mark = `rollout-doctor ${incidentId}/${approvalId}`;
    const error = await host.add(fingerprint, { text, mark });
    delivery.record =
      error === undefined
        ? { message: { channel: source, ts: mark } }
        : { ...delivery.record, refused: error };
    return error === undefined ? { type: 'delivered', fresh: true } : { type: 'refused', error };
  });
}
