import * as z from 'zod';
import type { RawAlert } from '../../doctor/alerts/alert.js';
import type { WebhookSettings } from '../../doctor/alerts/alert-settings.js';
import { isBoundedJson } from '../http/bounded-json.js';
import { type RequestRefusal, refuse } from './refusal.js';
import { alertsOfAlertmanager } from './sources/alertmanager.js';
import { alertsOfArgoCd } from './sources/argo-cd.js';
import { alertsOfMapping } from './sources/generic.js';
import { alertsOfIncidentIo } from './sources/incident-io.js';
import { alertsOfOpsgenie } from './sources/opsgenie.js';
import { alertsOfPagerDuty } from './sources/pagerduty.js';
import type { ParsedAlerts } from './sources/parsed-alerts.js';
import { alertsOfRobusta } from './sources/robusta.js';

/**
 * One request may hold so many alerts; further ones are dropped and counted. A thousand take about a second
 * to record.
 */
export const maxAlertsPerRequest = 1_000;

/** The alerts that a request holds, or why it cannot be understood; in steps, a few alerts each. */
export function* parsingWebhook(
  { source, mapping }: Pick<WebhookSettings, 'source' | 'mapping'>,
  body: Buffer,
): Generator<void, ParsedAlerts | RequestRefusal> {
  const text = body.toString('utf8');
  if (source === 'robusta') return all(alertsOfRobusta(text));
  yield;
  const isBounded = isBoundedJson(body);
  yield;
  const json = isBounded ? jsonOf(text) : undefined;
  yield;
  if (json === undefined) return refuse(400, 'json', 'json');
  try {
    switch (source) {
      case 'alertmanager':
      case 'grafana':
        return yield* alertsOfAlertmanager(source, json.value, maxAlertsPerRequest);
      case 'pagerduty':
        return all(alertsOfPagerDuty(json.value));
      case 'incident-io':
        return all(alertsOfIncidentIo(json.value));
      case 'opsgenie':
        return all(alertsOfOpsgenie(json.value));
      case 'argo-cd':
        return all(alertsOfArgoCd(json.value));
      case 'generic':
        return mapping === undefined
          ? all([])
          : yield* alertsOfMapping(mapping, json.value, maxAlertsPerRequest);
    }
  } catch (error) {
    if (error instanceof z.ZodError) return refuse(400, 'schema', 'schema', schemaProblem(source, error));
    throw error;
  }
}

function all(alerts: readonly RawAlert[]): ParsedAlerts {
  return { alerts, dropped: 0 };
}

function jsonOf(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

const maxPath = 100;

/**
 * The place that does not match and the expected type: names of our schema only, no value and no key of the
 * sender.
 */
function schemaProblem(source: string, { issues }: z.ZodError) {
  const [first] = issues;
  const path = (first?.path ?? []).map((step) => (typeof step === 'number' ? step : knownStep(String(step))));
  const expected = first?.code === 'invalid_type' ? first.expected : '';
  return { source, path: path.join('.').slice(0, maxPath), expected };
}

function knownStep(step: string): string {
  return schemaNames.has(step) ? step : '…';
}

const schemaNames: ReadonlySet<string> = new Set([
  'alerts',
  'status',
  'labels',
  'annotations',
  'startsAt',
  'generatorURL',
  'fingerprint',
  'version',
  'receiver',
  'externalURL',
  'commonLabels',
  'truncatedAlerts',
  'dashboardURL',
  'panelURL',
  'event',
  'id',
  'event_type',
  'occurred_at',
  'data',
  'title',
  'html_url',
  'created_at',
  'service',
  'urgency',
  'priority',
  'summary',
  'action',
  'alert',
  'alertId',
  'message',
  'description',
  'alias',
  'entity',
  'tags',
  'details',
  'createdAt',
  'incident',
  'incident_status',
  'category',
  'name',
  'permalink',
  'reference',
  'severity',
  'metadata',
  'namespace',
  'uid',
  'spec',
  'destination',
  'health',
  'lastTransitionTime',
  'url',
]);
