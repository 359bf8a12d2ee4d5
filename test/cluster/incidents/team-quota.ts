import type { V1Deployment, V1ResourceQuota } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { deploymentManifest } from './deployment-manifest.js';
import { untilRolledOut } from './rolling.js';

const quotaName = 'team';

/** A quota of the namespace, once the API server counts it. */
export async function createQuota(
  cluster: Cluster,
  namespace: string,
  hard: Readonly<Record<string, string>>,
): Promise<void> {
  const quota: V1ResourceQuota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { namespace, name: quotaName },
    spec: { hard: { ...hard } },
  };
  await cluster.create(quota);
  await untilQuota(cluster, namespace, 'counted', ({ status }) => status?.used !== undefined);
}

/** Another limit, once it is in force. */
export async function setQuota(
  cluster: Cluster,
  namespace: string,
  hard: Readonly<Record<string, string>>,
): Promise<void> {
  await cluster.patch({ kind: 'ResourceQuota', namespace, name: quotaName }, { spec: { hard } });
  const wanted = Object.entries(hard);
  await untilQuota(cluster, namespace, 'in force', ({ status }) =>
    wanted.every(([resource, amount]) => status?.hard?.[resource] === amount),
  );
}

/** Another workload of the namespace with this CPU. */
export async function takeQuota(cluster: Cluster, namespace: string, cpu: string): Promise<V1Deployment> {
  await cluster.create(deploymentManifest({ namespace, name: 'notebook', requests: { cpu } }));
  return untilRolledOut(cluster, namespace, 'notebook');
}

async function untilQuota(
  cluster: Cluster,
  namespace: string,
  what: string,
  check: (quota: V1ResourceQuota) => boolean,
): Promise<void> {
  await cluster.until<V1ResourceQuota, true>({
    what: `the quota of ${namespace} to be ${what}`,
    selection: { kind: 'ResourceQuota', namespace },
    check: (all) => all.some(check),
  });
}
