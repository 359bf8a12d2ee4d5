import { greatestOf } from '../../../engine/collections/collections.js';
import { hasNode, isActive, type Pod } from '../../../engine/objects/pod.js';
import { revisionNameOf } from '../../../engine/objects/revisions.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { hasGroups, hasPodPerNode, hasReplicaSets } from '../../../engine/objects/workload.js';
import {
  daemonSetHash,
  isUpdatedDaemonPod,
  podRevisionName,
  statefulSetRevisions,
} from '../../../engine/workloads/controller-revisions.js';
import { formerGroupPods, hasSurgeGroups } from '../../../engine/workloads/leader-worker-set/leader-set.js';
import { formerRevisionPods } from '../../../engine/workloads/revisioned/pods.js';
import { oldPods } from '../../../engine/workloads/revisions.js';
import {
  rolloutStateOf,
  type StatefulSetState,
  switchesRevisions,
} from '../../../engine/workloads/rollout-state.js';
import { ordinalOf } from '../../../engine/workloads/stateful-set-model.js';

/** The workload's active pods that hold a node, told apart by whether a rollout will replace them. */
export interface OwnPods {
  /**
   * Of an older revision; of a StatefulSet only those that the controller replaces after a pod that waits, of
   * a LeaderWorkerSet only while a new group stands beside the wanted ones.
   */
  readonly predecessors: readonly Pod[];
  readonly others: readonly Pod[];
}

/** Pods of revisions that the traffic names, beside a new revision: they stay, whatever becomes of it. */
export function keptPods(snapshot: Snapshot): readonly Pod[] {
  const state = rolloutStateOf(snapshot);
  if (!switchesRevisions(state) || state.service.revisions.next === undefined) return [];
  const { revisions } = state.service;
  return ownPods(snapshot).others.filter((pod) => revisions.kept.includes(revisionNameOf(revisions, pod)));
}

export function ownPods(snapshot: Snapshot): OwnPods {
  const state = rolloutStateOf(snapshot);
  const placed = state.pods.filter((pod) => isActive(pod) && hasNode(pod));
  const old = new Set(
    hasReplicaSets(state)
      ? oldPods(state)
      : hasPodPerNode(state)
        ? placed.filter((pod) => !isUpdatedDaemonPod(pod, state.daemonSet, daemonSetHash(state)))
        : hasGroups(state)
          ? hasSurgeGroups(state)
            ? formerGroupPods(state)
            : []
          : switchesRevisions(state)
            ? formerRevisionPods(state)
            : oldOrdinalsOf(state).old,
  );
  return {
    predecessors: placed.filter((pod) => old.has(pod)),
    others: placed.filter((pod) => !old.has(pod)),
  };
}

/** A StatefulSet's pods that wait for a node, and those that its controller replaces only afterwards. */
interface OldOrdinals {
  /** Active pods of the present revision without a node. */
  readonly pending: readonly Pod[];
  /**
   * Active pods of other revisions with a node and a lower ordinal, down to the partition. The controller
   * updates from the highest ordinal and goes on only when that pod is available (kubernetes
   * `stateful_set_control.go`).
   */
  readonly old: readonly Pod[];
}

const none: OldOrdinals = { pending: [], old: [] };

/** None where the controller replaces nothing by itself, or has not yet made the present revision. */
export function oldOrdinalsOf(state: StatefulSetState): OldOrdinals {
  const { updateStrategy } = state.statefulSet.spec;
  const revisions = statefulSetRevisions(state);
  if (updateStrategy.type !== 'RollingUpdate' || revisions === undefined) return none;
  const partition = updateStrategy.rollingUpdate?.partition ?? 0;
  const isUpdated = (pod: Pod) => podRevisionName(pod) === revisions.update;
  const active = state.pods.filter(isActive);
  const pending = active.filter((pod) => !pod.spec.nodeName && isUpdated(pod));
  const highest = greatestOf(pending.map(ordinalOf));
  return {
    pending,
    old: active.filter(
      (pod) =>
        pod.spec.nodeName && !isUpdated(pod) && ordinalOf(pod) >= partition && ordinalOf(pod) < highest,
    ),
  };
}
