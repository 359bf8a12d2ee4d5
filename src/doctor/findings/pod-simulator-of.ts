import { nowOf } from '../../engine/objects/snapshot.js';
import { besideUnreadQueue } from '../../engine/queues/unread-queue-simulator.js';
import { withPodDefaults } from '../../engine/scheduler/pod-defaults.js';
import { withRuntimeOverhead } from '../../engine/scheduler/runtime-overhead.js';
import { createPodSimulator, storedBy } from '../../engine/simulation/create-pod-simulator.js';
import type { PodSimulator } from '../../engine/workloads/pod-simulator.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';
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
  const simulator = createPodSimulator({
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
  return becomesReady === undefined ? withoutFailedStarts(rolloutStateOf(snapshot), simulator) : simulator;
}
