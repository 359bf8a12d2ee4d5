import { type DynamoGraphDeployment, dynamoLabels } from '../../../cluster/dynamo-graph-deployment.js';
import { type KnativeService, minScaleOf, progressDeadlineOf } from '../../../cluster/knative-service.js';
import { namesOf } from '../../../cluster/metadata.js';
import { hasNode, isActive, isReady, type Pod } from '../../../cluster/pod.js';
import { podKey } from '../../../cluster/pod-key.js';
import { headGroup, type RayService, rayLabels } from '../../../cluster/ray-service.js';
import { revisionNameOf } from '../../../cluster/revisions.js';
import type { Workload } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import type { Placement } from '../../../placement/placement.js';
import { isFixedPoint } from '../../../rollout/fixed-point.js';
import { dynamoStrategyOf } from '../../../rollout/revisioned/dynamo-targets.js';
import { formerRevisionPods, newRevisionPods } from '../../../rollout/revisioned/revision-pods.js';
import { type RevisionedState, rolloutStateOf } from '../../../rollout/rollout-state.js';
import type { Evidence } from '../../finding.js';
import type { Examination } from '../../rule.js';
import { isUnschedulable } from '../../stuck-rollout.js';
import { blockageOf } from './blockage.js';
import { revisionedServiceRemedies } from './remedies.js';
import { type Stuck, subjectOf } from './stuck.js';
import { state as say } from './text.js';

/**
 * A service whose next revision waits for a place that pods of its former revision use. The controllers stop those only
 * when the next revision serves, or as its pods become ready. All new pods that are not ready were refused by the scheduler.
 */
export function stuckRevisionedServiceOf(examination: Examination): Stuck | undefined {
  const { snapshot, placement } = examination;
  const rollout = rolloutStateOf(snapshot);
  if (rollout.kind !== 'Revisioned' || rollout.service.metadata.deletionTimestamp !== undefined)
    return undefined;
  if (rollout.service.revisions.next === undefined || !isFixedPoint(rollout)) return undefined;
  const holding = formerRevisionPods(rollout).filter((pod) => isActive(pod) && hasNode(pod));
  const blocked = newRevisionPods(rollout).filter((pod) => isActive(pod) && !isReady(pod));
  const refused = blocked.filter(isUnschedulable);
  if (holding.length === 0 || refused.length < blocked.length) return undefined;
  // Pods of one group are alike to the scheduler. Without its head, a RayCluster does not begin.
  const kinds = [...onePerGroup(refused)].sort(
    (a, b) => Number(groupOf(b) === headGroup) - Number(groupOf(a) === headGroup),
  );
  const first = kinds.find((pod) => blockageOf(placement, pod, holding) !== undefined);
  if (first === undefined) return undefined;
  return {
    workload: rollout.service,
    holding,
    waiting: [first, ...refused.filter((pod) => pod !== first)],
    alsoWaiting: kinds.filter((pod) => pod !== first),
    strategy: strategyStatement(rollout, first),
    strategyFacts: undefined,
    strategyEvidence: revisionEvidence(rollout),
    weakenedBy: doubtsOf(rollout, {
      holding,
      refused,
      fitsWithout: (pods) => fitsWithout(placement, first, pods),
    }),
    remedies: (node, resource) => revisionedServiceRemedies(rollout.service, { node, resource }),
  };
}

function onePerGroup(pods: readonly Pod[]): readonly Pod[] {
  const groups = new Map<string, Pod>();
  for (const pod of pods) {
    const group = groupOf(pod);
    if (!groups.has(group)) groups.set(group, pod);
  }
  return [...groups.values()];
}

function groupOf({ metadata }: Pod): string {
  return metadata.labels[rayLabels.group] ?? metadata.labels[dynamoLabels.component] ?? '';
}

function strategyStatement({ service }: RevisionedState, waiting: Pod): Statement {
  const { next = '', former } = service.revisions;
  const values = { next, former: [...former] };
  if (service.kind === 'KnativeService') return say('strategy-knative', values);
  if (service.kind === 'RayService') return say('strategy-ray', values);
  const component = groupOf(waiting);
  const workers = service.workers.find(({ name }) => name === component);
  const strategy = workers === undefined ? undefined : dynamoStrategyOf(workers);
  const { maxSurge: surge = 0, maxUnavailable: unavailable = 0 } =
    strategy?.type === 'RollingUpdate' ? strategy : {};
  return say('strategy-dynamo', { ...values, component, surge, unavailable });
}

