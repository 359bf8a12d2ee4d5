import { type DynamoGraphDeployment, nextDynamoRevisions } from '../cluster/dynamo-graph-deployment.js';
import { nextKnativeRevisions } from '../cluster/knative-service.js';
import { keepsRayCluster, nextRayRevisions } from '../cluster/ray-service.js';
import type { RevisionedService, Workload } from '../cluster/workload.js';
import type { Statement } from '../language/statement.js';
import { sameTemplate } from '../rollout/template-equality.js';
import { rayClusterChangeOf } from './ray-cluster-change.js';
import { state } from './text.js';

/** What a name that the API server makes up ends with in a simulation. */
const plannedSuffix = 'planned';

/**
 * The service as it is once its controller has seen the changed spec. A spec that makes no revision leaves
 * those that there are.
 */
export function withPlannedRevisions(
  planned: RevisionedService,
  live: Workload | undefined,
): RevisionedService {
  const next = `${planned.metadata.name}-${plannedSuffix}`;
  if (planned.kind === 'KnativeService') {
    const before = live?.kind === 'KnativeService' ? live : planned;
    const revisions = makesRevision(planned, live)
      ? nextKnativeRevisions(before, planned, next)
      : before.revisions;
    return { ...planned, revisions };
  }
  if (planned.kind === 'DynamoGraphDeployment') {
    const before = live?.kind === 'DynamoGraphDeployment' ? live : planned;
    const revisions = makesRevision(planned, live) ? nextDynamoRevisions(before, next) : before.revisions;
    return { ...planned, revisions };
  }
  const before = live?.kind === 'RayService' ? live : planned;
  const revisions = makesRevision(planned, live) ? nextRayRevisions(before, next) : before.revisions;
  return { ...planned, revisions };
}

/** Whether the changed spec makes a new revision. */
export function makesRevision(planned: RevisionedService, live: Workload | undefined): boolean {
  if (live === undefined) return true;
  if (planned.kind === 'KnativeService') {
    return live.kind !== 'KnativeService' || !sameTemplate(live.spec.template, planned.spec.template);
  }
  if (planned.kind === 'DynamoGraphDeployment') {
    return live.kind !== 'DynamoGraphDeployment' || !sameWorkers(live, planned);
  }
  if (live.kind !== 'RayService') return true;
  return !keepsRayCluster(planned) && rayClusterChangeOf(live, planned).kind === 'new-cluster';
}

/**
 * Replicas and the frontend are not in the hash of the workers (dynamo `hash.go: workerHashInputForSpec`).
 */
function sameWorkers(live: DynamoGraphDeployment, planned: DynamoGraphDeployment): boolean {
  const rest = ({ spec, parts }: DynamoGraphDeployment) =>
    JSON.stringify([spec.backendFramework, spec.env, parts.map(({ name }) => name)]);
  return (
    rest(live) === rest(planned) &&
    planned.parts.every(({ name, template }) =>
      live.parts.some((each) => each.name === name && sameTemplate(each.template, template)),
    )
  );
}

/** A service of which the changed spec makes no new revision, and what becomes of the change. */
export function keepsRevision(
  planned: Workload,
  live: Workload | undefined,
  rolls: boolean,
): Statement | undefined {
  if (planned.kind !== 'RayService' || rolls) return undefined;
  const change = live?.kind === 'RayService' ? rayClusterChangeOf(live, planned) : undefined;
  if (change?.kind === 'numbers') return state('keeps-ray-numbers');
  if (change?.kind === 'added-groups') return state('adds-ray-groups', { groups: change.groups });
  return keepsRayCluster(planned) ? state('keeps-ray-cluster') : undefined;
}

/** What decides whether a revision is made, and is not in the cluster's objects. */
export function revisionDoubts(planned: Workload): readonly Statement[] {
  const isGated =
    planned.kind === 'RayService' &&
    planned.spec.upgradeStrategy?.type === 'NewClusterWithIncrementalUpgrade';
  return isGated ? [state('ray-upgrade-gate')] : [];
}
