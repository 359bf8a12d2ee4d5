import type {
  KubernetesObject,
  V1DaemonSet,
  V1Deployment,
  V1Pod,
  V1Service,
  V1StatefulSet,
} from '@kubernetes/client-node';
import type { WorkloadKind, WorkloadRef } from '#src/engine/objects/workload.js';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { deploymentManifest } from './deployment-manifest.js';
import { deviceClaimTemplate, deviceClass, deviceSlice, withOneDevice } from './device-manifests.js';
import { claimManifest, volumeManifest } from './storage-manifests.js';

/** What a crashed container writes for a diagnosis to read the Service `store`. */
const unreachable = 'dial tcp: connect to store:5432: connection refused';

/** What it writes beside, for a diagnosis to read who leads where older clients record it. */
export const electing = (namespace: string): string =>
  `${unreachable}\nattempting to acquire leader lease ${namespace}/elected`;

/** A Service without pods. */
export const storeIn = (namespace: string): V1Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace, name: 'store' },
  spec: { selector: { app: 'store' }, ports: [{ port: 5432 }] },
});

const accessMode = 'ReadWriteOnce';
const containers = [{ name: 'app', image: 'registry.example/app:1' }];

function controlled(
  kind: 'StatefulSet' | 'DaemonSet',
  namespace: string,
  name: string,
  own: Partial<V1StatefulSet['spec']> = {},
): KubernetesObject {
  const labels = { app: name };
  const annotations = { [kubeletAnnotation.start]: 'not-ready' };
  const spec: Partial<V1StatefulSet['spec'] & V1DaemonSet['spec']> = {
    selector: { matchLabels: labels },
    template: { metadata: { labels, annotations }, spec: { containers } },
    ...own,
  };
  return Object.assign({ apiVersion: 'apps/v1', kind, metadata: { namespace, name } }, { spec });
}

/**
 * Workloads that together make a diagnosis read all that it can read: one on a bound claim whose container
 * crashed because it did not reach a Service, one on a claim that no volume has yet, one with a device, a
 * StatefulSet and a DaemonSet whose containers run and are not ready, and a StatefulSet with a ready pod and one
 * that crashed while it waited to lead.
 */
export async function everyReading(cluster: Cluster, namespace: string): Promise<readonly WorkloadRef[]> {
  // The label of a node shows that Karpenter is there, so its NodePools are read.
  await cluster.createNodes({ name: 'n-a', labels: { 'karpenter.sh/nodepool': 'general' } });
  const volumeName = `pv-${namespace}`;
  await cluster.create(volumeManifest({ name: volumeName, accessMode }));
  await cluster.create(claimManifest({ namespace, name: 'bound', accessMode, volumeName }));
  await cluster.create(
    claimManifest({ namespace, name: 'unbound', accessMode, storageClassName: 'no-such-class' }),
  );
  for (const claimName of ['bound', 'unbound']) {
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName } }];
    await cluster.create<V1Deployment>(deploymentManifest({ namespace, name: claimName, pod: { volumes } }));
  }
  await cluster.create(deviceClass);
  await cluster.create(deviceSlice);
  await cluster.create(deviceClaimTemplate(namespace));
  const { container, pod } = withOneDevice;
  await cluster.create(deploymentManifest({ namespace, name: 'device', container, pod }));
  await cluster.create(controlled('StatefulSet', namespace, 'ordered'));
  await cluster.create(controlled('DaemonSet', namespace, 'everywhere'));
  const elects = {
    replicas: 2,
    podManagementPolicy: 'Parallel',
    template: { metadata: { labels: { app: 'elects' } }, spec: { containers } },
  };
  await cluster.create(controlled('StatefulSet', namespace, 'elects', elects));
  await cluster.create(storeIn(namespace));
  cluster.controlPlane.writePodLogs({ current: '', previous: electing(namespace) });
  const crash = { nodes: ['n-a'], exitCode: 1, restarts: 2 };
  await cluster.controlPlane.setCrashLoops([
    { ...crash, matchLabels: { app: 'bound' } },
    { ...crash, matchLabels: { 'statefulset.kubernetes.io/pod-name': 'elects-1' } },
  ]);
  await cluster.until<V1Pod, true>({
    what: 'pods of each, two of them crashed, and one of the StatefulSet ready',
    selection: { kind: 'Pod', namespace },
    check: (pods) => {
      const apps = new Set(pods.map(({ metadata }) => metadata?.labels?.app));
      const crashed = pods.filter(({ status }) => {
        const [first] = status?.containerStatuses ?? [];
        return (first?.restartCount ?? 0) > 1 && first?.state?.waiting !== undefined;
      });
      const leads = pods.some(
        ({ metadata, status }) =>
          metadata?.name === 'elects-0' && status?.containerStatuses?.[0]?.ready === true,
      );
      return apps.size === 6 && crashed.length === 2 && leads;
    },
  });
  const ref = (kind: WorkloadKind, name: string): WorkloadRef => ({ cluster: 'test', kind, namespace, name });
  return [
    ref('Deployment', 'bound'),
    ref('Deployment', 'unbound'),
    ref('Deployment', 'device'),
    ref('StatefulSet', 'ordered'),
    ref('DaemonSet', 'everywhere'),
    ref('StatefulSet', 'elects'),
  ];
}
