import type { V1Pod, V1PodSpec } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { deadlocks, deployment, type Happened, type Incident } from './incident.js';
import { rollOut, update } from './rolling.js';

const pinned = 'n-b';

/** The new template names a node that was removed or cordoned before. */
async function pin(
  cluster: Cluster,
  prefix: string,
  pod: Partial<V1PodSpec>,
  change: 'remove' | 'cordon',
): Promise<Happened> {
  const namespace = await cluster.createNamespace(prefix);
  await cluster.createNodes({ name: 'n-a' }, { name: pinned, unschedulable: change === 'cordon' });
  await rollOut(cluster, { namespace, name: 'web', pod: { nodeSelector: { 'kubernetes.io/os': 'linux' } } });
  if (change === 'remove') await cluster.remove({ kind: 'Node', name: pinned });
  const before = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
  await update(cluster, namespace, 'web', pod);
  const blocked = await cluster.until<V1Pod, string>({
    what: 'a pod that cannot start',
    selection: { kind: 'Pod', namespace },
    check: (pods) =>
      pods.find(
        ({ metadata, spec, status }) =>
          !before.items.some((one) => one.metadata?.name === metadata?.name) &&
          (spec?.nodeName !== undefined ||
            status?.conditions?.some(({ type, status: is }) => type === 'PodScheduled' && is === 'False')),
      )?.metadata?.name,
  });
  return { workload: deployment(namespace, 'web'), holders: [], blocked: [blocked], messages: [] };
}

const byHostname = { nodeSelector: { 'kubernetes.io/hostname': pinned } };
const byName = {
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [pinned] }] }],
      },
    },
  },
};
const known = { cause: 'unsatisfiable-placement', never: deadlocks, messages: [] } as const;

/** Pods that name one node. */
export const removedNodes: readonly Incident[] = [
  {
    id: 'hostname-of-removed-node',
    title: 'the new revision selects the hostname of a node that was removed',
    known,
    reproduce: (cluster) => pin(cluster, 'hostname-of-removed-node', byHostname, 'remove'),
  },
  {
    id: 'affinity-for-removed-node',
    title: 'the node affinity of the new revision names a node that was removed',
    known,
    reproduce: (cluster) => pin(cluster, 'affinity-for-removed-node', byName, 'remove'),
  },
  {
    id: 'node-name-of-removed-node',
    title: 'the new revision sets spec.nodeName to a node that was removed',
    known: { ...known, stuckAfterSeconds: 30 },
    reproduce: (cluster) => pin(cluster, 'node-name-of-removed-node', { nodeName: pinned }, 'remove'),
  },
  {
    id: 'hostname-of-cordoned-node',
    title: 'the new revision selects the hostname of a node that is cordoned',
    known: { ...known, cause: 'node-cordoned' },
    reproduce: (cluster) => pin(cluster, 'hostname-of-cordoned-node', byHostname, 'cordon'),
  },
];
