import { boundedAlert, identityText, type RawAlert } from '../../core/alert/alert.js';
import type { AlertSettings, WebhookSettings } from '../../core/alert/alert-settings.js';
import { channelFor, withRules } from '../../core/alert/apply-rules.js';
import type { Language } from '../../core/language/language.js';
import type { ReceiveAlert } from '../../usecases/alerts/receive-alert.js';
import type { Digest } from '../../usecases/records/process-ports.js';

export interface RecordAlertsDeps {
  readonly settings: AlertSettings;
  readonly languageOfChannel: (channel: string) => Language;
  readonly receive: ReceiveAlert;
  readonly digest: Digest;
}

export interface Recorded {
  readonly recorded: number;
  readonly repeated: number;
}

/** Alerts of one request that are written at the same time. */
const atOnce = 16;

/**
 * Puts the alerts of one request on record. Of several with the same fingerprint, status and channel the last
 * one counts.
 *
 * @throws DoctorError `redis-unavailable`: some may be on record, and the sender has to send all of them
 *   again
 */
export async function recordAlerts(
  { settings, languageOfChannel, receive, digest }: RecordAlertsDeps,
  webhook: WebhookSettings,
  alerts: readonly RawAlert[],
): Promise<Recorded> {
  const distinct = new Map<string, RawAlert>();
  for (const each of alerts) {
    const raw = withRules(each, settings.rules);
    const fingerprint =
      raw.fingerprint === ''
        ? digest(identityText(raw.name ?? '', raw.labels)).slice(0, 32)
        : raw.fingerprint;
    const key = JSON.stringify([fingerprint, raw.status, channelFor(raw.labels, settings, undefined)]);
    distinct.set(key, { ...raw, fingerprint });
  }
  const record = async (raw: RawAlert): ReturnType<ReceiveAlert> => {
    const alert = boundedAlert(raw);
    const channel = channelFor(alert.labels, settings, webhook.channel) ?? '';
    const id = digest(JSON.stringify([webhook.name, raw.fingerprint, channel])).slice(0, 32);
    return receive(id, { alert, place: { channel }, language: languageOfChannel(channel) });
  };
  let recorded = 0;
  let repeated = 0;
  const waiting = [...distinct.values()];
  for (let from = 0; from < waiting.length; from += atOnce) {
    const outcomes = await Promise.all(waiting.slice(from, from + atOnce).map(record));
    recorded += outcomes.filter((outcome) => outcome === 'recorded').length;
    repeated += outcomes.filter((outcome) => outcome === 'repeated').length;
  }
  return { recorded, repeated };
}
