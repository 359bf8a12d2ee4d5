import { type Rollout, rolloutHashLabel } from '../../cluster/argo-rollout.js';
import type { Pod } from '../../cluster/pod.js';
import type { ReplicaSet } from '../../cluster/workload.js';
import { apiTime } from '../creation-order.js';
import type { ArgoRolloutState } from '../rollout-state.js';
import { syncBlueGreen } from './blue-green-sync.js';
import { syncCanary } from './canary-sync.js';
import { scaleForBlueGreen, scaleForCanary } from './main-replica-sets.js';
import { persisted } from './next-status.js';
import { removeExpired } from './old-replica-sets.js';
import {
  availableOf,
  delaysScaleDownOnAbort,
  isFullyPromoted,
  type Reconciliation,
} from './reconciliation.js';
import { hashOf, type ReplicaSetRoles, rolesOf } from './replica-set-roles.js';
import type { Synced } from './synced.js';
import { createWrites, desiredReplicasAnnotation, revisionAnnotation } from './writes.js';

/** The state after one reconciliation. */
export interface RolloutSync {
  readonly state: ArgoRolloutState;
  readonly evicted: readonly Pod[];
  /**
   * A ReplicaSet was made, resized or removed, a Service switched, a pod evicted, or the status is another
   * one.
   */
  readonly hasActed: boolean;
}

/**
 * One reconciliation of the Argo Rollouts controller over the objects as they are (argo-rollouts
 * `rollout/context.go: reconcile`). Not simulated: analyses, experiments and plugins, conditions, hash
 * collisions, ping-pong services, the verification of load balancers, and the Deployment that a `workloadRef`
 * scales down.
 */
export function syncArgoRollout(start: ArgoRolloutState): RolloutSync {
  const { rollout } = start;
  if (rollout.metadata.deletionTimestamp !== undefined) return { state: start, evicted: [], hasActed: false };
  const state = withRevision(withNewReplicaSet(start));
  const roles = rolesOf(rollout, state.replicaSets);
  const isAborted = rollout.status.abort && !isFullyPromoted(rollout);
  const writes = createWrites(state, delaysScaleDownOnAbort({ rollout, roles, isAborted }));
  const seen: Reconciliation = {
    state,
    rollout,
    roles,
    writes,
    isAborted,
    weights: rollout.status.canary.weights,
  };
  const { status, evicted } = reconcile(seen);
  const next = writes.applied({ ...state, rollout: { ...rollout, status } });
  const hasActed =
    state.replicaSets !== start.replicaSets ||
    writes.hasChanges() ||
    evicted.length > 0 ||
    JSON.stringify(status) !== JSON.stringify(rollout.status);
  return { state: next, evicted, hasActed };
}

function reconcile(seen: Reconciliation): Synced {
  const { blueGreen } = seen.rollout.spec.strategy;
  if (isScalingEvent(seen)) return syncReplicasOnly(seen);
  return blueGreen === undefined ? syncCanary(seen) : syncBlueGreen(seen, blueGreen);
}

/** New or stable was last sized for another `spec.replicas` (`sync.go: isScalingEvent`). */
function isScalingEvent({ rollout, roles }: Reconciliation): boolean {
  return [roles.newReplicaSet, roles.stableReplicaSet].some((replicaSet) => {
    if (replicaSet === undefined || replicaSet.spec.replicas === 0) return false;
    const desired = Number(replicaSet.metadata.annotations[desiredReplicasAnnotation] ?? Number.NaN);
    return Number.isInteger(desired) && desired !== rollout.spec.replicas;
  });
}

/** Sizes without progress through the steps (`sync.go: syncReplicasOnly`). */
function syncReplicasOnly(seen: Reconciliation): Synced {
  const { state, rollout } = seen;
  const { status } = rollout;
  const { blueGreen } = rollout.spec.strategy;
  if (blueGreen === undefined) scaleForCanary(seen);
  else {
    scaleForBlueGreen(seen);
    removeExpired(seen);
  }
  const { activeSelector } = status.blueGreen;
  const active =
    blueGreen === undefined || activeSelector === ''
      ? undefined
      : state.replicaSets.find((each) => hashOf(each) === activeSelector);
  const counted = active === undefined ? state.replicaSets : [active];
  const counts = {
    availableReplicas: availableOf(counted),
    HPAReplicas: counted.reduce((sum, replicaSet) => sum + replicaSet.status.replicas, 0),
  };
  const decisions = status.abort && !seen.isAborted ? { endsAbort: true } : {};
  const written = persisted(state, { ...status, ...counts }, decisions);
  // The status is a copy of the former one, so pauses that no decision concerns stay as they are.
  return { status: { ...written, controllerPause: status.controllerPause }, evicted: [] };
}

