import { type Condition, conditionOf } from '../objects/metadata.js';
import { isTerminal } from '../objects/pod.js';
import type { Deployment, ReplicaSet } from '../objects/workload.js';
import { byCreation } from './creation-order.js';
import type { Annotations, DeploymentAction, DeploymentStatus, ScaleReason } from './deployment-writes.js';
import {
  countAnnotation,
  deploymentCounts,
  desiredReplicasAnnotation,
  differIn,
  hasProgressDeadline,
  hasRevisionHistoryLimit,
  isComplete,
  maxReplicasAnnotation,
  maxRevision,
  newCondition,
  newReplicaSetAnnotations,
  pausedConditions,
  replicasAnnotations,
  revisionAnnotation,
  revisionNumber,
  rolloutStatusOf,
  withCondition,
} from './deployment-writes.js';
import { fencepostsOf, rollingBounds } from './fenceposts.js';
import { isActiveReplicaSet, podsOfReplicaSet, type Revisions, revisionsOf } from './revisions.js';
import type { DeploymentState } from './rollout-state.js';

/** What one sync does, in order, and the status it then writes. No actions: status only. */
export interface DeploymentSync {
  /** The branch that the controller takes. `invalid`: it fails and retries, since it cannot read maxSurge. */
  readonly path: 'deleting' | 'paused' | 'scaling' | 'rolling' | 'recreate' | 'invalid';
  readonly actions: readonly DeploymentAction[];
  readonly status: DeploymentStatus;
  /** Value of the Deployment's revision annotation afterwards; `undefined` leaves it. */
  readonly revision: string | undefined;
}

/**
 * One sync of the Deployment controller over the objects as they are: which ReplicaSets it creates, scales
 * and deletes, and the status it writes (kubernetes `deployment_controller.go: syncDeployment`, `sync.go`,
 * `rolling.go`, `recreate.go`). Not simulated: hash collisions, adoption, the rollback annotation of
 * `extensions/v1beta1`.
 */
export function syncDeployment(state: DeploymentState): DeploymentSync {
  const { deployment, now } = state;
  if (deployment.metadata.deletionTimestamp !== undefined) {
    const known = identify(state, deployment.status.conditions, false);
    return { path: 'deleting', ...finish(known, countsOf(known)) };
  }
  const conditions = pausedConditions(deployment, now);
  if (deployment.spec.paused) return { path: 'paused', ...scaling(state, conditions) };
  if (isScalingEvent(state)) return { path: 'scaling', ...scaling(state, conditions) };
  if (deployment.spec.strategy.type === 'Recreate') {
    return { path: 'recreate', ...recreate(state, conditions) };
  }
  if (deployment.spec.strategy.type !== 'RollingUpdate' || fencepostsOf(deployment).kind === 'invalid') {
    const { status } = deployment;
    return { path: 'invalid', actions: [], status: { ...status, conditions }, revision: undefined };
  }
  return { path: 'rolling', ...rolling(state, conditions) };
}

/** Some active ReplicaSet was last sized for another `spec.replicas` (`isScalingEvent`). */
function isScalingEvent({ deployment, replicaSets }: DeploymentState): boolean {
  return replicaSets.filter(isActiveReplicaSet).some((replicaSet) => {
    const desired = countAnnotation(replicaSet, desiredReplicasAnnotation);
    return desired !== undefined && desired !== deployment.spec.replicas;
  });
}

type Outcome = Omit<DeploymentSync, 'path'>;

function finish(known: Known, status: DeploymentStatus, more: readonly DeploymentAction[] = []): Outcome {
  return { actions: [...known.actions, ...more], status, revision: known.revision };
}

function allOf({ oldReplicaSets, newReplicaSet }: Known): readonly ReplicaSet[] {
  return newReplicaSet === undefined ? oldReplicaSets : [...oldReplicaSets, newReplicaSet];
}

function countsOf(known: Known): DeploymentStatus {
  const { deployment, now } = known.state;
  return deploymentCounts(deployment, known.conditions, allOf(known), known.newReplicaSet, now);
}

function statusOf(known: Known): DeploymentStatus {
  const { deployment, now } = known.state;
  return rolloutStatusOf(deployment, known.conditions, allOf(known), known.newReplicaSet, now);
}

