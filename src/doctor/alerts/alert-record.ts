import * as z from 'zod';
import { Language } from '../../engine/language/language.js';
import type { Immutable } from '../../engine/objects/wire.js';
import { WorkloadRef } from '../../engine/objects/workload.js';
import { Alert } from './alert.js';

/** Where an alert is answered: a channel, and the thread of the alert's own message where it has one. */
const AlertPlace = z.object({ channel: z.string(), threadTs: z.string().optional() });
type AlertPlace = Immutable<z.output<typeof AlertPlace>>;

/** A question to people, posted once where the alert is answered. */
export const AlertQuestion = z.object({
  /** The signal it was asked for. */
  of: z.number(),
  at: z.string(),
  place: AlertPlace,
  /** `name`: several may be meant. `cluster`: the alert names a cluster that is not configured. */
  about: z.enum(['name', 'cluster']),
  /** What the alert calls it. */
  called: z.string(),
  choices: z.array(WorkloadRef).min(1),
});
export type AlertQuestion = Immutable<z.output<typeof AlertQuestion>>;

/**
 * What is known of one alert over all its notifications. A signal is a notification that says something new:
 * it fires, it is resolved, it still fires after a while. `handled` follows `signals`; the sweep finds
 * records where it does not.
 */
export const AlertRecord = z.object({
  v: z.literal(1),
  id: z.string(),
  version: z.number(),
  /** As it was told of last. */
  alert: Alert,
  place: AlertPlace,
  language: Language,
  firstAt: z.string(),
  lastAt: z.string(),
  signals: z.number().int().min(1),
  /** How many of the signals said that it fires. */
  firings: z.number().int().min(0),
  handled: z.number().int().min(0),
  /** How many of the firings were acted on; absent in records of earlier versions. */
  counted: z.number().int().min(0).optional(),
  /** What the latest signals said and when, by our clock, newest last: a sender's retry says it again. */
  recent: z.array(z.object({ says: z.string(), at: z.string() })),
  /** Incidents it led to, oldest first. */
  incidents: z.array(z.string()),
  question: AlertQuestion.optional(),
});
export type AlertRecord = Immutable<z.output<typeof AlertRecord>>;

/** A notification on its way into the record. */
export type Notification = { readonly alert: Alert; readonly place: AlertPlace; readonly language: Language };

/**
 * The same words within this time are a retry of the sender, or a group that was sent because another alert
 * of it changed. Alertmanager gives up a delivery after its group_interval, 5 minutes unless configured.
 */
const sameWithinMs = 240_000;
const recentMost = 8;
const incidentsMost = 10;

/** @param at RFC3339, by our clock */
export function firstSignal(id: string, { alert, place, language }: Notification, at: string): AlertRecord {
  return {
    v: 1,
    id,
    version: 1,
    alert,
    place,
    language,
    firstAt: at,
    lastAt: at,
    signals: 1,
    firings: alert.status === 'firing' ? 1 : 0,
    handled: 0,
    counted: 0,
    recent: [{ says: saysOf(alert), at }],
    incidents: [],
  };
}

/**
 * The record with the notification as its newest signal; `undefined` when it has nothing new. The sender's
 * clock is only compared with itself.
 */
export function nextSignal(
  record: AlertRecord,
  { alert, place, language }: Notification,
  at: string,
): AlertRecord | undefined {
  const says = saysOf(alert);
  const now = Date.parse(at);
  const again = record.recent.some(
    (earlier) => earlier.says === says && now - Date.parse(earlier.at) < sameWithinMs,
  );
  if (again) return undefined;
  return {
    ...record,
    version: record.version + 1,
    alert,
    place,
    language,
    lastAt: at,
    signals: record.signals + 1,
    firings: record.firings + (alert.status === 'firing' ? 1 : 0),
    recent: [...record.recent, { says, at }].slice(-recentMost),
  };
}

export interface Handled {
  /** Of the firings so far, those that need no further count. */
  readonly counted: number;
  readonly incidents: readonly string[];
  readonly question?: AlertQuestion | undefined;
}

/**
 * The record after its signals up to `signal` were acted on; `undefined` when that is known already. Where
 * another worker has acted on later ones without these incidents, the latest signal is to be acted on again:
 * they have to learn of it.
 */
export function handledUpTo(
  record: AlertRecord,
  signal: number,
  { counted, incidents, question }: Handled,
): AlertRecord | undefined {
  const isOvertaken = record.handled > signal && incidents.some((id) => !record.incidents.includes(id));
  if (record.handled >= signal && !isOvertaken) return undefined;
  return {
    ...record,
    version: record.version + 1,
    ...(isOvertaken
      ? { handled: Math.min(record.handled, record.signals - 1) }
      : { handled: signal, counted }),
    incidents: [...new Set([...record.incidents, ...incidents])].slice(-incidentsMost),
    ...(question === undefined ? {} : { question }),
  };
}

/**
 * Firings that no incident counts yet: several, where signals came faster than they were acted on. One of a
 * record of an earlier version.
 */
export function uncountedFirings({ firings, counted = Math.max(0, firings - 1) }: AlertRecord): number {
  return firings - counted;
}

export function isHandled({ signals, handled }: AlertRecord): boolean {
  return handled >= signals;
}

function saysOf({ status, startsAt = '' }: Alert): string {
  return `${status} ${startsAt}`;
}
