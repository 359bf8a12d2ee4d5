import type { Snapshot } from '../../../cluster/snapshot.js';
import type { ReplicaSet } from '../../../cluster/workload.js';
import { templateChanges } from '../../../remediation/template-changes.js';
import { isActiveReplicaSet, revisionsOf } from '../../../rollout/revisions.js';
import { type DeploymentState, rolloutStateOf } from '../../../rollout/rollout-state.js';

/** What a paused Deployment would do if it were not. */
export interface Pending {
  readonly state: DeploymentState;
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
  if (state.kind !== 'Deployment') return undefined;
  const { metadata, spec } = state.deployment;
  if (!spec.paused || spec.replicas === 0 || metadata.deletionTimestamp !== undefined) return undefined;
  const { newReplicaSet, oldReplicaSets } = revisionsOf(state);
  const unread = snapshot.unseen.some(({ what }) => what === 'ReplicaSet');
  if (unread && newReplicaSet === undefined) return undefined;
  const old = oldReplicaSets.filter(isActiveReplicaSet).reverse();
  if (newReplicaSet !== undefined && old.length === 0) return undefined;
  const [latest] = old;
  const changes = latest === undefined ? [] : templateChanges(latest.spec.template.raw, spec.template.raw);
  return {
    state,
    newReplicaSet,
    old,
    changes: changes.map(({ path, after }) => ({ path, after: textOf(after) })),
  };
}

function textOf(value: unknown): string {
  if (value === undefined) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
