import { greatestOf } from '../../engine/collections/collections.js';
import { isActive, type Pod } from '../../engine/objects/pod.js';
import { podRevisionName, statefulSetRevisions } from '../../engine/workloads/controller-revisions.js';
import type { StatefulSetState } from '../../engine/workloads/rollout-state.js';
import { ordinalOf } from '../../engine/workloads/stateful-set-status.js';

/** A StatefulSet's pods that wait for a node, and those that its controller replaces only afterwards. */
export interface OldOrdinals {
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
