import { startingInGroups } from '../../engine/neighbours/pod-gang.js';
import { controllerOf } from '../../engine/objects/metadata.js';
import { isActive, isReady, type Pod, podKey } from '../../engine/objects/pod.js';
import type { ResourceQuota } from '../../engine/objects/policy.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { besideUnreadQueue } from '../../engine/queues/queue-simulator.js';
import type { Placement } from '../../engine/scheduler/placement.js';
import { withPodDefaults } from '../../engine/scheduler/pod-defaults.js';
import { withRuntimeOverhead } from '../../engine/scheduler/pod-requests.js';
import { createPodSimulator, storedBy } from '../../engine/simulation/create-pod-simulator.js';
import { targetNode } from '../../engine/workloads/daemon-set-model.js';
import { withLimitRangeDefaults } from '../../engine/workloads/limit-range-defaults.js';
import type { PodSimulator } from '../../engine/workloads/pod-simulator.js';
import { ownPodsThatRetire } from '../../engine/workloads/revisioned/pods.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { isOverdue } from '../../engine/workloads/simulated-pods.js';
import { withoutFailedStarts } from '../fixes/forecast-change.js';
import type { Examination } from './rule.js';

/**
 * Answers for the rollout that is diagnosed. That a placed pod becomes ready is assumed, unless the caller
 * knows what keeps it from that; a remediation can promise a place, not that the new image works. A pod that
 * had its time to become ready and is not, stays so.
 */
export function podSimulatorOf(
  examination: Examination,
  becomesReady?: PodSimulator['becomesReady'],
): PodSimulator {
  return besideUnreadQueue(
    podSimulatorWithoutQueue(examination, becomesReady),
    examination.snapshot.workload,
  );
}

/** The same where the caller knows what Kueue admits, or where Kueue does not. */
export function podSimulatorWithoutQueue(
  { snapshot, placement }: Examination,
  becomesReady?: PodSimulator['becomesReady'],
): PodSimulator {
  const single = createPodSimulator({
    placement,
    workload: snapshot.workload,
    now: nowOf(snapshot),
    // A template lacks what every stored pod has: requests from limits, above all.
    stored: storedBy((pod) => ({
      ...pod,
      spec: withRuntimeOverhead(snapshot.index, withPodDefaults(pod.spec)),
    })),
    prefers: 'any',
    // What a caller knows of readiness may depend on pods that are gone, which a count of pods does not name.
    ...(becomesReady === undefined ? { countsPlaces: true } : { countsPlaces: false, becomesReady }),
    quotas: snapshot.index.objects.ResourceQuota,
    admitsByQuota: false,
  });
  const simulator = startingInGroups(single, snapshot.index);
  return becomesReady === undefined ? withoutFailedStarts(rolloutStateOf(snapshot), simulator) : simulator;
}

/**
 * The waiting pod gets a node without anybody's help: by preemption, a pod that is leaving in time, pods of a
 * revision of its service that retire, or the next retry.
 */
export function isAboutToBePlaced({ snapshot, placement }: Examination, waiting: Pod): boolean {
  if ((waiting.status.nominatedNodeName ?? '') !== '' || placement.canPreempt(waiting)) return true;
  const now = nowOf(snapshot);
  const leaving = [
    ...snapshot.index.terminatingPods.filter((pod) => !isOverdue(pod, now)),
    ...ownPodsThatRetire(snapshot),
  ];
  return placement.evaluate(waiting, { without: new Set(leaving.map(podKey)) }).outcome === 'fits';
}

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
