import { z } from 'zod';
import type { RawAlert } from '../../../core/alert/alert.js';

const labels = z.record(z.string(), z.string());

/**
 * Alertmanager's webhook, version 4, and the compatible senders: Grafana (version 1), vmalertmanager, Mimir. Only what is
 * read is asked for; the top-level status is not, since it is firing as long as one alert of the group is.
 * source: alertmanager template/template.go: Data, Alert
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
      startsAt: z.string().optional(),
      generatorURL: z.string().optional(),
      fingerprint: z.string().optional(),
      dashboardURL: z.string().optional(),
      panelURL: z.string().optional(),
    }),
  ),
});

export type AlertmanagerGroup = z.output<typeof Group>;

/** @throws ZodError */
export function alertsOfAlertmanager(source: 'alertmanager' | 'grafana', body: unknown): readonly RawAlert[] {
  const { alerts } = Group.parse(body);
  return alerts.map((alert): RawAlert => {
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
  });
}
