import type { V1Pod } from '@kubernetes/client-node';
import { runDaemonSet } from '../controls/workloads.js';
import type { Incident } from './incident.js';
import { untilUnschedulable } from './rolling.js';

const name = 'exporter';
const messages = ["didn't have free ports for the requested pod ports"];

export const daemonSetSurge: Incident = {
  id: 'daemon-set-surge',
  title: 'a DaemonSet that surges beside its own host port',
  known: { cause: 'surge-deadlock', resource: 'hostPort', messages },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('daemon-set-surge');
    await cluster.createNodes({ name: 'n-a' }, { name: 'n-b' });
    const workload = await runDaemonSet(cluster, 2, {
      ...{ namespace, name, container: { ports: [{ containerPort: 9100, hostPort: 9100 }] } },
      spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
    });
    const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
    const before = items.map((pod) => pod.metadata?.name ?? '');
    const containers = [{ name: 'app', image: 'registry.example/app:2' }];
    await cluster.patch(
      { kind: 'DaemonSet', namespace, name },
      { spec: { template: { spec: { containers } } } },
    );
    const stuck = await untilUnschedulable(cluster, namespace, name, before, messages);
    const node = await nodeOfSurgePod(stuck.blocked[0] ?? '');
    const holders = items.filter((pod) => pod.spec?.nodeName === node).map((pod) => pod.metadata?.name ?? '');
    return { workload, holders, ...stuck };

    /** The controller names the node in the pod's affinity, by `metadata.name`. */
    async function nodeOfSurgePod(podName: string): Promise<string | undefined> {
      const pod = await cluster.read<V1Pod>({ kind: 'Pod', namespace, name: podName });
      return pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
        .flatMap((term) => term.matchFields ?? [])
        .find((field) => field.key === 'metadata.name')?.values?.[0];
    }
  },
};
