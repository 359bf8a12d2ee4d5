import { groupBy } from '../collections/collections.js';
import { conditionOf, controllerOf } from '../objects/metadata.js';
import type { Pod } from '../objects/pod.js';
import type { PodTemplate } from '../objects/pod-spec.js';
import { revisionNames } from '../objects/revisions.js';
import type { Snapshot } from '../objects/snapshot.js';
import type { ControllerRevision, ReplicaSet } from '../objects/workload.js';
import { hasDeploymentStrategy, hasGroups, hasReplicaSets } from '../objects/workload.js';
import { rolesOf } from './argo-rollout/replica-set-roles.js';
import {
  daemonSetHash,
  isUpdatedDaemonPod,
  podRevisionName,
  revisionOfTemplate,
  statefulSetRevisions,
} from './controller-revisions.js';
import { byCreation, epochOf } from './creation-order.js';
import { maxRevision, revisionNumber } from './deployment-writes.js';
import { formerGroupPods, newestKeyOf, newGroupPods } from './leader-worker-set/leader-set.js';
import { formerRevisionPods, newRevisionPods } from './revisioned/pods.js';
import type { ArgoRolloutState, DeploymentState, RolloutState } from './rollout-state.js';
import { rolloutStateOf, switchesRevisions, workloadIn } from './rollout-state.js';
import { sameTemplate } from './template-equality.js';

/** A workload that rolls out by ReplicaSets. */
type SetState = DeploymentState | ArgoRolloutState;

/** The ReplicaSets of a Deployment or Rollout, told apart as its controller does. */
export interface Revisions {
  /** The oldest whose template is the Deployment's; `undefined` until the controller has made it. */
  readonly newReplicaSet: ReplicaSet | undefined;
  /** All others, oldest first. */
  readonly oldReplicaSets: readonly ReplicaSet[];
}

/** Which ReplicaSet is the new one is decided by template alone (`deployment_util.go: FindNewReplicaSet`). */
export function revisionsOf(
  state: Pick<DeploymentState, 'deployment' | 'replicaSets'> | ArgoRolloutState,
): Revisions {
  if ('rollout' in state) {
    const { newReplicaSet } = rolesOf(state.rollout, state.replicaSets);
    const oldReplicaSets = [...state.replicaSets].sort(byCreation).filter((each) => each !== newReplicaSet);
    return { newReplicaSet, oldReplicaSets };
  }
  const { template } = state.deployment.spec;
  const known = knownRevisions.get(state.replicaSets);
  if (known?.template === template) return known.revisions;
  const oldestFirst = [...state.replicaSets].sort(byCreation);
  const newReplicaSet = oldestFirst.find((replicaSet) => sameTemplate(replicaSet.spec.template, template));
  const oldReplicaSets = oldestFirst.filter((replicaSet) => replicaSet !== newReplicaSet);
  const revisions = { newReplicaSet, oldReplicaSets };
  knownRevisions.set(state.replicaSets, { template, revisions });
  return revisions;
}

/** Every rule asks for the revisions of the same list. */
const knownRevisions = new WeakMap<
  readonly ReplicaSet[],
  { readonly template: PodTemplate; readonly revisions: Revisions }
>();

export function newReplicaSetOf(state: SetState): ReplicaSet | undefined {
  return revisionsOf(state).newReplicaSet;
}

/** Oldest first. */
export function oldReplicaSetsOf(state: SetState): readonly ReplicaSet[] {
  return revisionsOf(state).oldReplicaSets;
}

/** `spec.replicas` above 0 (`FilterActiveReplicaSets`). */
export function isActiveReplicaSet(replicaSet: ReplicaSet): boolean {
  return replicaSet.spec.replicas > 0;
}

export function podsOfReplicaSet(state: Pick<SetState, 'pods'>, replicaSet: ReplicaSet): readonly Pod[] {
  return podsByOwnerOf(state).get(replicaSet.metadata.uid) ?? [];
}