/** `sync.go: sync`, the branch for a paused or scaled Deployment. */
function scaling(state: DeploymentState, conditions: readonly Condition[]): Outcome {
  const known = identify(state, conditions, false);
  const wanted = replicasAnnotations(state.deployment);
  const scales = scaledSizes(state.deployment, known)
    .filter(
      ({ replicaSet, replicas, because }) =>
        replicaSet.spec.replicas !== replicas ||
        (because === 'proportion' && differIn(replicaSet.metadata.annotations, wanted)),
    )
    .map(({ replicaSet, replicas, because }) =>
      scale(state.deployment, replicaSet, replicaSet.spec.replicas, replicas, because),
    );
  const expired = state.deployment.spec.paused ? deletions(known) : [];
  return finish(known, countsOf(known), [...scales, ...expired]);
}

/** `rolling.go: rolloutRolling`. */
function rolling(state: DeploymentState, conditions: readonly Condition[]): Outcome {
  const { deployment } = state;
  const known = identify(state, conditions, true);
  const newReplicaSet = known.newReplicaSet;
  if (newReplicaSet === undefined) return finish(known, statusOf(known));
  const size = newReplicaSetSize(deployment, known.oldReplicaSets, newReplicaSet);
  const current = newReplicaSet.spec.replicas;
  if (size !== current) {
    const because = size > current ? 'new-up' : 'new-down';
    return finish(known, statusOf(known), [scale(deployment, newReplicaSet, current, size, because)]);
  }
  const downs = oldReplicaSetSizes(deployment, known.oldReplicaSets, newReplicaSet);
  if (downs.length > 0) {
    const scales = downs.map(({ replicaSet, from, to, because }) =>
      scale(deployment, replicaSet, from, to, because),
    );
    return finish(known, statusOf(known), scales);
  }
  const expired = isComplete(deployment, deployment.status) ? deletions(known) : [];
  return finish(known, statusOf(known), expired);
}

/** `recreate.go: rolloutRecreate`: nothing new before the last old pod is gone from the API server. */
function recreate(state: DeploymentState, conditions: readonly Condition[]): Outcome {
  const { deployment } = state;
  const known = identify(state, conditions, false);
  const active = known.oldReplicaSets.filter(isActiveReplicaSet);
  if (active.length > 0) {
    const scales = active.map((replicaSet) =>
      scale(deployment, replicaSet, replicaSet.spec.replicas, 0, 'recreate-down'),
    );
    return finish(known, statusOf(known), scales);
  }
  if (oldPodsRemain(state, known.oldReplicaSets)) return finish(known, statusOf(known));
  const settled = known.newReplicaSet === undefined ? identify(state, known.conditions, true) : known;
  const newReplicaSet = settled.newReplicaSet;
  const current = newReplicaSet?.spec.replicas;
  const up =
    newReplicaSet !== undefined && current !== undefined && current !== deployment.spec.replicas
      ? [scale(deployment, newReplicaSet, current, deployment.spec.replicas, 'recreate-up')]
      : [];
  const expired = isComplete(deployment, deployment.status) ? deletions(settled) : [];
  return finish(settled, statusOf(settled), [...up, ...expired]);
}

/** Terminating pods count, terminal ones do not (`recreate.go: oldPodsRunning`). */
function oldPodsRemain(state: DeploymentState, oldReplicaSets: readonly ReplicaSet[]): boolean {
  return oldReplicaSets.some(
    (replicaSet) =>
      replicaSet.status.replicas > 0 ||
      (replicaSet.status.terminatingReplicas ?? 0) > 0 ||
      podsOfReplicaSet(state, replicaSet).some((pod) => !isTerminal(pod)),
  );
}

function deletions(known: Known): readonly DeploymentAction[] {
  return expiredReplicaSets(known.state.deployment, known.oldReplicaSets).map(({ metadata }) => ({
    kind: 'delete-replica-set',
    replicaSet: metadata.name,
    because: 'revision-history',
  }));
}

function scale(
  deployment: Deployment,
  replicaSet: ReplicaSet,
  from: number,
  to: number,
  because: ScaleReason,
): DeploymentAction {
  return {
    kind: 'scale',
    replicaSet: replicaSet.metadata.name,
    from,
    to,
    because,
    annotations: replicasAnnotations(deployment),
  };
}

/**
 * The old ReplicaSets beyond `revisionHistoryLimit` that are empty and settled, lowest revision first
 * (kubernetes `sync.go: cleanupDeployment`).
 */
export function expiredReplicaSets(
  deployment: Deployment,
  oldReplicaSets: readonly ReplicaSet[],
): readonly ReplicaSet[] {
  if (!hasRevisionHistoryLimit(deployment)) return [];
  const alive = oldReplicaSets.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const excess = alive.length - deployment.spec.revisionHistoryLimit;
  if (excess <= 0) return [];
  return [...alive].sort(byRevision).slice(0, excess).filter(isSettledAndEmpty);
}

