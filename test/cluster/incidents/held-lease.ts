import type { KubernetesObject, V1Pod } from '@kubernetes/client-node';
import { recordEvents } from '../controls/kubelet-acts.js';
import type { Cluster } from '../harness/cluster.js';

const leaseName = 'leader';

/** Seconds between the recording and the diagnosis: longer than any new pod may take to become ready. */
export const diagnoseAfterSeconds = 900;

/** A Lease, renewed five seconds before the diagnosis. */
export async function createLease(cluster: Cluster, namespace: string, holder: string): Promise<void> {
  const time = Date.now() + (diagnoseAfterSeconds - 5) * 1000;
  await cluster.create({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace, name: leaseName },
    spec: {
      holderIdentity: `${holder}_7f3c`,
      leaseDurationSeconds: 15,
      renewTime: new Date(time).toISOString().replace('Z', '000Z'),
    },
  } as KubernetesObject);
}

/** The readiness probe of a new pod answers that it waits for the Lease. */
export async function waitForLease(
  cluster: Cluster,
  namespace: string,
  app: string,
  before: readonly string[],
): Promise<void> {
  const pod = await untilNewPod(cluster, namespace, app, before, 'Running');
  await recordEvents(cluster, pod, {
    type: 'Warning',
    reason: 'Unhealthy',
    message: `Readiness probe failed: not ready: waiting for leader lease ${namespace}/${leaseName}`,
    count: 80,
  });
}

/** A pod of the app that is not among `before`, once it has a node and containers. */
export function untilNewPod(
  cluster: Cluster,
  namespace: string,
  app: string,
  before: readonly string[],
  phase: 'Running' | 'Pending',
): Promise<V1Pod> {
  return cluster.until<V1Pod, V1Pod>({
    what: `a new pod of ${namespace}/${app} to be ${phase}`,
    selection: { kind: 'Pod', namespace, labels: { app } },
    check: (pods) =>
      pods.find(
        ({ metadata, status }) =>
          !before.includes(metadata?.name ?? '') &&
          status?.phase === phase &&
          status.containerStatuses !== undefined,
      ),
  });
}
