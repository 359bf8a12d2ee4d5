import * as z from 'zod';
import type { RawAlert } from '../../../doctor/alerts/alert.js';
import { boundText } from '../../../engine/language/text-scanning.js';
import { firstOf, maxSenderText, senderText } from './parsed-alerts.js';

/**
 * Opsgenie's webhook. `details` are the alert's key-value pairs, tags may be `key:value`; times beyond 2^53
 * (updatedAt in nanoseconds) are not read, and `priority` is now a number, now `P3`. source: Opsgenie docs,
 * webhook integration, sample payloads
 */
const Webhook = z.object({
  action: z.string(),
  alert: z.object({
    alertId: senderText.refine((id) => id !== ''),
    message: senderText.nullish(),
    description: senderText.nullish(),
    alias: senderText.nullish(),
    entity: senderText.nullish(),
    tags: z.preprocess(firstOf, z.array(senderText)).nullish(),
    details: z.preprocess(firstOf, z.record(z.string(), z.unknown())).nullish(),
    createdAt: z.number().nullish(),
    priority: z.union([senderText, z.number()]).nullish(),
  }),
});

const statuses: Readonly<Record<string, RawAlert['status']>> = {
  Create: 'firing',
  Close: 'resolved',
  Delete: 'resolved',
};

/**
 * Actions on an alert (Acknowledge, AddNote, …) give none.
 *
 * @throws ZodError
 */
export function alertsOfOpsgenie(body: unknown): readonly RawAlert[] {
  const { action, alert } = Webhook.parse(body);
  const status = Object.hasOwn(statuses, action) ? statuses[action] : undefined;
  if (status === undefined) return [];
  const { alertId, message, description, createdAt, tags, details, entity, priority } = alert;
  return [
    {
      source: 'opsgenie',
      status,
      fingerprint: alertId,
      name: textsOf({ alertname: details?.alertname }).alertname ?? message ?? '',
      startsAt: timeOf(createdAt),
      labels: {
        ...labelsOfTags(tags ?? []),
        ...textsOf(details ?? {}),
        ...(entity ? { entity } : {}),
        ...(priority === null || priority === undefined ? {} : { priority: String(priority) }),
      },
      text: [message, description].filter((part) => part !== null && part !== undefined).join('\n'),
    },
  ];
}

/** `key:value` or `key=value`; other tags say nothing here. */
export function labelsOfTags(tags: readonly string[]): Record<string, string> {
  const pairs = tags.flatMap((tag): [string, string][] => {
    const at = tag.search(/[:=]/u);
    return at > 0 ? [[tag.slice(0, at).trim(), tag.slice(at + 1).trim()]] : [];
  });
  return Object.fromEntries(pairs);
}

/** The values that are text or numbers. */
export function textsOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const kept = Object.entries(fields).filter(
    (entry): entry is [string, string | number | boolean] =>
      typeof entry[1] === 'string' || typeof entry[1] === 'number' || typeof entry[1] === 'boolean',
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, boundText(String(value), maxSenderText)]));
}

function timeOf(milliseconds: number | null | undefined): string | undefined {
  if (milliseconds === null || milliseconds === undefined || !(milliseconds > 0)) return undefined;
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
