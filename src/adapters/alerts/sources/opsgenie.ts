import { z } from 'zod';
import type { RawAlert } from '../../../core/alert/alert.js';

/**
 * Opsgenie's webhook. `details` are the alert's key-value pairs, tags may be `key:value`; times beyond 2^53 (updatedAt
 * in nanoseconds) are not read, and `priority` is now a number, now `P3`.
 * source: Opsgenie docs, webhook integration, sample payloads
 */
const Webhook = z.object({
  action: z.string(),
  alert: z.object({
    alertId: z.string().min(1),
    message: z.string().nullish(),
    description: z.string().nullish(),
    alias: z.string().nullish(),
    entity: z.string().nullish(),
    tags: z.array(z.string()).nullish(),
    details: z.record(z.string(), z.unknown()).nullish(),
    createdAt: z.number().nullish(),
    priority: z.union([z.string(), z.number()]).nullish(),
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
      name: details?.alertname === undefined ? (message ?? '') : String(details.alertname),
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
  const pairs = tags.slice(0, 200).flatMap((tag): [string, string][] => {
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
  return Object.fromEntries(kept.map(([key, value]) => [key, String(value)]));
}

function timeOf(milliseconds: number | null | undefined): string | undefined {
  if (milliseconds === null || milliseconds === undefined || !(milliseconds > 0)) return undefined;
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
