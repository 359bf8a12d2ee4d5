import { deadlocks, deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable, update } from './rolling.js';

interface Case {
  readonly id: string;
  readonly title: string;
  readonly known: Pick<Incident['known'], 'cause' | 'anyOf'>;
  readonly nodeSpec: object;
  readonly message: string;
}

/** The nodes have room; they were closed to new pods after the old ones had started. */
function closed({ id, title, known, nodeSpec, message }: Case): Incident {
  const nodes = ['n-a', 'n-b'];
  const messages = [`2 ${message}`];
  return {
    id,
    title,
    known: { ...known, never: deadlocks, nodes, messages, freedByStrategy: false },
    reproduce: async (cluster) => {
      const namespace = await cluster.createNamespace(id);
      await cluster.createNodes(...nodes.map((name) => ({ name })));
      const before = await rollOut(cluster, { namespace, name: 'web', replicas: 2 });
      for (const name of nodes) await cluster.patch({ kind: 'Node', name }, { spec: nodeSpec });
      await update(cluster, namespace, 'web');
      const stuck = await untilUnschedulable(cluster, namespace, 'web', before, messages);
      return { workload: deployment(namespace, 'web'), holders: [], ...stuck };
    },
  };
}

export const cordonedNodes = closed({
  id: 'cordoned-nodes',
  title: 'every node was cordoned before the rollout',
  known: { cause: 'node-cordoned' },
  nodeSpec: { unschedulable: true },
  message: 'node(s) were unschedulable',
});

export const taintedNodes = closed({
  id: 'tainted-nodes',
  title: 'every node was tainted before the rollout, and the template tolerates nothing',
  known: { cause: 'unsatisfiable-placement' },
  nodeSpec: { taints: [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' }] },
  message: 'node(s) had untolerated taint',
});
