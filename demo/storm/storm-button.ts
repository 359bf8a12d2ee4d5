import { setTimeout as delay } from 'node:timers/promises';
import { alertChannel } from '../alerts/alert-buttons.js';
import { listAt, textAt } from '../cluster/json.js';
import type { LocalCluster } from '../cluster/local-cluster.js';
import { conductObject, conductsNow } from '../cluster/loops/conduct.js';
import { readyNode } from '../cluster/seed/nodes.js';
import type { ExtraButton } from '../slack/local-slack-options.js';
import type { Stack } from '../stack.js';
import { type FailingWorkload, failingDeployments, failingWorkloads } from './failing-workloads.js';
import { stormBodies } from './storm-alerts.js';

const namespaces = ['storm-east', 'storm-north', 'storm-south', 'storm-west'];

export interface StormSize {
  readonly workloads: number;
  /** Alerts of each. */
  readonly each: number;
}

/** A button of the page that makes many workloads sick and fires all their alerts at the webhook. */
export function stormButton(
  stack: () => Pick<Stack, 'cluster' | 'alert'>,
  { workloads: count, each }: StormSize = { workloads: 40, each: 25 },
): ExtraButton {
  const workloads = failingWorkloads(count, namespaces);
  const alerts = (count * each).toLocaleString('en');
  return {
    label: { en: `Storm: ${alerts} alerts`, ko: `알림 폭주: ${alerts}건` },
    hint: {
      en: `${count} workloads lose their image, and each fires ${each} alerts; one card in #${alertChannel} lists them all`,
      ko: `워크로드 ${count}개의 이미지가 사라지고 각각 알림 ${each}건을 보냅니다. #${alertChannel}의 카드 하나에 모두 표시됩니다`,
    },
    channels: [alertChannel],
    async run() {
      const { cluster, alert } = stack();
      if (!(await makeSick(cluster, workloads))) return;
      const bodies = stormBodies(workloads, { each, group: 10, startsAt: new Date().toISOString() });
      for (const body of bodies) {
        const answer = await alert('alertmanager', body);
        if (!answer.ok) throw new Error(`The webhook answered ${answer.status}.`);
      }
    },
  };
}

/**
 * Makes them, once, and waits until the kubelets have tried to pull.
 *
 * @returns false when the workloads are removed meanwhile, as by a reset
 */
async function makeSick(cluster: LocalCluster, workloads: readonly FailingWorkload[]): Promise<boolean> {
  const seed = failingDeployments(workloads);
  const [first = { namespace: '', name: '' }] = workloads;
  const uidNow = () => cluster.find('apps/v1', 'Deployment', first.namespace, first.name)?.metadata.uid;
  if (uidNow() === undefined) {
    const conduct = [...seed.conduct, ...conductsNow(cluster.registry)];
    cluster.load([
      ...seed.nodes.map((shape) => readyNode(shape, cluster.clock.now())),
      conductObject(conduct),
    ]);
    for (const { happens } of seed.steps) happens(cluster.registry);
  }
  const uid = uidNow();
  const isPulled = ({ namespace, name }: FailingWorkload): boolean =>
    cluster
      .list('v1', 'Pod', namespace)
      .some(
        (pod) =>
          pod.metadata.labels?.app === name &&
          listAt(pod, 'status', 'containerStatuses').some((status) =>
            /ErrImagePull|ImagePullBackOff/.test(textAt(status, 'state', 'waiting', 'reason') ?? ''),
          ),
      );
  while (!workloads.every(isPulled)) {
    await delay(200);
    if (uidNow() !== uid) return false;
  }
  return true;
}
