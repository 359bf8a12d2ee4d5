import { hasNode, isActive, type Pod } from '../../../engine/objects/pod.js';
import { revisionNameOf } from '../../../engine/objects/revisions.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { daemonSetHash, isUpdatedDaemonPod } from '../../../engine/workloads/controller-revisions.js';
import { formerGroupPods, hasSurgeGroups } from '../../../engine/workloads/leader-worker-set/group-pods.js';
import { formerRevisionPods } from '../../../engine/workloads/revisioned/revision-pods.js';
import { oldPods } from '../../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { oldOrdinalsOf } from '../old-ordinals.js';

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
  if (state.kind !== 'Revisioned' || state.service.revisions.next === undefined) return [];
  const { revisions } = state.service;
  return ownPods(snapshot).others.filter((pod) => revisions.kept.includes(revisionNameOf(revisions, pod)));
}

export function ownPods(snapshot: Snapshot): OwnPods {
  const state = rolloutStateOf(snapshot);
  const placed = state.pods.filter((pod) => isActive(pod) && hasNode(pod));
  const old = new Set(
    state.kind === 'Deployment' || state.kind === 'Rollout'
      ? oldPods(state)
      : state.kind === 'DaemonSet'
        ? placed.filter((pod) => !isUpdatedDaemonPod(pod, state.daemonSet, daemonSetHash(state)))
        : state.kind === 'LeaderWorkerSet'
          ? hasSurgeGroups(state)
            ? formerGroupPods(state)
            : []
          : state.kind === 'Revisioned'
            ? formerRevisionPods(state)
            : oldOrdinalsOf(state).old,
  );
  return {
    predecessors: placed.filter((pod) => old.has(pod)),
    others: placed.filter((pod) => !old.has(pod)),
  };
}
