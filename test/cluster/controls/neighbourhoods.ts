import { CoreV1Api, type V1Job, type V1Lease, type V1PodDisruptionBudget } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { rollOut, untilRolledOut, untilUnschedulable } from '../incidents/rolling.js';
import type { Control } from './control.js';
import { control, web } from './neighbourhood.js';
import { beginRollout, change, completeRollout, isReady, ref, untilPods } from './workloads.js';

const gpu = { requests: { 'nvidia.com/gpu': '1' } };
const budget = (namespace: string): V1PodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { namespace, name: 'web' },
  spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
});

const job = (namespace: string, name: string): V1Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { namespace, name },
  spec: {
    template: {
      metadata: { labels: { app: name } },
      spec: {
        restartPolicy: 'Never',
        containers: [{ name: 'app', image: 'registry.example/batch:1' }],
      },
    },
  },
});

/** What `kubectl drain` does: close the node, then ask each pod to leave. */
async function drain(cluster: Cluster, node: string, namespace: string): Promise<void> {
  await cluster.patch({ kind: 'Node', name: node }, { spec: { unschedulable: true } });
  const core = cluster.config.makeApiClient(CoreV1Api);
  const { items } = await core.listNamespacedPod({ namespace, fieldSelector: `spec.nodeName=${node}` });
  for (const { metadata } of items) {
    const name = metadata?.name ?? '';
    await core.createNamespacedPodEviction({ namespace, name, body: { metadata: { namespace, name } } });
    await untilRolledOut(cluster, namespace, 'web');
  }
}

/** Healthy workloads beside other workloads, and on nodes with past problems. */
export const neighbourhoods: readonly Control[] = [
  control(
    {
      id: 'drained-and-replaced',
      title: 'a node was drained under a disruption budget; all replicas run on the other one',
      resembles: 'node-cordoned',
    },
    [{ name: 'n-a' }, { name: 'n-b' }],
    async (cluster, namespace) => {
      await rollOut(cluster, { namespace, name: 'web', replicas: 3 });
      await cluster.create(budget(namespace));
      await cluster.until<V1PodDisruptionBudget, true>({
        what: 'the budget to allow a disruption',
        selection: { kind: 'PodDisruptionBudget', namespace },
        check: ([one]) => (one?.status?.disruptionsAllowed ?? 0) > 0,
      });
      await drain(cluster, 'n-a', namespace);
    },
  ),
  control(
    {
      id: 'budget-allows-no-disruption',
      title: 'a disruption budget allows no eviction while a rollout is under way; a rollout does not use it',
      resembles: 'stuck-terminating',
    },
    [{ name: 'n-a' }],
    async (cluster, namespace) => {
      await rollOut(cluster, { namespace, name: 'web' });
      await cluster.create(budget(namespace));
      await beginRollout(cluster, web(namespace));
    },
  ),
  control(
    {
      id: 'finished-jobs-beside',
      title: 'Jobs have finished beside the workload; their pods are not Ready and never will be',
      resembles: 'process-exits-zero',
    },
    [{ name: 'n-a' }],
    async (cluster, namespace) => {
      await rollOut(cluster, { namespace, name: 'web', replicas: 2 });
      for (const name of ['migrate-1', 'migrate-2']) {
        await cluster.create(job(namespace, name));
        const pods = ref('Deployment', { namespace, name });
        await untilPods(cluster, pods, 'finished', 1, (pod) => pod.status?.phase === 'Succeeded');
      }
    },
  ),
  control(
    {
      id: 'neighbour-fails',
      title: 'the neighbour in the namespace waits for a GPU that no node has, and this workload is healthy',
      resembles: 'insufficient-capacity',
    },
    [{ name: 'n-a' }],
    async (cluster, namespace) => {
      await rollOut(cluster, { namespace, name: 'web', replicas: 2 });
      await rollOut(cluster, { namespace, name: 'model', replicas: 0, ...gpu });
      await cluster.patch({ kind: 'Deployment', namespace, name: 'model' }, { spec: { replicas: 1 } });
      await untilUnschedulable(cluster, namespace, 'model', [], ['Insufficient nvidia.com/gpu']);
    },
  ),
  control(
    {
      id: 'two-share-the-gpus',
      title: 'two workloads have one GPU each, and a third GPU lets either of them roll out',
      resembles: 'capacity-contention',
    },
    [{ name: 'gpu-a', allocatable: { 'nvidia.com/gpu': '3' } }],
    async (cluster, namespace) => {
      await rollOut(cluster, { namespace, name: 'trainer', ...gpu });
      await rollOut(cluster, { namespace, name: 'web', ...gpu });
      await completeRollout(cluster, web(namespace));
    },
  ),
  control(
    {
      id: 'two-rollouts-at-once',
      title: 'two workloads roll out at once, and the surge pods of both have found a node',
      resembles: 'capacity-contention',
    },
    [
      { name: 'n-a', allocatable: { cpu: '4' } },
      { name: 'n-b', allocatable: { cpu: '4' } },
    ],
    async (cluster, namespace) => {
      for (const name of ['api', 'web']) await rollOut(cluster, { namespace, name, requests: { cpu: '2' } });
      for (const name of ['api', 'web']) {
        const workload = ref('Deployment', { namespace, name });
        await beginRollout(cluster, workload);
      }
    },
  ),
  control(
    {
      id: 'node-came-in-time',
      title: 'no node had room for the surge pod, a new node joined, and the rollout completed',
      resembles: 'waiting-for-autoscaler',
    },
    [{ name: 'n-a', allocatable: { cpu: '1' } }],
    async (cluster, namespace) => {
      const before = await rollOut(cluster, { namespace, name: 'web', requests: { cpu: '700m' } });
      await change(cluster, web(namespace));
      await untilUnschedulable(cluster, namespace, 'web', before, ['Insufficient cpu']);
      await cluster.createNodes({ name: 'n-b', allocatable: { cpu: '1' } });
      await untilRolledOut(cluster, namespace, 'web');
    },
  ),
  control(
    {
      id: 'pod-security-only-warns',
      title: 'Pod Security "restricted" only warns and audits here, and the pods are created',
      resembles: 'admission-denied',
    },
    [{ name: 'n-a' }],
    async (cluster, namespace) => {
      const labels = {
        'pod-security.kubernetes.io/warn': 'restricted',
        'pod-security.kubernetes.io/audit': 'restricted',
      };
      await cluster.patch({ kind: 'Namespace', name: namespace }, { metadata: { labels } });
      await rollOut(cluster, { namespace, name: 'web' });
      await completeRollout(cluster, web(namespace));
    },
  ),
  control(
    {
      id: 'leader-has-changed',
      title: 'one of two replicas holds the lease, the other is Ready without it',
      resembles: 'readiness-deadlock',
    },
    [{ name: 'n-a' }, { name: 'n-b' }],
    async (cluster, namespace) => {
      await rollOut(cluster, { namespace, name: 'web', replicas: 2 });
      await completeRollout(cluster, web(namespace));
      const [leader] = await untilPods(cluster, web(namespace), 'Ready', 2, isReady);
      const lease: V1Lease = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { namespace, name: 'web-leader' },
        spec: {
          holderIdentity: leader?.metadata?.name ?? '',
          leaseDurationSeconds: 15,
          leaseTransitions: 1,
        },
      };
      await cluster.create(lease);
    },
  ),
];
