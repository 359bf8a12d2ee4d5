import type { V1Pod } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { deadlocks, deployment, type Happened, type Incident } from './incident.js';
import { rollOut, update } from './rolling.js';

/** No such scheduler runs here, so the test writes its message. */
async function refuse(cluster: Cluster, prefix: string, message: string): Promise<Happened> {
  const namespace = await cluster.createNamespace(prefix);
  await cluster.createNodes({ name: 'n-a' }, { name: 'n-b' });
  await rollOut(cluster, { namespace, name: 'web' });
  await update(cluster, namespace, 'web', { schedulerName: 'share-scheduler' });
  const blocked = await cluster.until<V1Pod, string>({
    what: 'a pod without a node',
    selection: { kind: 'Pod', namespace },
    check: (pods) => pods.find(({ spec }) => spec?.nodeName === undefined)?.metadata?.name,
  });
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const refused = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' };
  await cluster.patchPodStatus(namespace, blocked, {
    conditions: [{ ...refused, message, lastTransitionTime }],
  });
  return { workload: deployment(namespace, 'web'), holders: [], blocked: [blocked], messages: [message] };
}

const words = '0/2 nodes are available: 2 node(s) rejected by FairShare, team-a is over its share.';

/** Refusals in the words of a plugin. */
export const pluginRefusals: readonly Incident[] = [
  {
    id: 'plugin-refuses-pod',
    title: 'a plugin of another scheduler rejects the new pod with its own message',
    known: { cause: 'scheduler-refusal', never: deadlocks, messages: [words], stuckAfterSeconds: 120 },
    bringAbout: (cluster) => refuse(cluster, 'plugin-refuses-pod', words),
  },
  {
    id: 'healthy-plugin-refused-a-moment-ago',
    title: 'a plugin of another scheduler refused the new pod ten seconds ago',
    known: { cause: undefined, never: deadlocks, messages: [words], stuckAfterSeconds: 10 },
    bringAbout: (cluster) => refuse(cluster, 'healthy-plugin-refused-a-moment-ago', words),
  },
];
