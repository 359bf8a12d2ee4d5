import { conditionOf, controllerOf } from '../objects/metadata.js';
import { hasNode, isActive, isAvailable, isReady, isTerminating, type Pod } from '../objects/pod.js';
import { hasGroups, hasObservedSpec, hasOrdinals, hasReplicaSets, hasSteps } from '../objects/workload.js';
import { type RolloutWait, waitOf } from './argo-rollout/canary-steps.js';
import { isObserved } from './argo-rollout/replica-set-roles.js';
import { progresses } from './argo-rollout/rollout-sync.js';
import { syncDaemonSet } from './daemon-set-model.js';
import { syncDeployment } from './deployment-sync.js';
import { changesPods } from './deployment-writes.js';
import { podsAreUnseen } from './forecast.js';
import { isReadWhole, isTooLarge, leaderSetIn } from './leader-worker-set/leader-set.js';
import { actLeaderWorkerSet } from './leader-worker-set/model.js';
import { refreshed, replicaSetStateOf, syncReplicaSet } from './replica-set-controllers.js';
import { dynamoActs } from './revisioned/dynamo-targets.js';
import { newRevisionPods } from './revisioned/pods.js';
import { isHeldUp } from './revisioned/service-kind.js';
import {
  type ArgoRolloutState,
  type DaemonSetState,
  type DeploymentState,
  type LeaderWorkerSetState,
  type RevisionedState,
  type RolloutState,
  type StatefulSetState,
  underEachRule,
  workloadIn,
} from './rollout-state.js';
import { isOverdue } from './simulated-pods.js';
import { scheduledSince, startAllowance, startToReady } from './start-to-ready.js';
import { syncStatefulSet } from './stateful-set-model.js';

/** A pod that changes by itself, and into what. */
interface UnderWay {
  readonly pod: Pod;
  readonly will: 'terminate' | 'be-scheduled' | 'become-ready' | 'become-available';
}

/** Whether a rollout can still move without anybody's help. */
export type RestState =
  /** No controller has anything to do, and no pod is under way: it stays so until somebody acts. */
  | { readonly kind: 'fixed' }
  /** A controller would act on the objects as they are. */
  | { readonly kind: 'acting' }
  /** The controllers wait for pods that are still changing. */
  | { readonly kind: 'settling'; readonly pods: readonly UnderWay[] }
  /** A Rollout waits for something besides pods: a person, an analysis, or a moment. */
  | { readonly kind: 'waiting'; readonly for: RolloutWait }
  /**
   * Pods that exist could not be read, or the version of the server decides and was not read. Also of a
   * LeaderWorkerSet with more pods than are simulated.
   */
  | { readonly kind: 'unknown' };

/** True when neither a controller nor a pod will change anything by itself. */
export function isFixedPoint(state: RolloutState): boolean {
  return restState(state).kind === 'fixed';
}

/**
 * Whether the rollout rests, and if not, why. Creating a pod that the API server keeps refusing does not
 * count as acting. A pod without readiness counts as under way only as long as `startAllowance` gives it.
 */
export function restState(state: RolloutState): RestState {
  const found = rests.get(state) ?? computedRest(state);
  rests.set(state, found);
  return found;
}

/** Several rules ask for the same state, and each answer plays the controllers. */
const rests = new WeakMap<RolloutState, RestState>();

function computedRest(state: RolloutState): RestState {
  if (hasReplicaSets(state)) {
    if (podsAreUnseen(state)) return { kind: 'unknown' };
  }
  if (hasGroups(state)) {
    if (!isReadWhole(state) || isTooLarge(state) || restDependsOnGate(state)) return { kind: 'unknown' };
  }
  if (hasOrdinals(state) && state.maxUnavailable.restsOn === 'nothing' && restDependsOnRule(state)) {
    return { kind: 'unknown' };
  }
  if (controllersAct(state)) return { kind: 'acting' };
  const wait = hasSteps(state) ? waitOf(state) : undefined;
  if (wait !== undefined) return { kind: 'waiting', for: wait };
  const pods = podsUnderWay(state);
  return pods.length === 0 ? { kind: 'fixed' } : { kind: 'settling', pods };
}

/**
 * True when a DaemonSet that surges comes to rest once the pods that it creates beside old ones are refused:
 * nothing else is left to do, and no pod is under way. It has no condition that tells of refused creations.
 */
export function waitsForSurgePods(state: DaemonSetState): boolean {
  const { phase, actions } = syncDaemonSet(state);
  return (
    phase === 'update' &&
    actions.length > 0 &&
    actions.every(({ kind }) => kind === 'create') &&
    podsUnderWay(state).length === 0
  );
}

/** True when a controller would create or delete a pod, or resize a ReplicaSet, right now. */
function controllersAct(state: RolloutState): boolean {
  switch (state.kind) {
    case 'Deployment':
      return deploymentActs(refreshed(state));
    case 'Rollout':
      return argoRolloutActs(refreshed(state));
    case 'LeaderWorkerSet':
      return leaderWorkerSetActs(state);
    case 'Revisioned':
      return revisionedServiceActs(state);
    case 'StatefulSet':
      return statefulSetActs(state);
    case 'DaemonSet':
      return syncDaemonSet(state).actions.length > 0;
  }
}

