import { controllerOf } from '../cluster/metadata.js';
import { isActive, isReady, type Pod } from '../cluster/pod.js';
import type { ResourceQuota } from '../cluster/quota.js';
import { nowOf, type Snapshot } from '../cluster/snapshot.js';
import type { Placement } from '../placement/placement.js';
import { withPodDefaults } from '../placement/pod-defaults.js';
import { withRuntimeOverhead } from '../placement/runtime-overhead.js';
import { createPodSimulator, storedBy } from '../pod-oracle/create-pod-oracle.js';
import { targetNode } from '../rollout/daemon-set-nodes.js';
import { withLimitRangeDefaults } from '../rollout/limit-range-defaults.js';
import type { PodSimulator } from '../rollout/pod-oracle.js';
import { rolloutStateOf } from '../rollout/rollout-state.js';

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
