import { controllerOf } from '../../engine/objects/metadata.js';
import { isActive, isReady, type Pod } from '../../engine/objects/pod.js';
import type { ResourceQuota } from '../../engine/objects/quota.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import type { Placement } from '../../engine/scheduler/placement.js';
import { withPodDefaults } from '../../engine/scheduler/pod-defaults.js';
import { withRuntimeOverhead } from '../../engine/scheduler/runtime-overhead.js';
import { createPodSimulator, storedBy } from '../../engine/simulation/create-pod-simulator.js';
import { targetNode } from '../../engine/workloads/daemon-set-nodes.js';
import { withLimitRangeDefaults } from '../../engine/workloads/limit-range-defaults.js';
import type { PodSimulator } from '../../engine/workloads/pod-simulator.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';

/**
 * Answers for a rollout whose pods the quotas refuse. Of the nodes that would take a pod, those of the
 * workload's own pods come first: on others, not every pod was read.
 *
 * @param like the pod that is wanted, as admission sees it; pods of the same owner are taken to be like it
 */
export function quotaSimulator(
  snapshot: Snapshot,
  placement: Placement,
  quotas: readonly ResourceQuota[],
  like: Pod,
): PodSimulator {
  const owner = controllerOf(like)?.uid;
  const { index } = snapshot;
  return createPodSimulator({
    placement,
    workload: snapshot.workload,
    now: nowOf(snapshot),
    stored: storedBy((pod) =>
      controllerOf(pod)?.uid === owner
        ? { ...pod, spec: { ...like.spec, ...whereOf(pod) } }
        : withLimitRangeDefaults(
            { ...pod, spec: withRuntimeOverhead(index, withPodDefaults(pod.spec)) },
            index.objects.LimitRange,
          ),
    ),
    prefers: new Set(rolloutStateOf(snapshot).pods.flatMap(({ spec }) => spec.nodeName ?? [])),
    becomesReady: (pod) => !(isActive(pod) && !isReady(pod) && hasFailed(pod)),
    countsPlaces: false,
    quotas,
    admitsByQuota: true,
  });
}

/** A DaemonSet's pod carries its node in its affinity, which `like` does not have. */
function whereOf(pod: Pod): Partial<Pod['spec']> {
  const { nodeName, affinity } = pod.spec;
  return targetNode(pod) === undefined ? { nodeName } : { nodeName, affinity };
}

function hasFailed({ status }: Pod): boolean {
  return status.containerStatuses.some(({ restartCount }) => restartCount > 0);
}
