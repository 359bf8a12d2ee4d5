import type { Rollout } from '../../../cluster/argo-rollout.js';
import type { Snapshot } from '../../../cluster/snapshot.js';
import { isUnreadNearby } from '../../../cluster/unread.js';
import type { ReplicaSet } from '../../../cluster/workload.js';
import type { FieldChange } from '../../../remediation/plan.js';
import { templateChanges } from '../../../remediation/template-changes.js';
import { hashOf } from '../../../rollout/argo-rollout/replica-set-roles.js';
import { isActiveReplicaSet, revisionsOf } from '../../../rollout/revisions.js';
import {
  type ArgoRolloutState,
  type DeploymentState,
  rolloutStateOf,
} from '../../../rollout/rollout-state.js';

/** What a paused Deployment or Rollout would do if it were not. */
export interface Pending {
  readonly state: DeploymentState | ArgoRolloutState;
  /** `undefined` until the controller makes it. */
  readonly newReplicaSet: ReplicaSet | undefined;
  /** Older ReplicaSets with replicas, newest first. */
  readonly old: readonly ReplicaSet[];
  /** Fields of the template in which the newest of those differs; values as text. */
  readonly changes: readonly { readonly path: string; readonly after: string }[];
}

/** `undefined` when it is not paused, or nothing waits for it to be resumed. */
export function pendingOf(snapshot: Snapshot): Pending | undefined {
  const state = rolloutStateOf(snapshot);
  if (state.kind !== 'Deployment' && state.kind !== 'Rollout') return undefined;
  const { metadata, spec } = state.kind === 'Rollout' ? state.rollout : state.deployment;
  if (!spec.paused || spec.replicas === 0 || metadata.deletionTimestamp !== undefined) return undefined;
  const { newReplicaSet, oldReplicaSets } = revisionsOf(state);
  if (state.kind === 'Rollout' && hasNothingPending(state.rollout, newReplicaSet)) return undefined;
  const unread = isUnreadNearby(snapshot, 'ReplicaSet');
  if (unread && newReplicaSet === undefined) return undefined;
  const old = oldReplicaSets.filter(isActiveReplicaSet).reverse();
  if (newReplicaSet !== undefined && old.length === 0) return undefined;
  const changes = pendingChanges(state, newReplicaSet, old[0]);
  return {
    state,
    newReplicaSet,
    old,
    changes: changes.map(({ path, after }) => ({ path, after: textOf(after) })),
  };
}

/** The pods that a promoted revision replaced may stay up for a while. */
function hasNothingPending({ status }: Rollout, newReplicaSet: ReplicaSet | undefined): boolean {
  return status.abort || (newReplicaSet !== undefined && hashOf(newReplicaSet) === status.stableRS);
}

/**
 * The template of a Rollout is stored as it was written, those of its ReplicaSets with defaults: without a
 * new ReplicaSet, a field that it lacks may be a default.
 */
function pendingChanges(
  state: Pending['state'],
  newReplicaSet: ReplicaSet | undefined,
  latest: ReplicaSet | undefined,
): readonly FieldChange[] {
  if (latest === undefined) return [];
  const former = latest.spec.template.raw;
  if (state.kind === 'Deployment') return templateChanges(former, state.deployment.spec.template.raw);
  return newReplicaSet === undefined
    ? templateChanges(former, state.rollout.spec.template.raw).filter(({ after }) => after !== undefined)
    : templateChanges(former, newReplicaSet.spec.template.raw);
}

function textOf(value: unknown): string {
  if (value === undefined) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
