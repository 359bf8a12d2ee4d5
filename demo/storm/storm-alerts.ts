import type { FailingWorkload } from './failing-workloads.js';

/** Rules of kubernetes-mixin that name a Deployment, and further ones as teams write them. */
const names = [
  'KubeDeploymentReplicasMismatch',
  'KubeDeploymentRolloutStuck',
  'KubeDeploymentGenerationMismatch',
  'DeploymentBelowAvailability',
  'DeploymentErrorBudgetBurn',
];

/**
 * Bodies of Alertmanager's webhook as a storm brings them: every workload fires `each` alerts of its own, and
 * they come mixed, in groups of `group`.
 *
 * @param startsAt RFC3339
 */
export function stormBodies(
  workloads: readonly FailingWorkload[],
  { each, group, startsAt }: { readonly each: number; readonly group: number; readonly startsAt: string },
): readonly object[] {
  const alerts = Array.from({ length: each }, (_, number) =>
    workloads.map(({ namespace, name }) => alertOf(namespace, name, number, startsAt)),
  ).flat();
  return Array.from({ length: Math.ceil(alerts.length / group) }, (_, number) =>
    bodyOf(alerts.slice(number * group, (number + 1) * group), number),
  );
}

function alertOf(namespace: string, deployment: string, number: number, startsAt: string) {
  const alertname = names[number % names.length];
  const window = `${Math.floor(number / names.length) + 1}h`;
  return {
    status: 'firing',
    labels: { alertname, namespace, deployment, window, severity: 'warning' },
    annotations: { summary: 'Deployment has fewer available replicas than it should.' },
    startsAt,
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: 'http://prometheus.example.com/graph?g0.expr=kube_deployment',
    fingerprint: Buffer.from(`${namespace}/${deployment}/${number}`).toString('hex').padStart(16, '0'),
  };
}

function bodyOf(alerts: readonly object[], number: number): object {
  return {
    receiver: 'rollout-doctor',
    status: 'firing',
    alerts,
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    externalURL: 'http://alertmanager.example.com',
    version: '4',
    groupKey: `{}/{}:{storm="${number}"}`,
    truncatedAlerts: 0,
  };
}
