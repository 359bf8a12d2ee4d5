import { type DynamoGraphDeployment, nextDynamoRevisions } from '../cluster/dynamo-graph-deployment.js';
import { nextKnativeRevisions } from '../cluster/knative-service.js';
import { keepsRayCluster, nextRayRevisions } from '../cluster/ray-service.js';
import type { RevisionedService, Workload } from '../cluster/workload.js';
import type { Statement } from '../language/statement.js';
import { sameTemplate } from '../rollout/template-equality.js';
import { state } from './text.js';

/** What a name that the API server makes up ends with in a simulation. */
const plannedSuffix = 'planned';

/**
 * The service as it is once its controller has seen the changed spec. A spec that makes no revision leaves those that
 * there are.
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

/** Whether the changed spec makes a new revision. Numbers of workers change a RayCluster in place. */
export function makesRevision(planned: RevisionedService, live: Workload | undefined): boolean {
  if (live === undefined) return true;
  if (planned.kind === 'KnativeService') {
    return live.kind !== 'KnativeService' || !sameTemplate(live.spec.template, planned.spec.template);
  }
  if (planned.kind === 'DynamoGraphDeployment') {
    return live.kind !== 'DynamoGraphDeployment' || !sameWorkers(live, planned);
  }
  if (live.kind !== 'RayService') return true;
  return !keepsRayCluster(planned) && configText(live) !== configText(planned);
}

/** Replicas and the frontend are not in the hash of the workers (dynamo `hash.go: workerHashInputForSpec`). */
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

/** kuberay `rayservice_controller.go: generateHashWithoutReplicasAndWorkersToDelete`. */
function configText({
  spec: { rayClusterConfig },
}: Extract<RevisionedService, { kind: 'RayService' }>): string {
  const { workerGroupSpecs, ...rest } = rayClusterConfig;
  return JSON.stringify({
    ...rest,
    groups: workerGroupSpecs.map(({ replicas: _, minReplicas: __, ...group }) => group),
  });
}

/** A service of which the changed spec makes no new revision. */
export function keepsRevision(planned: Workload, rolls: boolean): Statement | undefined {
  if (planned.kind !== 'RayService' || rolls || !keepsRayCluster(planned)) return undefined;
  return state('keeps-ray-cluster');
}
