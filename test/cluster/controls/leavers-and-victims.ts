import type { V1PriorityClass } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import type { NodeOptions } from '../harness/node-manifest.js';
import { rollOut, untilRolledOut, untilUnschedulable } from '../incidents/rolling.js';
import { claimManifest, volumeManifest } from '../incidents/storage-manifests.js';
import type { Control } from './control.js';
import { control, web } from './neighbourhood.js';
import { change, isStopping, slowly, untilPods } from './workloads.js';

const gpu = { requests: { 'nvidia.com/gpu': '1' } };
const priority = (name: string, value: number): V1PriorityClass => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  value,
});

const oldFirst = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };

/** The new pod waits for a resource of an old pod that is already stopping. */
const waitsForALeaver = (
  id: string,
  title: string,
  node: NodeOptions,
  options: Partial<Parameters<typeof rollOut>[1]>,
  message: string,
  first?: (cluster: Cluster, namespace: string) => Promise<void>,
): Control =>
  control({ id, title, resembles: 'surge-deadlock' }, [node], async (cluster, namespace) => {
    await first?.(cluster, namespace);
    const { pod, ...rest } = options;
    const before = await rollOut(cluster, {
      namespace,
      name: 'web',
      ...rest,
      strategy: oldFirst,
      annotations: slowly.stopping,
      pod: { ...pod, terminationGracePeriodSeconds: 120 },
    });
    await change(cluster, web(namespace));
    await untilPods(cluster, web(namespace), 'stopping', 1, isStopping);
    await untilUnschedulable(cluster, namespace, 'web', before, [message]);
  });

async function preempt(cluster: Cluster, namespace: string, stopping = false): Promise<void> {
  await cluster.create(priority('high', 1_000));
  await rollOut(cluster, {
    namespace,
    name: 'batch',
    requests: { cpu: '3' },
    annotations: stopping ? slowly.stopping : {},
    pod: {
      terminationGracePeriodSeconds: 120,
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 100,
              preference: { matchExpressions: [{ key: 'pool', operator: 'In', values: ['data'] }] },
            },
          ],
        },
      },
    },
  });
  const options = {
    namespace,
    name: 'web',
    requests: { cpu: '3' },
    pod: { nodeSelector: { pool: 'data' }, priorityClassName: 'high' },
  };
  if (stopping) {
    await rollOut(cluster, { ...options, replicas: 0 });
    await cluster.patch({ kind: 'Deployment', namespace, name: 'web' }, { spec: { replicas: 1 } });
    await untilPods(
      cluster,
      web(namespace),
      'nominated',
      1,
      (pod) => pod.status?.nominatedNodeName !== undefined,
    );
    return;
  }
  await rollOut(cluster, options);
  await untilRolledOut(cluster, namespace, 'batch');
}

const two = [
  { name: 'n-a', labels: { pool: 'data' }, allocatable: { cpu: '4' } },
  { name: 'n-b', allocatable: { cpu: '4' } },
];

/** Pods that wait for others to go, and the others are going. */
export const leaversAndVictims: readonly Control[] = [
  waitsForALeaver(
    'gpu-of-a-leaver',
    'the new pod waits for the GPU of an old one that has two minutes to stop',
    { name: 'gpu-a', allocatable: { 'nvidia.com/gpu': '1' } },
    gpu,
    'Insufficient nvidia.com/gpu',
  ),
  waitsForALeaver(
    'port-of-a-leaver',
    'the new pod waits for the host port of an old one that has two minutes to stop',
    { name: 'edge-a' },
    { container: { ports: [{ containerPort: 8443, hostPort: 443 }] } },
    "didn't have free ports",
  ),
  waitsForALeaver(
    'claim-of-a-leaver',
    'the new pod waits for a ReadWriteOncePod claim whose pod has two minutes to stop',
    { name: 'n-a' },
    { pod: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'ledger' } }] } },
    'ReadWriteOncePod',
    async (cluster, namespace) => {
      const accessMode = 'ReadWriteOncePod';
      await cluster.create(volumeManifest({ name: 'pv-leaver', accessMode }));
      await cluster.create(claimManifest({ namespace, name: 'ledger', accessMode, volumeName: 'pv-leaver' }));
    },
  ),
  control(
    {
      id: 'preempted-and-placed-elsewhere',
      title: 'a pod was preempted by a more important one; its successor runs on the other node',
      resembles: 'preempted',
      name: 'batch',
    },
    two,
    preempt,
  ),
  control(
    {
      id: 'preempted-another-and-runs',
      title: 'the pod found its node full, preempted another, and runs',
      resembles: 'capacity-contention',
    },
    two,
    async (cluster, namespace) => {
      await preempt(cluster, namespace);
    },
  ),
  control(
    {
      id: 'victim-has-two-minutes',
      title: 'the pod has a nominated node, whose victim has two minutes to stop',
      resembles: 'capacity-contention',
    },
    two,
    async (cluster, namespace) => {
      await preempt(cluster, namespace, true);
    },
  ),
];
