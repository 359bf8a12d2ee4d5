import { conditionOf, controllerOf } from '../objects/metadata.js';
import { isTerminal, isTerminating, type Pod } from '../objects/pod.js';
import { syncDeployment } from './deployment-sync.js';
import { applied, type DeploymentAction, isComplete, withStatus } from './deployment-writes.js';
import { createPodSet, type PodSet } from './pod-set.js';
import { append, counted, deletionsOf, manageReplicaSets, refreshed } from './replica-set-controllers.js';
import type { Shrinking } from './replica-set-victims.js';
import type { DeploymentState } from './rollout-state.js';
import type { Acted, Admission } from './simulation.js';
import { neverExhausted, type WorkMeter } from './simulation.js';

/** Enough for every revision to be resized and for 100,000 pods to follow. */
const maxRounds = 400;

/** Runs the Deployment and ReplicaSet controllers until none of them has anything to do. */
export function actDeployment(start: DeploymentState, admits: Admission): Acted<DeploymentState> {
  const podSet = createPodSet(start.pods);
  const acted = actDeploymentOn(podSet, start, (pod) => admits(pod, podSet.all()), neverExhausted);
  return { ...acted, state: refreshed({ ...acted.state, pods: podSet.all() }) };
}

/** The same on a pod set, which it changes; `state.pods` is not read, and empty afterwards. */
export function actDeploymentOn(
  podSet: PodSet,
  start: DeploymentState,
  admits: (pod: Pod) => boolean,
  meter: WorkMeter,
): Acted<DeploymentState> {
  let state = counted<DeploymentState>(podSet, { ...start, pods: [] });
  const actions: DeploymentAction[] = [];
  const created: Pod[] = [];
  const shrinking: Shrinking[] = [];
  let refused: readonly Pod[] = [];
  let isAtRest = false;
  for (let round = 0; round < maxRounds && !isAtRest && !meter.isExhausted(); round += 1) {
    meter.spend(1 + state.replicaSets.length);
    const sync = syncDeployment(state);
    // The status that it writes last brings the controller back once more: only then does it clean the
    // history.
    const hasJustCompleted =
      isComplete(state.deployment, sync.status) && !isComplete(state.deployment, state.deployment.status);
    collectGarbage(podSet, state, sync.actions, meter);
    state = withStatus(applied(state, sync.actions), sync);
    const pods = manageReplicaSets(podSet, state, {
      admits,
      meter,
      sizedInBetween: sizesInBetween(sync.actions),
    });
    state = counted(podSet, pods.state);
    append(actions, sync.actions);
    append(created, pods.created);
    append(shrinking, pods.shrinking);
    refused = pods.refused;
    const acted = sync.actions.length + pods.created.length + pods.shrinking.length > 0;
    isAtRest = !acted && !hasJustCompleted;
  }
  const { deleted, orElse } = deletionsOf(shrinking, podSet, state.now, meter);
  return { state, actions, created, deleted, orElse, refused, isAtRest };
}

/**
 * A ReplicaSet is given up once it has no active pod. The garbage collector then deletes its pods that have
 * ended; those that are being deleted go on.
 */
function collectGarbage(
  podSet: PodSet,
  { replicaSets }: DeploymentState,
  actions: readonly DeploymentAction[],
  meter: WorkMeter,
): void {
  const names = actions.flatMap((each) => (each.kind === 'delete-replica-set' ? [each.replicaSet] : []));
  if (names.length === 0) return;
  const gone = replicaSets.filter(({ metadata }) => names.includes(metadata.name));
  const owners = new Set(gone.map(({ metadata }) => metadata.uid));
  meter.spend(podSet.size());
  for (const pod of podSet.all()) {
    if (isTerminal(pod) && !isTerminating(pod) && owners.has(controllerOf(pod)?.uid ?? ''))
      podSet.remove(pod);
  }
}

/** All wanted replicas are of the new revision and available, and none of an old one is left. */
export function deploymentIsComplete(state: DeploymentState): boolean {
  const { status } = syncDeployment(state);
  return isComplete(state.deployment, status) && conditionOf(status, 'ReplicaFailure') === undefined;
}

/** The first size of each ReplicaSet that the sync resized. */
function sizesInBetween(actions: readonly DeploymentAction[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const action of actions) {
    if (action.kind === 'scale' && !sizes.has(action.replicaSet)) sizes.set(action.replicaSet, action.to);
  }
  return sizes;
}
