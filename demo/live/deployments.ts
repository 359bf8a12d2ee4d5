import type { ApiObject } from '../cluster/api-object.js';
import { numberAt } from '../cluster/json.js';
import type { LocalCluster } from '../cluster/local-cluster.js';
import type { IncidentSeed } from '../cluster/seed/incident-seed.js';

/** The Deployment of an incident, such as `deploy/inference -n ml`. */
export function deploymentOf(
  cluster: Pick<LocalCluster, 'find'>,
  { workload }: Pick<IncidentSeed, 'workload'>,
): ApiObject | undefined {
  const [, name = '', namespace = ''] = /^deploy\/(\S+) -n (\S+)$/.exec(workload) ?? [];
  return cluster.find('apps/v1', 'Deployment', namespace, name);
}

/** Whether all its pods are of the newest revision and ready. */
export function isRolledOut(deployment: ApiObject): boolean {
  const status = (field: string) => numberAt(deployment, 'status', field) ?? 0;
  const replicas = numberAt(deployment, 'spec', 'replicas') ?? 1;
  return (
    status('observedGeneration') === deployment.metadata.generation &&
    ['replicas', 'updatedReplicas', 'readyReplicas'].every((field) => status(field) === replicas)
  );
}
