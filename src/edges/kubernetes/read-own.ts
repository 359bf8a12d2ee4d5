import { selectorQuery } from '../../engine/objects/label-selector.js';
import { controllerOf } from '../../engine/objects/metadata.js';
import type { Pod } from '../../engine/objects/pod.js';
import { isRevisioned, type Workload } from '../../engine/objects/workload.js';
import type { Needs } from '../../service/diagnose/cluster-reader.js';
import type { Gathering } from './gathering.js';

/** Keeps a workload among the objects of its kind. */
export function keepWorkload(gathering: Gathering, workload: Workload): void {
  if (workload.kind === 'Deployment') gathering.keep('Deployment', [workload]);
  else if (workload.kind === 'StatefulSet') gathering.keep('StatefulSet', [workload]);
  else if (workload.kind === 'DaemonSet') gathering.keep('DaemonSet', [workload]);
  else if (workload.kind === 'Rollout') gathering.keep('Rollout', [workload]);
  else if (workload.kind === 'LeaderWorkerSet') gathering.keep('LeaderWorkerSet', [workload]);
  else if (workload.kind === 'KnativeService') gathering.keep('KnativeService', [workload]);
  else if (workload.kind === 'RayService') gathering.keep('RayService', [workload]);
  else gathering.keep('DynamoGraphDeployment', [workload]);
}

/** The pods, ReplicaSets or revisions of the workload. */
export async function readOwn(
  gathering: Gathering,
  workload: Workload,
  needs: Needs,
): Promise<readonly Pod[]> {
  const { namespace } = workload.metadata;
  const labelSelector = selectorQuery(workload.spec.selector);
  // The workers of a LeaderWorkerSet are no children of it: their StatefulSets belong to its leaders.
  const isGrouped = workload.kind === 'LeaderWorkerSet';
  const [pods, replicaSets] = await Promise.all([
    gathering.list('Pod', { namespace, labelSelector }),
    hasReplicaSets(workload) ? gathering.list('ReplicaSet', { namespace, labelSelector }) : [],
    isGrouped ? gathering.list('StatefulSet', { namespace, labelSelector }) : [],
    ...(workload.kind === 'KnativeService'
      ? [
          gathering.list('Deployment', { namespace, labelSelector }),
          gathering.list('Revision', { namespace, labelSelector }),
        ]
      : []),
    !hasReplicaSets(workload) && !isRevisioned(workload) && (isGrouped || needs.has('ControllerRevision'))
      ? gathering.list('ControllerRevision', { namespace, labelSelector })
      : [],
  ]);
  if (isRevisioned(workload)) return pods;
  if (isGrouped) return pods.filter((pod) => controllerOf(pod)?.kind === 'StatefulSet');
  const owners = new Set([
    workload.metadata.uid,
    ...replicaSets
      .filter((replicaSet) => controllerOf(replicaSet)?.uid === workload.metadata.uid)
      .map(({ metadata }) => metadata.uid),
  ]);
  return pods.filter((pod) => owners.has(controllerOf(pod)?.uid ?? ''));
}

/** Those of a Knative Service or of Dynamo's workers belong to Deployments of its revisions. */
function hasReplicaSets({ kind }: Workload): boolean {
  return kindsWithReplicaSets.has(kind);
}

const kindsWithReplicaSets: ReadonlySet<Workload['kind']> = new Set<Workload['kind']>([
  'Deployment',
  'Rollout',
  'KnativeService',
  'DynamoGraphDeployment',
]);
