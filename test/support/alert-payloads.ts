import { alertmanagerMessage as messageOfAlertmanager } from '../../demo/alerts/alertmanager-message.js';

/** Bodies as the senders write them; only what a test is about differs. */

export interface PrometheusAlert {
  readonly status?: 'firing' | 'resolved';
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly startsAt?: string;
  readonly fingerprint?: string;
}

const stuck: Readonly<Record<string, string>> = {
  alertname: 'KubeDeploymentRolloutStuck',
  namespace: 'shop',
  deployment: 'inference',
  severity: 'warning',
};

/** Alertmanager's webhook, version 4. */
export function alertmanagerBody(...alerts: readonly PrometheusAlert[]): object {
  const all = alerts.map(({ status = 'firing', labels = stuck, annotations, startsAt, fingerprint }) => ({
    status,
    labels,
    annotations: annotations ?? { summary: 'Deployment rollout is not progressing.' },
    startsAt: startsAt ?? '2026-11-21T03:00:00.000Z',
    endsAt: status === 'firing' ? '0001-01-01T00:00:00Z' : '2026-11-21T03:30:00Z',
    generatorURL: 'http://prometheus.example.com/graph?g0.expr=kube_deployment',
    fingerprint: fingerprint ?? 'a1b2c3d4e5f60718',
  }));
  return {
    receiver: 'rollout-doctor',
    status: all.some(({ status }) => status === 'firing') ? 'firing' : 'resolved',
    alerts: all,
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    externalURL: 'http://alertmanager.example.com',
    version: '4',
    groupKey: '{}/{}:{}',
    truncatedAlerts: 0,
  };
}

/** Alertmanager's message in Slack, by default of the stuck rollout. */
export function alertmanagerMessage(state: 'FIRING:1' | 'RESOLVED', labels = stuck) {
  return messageOfAlertmanager(state, labels);
}
