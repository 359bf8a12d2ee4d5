import type { AlertRecord, Notification } from '../../doctor/alerts/alert-record.js';
import { firstSignal, isHandled, nextSignal } from '../../doctor/alerts/alert-record.js';
import { fairnessKeyOfAlert } from '../../doctor/alerts/label-names.js';
import { DoctorError, ignoreMalformed } from '../errors.js';
import type { Clock, JobQueue } from '../records/process-ports.js';
import type { AlertCounters, AlertStore } from './alert-ports.js';

interface ReceiveAlertDeps {
  readonly alerts: AlertStore;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly metrics: AlertCounters;
}

/**
 * `repeated`: it says what is known already. Either way it is on record, and its job is queued.
 *
 * @param firstSentAt when the sender told of it first, where that is known: however late it is sent again, it
 *   is a repetition
 */
export type ReceiveAlert = (
  id: string,
  notification: Notification,
  firstSentAt?: Date,
) => Promise<'recorded' | 'repeated'>;

const attempts = 50;

/**
 * Puts a notification on record and queues what follows from it; only then may its sender be told that it
 * arrived. The same notification again gives the same record and the same job.
 *
 * @throws DoctorError `redis-unavailable`: nothing is promised, and the sender has to try again
 */
export function createReceiveAlert({ alerts, jobs, clock, metrics }: ReceiveAlertDeps): ReceiveAlert {
  return async (id, notification, firstSentAt) => {
    const { source } = notification.alert;
    try {
      const { record, outcome } = await recorded(alerts, id, notification, earlier(clock.now(), firstSentAt));
      if (!isHandled(record)) {
        const turn = { urgency: 'alert', fairnessKey: fairnessKeyOfAlert(record.alert) } as const;
        await jobs.enqueue('alert', { v: 1, alertId: id, signal: record.signals }, turn);
      }
      metrics.alert(source, outcome);
      return outcome;
    } catch (error) {
      metrics.alert(source, 'not-recorded');
      throw error;
    }
  };
}

/** A sender's clock may be ahead of ours; what it says of the future is not kept. */
function earlier(now: Date, firstSentAt: Date = now): string {
  return new Date(Math.min(now.getTime(), firstSentAt.getTime())).toISOString();
}

type Recorded = { readonly record: AlertRecord; readonly outcome: 'recorded' | 'repeated' };

async function recorded(
  alerts: AlertStore,
  id: string,
  notification: Notification,
  at: string,
): Promise<Recorded> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const known = await readKnown(alerts, id);
    const isKnown = known !== undefined && known !== 'unreadable';
    const next = isKnown ? nextSignal(known, notification, at) : firstSignal(id, notification, at);
    if (isKnown && next === undefined) return { record: known, outcome: 'repeated' };
    const replace = known === 'unreadable' ? alerts.replaceUnreadable : alerts.replace;
    const stored = next === undefined ? undefined : await replace(next);
    if (stored !== undefined && !('type' in stored)) return { record: stored, outcome: 'recorded' };
  }
  throw new DoctorError({
    code: 'record-conflict',
    message: 'an alert was written by others at every attempt',
    retryable: true,
  });
}

/** An alert is not lost since its record cannot be read, nor are those that its sender sends with it. */
async function readKnown(alerts: AlertStore, id: string): Promise<AlertRecord | 'unreadable' | undefined> {
  try {
    return await alerts.get(id);
  } catch (error) {
    return ignoreMalformed(error) ?? 'unreadable';
  }
}