/** Pods by the uid of their controller. */
export function podsByOwnerOf({
  pods,
}: Pick<DeploymentState, 'pods'>): ReadonlyMap<string | undefined, readonly Pod[]> {
  const known = podsByOwner.get(pods);
  if (known !== undefined) return known;
  const byOwner = groupBy(pods, (pod) => controllerOf(pod)?.uid);
  podsByOwner.set(pods, byOwner);
  return byOwner;
}

/** Every rule asks for the pods of the same ReplicaSets. */
const podsByOwner = new WeakMap<readonly Pod[], ReadonlyMap<string | undefined, readonly Pod[]>>();

/** The uid of the new ReplicaSet, also of one that its pods show and that was not read. */
export function newestUidOf(state: SetState): string | undefined {
  return newReplicaSetOf(state)?.metadata.uid ?? state.unread?.newest;
}

/** Pods of the new ReplicaSet, terminal and terminating ones included. */
export function newPods(state: SetState): readonly Pod[] {
  const uid = newestUidOf(state);
  return uid === undefined ? [] : (podsByOwnerOf(state).get(uid) ?? []);
}

/**
 * Pods of every other ReplicaSet, terminal and terminating ones included. None where ReplicaSets were not
 * read and nothing shows which one is new.
 */
export function oldPods(state: SetState): readonly Pod[] {
  const newUid = newestUidOf(state);
  if (newUid === undefined && state.unread !== undefined) return [];
  return state.pods.filter((pod) => controllerOf(pod)?.uid !== newUid);
}

/** What speaks for a revision as the one to go back to. */
interface HealthyRevision {
  readonly replicaSet: ReplicaSet;
  readonly revision: number;
  /** `available-pods`: it serves right now. `previous`: only its number speaks for it. */
  readonly evidence: 'available-pods' | 'previous';
}

/**
 * The revision `undo-rollout` would go back to: the newest old one with available pods; if none has any, the
 * one `kubectl rollout undo` takes, the highest old revision. `undefined` without an old revision.
 */
export function lastHealthyRevision(state: SetState): HealthyRevision | undefined {
  const numbered = oldReplicaSetsOf(state)
    .map((replicaSet) => ({ replicaSet, revision: revisionNumber(replicaSet) ?? 0 }))
    .filter(({ revision }) => revision > 0)
    .sort((a, b) => b.revision - a.revision);
  const serving = numbered.find(({ replicaSet }) => replicaSet.status.availableReplicas > 0);
  if (serving !== undefined) return { ...serving, evidence: 'available-pods' };
  const previous = numbered[0];
  return previous === undefined ? undefined : { ...previous, evidence: 'previous' };
}

/** The controller writes the condition when it makes the ReplicaSet. No pod is available as soon as this. */
const firstSyncMs = 2_000;

/**
 * Whether a Deployment of one pod records that it was not available at any time since this ReplicaSet was
 * made. Of several pods some may have been ready all the same, so it is `false` for them.
 */
export function wasNeverAvailable(state: RolloutState, { metadata }: ReplicaSet): boolean {
  if (!hasDeploymentStrategy(state) || state.deployment.spec.replicas !== 1) return false;
  const available = conditionOf(state.deployment.status, 'Available');
  const since = epochOf(available?.lastTransitionTime);
  const madeAt = epochOf(metadata.creationTimestamp);
  if (available?.status !== 'False' || since === undefined || madeAt === undefined) return false;
  return since <= madeAt + firstSyncMs;
}

/**
 * When the present revision was made, in epoch milliseconds. `undefined` where it is not kept, and where
 * another one is younger: an earlier revision that came back keeps the time at which it was new.
 */
