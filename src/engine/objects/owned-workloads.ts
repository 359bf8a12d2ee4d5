import { type ClusterObjects, workloadsIn } from './cluster-objects.js';
import { dynamoGraphOf } from './dynamo-graph-deployment.js';
import { knativeServiceOf } from './knative-service.js';
import { leaderWorkerSetOf } from './leader-worker-set.js';
import { controllerOf, type ObjectMeta } from './metadata.js';
import { hasDeploymentStrategy, hasOrdinals, type Workload } from './workload.js';

/**
 * The workloads that people own. StatefulSets of a LeaderWorkerSet, and Deployments of a Knative Service or
 * of the workers of a DynamoGraphDeployment, are parts of it; where it could not be read, they stay workloads
 * of their own.
 */
export function ownedWorkloads(objects: ClusterObjects): readonly Workload[] {
  const groups = keysOf(objects.LeaderWorkerSet);
  const services = keysOf(objects.KnativeService);
  const graphs = keysOf(objects.DynamoGraphDeployment);
  return workloadsIn(objects).filter((workload) => {
    const { metadata } = workload;
    if (hasOrdinals(workload)) return !isIn(groups, metadata, leaderWorkerSetOf(workload));
    if (!hasDeploymentStrategy(workload)) return true;
    const isOfService = isIn(services, metadata, serviceOfDeployment(metadata));
    return !isOfService && !isIn(graphs, metadata, dynamoGraphOf(workload));
  });
}

/** Anybody may set a label, so the Deployment counts only where it belongs to a Revision. */
function serviceOfDeployment(metadata: ObjectMeta): string | undefined {
  return controllerOf({ metadata })?.kind === 'Revision' ? knativeServiceOf({ metadata }) : undefined;
}

type Named = { readonly metadata: Pick<ObjectMeta, 'namespace' | 'name'> };

function keysOf(objects: readonly Named[]): ReadonlySet<string> {
  return new Set(objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
}

function isIn(keys: ReadonlySet<string>, { namespace }: ObjectMeta, name: string | undefined): boolean {
  return name !== undefined && keys.has(`${namespace}/${name}`);
}