function isSettledAndEmpty({ metadata, spec, status }: ReplicaSet): boolean {
  return (
    status.replicas === 0 && spec.replicas === 0 && (metadata.generation ?? 0) <= status.observedGeneration
  );
}

function byRevision(a: ReplicaSet, b: ReplicaSet): number {
  const revisionA = revisionNumber(a);
  const revisionB = revisionNumber(b);
  if (revisionA === undefined || revisionB === undefined || revisionA === revisionB) return byCreation(a, b);
  return revisionA - revisionB;
}

/** A ReplicaSet's size after a change of `spec.replicas`. */
interface Resized {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
  readonly because: 'only-active' | 'new-is-saturated' | 'proportion';
}

/**
 * Sizes of the active ReplicaSets when the Deployment was scaled, or is paused; unchanged ones included,
 * since their annotations are brought up to date (kubernetes `sync.go: scale`).
 */
export function scaledSizes(deployment: Deployment, revisions: Revisions): readonly Resized[] {
  const { replicas } = deployment.spec;
  const all = allReplicaSets(revisions);
  const active = all.filter(isActiveReplicaSet);
  if (active.length <= 1) {
    const target = active[0] ?? revisions.newReplicaSet ?? [...all].sort(byCreation).at(-1);
    if (target === undefined || target.spec.replicas === replicas) return [];
    return [{ replicaSet: target, replicas, because: 'only-active' }];
  }
  if (isSaturated(deployment, revisions.newReplicaSet)) {
    return revisions.oldReplicaSets
      .filter(isActiveReplicaSet)
      .map((replicaSet) => ({ replicaSet, replicas: 0, because: 'new-is-saturated' }));
  }
  return deployment.spec.strategy.type === 'RollingUpdate' ? inProportion(deployment, active) : [];
}

/** It has all wanted replicas, knows that they are all, and all are available (`IsSaturated`). */
function isSaturated(deployment: Deployment, replicaSet: ReplicaSet | undefined): boolean {
  if (replicaSet === undefined) return false;
  const { replicas } = deployment.spec;
  return (
    replicaSet.spec.replicas === replicas &&
    countAnnotation(replicaSet, desiredReplicasAnnotation) === replicas &&
    replicaSet.status.availableReplicas === replicas
  );
}

/** Largest first; what rounding leaves over goes to the largest. */
function inProportion(deployment: Deployment, active: readonly ReplicaSet[]): readonly Resized[] {
  const total = active.reduce((sum, { spec }) => sum + spec.replicas, 0);
  const toAdd = allowedTotal(deployment) - total;
  const ordered = [...active].sort(
    (a, b) => b.spec.replicas - a.spec.replicas || (toAdd > 0 ? byCreation(b, a) : byCreation(a, b)),
  );
  let added = 0;
  const sizes = ordered.map((replicaSet) => {
    const share = proportion(deployment, replicaSet, toAdd, added);
    added += share;
    return replicaSet.spec.replicas + share;
  });
  const resized = ordered.map((replicaSet, position): Resized => {
    const size = sizes[position] ?? replicaSet.spec.replicas;
    const replicas = position === 0 && toAdd !== 0 ? Math.max(0, size + toAdd - added) : size;
    return { replicaSet, replicas, because: 'proportion' };
  });
  // The API server refuses a negative size, and the controller stops there until its next sync.
  const refused = resized.findIndex(({ replicas }) => replicas < 0);
  return refused < 0 ? resized : resized.slice(0, refused);
}

function allowedTotal(deployment: Deployment): number {
  const { replicas } = deployment.spec;
  return replicas === 0 ? 0 : replicas + rollingBounds(deployment).maxSurge;
}

/** Never beyond what is still to be added or removed (`GetReplicaSetProportion`). */
function proportion(deployment: Deployment, replicaSet: ReplicaSet, toAdd: number, added: number): number {
  if (replicaSet.spec.replicas === 0 || toAdd === 0 || toAdd === added) return 0;
  const share = fraction(deployment, replicaSet);
  return toAdd > 0 ? Math.min(share, toAdd - added) : Math.max(share, toAdd - added);
}

/**
 * `getReplicaSetFraction`: its size scaled by the allowed total over the total it was last sized for. The
 * controller multiplies in 32 bits, so from 46,341 pods on the product can wrap round, and one ReplicaSet may
 * get the whole difference.
 */
