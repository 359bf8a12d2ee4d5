import { leastOf } from '../../../engine/collections/collections.js';
import type { Statement } from '../../../engine/language/statement.js';
import type { ClusterIndex } from '../../../engine/objects/cluster-index.js';
import type { DynamoGraphDeployment } from '../../../engine/objects/dynamo-graph-deployment.js';
import {
  type KnativeService,
  minScaleOf,
  progressDeadlineOf,
  type Revision,
} from '../../../engine/objects/knative-service.js';
import { hasNode, isActive, isReady, type Pod } from '../../../engine/objects/pod.js';
import type { Container } from '../../../engine/objects/pod-spec.js';
import { headGroup, type RayService } from '../../../engine/objects/ray-service.js';
import { revisionNameOf } from '../../../engine/objects/revisions.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { dynamoStrategyOf } from '../../../engine/workloads/revisioned/dynamo-targets.js';
import { abandonedRevisions, partNameOf } from '../../../engine/workloads/revisioned/pods.js';
import { formerRevisionPods, newRevisionPods } from '../../../engine/workloads/revisioned/revision-pods.js';
import { type RevisionedState, rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import type { Evidence } from '../finding.js';
import { rests } from '../stuck-rollout.js';
import { type StableRollout, subjectOf } from './stable.js';
import { strategies } from './strategies-text.js';

/**
 * A service whose next revision is not ready. The controllers stop pods of the former one only when the next
 * one serves, or as its pods become ready.
 */
export function stableRevisionsOf(
  state: RevisionedState,
  cannotStart: (pod: Pod) => boolean,
): StableRollout | undefined {
  if (state.service.revisions.next === undefined || !rests(state, cannotStart)) return undefined;
  const holding = formerRevisionPods(state).filter((pod) => isActive(pod) && hasNode(pod));
  if (holding.length === 0) return undefined;
  const blocked = newRevisionPods(state).filter((pod) => isActive(pod) && !isReady(pod));
  return {
    workload: state.service,
    state,
    holding,
    blocked,
    strategy: revisionsStrategy(state, blocked[0] === undefined ? '' : partNameOf(blocked[0])),
    strategyFacts: undefined,
    strategyEvidence: revisionEvidence(state),
  };
}

/** @param component of a DynamoGraphDeployment, the one that is stuck */
export function revisionsStrategy({ service }: RevisionedState, component: string): Statement {
  const { next = '', former } = service.revisions;
  const values = { next, former: [...former] };
  if (service.kind === 'KnativeService') return strategies('strategy-knative', values);
  if (service.kind === 'RayService') return strategies('strategy-ray', values);
  const workers = service.workers.find(({ name }) => name === component);
  const strategy = workers === undefined ? undefined : dynamoStrategyOf(workers);
  const { maxSurge: surge = 0, maxUnavailable: unavailable = 0 } =
    strategy?.type === 'RollingUpdate' ? strategy : {};
  return strategies('strategy-dynamo', { ...values, component, surge, unavailable });
}

function revisionEvidence({ service }: RevisionedState): readonly Evidence[] {
  const object = subjectOf(service);
  const { next = '', former } = service.revisions;
  const says = strategies('ev-revisions', { next, former: [...former] });
  return [{ object, field: fieldOfNext[service.kind], value: next, says }];
}

const fieldOfNext = {
  KnativeService: 'status.latestCreatedRevisionName',
  RayService: 'status.pendingServiceStatus.rayClusterName',
  DynamoGraphDeployment: 'status.components[].componentNames',
} as const;

interface HeldPods {
  readonly holding: readonly Pod[];
  /** Names of the new pods that wait. */
  readonly waiting: readonly string[];
  /** Whether a new pod could start once these are gone. Asked about some pods at least. */
  readonly startsWithout: (pods: readonly Pod[]) => boolean;
}

/** What may stop a pod of the former revision, or let the next one serve, after all. */
export function revisionsDoubts(
  { objects }: Pick<ClusterIndex, 'objects'>,
  rollout: RevisionedState,
  held: HeldPods,
): readonly Statement[] {
  const { service } = rollout;
  switch (service.kind) {
    case 'KnativeService':
      return knativeDoubts(objects.Revision, service, held);
    case 'RayService':
      return rayDoubts(service, rollout.pods, held);
    case 'DynamoGraphDeployment':
      return dynamoDoubts(service, held);
  }
}

/**
 * The autoscaler leaves a revision its min-scale. Which pods it stops is not known: it may be any of them.
 */
function knativeDoubts(
  known: readonly Revision[],
  { metadata, revisions }: KnativeService,
  { holding, startsWithout }: HeldPods,
): readonly Statement[] {
  return revisions.former.flatMap((revision) => {
    const own = holding.filter((pod) => revisionNameOf(revisions, pod) === revision);
    const { namespace } = metadata;
    const object = known.find(
      (each) => each.metadata.name === revision && each.metadata.namespace === namespace,
    );
    const annotated = object ?? own[0];
    const least = annotated === undefined ? 0 : minScaleOf(annotated);
    return own.length > least && startsWithout(own)
      ? [strategies('revision-may-shrink', { revision, pods: own.length, least })]
      : [];
  });
}

function rayDoubts(
  { spec, revisions }: RayService,
  pods: readonly Pod[],
  { holding, waiting, startsWithout }: HeldPods,
): readonly Statement[] {
  const isReadyHead = (pod: Pod) =>
    revisionNameOf(revisions, pod) === revisions.next && partNameOf(pod) === headGroup && isReady(pod);
  const removable = removableWorkers(spec, holding);
  return [
    // KubeRay asks for the Serve applications, not for the workers.
    ...(pods.some(isReadyHead) ? [strategies('ray-may-serve', { pods: [...waiting] })] : []),
    ...(removable.length > 0 && startsWithout(removable)
      ? [strategies('ray-may-shrink', { clusters: [...revisions.former] })]
      : []),
    ...(spec.upgradeStrategy?.type === 'NewClusterWithIncrementalUpgrade'
      ? [strategies('ray-incremental')]
      : []),
  ];
}

/**
 * The RayCluster that is being prepared, where the spec was changed back to what the former one runs: KubeRay
 * goes on with the prepared one and switches to it (seen with 1.5). Images and requests are compared, as
 * KubeRay writes its own commands into the pods.
 */
export function takenBack(state: RevisionedState): string | undefined {
  const { service } = state;
  if (service.kind !== 'RayService') return undefined;
  const { revisions, parts } = service;
  const runsSpec = (pod: Pod): boolean | undefined => {
    const part = parts.find(({ name }) => name === partNameOf(pod));
    return part?.template.spec.containers.every((wanted) => runsContainer(pod, wanted));
  };
  const former = formerRevisionPods(state);
  const isAbandoned = newRevisionPods(state).some((pod) => runsSpec(pod) === false);
  return isAbandoned && former.length > 0 && former.every(runsSpec) ? revisions.next : undefined;
}

function runsContainer({ spec }: Pod, wanted: Container): boolean {
  const found = spec.containers.find(({ name }) => name === wanted.name);
  return (
    found !== undefined &&
    found.image === wanted.image &&
    Object.entries(wanted.resources.requests).every(
      ([resource, amount]) => found.resources.requests[resource] === amount,
    )
  );
}

/** Ray's autoscaler removes idle workers down to `minReplicas`. The spec is that of the next RayCluster. */
function removableWorkers({ rayClusterConfig }: RayService['spec'], holding: readonly Pod[]): readonly Pod[] {
  if (!rayClusterConfig.enableInTreeAutoscaling) return [];
  return rayClusterConfig.workerGroupSpecs.flatMap(({ groupName, minReplicas = 0, numOfHosts }) => {
    const workers = holding.filter((pod) => partNameOf(pod) === groupName);
    return workers.length > minReplicas * numOfHosts ? workers : [];
  });
}

/** With a scaling adapter, the planner or an autoscaler sets the replicas of a component. */
function dynamoDoubts(
  { workers }: DynamoGraphDeployment,
  { holding, startsWithout }: HeldPods,
): readonly Statement[] {
  return workers
    .filter(({ name, isScaled }) => {
      const own = holding.filter((pod) => partNameOf(pod) === name);
      return isScaled && own.length > 0 && startsWithout(own);
    })
    .map(({ name }) => strategies('dynamo-may-scale', { component: name }));
}

/**
 * Knative ends the attempt by itself, which leaves the update undone. It does not once a pod of the new
 * revision was ready (seen with 1.23).
 */
export function givesUp(snapshot: Snapshot): readonly Statement[] {
  const { workload, index } = snapshot;
  const rollout = rolloutStateOf(snapshot);
  if (rollout.kind !== 'Revisioned') return [];
  const unwanted = takenBack(rollout);
  if (unwanted !== undefined) return [strategies('ray-taken-back', { cluster: unwanted })];
  if (workload.kind !== 'KnativeService') return [];
  const pods = newRevisionPods(rollout).filter(isActive);
  const ready = pods.filter(isReady).map(({ metadata }) => metadata.name);
  const abandoned = abandonedRevisions(index, workload);
  return [
    ready.length > 0 ? strategies('knative-goes-on', { ready }) : endOfAttempt(snapshot, workload, pods),
    ...(abandoned.length === 0 ? [] : [strategies('knative-others-wait', { revisions: abandoned })]),
  ];
}

function endOfAttempt(snapshot: Snapshot, { spec }: KnativeService, pods: readonly Pod[]): Statement {
  const deadline = progressDeadlineOf(spec.template);
  const seconds = (deadline ?? defaultDeadlineSeconds) + autoscalerSeconds;
  const made = pods
    .map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? ''))
    .filter((time) => !Number.isNaN(time));
  const left =
    made.length === 0 || snapshot.isTimeUnknown
      ? undefined
      : Math.max(0, seconds - (nowOf(snapshot) - leastOf(made)) / 1000);
  return strategies('knative-gives-up', { seconds, isDefault: deadline === undefined, leftSeconds: left });
}

/** knative serving `pkg/deployment/config.go: ProgressDeadlineDefault`. */
const defaultDeadlineSeconds = 600;
/**
 * What the autoscaler adds (knative serving
 * `pkg/reconciler/autoscaling/kpa/scaler.go: activationTimeoutBuffer`).
 */
const autoscalerSeconds = 30;
