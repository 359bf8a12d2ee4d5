import type { V1Pod, V1StatefulSet } from '@kubernetes/client-node';
import { runStatefulSet } from '../controls/workloads.js';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { deadlocks, type Happened, type Incident } from './incident.js';

/** Three replicas with `updateStrategy: Recreate` get this template; waits until only `db-0` is left of them. */
async function recreate(cluster: Cluster, prefix: string, template: object): Promise<Happened> {
  const namespace = await cluster.createNamespace(prefix);
  await cluster.createNodes({ name: 'n-a' });
  const options = { namespace, name: 'db', spec: { replicas: 3, updateStrategy: { type: 'Recreate' } } };
  const workload = await runStatefulSet(cluster, options);
  const before = await cluster.read<V1StatefulSet>({ kind: 'StatefulSet', namespace, name: 'db' });
  await cluster.patch({ kind: 'StatefulSet', namespace, name: 'db' }, { spec: { template } });
  const blocked = await cluster.until<V1Pod, string>({
    what: 'only db-0 of the new revision to exist',
    selection: { kind: 'Pod', namespace },
    check: ([pod, ...others]) =>
      others.length === 0 &&
      pod?.metadata?.labels?.['controller-revision-hash'] !== before.status?.updateRevision &&
      pod?.status?.conditions?.some(({ type }) => type === 'PodScheduled')
        ? pod?.metadata?.name
        : undefined,
  });
  return { workload, holders: [], blocked: [blocked], messages: [] };
}

const gated = {
  featureGates: { StatefulSetRecreateStrategy: true },
  notOnVersions: ['1.34', '1.35', '1.36'],
} as const;

/** The API server takes the strategy only with a gate that is off by default. */
export const recreatedSets: readonly Incident[] = [
  {
    id: 'recreated-set-that-no-node-takes',
    title: 'with Recreate, all pods are deleted, and no node takes the first new one',
    known: {
      cause: 'unsatisfiable-placement',
      never: [...deadlocks, 'ordered-ready-stuck'],
      messages: [],
      stuckAfterSeconds: 900,
    },
    ...gated,
    reproduce: (cluster) =>
      recreate(cluster, 'recreated-set', { spec: { nodeSelector: { disk: 'nowhere' } } }),
  },
  {
    id: 'healthy-recreated-set',
    title: 'with Recreate, all pods are deleted, and the first new one is starting',
    known: { cause: undefined, never: [...deadlocks, 'ordered-ready-stuck'], messages: [] },
    ...gated,
    reproduce: (cluster) =>
      recreate(cluster, 'healthy-recreated-set', {
        metadata: { annotations: { [kubeletAnnotation.start]: 'not-ready' } },
      }),
  },
];