function statefulSetActs(state: StatefulSetState): boolean {
  const { actions } = syncStatefulSet(state);
  return actions.some(({ kind }) => kind === 'delete' || !creationFails(state.statefulSet));
}

/**
 * True where the controller would act under one of the rules for `maxUnavailable` that may apply, and not
 * under another.
 */
export function restDependsOnRule(state: StatefulSetState): boolean {
  return new Set(underEachRule(state).map(statefulSetActs)).size > 1;
}

function deploymentActs(state: DeploymentState): boolean {
  return syncDeployment(state).actions.some(changesPods) || replicaSetsAct(state);
}

function argoRolloutActs(state: ArgoRolloutState): boolean {
  return !isObserved(state.rollout) || progresses(state) || replicaSetsAct(state);
}

function replicaSetsAct(state: DeploymentState | ArgoRolloutState): boolean {
  return state.replicaSets.some((replicaSet) => {
    const action = syncReplicaSet(replicaSetStateOf(state, replicaSet));
    return action.kind === 'delete' || (action.kind === 'create' && !creationFails(replicaSet));
  });
}

function creationFails(owner: {
  readonly status: { readonly conditions: readonly { type: string; status: string }[] };
}): boolean {
  return owner.status.conditions.some(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
}

/** Pods that will change without anybody's help, terminal ones aside. */
function podsUnderWay(state: RolloutState): readonly UnderWay[] {
  const observed = startToReady(state);
  const minReadySeconds = minReadySecondsOf(state);
  return state.pods.flatMap((pod): readonly UnderWay[] => {
    if (isTerminating(pod)) return isOverdue(pod, state.now) ? [] : [{ pod, will: 'terminate' }];
    if (!isActive(pod)) return [];
    if (!hasNode(pod)) return isUnseenByScheduler(pod) ? [{ pod, will: 'be-scheduled' }] : [];
    if (!isReady(pod)) {
      const since = scheduledSince(pod) ?? state.now;
      const mayStart = state.now - since <= startAllowance(pod, observed) * 1000;
      return mayStart ? [{ pod, will: 'become-ready' }] : [];
    }
    return isAvailable(pod, minReadySeconds, state.now) ? [] : [{ pod, will: 'become-available' }];
  });
}

/** The scheduler has not said anything about it yet. */
function isUnseenByScheduler(pod: Pod): boolean {
  return conditionOf(pod.status, 'PodScheduled') === undefined && pod.spec.schedulingGates.length === 0;
}

function minReadySecondsOf(state: RolloutState): number {
  const { spec } = workloadIn(state);
  return 'minReadySeconds' in spec ? spec.minReadySeconds : 0;
}

/**
 * Whether a controller would act on the objects as they are: make the pods of a new revision, stop those of a
 * former one, or switch. Creating a pod that the API server keeps refusing does not count.
 */
function revisionedServiceActs(state: RevisionedState): boolean {
  const { service, refused = [] } = state;
  const { next, isSwitching } = service.revisions;
  if (!hasObservedSpec(service)) return !isHeldUp(refused);
  if (next === undefined) return false;
  if ('workers' in service) return dynamoActs(service, state);
  const isBegun = refused.length > 0 || newRevisionPods(state).some(isActive);
  return isSwitching || (service.spec.replicas > 0 && !isBegun);
}

/**
 * Whether the controllers would create or delete a pod or a StatefulSet, or write the leader StatefulSet,
 * right now. Creating a pod that the API server keeps refusing does not count.
 */
function leaderWorkerSetActs(state: LeaderWorkerSetState): boolean {
  if (!hasObservedSpec(state.leaderWorkerSet)) return true;
  const {
    state: after,
    created,
    deleted,
    isAtRest,
  } = actLeaderWorkerSet(state, (pod) => !state.refused?.has(controllerOf(pod)?.uid ?? ''));
  return (
    !isAtRest ||
    created.length + deleted.length > 0 ||
    after.statefulSets.length !== state.statefulSets.length ||
    sizeOf(after) !== sizeOf(state)
  );
}

/** What the controller decides in the leader StatefulSet. */
function sizeOf({ leaderWorkerSet, statefulSets }: LeaderWorkerSetState): string {
  const leaderSet = leaderSetIn(leaderWorkerSet, statefulSets);
  return JSON.stringify([
    leaderSet?.spec.replicas,
    leaderSet?.spec.updateStrategy.rollingUpdate?.partition,
    leaderSet?.metadata.labels,
  ]);
}

/** True where that depends on which rule for `maxUnavailable` applies to the leader StatefulSet. */
function restDependsOnGate(state: LeaderWorkerSetState): boolean {
  const { rule, instead } = state.maxUnavailable;
  const answers = [rule, ...instead].map((each) =>
    leaderWorkerSetActs({ ...state, maxUnavailable: { ...state.maxUnavailable, rule: each } }),
  );
  return new Set(answers).size > 1;
}
