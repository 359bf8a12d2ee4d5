import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';
import { unlessNamed } from '../redaction/redact.js';
import { untrusted, untrusting } from '../redaction/untrusted.js';

/**
 * Who sends alerts: seven webhooks with shapes of their own, any JSON through a mapping, and messages in
 * Slack.
 */
export const alertSources = [
  'alertmanager',
  'grafana',
  'pagerduty',
  'opsgenie',
  'incident-io',
  'robusta',
  'argo-cd',
  'generic',
  'slack',
] as const;
export const AlertSource = z.enum(alertSources);
export type AlertSource = z.output<typeof AlertSource>;

/** Senders that keep an incident under the fingerprint of the alert, and take notes to it. */
const noteTargets = ['pagerduty', 'incident-io'] as const satisfies readonly AlertSource[];
export type NoteTarget = (typeof noteTargets)[number];

export function takesNotes(source: AlertSource): source is NoteTarget {
  return noteTargets.some((each) => each === source);
}

export const alertStatuses = ['firing', 'resolved'] as const;
export const AlertStatus = z.enum(alertStatuses);
export type AlertStatus = z.output<typeof AlertStatus>;

/**
 * One alert as its newest notification describes it, from any sender. Bounded and redacted: `boundingAlert`
 * makes it.
 */
export const Alert = z.object({
  v: z.literal(1),
  source: AlertSource,
  status: AlertStatus,
  /** What tells this alert from others of the same sender, in all its repetitions. */
  fingerprint: z.string().min(1),
  name: z.string(),
  /** RFC3339 of the sender's clock: told to people, never compared with ours. */
  startsAt: z.string().optional(),
  labels: z.record(z.string(), z.string()),
  annotations: z.record(z.string(), z.string()),
  /** Title and body in the sender's words. */
  text: z.string(),
  links: z.array(z.string()),
});
export type Alert = Immutable<z.output<typeof Alert>>;

/** An alert as it came in: any size, anything in it. */
export interface RawAlert {
  readonly source: AlertSource;
  readonly status: AlertStatus;
  readonly fingerprint: string;
  readonly name?: string | undefined;
  readonly startsAt?: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly text?: string | undefined;
  readonly links?: readonly string[];
}

export const alertBounds = {
  labels: 64,
  annotations: 24,
  key: 128,
  labelValue: 512,
  annotation: 1_000,
  name: 200,
  text: 4_000,
  links: 6,
  link: 1_000,
  fingerprint: 200,
} as const;

/**
 * The alert cut to size, with secrets redacted: nothing of it is kept or shown otherwise. Label values that
 * are names of Kubernetes objects stay as they are, since objects are looked up by them. In steps: an alert
 * of the largest size has ninety texts to redact.
 */
export function* boundingAlert(raw: RawAlert): Generator<void, Alert> {
  const { labels, annotations, key, labelValue, annotation, name, text, links, link } = alertBounds;
  const startsAt = timeOf(raw.startsAt);
  return {
    v: 1,
    source: raw.source,
    status: raw.status,
    fingerprint: raw.fingerprint.slice(0, alertBounds.fingerprint),
    name: untrusted((raw.name ?? raw.labels.alertname ?? '').slice(0, 2 * name), name),
    ...(startsAt === undefined ? {} : { startsAt }),
    labels: yield* boundedMap(raw.labels, labels, key, (value, name) => labelText(name, value, labelValue)),
    annotations: yield* boundedMap(raw.annotations ?? {}, annotations, key, (value, name) =>
      untrusted(unlessNamed(name, value.slice(0, 2 * annotation)), annotation),
    ),
    text: yield* untrusting((raw.text ?? '').slice(0, 2 * text), text, { keepLines: true }),
    links: (raw.links ?? [])
      .filter((each) => each.length <= link && /^https?:\/\/[^\s<>"|]+$/u.test(each))
      .slice(0, links),
  };
}

function* boundedMap(
  map: Readonly<Record<string, string>>,
  most: number,
  longestKey: number,
  bounded: (value: string, key: string) => string,
): Generator<void, Record<string, string>> {
  const kept: [string, string][] = [];
  for (const [key, value] of Object.entries(map)) {
    if (kept.length >= most) break;
    if (key.length > longestKey || !/^[\w.:/-]+$/u.test(key)) continue;
    kept.push([key, bounded(value, key)]);
    yield;
  }
  return Object.fromEntries(kept);
}

function labelText(name: string, value: string, max: number): string {
  return isObjectName(value) ? value : untrusted(unlessNamed(name, value.slice(0, 2 * max)), max);
}

/**
 * An RFC 1123 subdomain whose parts are no longer than those of generated names: no token or hash is kept by
 * it.
 */
function isObjectName(value: string): boolean {
  return (
    value.length <= 253 &&
    /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/u.test(value) &&
    value.split(/[.-]/u).every((part) => part.length <= 20)
  );
}

/** Senders write `0001-01-01T00:00:00Z` for "not known". */
function timeOf(text: string | undefined): string | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  if (!(time > 0) || time > latest) return undefined;
  return new Date(time).toISOString();
}

const latest = Date.parse('2200-01-01T00:00:00Z');

/** Text that is the same for the same alert where its sender gives no fingerprint; to be hashed. */
export function identityText(
  name: string,
  labels: Readonly<Record<string, string>>,
  besides: readonly string[] = [],
): string {
  const sorted = Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return JSON.stringify([name, sorted, besides]);
}
