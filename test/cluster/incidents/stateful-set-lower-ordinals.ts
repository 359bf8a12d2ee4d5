import type { V1Pod, V1StatefulSet } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import type { Happened, Incident } from './incident.js';

const name = 'shards';
const gpus = (amount: string) => ({ 'nvidia.com/gpu': amount });

function manifest(namespace: string): V1StatefulSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { namespace, name },
    spec: {
      replicas: 2,
      serviceName: name,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [{ name: 'app', image: 'registry.example/app:1', resources: { limits: gpus('1') } }],
        },
      },
    },
  };
}

/** One node with as many GPUs as there are replicas; the new revision asks for `wanted` of them. */
async function askForMore(cluster: Cluster, label: string, wanted: string): Promise<Happened> {
  const namespace = await cluster.createNamespace(label);
  await cluster.createNodes({ name: 'gpu-a', allocatable: gpus('2') }, { name: 'cpu-a' });
  await cluster.create(manifest(namespace));
  await cluster.until<V1StatefulSet, true>({
    what: 'two replicas to be available',
    selection: { kind: 'StatefulSet', namespace },
    check: (all) => all.some((one) => one.status?.availableReplicas === 2),
  });
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
  const workload = { cluster: 'test', kind: 'StatefulSet', namespace, name } as const;
  const isDeadlock = wanted === '2';
  return {
    workload,
    holders: isDeadlock ? ['shards-0'] : [],
    blocked: ['shards-1'],
    messages: [message],
  };
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
