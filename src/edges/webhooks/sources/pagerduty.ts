import * as z from 'zod';
import type { RawAlert } from '../../../doctor/alerts/alert.js';
import { senderText } from './parsed-alerts.js';

const reference = z.object({ id: senderText, summary: senderText.nullish() }).nullish();

/**
 * A v3 webhook. It carries no Kubernetes labels: rules of the settings add them by service or title.
 * source: PagerDuty developer docs, webhooks overview: event types and incident data
 */
const Webhook = z.object({
  event: z.object({
    id: z.string(),
    event_type: z.string(),
    occurred_at: senderText.optional(),
    data: z.unknown(),
  }),
});

const Incident = z.object({
  id: senderText.refine((id) => id !== ''),
  title: senderText.nullish(),
  html_url: senderText.nullish(),
  created_at: senderText.nullish(),
  service: reference,
  urgency: senderText.nullish(),
  priority: reference,
});

const statuses: Readonly<Record<string, RawAlert['status']>> = {
  'incident.triggered': 'firing',
  'incident.reopened': 'firing',
  'incident.unacknowledged': 'firing',
  'incident.resolved': 'resolved',
};

/**
 * Events that neither open nor end an incident (acknowledged, delegated, `pagey.ping`) give no alert.
 *
 * @throws ZodError
 */
export function alertsOfPagerDuty(body: unknown): readonly RawAlert[] {
  const { event } = Webhook.parse(body);
  const status = Object.hasOwn(statuses, event.event_type) ? statuses[event.event_type] : undefined;
  if (status === undefined) return [];
  const { id, title, html_url, created_at, service, urgency, priority } = Incident.parse(event.data);
  return [
    {
      source: 'pagerduty',
      status,
      fingerprint: id,
      name: title ?? '',
      // A reopened incident keeps its creation time: what happened to it last tells its episodes apart.
      startsAt: event.event_type === 'incident.reopened' ? event.occurred_at : (created_at ?? undefined),
      labels: definedOf({
        service: service?.summary,
        service_id: service?.id,
        urgency,
        priority: priority?.summary,
      }),
      text: title ?? '',
      links: html_url ? [html_url] : [],
    },
  ];
}

function definedOf(fields: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
  const kept = Object.entries(fields).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  return Object.fromEntries(kept);
}
