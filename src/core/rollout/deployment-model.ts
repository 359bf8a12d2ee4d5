import { conditionOf, controllerOf } from '../cluster/metadata.js';
import { isTerminal, isTerminating, type Pod } from '../cluster/pod.js';
import type { ReplicaSet } from '../cluster/workload.js';
import type { DeploymentAction } from './deployment-action.js';
import { isComplete } from './deployment-conditions.js';
import { syncDeployment } from './deployment-sync.js';
import { applied, withoutFailures, withStatus } from './deployment-writes.js';
import { replicaSetChange, replicaSetStatus } from './replica-set-sync.js';
import { victimsAmong, victimsInTwoSteps } from './replica-set-victims.js';
import { podsByOwnerOf } from './revisions.js';
import type { DeploymentState } from './rollout-state.js';
import { createRoster, type Roster } from './roster.js';
import { deletedPod, simulatedPod } from './simulated-pods.js';
import type { Acted, Admission } from './simulation.js';
import { neverExhausted, type WorkMeter } from './simulation-budget.js';
import { type Shrinking, victimsInAnyOrder } from './victims-in-any-order.js';

/** Enough for every revision to be resized and for 100,000 pods to follow. */
const maxRounds = 400;

/** Runs the Deployment and ReplicaSet controllers until none of them has anything to do. */
export function actDeployment(start: DeploymentState, admits: Admission): Acted<DeploymentState> {
  const roster = createRoster(start.pods);
  const acted = actDeploymentOn(roster, start, (pod) => admits(pod, roster.all()), neverExhausted);
  return { ...acted, state: refreshed({ ...acted.state, pods: roster.all() }) };
}

/** The same on a roster, which it changes; `state.pods` is not read, and empty afterwards. */
export function actDeploymentOn(
  roster: Roster,
  start: DeploymentState,
  admits: (pod: Pod) => boolean,
  meter: WorkMeter,
): Acted<DeploymentState> {
  let state = counted(roster, { ...start, pods: [] });
  const actions: DeploymentAction[] = [];
  const created: Pod[] = [];
  const shrinking: Shrinking[] = [];
  let refused: readonly Pod[] = [];
  let isAtRest = false;
  for (let round = 0; round < maxRounds && !isAtRest && !meter.isExhausted(); round += 1) {
    meter.spend(1 + state.replicaSets.length);
    const sync = syncDeployment(state);
    // The status that it writes last brings the controller back once more: only then does it clean the history.
    const hasJustCompleted =
      isComplete(state.deployment, sync.status) && !isComplete(state.deployment, state.deployment.status);
    collectGarbage(roster, state, sync.actions, meter);
    state = withStatus(applied(state, sync.actions), sync);
    const pods = manageReplicaSets(roster, state, { admits, meter, sizedBy: sync.actions });
    state = counted(roster, pods.state);
    append(actions, sync.actions);
    append(created, pods.created);
    append(shrinking, pods.shrinking);
    refused = pods.refused;
    const acted = sync.actions.length + pods.created.length + pods.shrinking.length > 0;
    isAtRest = !acted && !hasJustCompleted;
  }
  const { deleted, orElse } = deletionsOf(shrinking, roster, state.now, meter);
  return { state, actions, created, deleted, orElse, refused, isAtRest };
}

/**
 * A ReplicaSet is given up once it has no active pod. The garbage collector then deletes its pods that have ended; those that
 * are being deleted go on.
 */
function collectGarbage(
  roster: Roster,
  { replicaSets }: DeploymentState,
  actions: readonly DeploymentAction[],
  meter: WorkMeter,
): void {
  const names = actions.flatMap((each) => (each.kind === 'delete-replica-set' ? [each.replicaSet] : []));
  if (names.length === 0) return;
  const gone = replicaSets.filter(({ metadata }) => names.includes(metadata.name));
  const owners = new Set(gone.map(({ metadata }) => metadata.uid));
  meter.spend(roster.size());
  for (const pod of roster.all()) {
    if (isTerminal(pod) && !isTerminating(pod) && owners.has(controllerOf(pod)?.uid ?? ''))
      roster.remove(pod);
  }
}

/** The Deployment controller does not wait for one ReplicaSet's deletions before it resizes the next. */
function deletionsOf(
  shrinking: readonly Shrinking[],
  roster: Roster,
  now: number,
  meter: WorkMeter,
): Pick<Acted<DeploymentState>, 'deleted' | 'orElse'> {
  const deleted = shrinking.flatMap(({ victims }) => victims.pods);
  const inAnyOrder = victimsInAnyOrder(shrinking, roster.crowds, now, meter.spend);
  const possible = new Set([...shrinking.flatMap(({ victims }) => victims.orElse), ...inAnyOrder]);
  for (const pod of deleted) possible.delete(pod);
  return { deleted, orElse: [...possible] };
}