function revisionEvidence({ service }: RevisionedState): readonly Evidence[] {
  const object = subjectOf(service);
  const { next = '', former } = service.revisions;
  const says = say('ev-revisions', { next, former: [...former] });
  return [{ object, field: fieldOfNext[service.kind], value: next, says }];
}

const fieldOfNext = {
  KnativeService: 'status.latestCreatedRevisionName',
  RayService: 'status.pendingServiceStatus.rayClusterName',
  DynamoGraphDeployment: 'status.components[].componentNames',
} as const;

interface Standing {
  readonly holding: readonly Pod[];
  readonly refused: readonly Pod[];
  /** Whether a new pod fits once these are gone. */
  readonly fitsWithout: (pods: readonly Pod[]) => boolean;
}

function fitsWithout(placement: Placement, pod: Pod, gone: readonly Pod[]): boolean {
  return (
    gone.length > 0 && placement.evaluate(pod, { without: new Set(gone.map(podKey)) }).outcome === 'fits'
  );
}

/** What may stop a pod of the former revision, or let the next one serve, after all. */
function doubtsOf(rollout: RevisionedState, standing: Standing): readonly Statement[] {
  const { service } = rollout;
  switch (service.kind) {
    case 'KnativeService':
      return knativeDoubts(service, standing);
    case 'RayService':
      return rayDoubts(service, rollout.pods, standing);
    case 'DynamoGraphDeployment':
      return dynamoDoubts(service, standing);
  }
}

/** The autoscaler leaves a revision its min-scale. Which pods it stops is not known: it may be any of them. */
function knativeDoubts(
  { revisions }: KnativeService,
  { holding, fitsWithout: fits }: Standing,
): readonly Statement[] {
  return revisions.former.flatMap((revision) => {
    const own = holding.filter((pod) => revisionNameOf(revisions, pod) === revision);
    const least = own[0] === undefined ? 0 : minScaleOf(own[0]);
    return own.length > least && fits(own)
      ? [say('revision-may-shrink', { revision, pods: own.length, least })]
      : [];
  });
}

function rayDoubts(
  { spec, revisions }: RayService,
  pods: readonly Pod[],
  { holding, refused, fitsWithout: fits }: Standing,
): readonly Statement[] {
  const isReadyHead = (pod: Pod) =>
    revisionNameOf(revisions, pod) === revisions.next && groupOf(pod) === headGroup && isReady(pod);
  return [
    // KubeRay asks for the Serve applications, not for the workers.
    ...(pods.some(isReadyHead) ? [say('ray-may-serve', { pods: namesOf(refused) })] : []),
    ...(fits(removableWorkers(spec, holding))
      ? [say('ray-may-shrink', { clusters: [...revisions.former] })]
      : []),
    ...(spec.upgradeStrategy?.type === 'NewClusterWithIncrementalUpgrade' ? [say('ray-incremental')] : []),
  ];
}

/** Ray's autoscaler removes idle workers down to `minReplicas`. The spec is that of the next RayCluster. */
function removableWorkers({ rayClusterConfig }: RayService['spec'], holding: readonly Pod[]): readonly Pod[] {
  if (!rayClusterConfig.enableInTreeAutoscaling) return [];
  return rayClusterConfig.workerGroupSpecs.flatMap(({ groupName, minReplicas = 0, numOfHosts }) => {
    const workers = holding.filter((pod) => groupOf(pod) === groupName);
    return workers.length > minReplicas * numOfHosts ? workers : [];
  });
}

/** With a scaling adapter, the planner or an autoscaler sets the replicas of a component. */
function dynamoDoubts(
  { workers }: DynamoGraphDeployment,
  { holding, fitsWithout: fits }: Standing,
): readonly Statement[] {
  return workers
    .filter(({ name, isScaled }) => isScaled && fits(holding.filter((pod) => groupOf(pod) === name)))
    .map(({ name }) => say('dynamo-may-scale', { component: name }));
}

/** Knative ends the attempt by itself, which leaves the update undone. */
export function givesUp(workload: Workload): readonly Statement[] {
  if (workload.kind !== 'KnativeService') return [];
  const seconds = progressDeadlineOf(workload.spec.template);
  return [
    say('knative-gives-up', {
      seconds: seconds ?? defaultDeadlineSeconds,
      isDefault: seconds === undefined,
    }),
  ];
}

/** knative serving `pkg/deployment/config.go: ProgressDeadlineDefault`. */
const defaultDeadlineSeconds = 600;
