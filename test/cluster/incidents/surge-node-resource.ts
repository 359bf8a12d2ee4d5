import { deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable, update } from './rolling.js';

interface Case {
  readonly resource: 'cpu' | 'memory' | 'ephemeral-storage' | 'pods';
  readonly title: string;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly requests: Readonly<Record<string, string>>;
  readonly message: string;
}

/** The workload may run on one labelled node only, and that node has room for one of its pods. */
function surgeOn({ resource, title, allocatable, requests, message }: Case): Incident {
  const messages = [`1 ${message}`, "1 node(s) didn't match Pod's node affinity/selector"];
  return {
    id: `surge-${resource}`,
    title,
    known: { cause: 'surge-deadlock', resource, nodes: ['pool-a'], messages, freedByStrategy: true },
    reproduce: async (cluster) => {
      const namespace = await cluster.createNamespace(`surge-${resource}`);
      await cluster.createNodes(
        { name: 'pool-a', labels: { pool: 'data' }, allocatable },
        { name: 'other-a' },
      );
      const pod = { nodeSelector: { pool: 'data' } };
      const holders = await rollOut(cluster, { namespace, name: 'cache', requests, pod });
      await update(cluster, namespace, 'cache');
      const stuck = await untilUnschedulable(cluster, namespace, 'cache', holders, messages);
      return { workload: deployment(namespace, 'cache'), holders, ...stuck };
    },
  };
}

export const surgeCpu = surgeOn({
  resource: 'cpu',
  title: 'two pods of 2500m do not fit on the four cores of the only node in the pool',
  allocatable: { cpu: '4' },
  requests: { cpu: '2500m' },
  message: 'Insufficient cpu',
});

export const surgeMemory = surgeOn({
  resource: 'memory',
  title: 'two pods of 5Gi do not fit in the 8Gi of the only node in the pool',
  allocatable: { memory: '8Gi' },
  requests: { memory: '5Gi' },
  message: 'Insufficient memory',
});

export const surgeEphemeralStorage = surgeOn({
  resource: 'ephemeral-storage',
  title: 'two pods of 60Gi scratch space do not fit on the 100Gi disk of the only node in the pool',
  allocatable: { 'ephemeral-storage': '100Gi' },
  requests: { 'ephemeral-storage': '60Gi' },
  message: 'Insufficient ephemeral-storage',
});

export const surgePods = surgeOn({
  resource: 'pods',
  title: 'the only node in the pool has one pod slot, and the old pod has it',
  allocatable: { pods: '1' },
  requests: {},
  message: 'Too many pods',
});
