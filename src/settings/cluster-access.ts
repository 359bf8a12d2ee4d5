import { isClusterQueue } from '../service/clusters/cluster-of-job.js';
import { type SettingProblem, settingProblem } from '../service/inspect/setting-problem.js';
import { variables } from './config-variables.js';

/**
 * How a process reaches clusters. `direct`: with its own kubeconfig, and it serves all its clusters.
 * `beside-app`: not at all; each cluster has workers of its own. `own-cluster`: a worker of one cluster.
 */
export type ClusterAccess =
  | { readonly type: 'direct' }
  | { readonly type: 'beside-app' }
  | { readonly type: 'own-cluster'; readonly cluster: string };

interface AccessVariables {
  readonly clusterAccess?: 'direct' | 'workers' | undefined;
  readonly clusterName?: string | undefined;
}

export function clusterAccessOf({ clusterAccess, clusterName }: AccessVariables): ClusterAccess {
  if (clusterName !== undefined) return { type: 'own-cluster', cluster: clusterName };
  return { type: clusterAccess === 'workers' ? 'beside-app' : 'direct' };
}

type Group = (typeof variables)['workers']['schema']['_output'][number];

/**
 * The groups of queues that a process serves: a cluster's worker leaves what needs no cluster to the workers
 * beside the app, and they leave it the rest.
 */
export function servedGroups(
  access: ClusterAccess,
  workers: readonly Group[],
): { readonly groups: readonly Group[] } | { readonly problem: SettingProblem } {
  const { type } = access;
  const groups =
    type === 'direct' ? workers : workers.filter((each) => isClusterQueue(each) === (type === 'own-cluster'));
  if (groups.length > 0) return { groups };
  const { name } = variables.workers;
  const served = type === 'own-cluster' ? '`diagnosis,remediation,verification`' : '`alert,delivery`';
  const expected =
    type === 'own-cluster'
      ? { en: `some of ${served} with CLUSTER_NAME`, ko: `CLUSTER_NAME과 함께 ${served} 중 하나 이상` }
      : { en: `some of ${served} with CLUSTER_ACCESS`, ko: `CLUSTER_ACCESS와 함께 ${served} 중 하나 이상` };
  return { problem: settingProblem(name, 'wrong', { expected, found: workers.join(',') }) };
}