function fraction(deployment: Deployment, replicaSet: ReplicaSet): number {
  const size = replicaSet.spec.replicas;
  if (deployment.spec.replicas === 0) return -size;
  const before = countAnnotation(replicaSet, maxReplicasAnnotation) || deployment.status.replicas;
  if (before === 0) return 0;
  return rounded(Math.imul(size, allowedTotal(deployment)) / before) - size;
}

/** To the nearest integer, halves away from zero (k8s.io/utils `integer.go: RoundToInt32`). */
function rounded(value: number): number {
  return Math.trunc(value < 0 ? value - 0.5 : value + 0.5);
}

function allReplicaSets({ oldReplicaSets, newReplicaSet }: Revisions): readonly ReplicaSet[] {
  return newReplicaSet === undefined ? oldReplicaSets : [...oldReplicaSets, newReplicaSet];
}

/** The ReplicaSets as this sync knows them, and what it has written so far. */
interface Known {
  readonly state: DeploymentState;
  readonly newReplicaSet: ReplicaSet | undefined;
  readonly oldReplicaSets: readonly ReplicaSet[];
  readonly conditions: readonly Condition[];
  readonly actions: readonly DeploymentAction[];
  readonly revision: string | undefined;
}

/** `getAllReplicaSetsAndSyncRevision` and `getNewReplicaSet`. */
function identify(state: DeploymentState, conditions: readonly Condition[], mayCreate: boolean): Known {
  const { deployment, now } = state;
  const { newReplicaSet, oldReplicaSets } = revisionsOf(state);
  const revision = maxRevision(oldReplicaSets) + 1;
  const known: Known = { state, newReplicaSet, oldReplicaSets, conditions, actions: [], revision: undefined };
  if (newReplicaSet === undefined) return mayCreate ? withCreated(known, revision) : known;
  const annotations = newReplicaSetAnnotations(deployment, newReplicaSet.metadata.annotations, revision);
  const { minReadySeconds } = deployment.spec;
  if (
    differIn(newReplicaSet.metadata.annotations, annotations) ||
    newReplicaSet.spec.minReadySeconds !== minReadySeconds
  ) {
    const updated: ReplicaSet = {
      ...newReplicaSet,
      metadata: { ...newReplicaSet.metadata, annotations },
      spec: { ...newReplicaSet.spec, minReadySeconds },
    };
    const replicaSet = newReplicaSet.metadata.name;
    const action = { kind: 'update-replica-set', replicaSet, annotations, minReadySeconds } as const;
    return { ...known, newReplicaSet: updated, actions: [action] };
  }
  const found = `Found new replica set "${newReplicaSet.metadata.name}"`;
  const noted =
    hasProgressDeadline(deployment) && conditionOf({ conditions }, 'Progressing') === undefined
      ? withCondition(conditions, newCondition('Progressing', 'True', 'FoundNewReplicaSet', found, now))
      : conditions;
  return { ...known, conditions: noted, revision: newReplicaSet.metadata.annotations[revisionAnnotation] };
}

function withCreated(known: Known, revision: number): Known {
  const { deployment, now } = known.state;
  const replicas = newReplicaSetSize(deployment, known.oldReplicaSets, undefined);
  const annotations = newReplicaSetAnnotations(deployment, undefined, revision);
  const created = unbornReplicaSet(deployment, replicas, annotations);
  const message = `Created new replica set "${created.metadata.name}"`;
  const conditions = hasProgressDeadline(deployment)
    ? withCondition(
        known.conditions,
        newCondition('Progressing', 'True', 'NewReplicaSetCreated', message, now),
      )
    : known.conditions;
  return {
    ...known,
    newReplicaSet: created,
    conditions,
    actions: [...known.actions, { kind: 'create-replica-set', replicas, revision, annotations }],
    revision: String(revision),
  };
}

/** Stands for the ReplicaSet until the caller has named it; no pods yet. */
function unbornReplicaSet(deployment: Deployment, replicas: number, annotations: Annotations): ReplicaSet {
  const { metadata, spec } = deployment;
  return {
    kind: 'ReplicaSet',
    metadata: { ...metadata, uid: '', annotations, ownerReferences: [], creationTimestamp: undefined },
    spec: {
      replicas,
      minReadySeconds: spec.minReadySeconds,
      selector: spec.selector,
      template: spec.template,
    },
    status: {
      observedGeneration: 0,
      replicas: 0,
      fullyLabeledReplicas: 0,
      readyReplicas: 0,
      availableReplicas: 0,
      terminatingReplicas: undefined,
      conditions: [],
    },
  };
}