/** The ReplicaSet of the template is made without replicas (`sync.go: createDesiredReplicaSet`). */
function withNewReplicaSet(state: ArgoRolloutState): ArgoRolloutState {
  const { rollout, replicaSets, now } = state;
  if (rolesOf(rollout, replicaSets).newReplicaSet !== undefined) return state;
  const names = new Set(replicaSets.map(({ metadata }) => metadata.name));
  let number = 1;
  while (names.has(nextName(rollout, number))) number += 1;
  return { ...state, replicaSets: [...replicaSets, unbornReplicaSet(rollout, number, now)] };
}

const nextName = ({ metadata }: Rollout, number: number): string => `${metadata.name}-next-${number}`;

function unbornReplicaSet(rollout: Rollout, number: number, now: number): ReplicaSet {
  const { metadata, spec } = rollout;
  const hash = `next-${number}`;
  const labels = { ...spec.template.metadata.labels, [rolloutHashLabel]: hash };
  return {
    kind: 'ReplicaSet',
    metadata: {
      ...metadata,
      name: nextName(rollout, number),
      uid: `simulated:${metadata.uid}:${hash}`,
      generation: 1,
      creationTimestamp: apiTime(now),
      labels,
      annotations: { [desiredReplicasAnnotation]: String(spec.replicas) },
      ownerReferences: [
        {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'Rollout',
          name: metadata.name,
          uid: metadata.uid,
          controller: true,
        },
      ],
      managedFields: [],
    },
    spec: {
      replicas: 0,
      minReadySeconds: spec.minReadySeconds,
      selector: {
        ...spec.selector,
        matchLabels: { ...spec.selector.matchLabels, [rolloutHashLabel]: hash },
      },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
    status: {
      observedGeneration: 1,
      replicas: 0,
      fullyLabeledReplicas: 0,
      readyReplicas: 0,
      availableReplicas: 0,
      terminatingReplicas: 0,
      conditions: [],
    },
  };
}

/**
 * The new ReplicaSet has the highest revision, and the Rollout's minReadySeconds (`syncReplicaSetRevision`).
 */
function withRevision(state: ArgoRolloutState): ArgoRolloutState {
  const { rollout, replicaSets } = state;
  const { newReplicaSet }: ReplicaSetRoles = rolesOf(rollout, replicaSets);
  if (newReplicaSet === undefined) return state;
  const revision = (replicaSet: ReplicaSet): number =>
    Number(replicaSet.metadata.annotations[revisionAnnotation] ?? 0) || 0;
  const highest = replicaSets.reduce(
    (max, each) => (each === newReplicaSet ? max : Math.max(max, revision(each))),
    0,
  );
  const { minReadySeconds } = rollout.spec;
  const isCurrent =
    revision(newReplicaSet) > highest && newReplicaSet.spec.minReadySeconds === minReadySeconds;
  if (isCurrent) return state;
  const { metadata, spec } = newReplicaSet;
  const annotations = {
    ...metadata.annotations,
    [revisionAnnotation]: String(Math.max(revision(newReplicaSet), highest + 1)),
  };
  const updated = {
    ...newReplicaSet,
    metadata: { ...metadata, annotations },
    spec: { ...spec, minReadySeconds },
  };
  return { ...state, replicaSets: replicaSets.map((each) => (each === newReplicaSet ? updated : each)) };
}

/**
 * True when the next reconciliation changes a ReplicaSet or a Service, evicts pods, or takes the update
 * further. Counts in the status do not matter.
 */
export function progresses(state: ArgoRolloutState): boolean {
  const { state: next, evicted, hasActed } = syncArgoRollout(state);
  if (!hasActed) return false;
  const progressOf = ({ replicaSets, services, rollout: { status } }: ArgoRolloutState): string =>
    JSON.stringify([
      replicaSets.map(({ metadata, spec }) => [metadata.name, metadata.annotations, spec.replicas]),
      services,
      [status.currentStepIndex, status.stableRS, status.currentPodHash, status.abort, status.promoteFull],
      [status.controllerPause, status.pauseConditions, status.canary.weights, status.restartedAt],
      [status.blueGreen.activeSelector, status.blueGreen.scaleUpPreviewCheckPoint],
    ]);
  return evicted.length > 0 || progressOf(next) !== progressOf(state);
}
