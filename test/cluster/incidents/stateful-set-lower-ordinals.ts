import type { V1Pod } from '@kubernetes/client-node';
import { runStatefulSet } from '../controls/workloads.js';
import type { Cluster } from '../harness/cluster.js';
import type { Happened, Incident } from './incident.js';

const name = 'shards';
const gpus = (amount: string) => ({ 'nvidia.com/gpu': amount });

/** One node with as many GPUs as there are replicas; the new revision asks for `wanted` of them. */
async function askForMore(cluster: Cluster, label: string, wanted: string): Promise<Happened> {
  const namespace = await cluster.createNamespace(label);
  await cluster.createNodes({ name: 'gpu-a', allocatable: gpus('2') }, { name: 'cpu-a' });
  const container = { resources: { limits: gpus('1') } };
  const workload = await runStatefulSet(cluster, { namespace, name, container, spec: { replicas: 2 } });
  const limits = {
    containers: [{ name: 'app', resources: { limits: gpus(wanted), requests: gpus(wanted) } }],
  };
  await cluster.patch({ kind: 'StatefulSet', namespace, name }, { spec: { template: { spec: limits } } });
  const message = await cluster.until<V1Pod, string>({
    what: 'shards-1 to be refused by the scheduler',
    selection: { kind: 'Pod', namespace },
    check: (pods) =>
      pods
        .find((pod) => pod.metadata?.name === 'shards-1')
        ?.status?.conditions?.find(
          ({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable',
        )?.message,
  });
  const isDeadlock = wanted === '2';
  return { workload, holders: isDeadlock ? ['shards-0'] : [], blocked: ['shards-1'], messages: [message] };
}

/**
 * With one more GPU the highest ordinal does not fit until a lower one is replaced, and that waits for the
 * highest.
 */
export const statefulSetLowerOrdinals: Incident = {
  id: 'stateful-set-lower-ordinals',
  title: 'pods of lower ordinals hold the GPUs that the updated highest ordinal needs',
  known: {
    cause: 'surge-deadlock',
    resource: 'nvidia.com/gpu',
    nodes: ['gpu-a'],
    messages: ['Insufficient nvidia.com/gpu'],
  },
  reproduce: (cluster) => askForMore(cluster, 'lower-ordinals', '2'),
};

/** The near miss: no node has that many GPUs, even without any other pod. */
export const statefulSetTooLarge: Incident = {
  id: 'stateful-set-too-large',
  title: 'the updated highest ordinal requests more GPUs than any node has',
  known: {
    cause: 'unsatisfiable-placement',
    never: ['surge-deadlock'],
    messages: ['Insufficient nvidia.com/gpu'],
  },
  reproduce: (cluster) => askForMore(cluster, 'too-large', '4'),
};