/** A new size for an old ReplicaSet; one sync may shrink the same one twice, for either reason. */
interface ShrunkOld {
  readonly replicaSet: ReplicaSet;
  readonly from: number;
  readonly to: number;
  readonly because: 'unhealthy-old' | 'old-down';
}

/**
 * Size of the new ReplicaSet: up to `replicas` and to what maxSurge leaves beside the old ones, by spec, so
 * that terminating pods do not count. `undefined` stands for one still to be created (kubernetes
 * `deployment_util.go: NewRSNewReplicas`, `rolling.go: reconcileNewReplicaSet`).
 */
function newReplicaSetSize(
  deployment: Deployment,
  oldReplicaSets: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet | undefined,
): number {
  const { replicas, strategy } = deployment.spec;
  const current = newReplicaSet?.spec.replicas ?? 0;
  if (strategy.type === 'Recreate' || current >= replicas) return replicas;
  const total = totalSpec(oldReplicaSets) + current;
  const room = replicas + surgeOf(deployment) - total;
  return room <= 0 ? current : current + Math.min(room, replicas - current);
}

/** maxSurge by itself: the rule "both 0" concerns maxUnavailable only. */
function surgeOf(deployment: Deployment): number {
  const fenceposts = fencepostsOf(deployment);
  return fenceposts.kind === 'resolved' ? fenceposts.maxSurge : 0;
}

/**
 * Which old ReplicaSets shrink, to what: first pods that are not available, then as many available ones as
 * minAvailable spares, oldest ReplicaSet first. New pods that are not available yet are not spent a second
 * time (kubernetes `rolling.go: reconcileOldReplicaSets`).
 */
function oldReplicaSetSizes(
  deployment: Deployment,
  oldReplicaSets: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet,
): readonly ShrunkOld[] {
  const active = oldReplicaSets.filter(isActiveReplicaSet);
  if (active.length === 0) return [];
  const { minAvailable } = rollingBounds(deployment);
  const newUnavailable = newReplicaSet.spec.replicas - newReplicaSet.status.availableReplicas;
  const budget = totalSpec(active) + newReplicaSet.spec.replicas - minAvailable - newUnavailable;
  if (budget <= 0) return [];
  const { shrunk, metStaleCount } = withoutUnhealthy(active, budget);
  if (metStaleCount) return shrunk;
  const sizes = new Map(shrunk.map(({ replicaSet, to }) => [replicaSet, to]));
  const available =
    active.reduce((sum, { status }) => sum + status.availableReplicas, 0) +
    newReplicaSet.status.availableReplicas;
  return [...shrunk, ...withoutSpare(active, sizes, available - minAvailable)];
}

/**
 * `cleanupUnhealthyReplicas`. A ReplicaSet with more available pods than it wants has a status behind its
 * spec: the controller takes that for an error and leaves the rest to the next sync.
 */
function withoutUnhealthy(
  active: readonly ReplicaSet[],
  budget: number,
): { readonly shrunk: readonly ShrunkOld[]; readonly metStaleCount: boolean } {
  let left = budget;
  const shrunk: ShrunkOld[] = [];
  for (const replicaSet of active) {
    if (left <= 0) break;
    const from = replicaSet.spec.replicas;
    const unhealthy = from - replicaSet.status.availableReplicas;
    if (unhealthy < 0) return { shrunk, metStaleCount: true };
    const count = Math.min(left, unhealthy);
    if (count === 0) continue;
    left -= count;
    shrunk.push({ replicaSet, from, to: from - count, because: 'unhealthy-old' });
  }
  return { shrunk, metStaleCount: false };
}

/** `scaleDownOldReplicaSetsForRollingUpdate`, on the sizes that the clean-up has left. */
function withoutSpare(
  active: readonly ReplicaSet[],
  sizes: ReadonlyMap<ReplicaSet, number>,
  spare: number,
): readonly ShrunkOld[] {
  let left = spare;
  const shrunk: ShrunkOld[] = [];
  for (const replicaSet of active) {
    if (left <= 0) break;
    const from = sizes.get(replicaSet) ?? replicaSet.spec.replicas;
    const count = Math.min(left, from);
    if (count === 0) continue;
    left -= count;
    shrunk.push({ replicaSet, from, to: from - count, because: 'old-down' });
  }
  return shrunk;
}

function totalSpec(replicaSets: readonly ReplicaSet[]): number {
  return replicaSets.reduce((total, { spec }) => total + spec.replicas, 0);
}
