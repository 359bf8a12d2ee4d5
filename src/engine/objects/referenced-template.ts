import type { Rollout } from './argo-rollout.js';
import type { ClusterObjects } from './cluster-objects.js';
import type { Deployment } from './workload.js';

/**
 * Name of the Deployment in its namespace that holds the template of a Rollout; `undefined` where it has its
 * own.
 */
export function referencedDeployment({ spec }: Rollout): string | undefined {
  const { workloadRef } = spec;
  return workloadRef?.kind === 'Deployment' ? workloadRef.name : undefined;
}

/**
 * The Rollout with the template and the selector of the Deployment that it refers to, as its controller reads
 * it (argo-rollouts `rollout/templateref.go: Resolve`). The Deployment has no pods of its own any more.
 */
export function withReferencedTemplate(rollout: Rollout, deployments: readonly Deployment[]): Rollout {
  const name = referencedDeployment(rollout);
  const deployment = deployments.find(
    ({ metadata }) => metadata.name === name && metadata.namespace === rollout.metadata.namespace,
  );
  if (deployment === undefined) return rollout;
  const { template, selector } = deployment.spec;
  return { ...rollout, spec: { ...rollout.spec, template, selector } };
}

/** The same for all Rollouts among the objects. */
export function withReferencedTemplates(objects: ClusterObjects): ClusterObjects {
  if (objects.Rollout.length === 0) return objects;
  const { Deployment } = objects;
  return {
    ...objects,
    Rollout: objects.Rollout.map((rollout) => withReferencedTemplate(rollout, Deployment)),
  };
}