/** A spread of so many arguments as a large rollout has pods would overflow the stack. */
function append<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item);
}

/** All wanted replicas are of the new revision and available, and none of an old one is left. */
export function deploymentIsComplete(state: DeploymentState): boolean {
  const { status } = syncDeployment(state);
  return isComplete(state.deployment, status) && conditionOf(status, 'ReplicaFailure') === undefined;
}

/** The ReplicaSets with the counts that follow from their pods; a ReplicaFailure stays. */
export function refreshed(state: DeploymentState): DeploymentState {
  const byOwner = podsByOwnerOf(state);
  const replicaSets = state.replicaSets.map((replicaSet) => {
    const pods = byOwner.get(replicaSet.metadata.uid) ?? [];
    const { conditions } = replicaSet.status;
    return {
      ...replicaSet,
      status: { ...replicaSetStatus({ replicaSet, pods, now: state.now }), conditions },
    };
  });
  return { ...state, replicaSets };
}

/** The same from a roster's counts. */
function counted(roster: Roster, state: DeploymentState): DeploymentState {
  const replicaSets = state.replicaSets.map((replicaSet): ReplicaSet => {
    const { metadata, spec, status } = replicaSet;
    const group = roster.groupOf(metadata.uid);
    const counts = {
      observedGeneration: Math.max(metadata.generation ?? 0, status.observedGeneration),
      replicas: group.active.size,
      readyReplicas: group.ready(),
      availableReplicas: group.countAvailable(spec.minReadySeconds, state.now),
      terminatingReplicas: group.terminating(),
    };
    return isSame(status, counts) ? replicaSet : { ...replicaSet, status: { ...status, ...counts } };
  });
  return { ...state, replicaSets };
}

function isSame(status: ReplicaSet['status'], counts: Partial<ReplicaSet['status']>): boolean {
  return Object.entries(counts).every(([name, value]) => status[name as keyof typeof counts] === value);
}

interface Managed {
  readonly state: DeploymentState;
  readonly created: readonly Pod[];
  readonly shrinking: readonly Shrinking[];
  readonly refused: readonly Pod[];
}

interface Managing {
  readonly admits: (pod: Pod) => boolean;
  readonly meter: WorkMeter;
  /** What the Deployment controller did right before. */
  readonly sizedBy: readonly DeploymentAction[];
}

function manageReplicaSets(
  roster: Roster,
  state: DeploymentState,
  { admits, meter, sizedBy }: Managing,
): Managed {
  const created: Pod[] = [];
  const shrinking: Shrinking[] = [];
  const refused: Pod[] = [];
  const served = new Set<ReplicaSet>();
  for (const replicaSet of state.replicaSets) {
    const { active } = roster.groupOf(replicaSet.metadata.uid);
    const change = replicaSetChange(replicaSet, active.size);
    const before = refused.length;
    if (change < 0) {
      const candidates = [...active.values()];
      const inOneStep = victimsAmong(candidates, roster.crowds, -change, state.now);
      meter.spend(active.size);
      const between = sizedBy.find(
        (action) => action.kind === 'scale' && action.replicaSet === replicaSet.metadata.name,
      );
      const stepsSeen =
        between?.kind === 'scale' && between.to > replicaSet.spec.replicas
          ? victimsInTwoSteps(candidates, roster.crowds, active.size - between.to, -change, state.now)
          : [];
      const orElse = [...new Set([...inOneStep.orElse, ...stepsSeen])];
      const victims = { pods: inOneStep.pods, orElse: orElse.filter((pod) => !inOneStep.pods.includes(pod)) };
      shrinking.push({ owner: replicaSet.metadata.uid, active: candidates, victims });
      for (const pod of victims.pods) {
        const [left] = deletedPod(pod, state.now);
        if (left === undefined) roster.remove(pod);
        else roster.replace(pod, left);
      }
    }
    for (let count = 0; count < change && !meter.isExhausted(); count += 1) {
      const pod = nextPod(roster, state, replicaSet);
      meter.spend(1);
      if (!admits(pod)) {
        refused.push(pod);
        break;
      }
      meter.notePods(1);
      created.push(pod);
      roster.add(pod);
    }
    const hasFailed = conditionOf(replicaSet.status, 'ReplicaFailure') !== undefined;
    if (hasFailed && refused.length === before) served.add(replicaSet);
  }
  return { state: withoutFailures(state, served), created, shrinking, refused };
}

/** As the ReplicaSet would create it; names go on where those that exist end. */
function nextPod(roster: Roster, { now }: DeploymentState, replicaSet: ReplicaSet): Pod {
  const { metadata, spec } = replicaSet;
  const name = roster.freeName(`${metadata.name}-next-`);
  return simulatedPod(replicaSet, spec.template, name, now, roster.groupOf(metadata.uid).like());
}