export function presentRevisionMadeAt(state: RolloutState): number | undefined {
  const { present, all } = keptRevisionsOf(state);
  const madeAt = epochOf(present?.metadata.creationTimestamp);
  if (madeAt === undefined) return undefined;
  const isYoungest = all.every(
    ({ metadata }) => (epochOf(metadata.creationTimestamp) ?? Number.NEGATIVE_INFINITY) <= madeAt,
  );
  return isYoungest ? madeAt : undefined;
}

function keptRevisionsOf(state: RolloutState): {
  readonly present?: ReplicaSet | ControllerRevision | undefined;
  readonly all: readonly (ReplicaSet | ControllerRevision)[];
} {
  if (hasReplicaSets(state)) return { present: newReplicaSetOf(state), all: state.replicaSets };
  if (hasGroups(state) || switchesRevisions(state)) return { all: [] };
  const all = state.controllerRevisions;
  return { present: revisionOfTemplate(workloadIn(state), all), all };
}

/**
 * The revision that the workload is at or going to, as text that stays the same as long as the template does:
 * the number of a Deployment's new ReplicaSet, or the one it will get; the update revision's name of a
 * StatefulSet; the hash of a DaemonSet. '' where the controller has not said it yet.
 */
export function revisionOf(snapshot: Snapshot): string {
  return revisionAnswers(rolloutStateOf(snapshot)).newest();
}

/** Pods of the revision that the workload is at or going to. */
export function podsOfNewRevision(state: RolloutState): readonly Pod[] {
  return revisionAnswers(state).newPods();
}

/** Pods of all revisions before it; none where it is not known. */
export function podsOfFormerRevisions(state: RolloutState): readonly Pod[] {
  return revisionAnswers(state).formerPods();
}

/** What is asked of the revisions of a workload, whatever its controller keeps them in. */
interface RevisionAnswers {
  readonly newest: () => string;
  readonly newPods: () => readonly Pod[];
  readonly formerPods: () => readonly Pod[];
}

function revisionAnswers(state: RolloutState): RevisionAnswers {
  switch (state.kind) {
    case 'Deployment':
    case 'Rollout':
      return {
        newest: () => newestNumber(state),
        newPods: () => newPods(state),
        formerPods: () => oldPods(state),
      };
    case 'StatefulSet': {
      const update = statefulSetRevisions(state)?.update;
      return {
        newest: () => update ?? '',
        newPods: () => state.pods.filter((pod) => podRevisionName(pod) === update),
        formerPods: () =>
          update === undefined ? [] : state.pods.filter((pod) => podRevisionName(pod) !== update),
      };
    }
    case 'LeaderWorkerSet':
      return {
        newest: () => newestKeyOf(state),
        newPods: () => newGroupPods(state),
        formerPods: () => formerGroupPods(state),
      };
    case 'Revisioned': {
      const { revisions } = state.service;
      return {
        newest: () => revisions.next ?? revisionNames(revisions)[0] ?? '',
        newPods: () => newRevisionPods(state),
        formerPods: () => formerRevisionPods(state),
      };
    }
    case 'DaemonSet': {
      const hash = daemonSetHash(state);
      const isNew = (pod: Pod): boolean => isUpdatedDaemonPod(pod, state.daemonSet, hash);
      return {
        newest: () => hash ?? '',
        newPods: () => state.pods.filter(isNew),
        formerPods: () => (hash === undefined ? [] : state.pods.filter((pod) => !isNew(pod))),
      };
    }
  }
}

function newestNumber(state: SetState): string {
  const { newReplicaSet, oldReplicaSets } = revisionsOf(state);
  const own = newReplicaSet === undefined ? undefined : revisionNumber(newReplicaSet);
  // Without its ReplicaSets, the controller's note on the workload is what is known. Those of others say
  // nothing here.
  const isUnknown = state.unread !== undefined && oldReplicaSets.length === 0;
  const noted = isUnknown ? revisionNumber(workloadIn(state)) : undefined;
  return String(own || noted || maxRevision(oldReplicaSets) + 1);
}
