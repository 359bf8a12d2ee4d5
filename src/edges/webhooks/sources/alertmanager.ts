import * as z from 'zod';
import type { RawAlert } from '../../../doctor/alerts/alert.js';
import type { ParsedAlerts } from './parsed-alerts.js';
import { senderText } from './sender-text.js';

const labels = z.record(z.string(), senderText);

/**
 * Alertmanager's webhook, version 4, and the compatible senders: Grafana (version 1), vmalertmanager, Mimir.
 * Only what is read is asked for; the top-level status is not, since it is firing as long as one alert of the
 * group is. source: alertmanager template/template.go: Data, Alert
 */
const Group = z.object({
  version: z.string().optional(),
  receiver: z.string().optional(),
  externalURL: z.string().optional(),
  commonLabels: labels.nullish(),
  truncatedAlerts: z.number().optional(),
  alerts: z.array(
    z.object({
      status: z.enum(['firing', 'resolved']),
      labels,
      annotations: labels.nullish(),
      startsAt: senderText.optional(),
      generatorURL: senderText.optional(),
      fingerprint: senderText.optional(),
      dashboardURL: senderText.optional(),
      panelURL: senderText.optional(),
    }),
  ),
});

const Uncounted = z.looseObject({ alerts: z.array(z.unknown()) });

export type AlertmanagerGroup = z.output<typeof Group>;

/**
 * Reads the first `maxAlerts` alerts; the others are not looked at.
 *
 * @throws ZodError
 */
export function alertsOfAlertmanager(
  source: 'alertmanager' | 'grafana',
  body: unknown,
  maxAlerts: number,
): ParsedAlerts {
  const group = Uncounted.parse(body);
  const { alerts } = Group.parse({ ...group, alerts: group.alerts.slice(0, maxAlerts) });
  return { dropped: group.alerts.length - alerts.length, alerts: alerts.map(alertOf) };

  function alertOf(alert: AlertmanagerGroup['alerts'][number]): RawAlert {
    const annotations = alert.annotations ?? {};
    return {
      source,
      status: alert.status,
      fingerprint: alert.fingerprint ?? '',
      name: alert.labels.alertname,
      startsAt: alert.startsAt,
      labels: alert.labels,
      annotations,
      text: [annotations.summary, annotations.description ?? annotations.message]
        .filter((part) => part !== undefined)
        .join('\n'),
      links: [alert.generatorURL, annotations.runbook_url, alert.dashboardURL, alert.panelURL].filter(
        (link) => link !== undefined,
      ),
    };
  }
}
