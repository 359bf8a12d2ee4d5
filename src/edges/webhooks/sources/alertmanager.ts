import * as z from 'zod';
import type { RawAlert } from '../../../doctor/alerts/alert.js';
import type { ParsedAlerts } from './parsed-alerts.js';
import { firstOf, senderText } from './parsed-alerts.js';

const labels = z.preprocess(firstOf, z.record(z.string(), senderText));

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

const Uncounted = z.object({ alerts: z.array(z.unknown()) });
const Head = Group.omit({ alerts: true });
const Alerts = Group.pick({ alerts: true });

type AlertmanagerGroup = z.output<typeof Group>;

/** Alerts that are read in one step. */
const alertsOfStep = 20;

/**
 * Reads the first `maxAlerts` alerts; the others are not looked at.
 *
 * @throws ZodError
 */
export function* alertsOfAlertmanager(
  source: 'alertmanager' | 'grafana',
  body: unknown,
  maxAlerts: number,
): Generator<void, ParsedAlerts> {
  Head.parse(body);
  const given = Uncounted.parse(body).alerts;
  const read = given.slice(0, maxAlerts);
  const alerts: RawAlert[] = [];
  for (let from = 0; from < read.length; from += alertsOfStep) {
    const step = Alerts.safeParse({ alerts: read.slice(from, from + alertsOfStep) });
    if (!step.success) throw behind(step.error, from);
    alerts.push(...step.data.alerts.map(alertOf));
    yield;
  }
  return { dropped: given.length - read.length, alerts };

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

/** The error with the places of its alerts in the whole list. */
function behind({ issues }: z.ZodError, from: number): z.ZodError {
  return new z.ZodError(
    issues.map((issue) => {
      const [list = 'alerts', at, ...path] = issue.path;
      return Object.assign({}, issue, { path: [list, Number(at) + from, ...path] });
    }),
  );
}
