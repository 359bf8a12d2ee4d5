import type { V1DaemonSet, V1Pod } from '@kubernetes/client-node';
import { change, runDaemonSet } from '../controls/workloads.js';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { deadlocks, type Happened, type Incident } from './incident.js';

const nodes = ['n-a', 'n-b', 'n-c', 'n-d'];
const dead = 'n-d';

/**
 * The kubelet of one node dies, then the template is changed. The kubelets of the other nodes act until the
 * controller rests.
 */
async function updateBesideDeadNode(cluster: Cluster, maxUnavailable: number): Promise<Happened> {
  const namespace = await cluster.createNamespace('daemon-set-budget');
  await cluster.createNodes(...nodes.map((name) => ({ name })));
  const workload = await runDaemonSet(cluster, nodes.length, {
    namespace,
    name: 'agent',
    spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable } } },
  });
  const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
  const lost = items.find(({ spec }) => spec?.nodeName === dead)?.metadata?.name ?? '';
  await cluster.patch(
    { kind: 'Pod', namespace, name: lost },
    { metadata: { annotations: { [kubeletAnnotation.stop]: 'never' } } },
  );
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  await cluster.patchPodStatus(namespace, lost, {
    conditions: [{ type: 'Ready', status: 'False', lastTransitionTime }],
  });
  await change(cluster, workload);
  await cluster.until<V1DaemonSet, true>({
    what: 'the controller to have replaced all that it may',
    selection: { kind: 'DaemonSet', namespace },
    check: ([one]) =>
      (one?.status?.observedGeneration ?? 0) > 1 &&
      (one?.status?.updatedNumberScheduled ?? 0) === (maxUnavailable > 1 ? nodes.length - 1 : 0)
        ? true
        : undefined,
  });
  const blocked = await cluster.until<V1Pod, string>({
    what: 'the deleted pod on the dead node',
    selection: { kind: 'Pod', namespace },
    check: (pods) =>
      pods.find(({ metadata }) => metadata?.name === lost && metadata.deletionTimestamp !== undefined)
        ?.metadata?.name,
  });
  await cluster.controlPlane.stopComponent('kwok');
  await cluster.patchNodeStatus(dead, {
    conditions: [
      {
        type: 'Ready',
        status: 'Unknown',
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped posting node status.',
        lastTransitionTime,
      },
    ],
  });
  return { workload, holders: [blocked], blocked: [], messages: [] };
}

/** They stop the kubelets, so each needs a control plane of its own. */
export const daemonSetBudgets: readonly Incident[] = [
  {
    id: 'daemon-set-budget-on-a-dead-node',
    title: 'the deleted pod on a dead node uses up maxUnavailable, and three healthy pods stay old',
    known: {
      cause: 'daemon-set-budget-used',
      never: deadlocks,
      nodes: [dead],
      messages: [],
      stuckAfterSeconds: 600,
    },
    reproduce: (cluster) => updateBesideDeadNode(cluster, 1),
  },
  {
    id: 'daemon-set-budget-above-the-dead-nodes',
    title: 'with maxUnavailable 2, the pods of all living nodes are replaced beside the dead node',
    known: {
      anyOf: ['stuck-terminating', 'node-not-ready'],
      cause: undefined,
      never: [...deadlocks, 'daemon-set-budget-used'],
      messages: [],
      stuckAfterSeconds: 600,
    },
    reproduce: (cluster) => updateBesideDeadNode(cluster, 2),
  },
];
