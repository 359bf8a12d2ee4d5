import type { DynamoGraphDeployment } from '../../cluster/dynamo-graph-deployment.js';
import { type KnativeService, minScaleOf, progressDeadlineOf } from '../../cluster/knative-service.js';
import { hasNode, isActive, isReady, type Pod } from '../../cluster/pod.js';
import { headGroup, type RayService } from '../../cluster/ray-service.js';
import { revisionNameOf } from '../../cluster/revisions.js';
import type { Workload } from '../../cluster/workload.js';
import type { Statement } from '../../language/statement.js';
import { dynamoStrategyOf } from '../../rollout/revisioned/dynamo-targets.js';
import { partNameOf } from '../../rollout/revisioned/part-name.js';
import { formerRevisionPods, newRevisionPods } from '../../rollout/revisioned/revision-pods.js';
import type { RevisionedState } from '../../rollout/rollout-state.js';
import type { Evidence } from '../finding.js';
import { rests } from '../stuck-rollout.js';
import { type RestingRollout, subjectOf } from './resting.js';
import { strategies } from './strategies-text.js';

/**
 * A service whose next revision is not ready. The controllers stop pods of the former one only when the next one serves, or
 * as its pods become ready.
 */
export function restingRevisionsOf(
  state: RevisionedState,
  cannotStart: (pod: Pod) => boolean,
): RestingRollout | undefined {
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

interface Standing {
  readonly holding: readonly Pod[];
  /** Names of the new pods that wait. */
  readonly waiting: readonly string[];
  /** Whether a new pod could start once these are gone. Asked about some pods at least. */
  readonly startsWithout: (pods: readonly Pod[]) => boolean;
}

/** What may stop a pod of the former revision, or let the next one serve, after all. */
export function revisionsDoubts(rollout: RevisionedState, standing: Standing): readonly Statement[] {
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
  { holding, startsWithout }: Standing,
): readonly Statement[] {
  return revisions.former.flatMap((revision) => {
    const own = holding.filter((pod) => revisionNameOf(revisions, pod) === revision);
    const least = own[0] === undefined ? 0 : minScaleOf(own[0]);
    return own.length > least && startsWithout(own)
      ? [strategies('revision-may-shrink', { revision, pods: own.length, least })]
      : [];
  });
}

function rayDoubts(
  { spec, revisions }: RayService,
  pods: readonly Pod[],
  { holding, waiting, startsWithout }: Standing,
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
  { holding, startsWithout }: Standing,
): readonly Statement[] {
  return workers
    .filter(({ name, isScaled }) => {
      const own = holding.filter((pod) => partNameOf(pod) === name);
      return isScaled && own.length > 0 && startsWithout(own);
    })
    .map(({ name }) => strategies('dynamo-may-scale', { component: name }));
}

/** Knative ends the attempt by itself, which leaves the update undone. */
export function givesUp(workload: Workload): readonly Statement[] {
  if (workload.kind !== 'KnativeService') return [];
  const seconds = progressDeadlineOf(workload.spec.template);
  return [
    strategies('knative-gives-up', {
      seconds: seconds ?? defaultDeadlineSeconds,
      isDefault: seconds === undefined,
    }),
  ];
}

/** knative serving `pkg/deployment/config.go: ProgressDeadlineDefault`. */
const defaultDeadlineSeconds = 600;
