import type { ApiObject } from '../cluster/api-object.js';
import { listAt, numberAt } from '../cluster/json.js';
import type { ExtraButton } from '../slack/local-slack-options.js';
import type { Stack } from '../stack.js';
import { alertmanagerMessage } from './alertmanager-message.js';

/** Where the demo's alerts are posted. */
export const alertChannel = 'incidents';

/**
 * Settings of the demo: Alertmanager's messages in the channel of incidents are answered in their own
 * threads, and its webhook is open.
 */
export const demoAlerts = `apiVersion: rollout-doctor/v1
channel: C0INCIDENTS
webhooks:
  - name: alertmanager
    source: alertmanager
    auth: { type: bearer, token: { env: ALERTS_TOKEN } }
slack:
  - channel: C0INCIDENTS
`;

/** Buttons of the page that make Alertmanager speak of `ml/api`, whose pods crash on one node. */
export function alertButtons(stack: () => Pick<Stack, 'cluster' | 'slack'>): readonly ExtraButton[] {
  /** What fired last: what is resolved later has the same labels, although the pod may be gone. */
  let fired: Readonly<Record<string, string>> | undefined;
  /** The workload it fired for: after a reset of the demo there is another one. */
  let firedFor: string | undefined;
  const says = (...message: Parameters<typeof alertmanagerMessage>): void => {
    stack()
      .slack.asBot('alertmanager')
      .posts({ channel: alertChannel, ...alertmanagerMessage(...message) });
  };
  return [
    {
      label: { en: 'Fire KubePodCrashLooping', ko: 'KubePodCrashLooping 알림 보내기' },
      hint: {
        en: `Alertmanager writes into #${alertChannel} that a pod of ml/api crashes`,
        ko: `Alertmanager가 ml/api 파드의 크래시를 #${alertChannel}에 알립니다`,
      },
      channels: [alertChannel],
      run() {
        const { cluster } = stack();
        const workload = cluster.find('apps/v1', 'Deployment', 'ml', 'api')?.metadata.uid;
        if (fired === undefined || workload !== firedFor) fired = labelsOf(crashingPod(cluster));
        firedFor = workload;
        says('FIRING:1', fired);
      },
    },
    {
      label: { en: 'Resolve it', ko: '알림 해소' },
      hint: {
        en: 'Alertmanager writes that the alert has resolved',
        ko: 'Alertmanager가 알림이 해소되었다고 알립니다',
      },
      channels: [alertChannel],
      run() {
        if (fired === undefined) throw new Error('No alert has fired yet.');
        says('RESOLVED', fired);
      },
    },
  ];
}

/** Labels of kubernetes-mixin's alert. */
function labelsOf(pod: ApiObject): Readonly<Record<string, string>> {
  const { namespace = '', name } = pod.metadata;
  return { alertname: 'KubePodCrashLooping', namespace, pod: name, container: 'api', severity: 'warning' };
}

function crashingPod(cluster: Stack['cluster']): ApiObject {
  const pods = cluster.list('v1', 'Pod', 'ml').filter(({ metadata }) => metadata.labels?.app === 'api');
  const found = pods.find((pod) => restartsOf(pod) > 0) ?? pods[0];
  if (found === undefined) throw new Error('ml/api has no pod.');
  return found;
}

function restartsOf(pod: ApiObject): number {
  return listAt(pod, 'status', 'containerStatuses').reduce(
    (sum, container) => sum + (numberAt(container, 'restartCount') ?? 0),
    0,
  );
}
