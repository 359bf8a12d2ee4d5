import * as z from 'zod';
import type { RawAlert } from '../../../doctor/alerts/alert.js';
import { firstOf, senderText } from './parsed-alerts.js';

/** The event is under the key that `event_type` names. */
const Webhook = z.object({ event_type: z.string() });

const named = z.object({ name: senderText.nullish() }).nullish();

const CustomField = z.object({
  custom_field: z.object({ name: senderText }),
  values: z
    .preprocess(
      firstOf,
      z.array(
        z.object({
          value_text: senderText.nullish(),
          value_option: z.object({ value: senderText }).nullish(),
          value_catalog_entry: z.object({ name: senderText }).nullish(),
        }),
      ),
    )
    .nullish(),
});

const Incident = z.object({
  id: senderText.refine((id) => id !== ''),
  name: senderText.nullish(),
  summary: senderText.nullish(),
  permalink: senderText.nullish(),
  created_at: senderText.nullish(),
  reference: senderText.nullish(),
  severity: named,
  incident_type: named,
  incident_status: z.object({ category: z.string() }),
  custom_field_entries: z.preprocess(firstOf, z.array(CustomField)).nullish(),
});

/** Categories of statuses in which nobody works on the incident any longer. */
const ended: ReadonlySet<string> = new Set(['learning', 'closed', 'declined', 'merged', 'canceled']);

/**
 * An incident that is created, or whose status changes. Events of private incidents hold an id alone: they
 * give no alert, as edits, follow-ups and actions do. A custom field is a label of its name in lower case, so
 * `namespace` and `deployment` need no rules.
 * source: docs.incident.io, API reference: Webhooks, incident_created_v2 and incident_status_updated_v2
 *
 * @throws ZodError
 */
export function alertsOfIncidentIo(body: unknown): readonly RawAlert[] {
  const { event_type: type } = Webhook.parse(body);
  const event: unknown = Object.hasOwn(body as object, type) ? (body as Record<string, unknown>)[type] : null;
  const incident =
    type === 'public_incident.incident_created_v2'
      ? Incident.parse(event)
      : type === 'public_incident.incident_status_updated_v2'
        ? z.object({ incident: Incident }).parse(event).incident
        : undefined;
  if (incident === undefined) return [];
  const { id, name, summary, permalink, created_at, reference, severity, incident_type } = incident;
  const labels = Object.entries({
    ...Object.fromEntries((incident.custom_field_entries ?? []).map(labelOf)),
    reference,
    severity: severity?.name,
    incident_type: incident_type?.name,
  }).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '');
  return [
    {
      source: 'incident-io',
      status: ended.has(incident.incident_status.category) ? 'resolved' : 'firing',
      fingerprint: id,
      name: name ?? '',
      startsAt: created_at ?? undefined,
      labels: Object.fromEntries(labels),
      text: [name, summary].filter(Boolean).join('\n'),
      links: permalink ? [permalink] : [],
    },
  ];
}

function labelOf({ custom_field, values }: z.output<typeof CustomField>): [string, string | undefined] {
  const [first] = values ?? [];
  const value = first?.value_text ?? first?.value_option?.value ?? first?.value_catalog_entry?.name;
  return [custom_field.name.trim().toLowerCase().replaceAll(' ', '_'), value ?? undefined];
}
