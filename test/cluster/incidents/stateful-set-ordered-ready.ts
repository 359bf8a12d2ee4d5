import type { V1Pod, V1StatefulSet } from '@kubernetes/client-node';
import { runStatefulSet } from '../controls/workloads.js';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import type { Incident } from './incident.js';

const name = 'db';

const setStart = (cluster: Cluster, namespace: string, value: string | null): Promise<void> =>
  cluster.patch(
    { kind: 'StatefulSet', namespace, name },
    { spec: { template: { metadata: { annotations: { [kubeletAnnotation.start]: value } } } } },
  );

const revisionOf = (pod: V1Pod): string | undefined => pod.metadata?.labels?.['controller-revision-hash'];

/** The revision was reverted, but OrderedReady waits for the broken pod before it replaces anything. */
export const statefulSetOrderedReady: Incident = {
  id: 'stateful-set-ordered-ready',
  title: 'a reverted StatefulSet waits for a pod of the bad revision to become Ready',
  known: { cause: 'ordered-ready-stuck', messages: [], stuckAfterSeconds: 900 },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('ordered-ready');
    await cluster.createNodes({ name: 'n-a' });
    const workload = await runStatefulSet(cluster, { namespace, name, spec: { replicas: 3 } });
    await setStart(cluster, namespace, 'not-ready');
    const bad = await cluster.until<V1Pod, string>({
      what: 'db-2 to run the bad revision and not be Ready',
      selection: { kind: 'Pod', namespace },
      check: (pods) => {
        const pod = pods.find((one) => one.metadata?.name === 'db-2');
        const ready = pod?.status?.conditions?.find((one) => one.type === 'Ready')?.status;
        return pod?.metadata?.annotations?.[kubeletAnnotation.start] === 'not-ready' && ready === 'False'
          ? revisionOf(pod)
          : undefined;
      },
    });
    await setStart(cluster, namespace, null);
    await cluster.until<V1StatefulSet, true>({
      what: 'the controller to take the reverted template for its update revision',
      selection: { kind: 'StatefulSet', namespace },
      check: ([one]) =>
        (one?.status?.observedGeneration ?? 0) >= (one?.metadata?.generation ?? 1) &&
        one?.status?.updateRevision !== bad,
    });
    const pod = await cluster.read<V1Pod>({ kind: 'Pod', namespace, name: 'db-2' });
    if (revisionOf(pod) !== bad) throw new Error('db-2 was replaced, so nothing is stuck');
    return { workload, holders: [], blocked: ['db-2'], messages: [] };
  },
};
