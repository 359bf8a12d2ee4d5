import type { FailingWorkload } from '../../demo/storm/failing-workloads.js';
import type { Sender } from '../../demo/storm/storm-stack.js';
import { alertmanagerBody, type PrometheusAlert } from './alert-payloads.js';

export interface SentBody {
  readonly sender: Sender;
  readonly body: string;
}

export interface SoakRound {
  readonly bodies: readonly SentBody[];
  /** How many alerts the bodies hold, each of which says something new. */
  readonly alerts: number;
  /** How often an alert of a workload fires, by `namespace/name`. */
  readonly firings: ReadonlyMap<string, number>;
  /** A body that no webhook can read. */
  readonly malformed: SentBody;
}

const names = ['KubeDeploymentReplicasMismatch', 'KubeDeploymentRolloutStuck', 'DeploymentErrorBudgetBurn'];
const malformed: readonly SentBody[] = [
  { sender: 'alertmanager', body: '{"version":"4","alerts":[{"status":"firing"' },
  { sender: 'alertmanager', body: '{"version":"4","alerts":[{"status":"burning","labels":{}}]}' },
  { sender: 'grafana', body: '{"version":"1","alerts":{"status":"firing"}}' },
  { sender: 'generic', body: 'status=firing' },
];

/**
 * The rounds of a storm that goes on. In each, four senders name workloads in turn: six alerts that never
 * fired before, two that flap between firing and resolved, and one about a workload that does not exist.
 *
 * @returns the next round, which names the first `active` workloads at the time `at` (RFC3339)
 */
export function soakRounds(workloads: readonly FailingWorkload[]) {
  /** When those that fire began to, by fingerprint. */
  const firing = new Map<string, string>();
  const turns = { fresh: 0, flapping: 0 };
  let rounds = 0;
  return (active: number, at: string): SoakRound => {
    rounds += 1;
    const round = String(rounds);
    const firings = new Map<string, number>();
    const next = (turn: keyof typeof turns): FailingWorkload => {
      const found = workloads[turns[turn] % active];
      turns[turn] += 1;
      if (found === undefined) throw new RangeError('fewer workloads than are active');
      return found;
    };
    const fires = ({ namespace, name }: FailingWorkload): void => {
      const path = `${namespace}/${name}`;
      firings.set(path, (firings.get(path) ?? 0) + 1);
    };
    const fresh = (): PrometheusAlert => {
      const workload = next('fresh');
      fires(workload);
      const { namespace, name: deployment } = workload;
      const alertname = names[turns.fresh % names.length] ?? '';
      const labels = { alertname, namespace, deployment, window: `${round}m`, severity: 'warning' };
      return { labels, startsAt: at, fingerprint: `fresh-${turns.fresh}` };
    };
    const flapping = (): PrometheusAlert => {
      const workload = next('flapping');
      const { namespace, name: deployment } = workload;
      const fingerprint = `flapping-${namespace}-${deployment}`;
      const labels = { alertname: 'KubePodCrashLooping', namespace, deployment, severity: 'warning' };
      const since = firing.get(fingerprint);
      if (since !== undefined) {
        firing.delete(fingerprint);
        return { status: 'resolved', labels, startsAt: since, fingerprint };
      }
      fires(workload);
      firing.set(fingerprint, at);
      return { labels, startsAt: at, fingerprint };
    };
    const unknown = {
      alertname: 'KubeDeploymentRolloutStuck',
      namespace: 'gone',
      deployment: `gone-${round}`,
    };
    const [ofGeneric, ofRobusta] = [next('fresh'), next('fresh')];
    fires(ofGeneric);
    fires(ofRobusta);
    const bodies: readonly SentBody[] = [
      {
        sender: 'alertmanager',
        body: JSON.stringify(
          alertmanagerBody(fresh(), fresh(), flapping(), {
            labels: unknown,
            startsAt: at,
            fingerprint: `gone-${round}`,
          }),
        ),
      },
      { sender: 'grafana', body: JSON.stringify(alertmanagerBody(fresh(), fresh(), flapping())) },
      {
        sender: 'generic',
        body: JSON.stringify({
          title: `Deployment has no replicas (${round})`,
          transition: 'Triggered',
          aggregate: `generic-${round}`,
          tags: `kube_namespace:${ofGeneric.namespace},kube_deployment:${ofGeneric.name}`,
        }),
      },
      {
        sender: 'robusta',
        body: `Rollout ${round} is not progressing\n\nThe rollout of ${ofRobusta.namespace}/${ofRobusta.name} is stuck.\n`,
      },
    ];
    const broken = malformed[rounds % malformed.length];
    if (broken === undefined) throw new RangeError('no malformed body');
    return { bodies, alerts: 9, firings, malformed: broken };
  };
}
