import { startingInGroups } from '../../engine/neighbours/pod-gang.js';
import type { ClusterIndex } from '../../engine/objects/cluster-index.js';
import type { Pod } from '../../engine/objects/pod.js';
import type { PriorityClass } from '../../engine/objects/policy.js';
import type { Workload } from '../../engine/objects/workload.js';
import type { Placement } from '../../engine/scheduler/placement.js';
import { podFromTemplate } from '../../engine/scheduler/pod-from-template.js';
import { withRuntimeOverhead } from '../../engine/scheduler/pod-requests.js';
import type { ClusterSimulator } from '../../engine/simulation/create-pod-simulator.js';
import { createPodSimulator, lacksVolume, storedBy } from '../../engine/simulation/create-pod-simulator.js';
import { withLimitRangeDefaults } from '../../engine/workloads/limit-range-defaults.js';
import { isSimulated } from '../../engine/workloads/simulated-pods.js';

/** What a change of a workload is played on. */
interface CheckedCluster {
  readonly index: ClusterIndex;
  readonly placement: Placement;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly workload: Workload;
}

/** Answers for pods that nobody has created yet: with defaults, LimitRange and priority. */
export function checkSimulator(
  { index, placement, now, workload }: CheckedCluster,
  prefers: 'first' | 'last',
): ClusterSimulator {
  // A check names itself what was not read, and what is not simulated.
  const { mayBePlaced: _named, ...simulator } = createPodSimulator({
    placement,
    workload,
    now,
    stored: storedBy((pod) => completePod(index, pod)),
    prefers,
    // A manifest cannot show whether the new image works. A container that keeps failing already does not
    // recover by waiting, and nothing starts without a volume that another node keeps.
    becomesReady: (pod, node, difference) =>
      (isSimulated(pod) || pod.status.containerStatuses.every(({ restartCount }) => restartCount === 0)) &&
      !lacksVolume(index, pod, node, difference),
    countsPlaces: true,
    quotas: index.objects.ResourceQuota.filter(
      ({ spec, status }) => Object.keys(spec.hard).length + Object.keys(status.hard).length > 0,
    ),
    admitsByQuota: true,
  });
  return startingInGroups(simulator, index);
}

function completePod(index: ClusterIndex, pod: Pod): Pod {
  const { namespace, name } = pod.metadata;
  const made = podFromTemplate(pod, {
    namespace,
    name,
    priorityClasses: priorityClasses(index, pod.spec.priorityClassName),
    ...(pod.spec.nodeName === undefined ? {} : { nodeName: pod.spec.nodeName }),
  });
  const complete = withLimitRangeDefaults(made, index.objects.LimitRange);
  const spec = withRuntimeOverhead(index, complete.spec);
  return { ...complete, spec, metadata: pod.metadata, status: pod.status };
}

/** Where the classes could not be read, a pod of the same class tells its value. */
function priorityClasses(index: ClusterIndex, name: string | undefined): readonly PriorityClass[] {
  const { PriorityClass, Pod } = index.objects;
  if (name === undefined || PriorityClass.some(({ metadata }) => metadata.name === name))
    return PriorityClass;
  const like = Pod.find(({ spec }) => spec.priorityClassName === name && spec.priority !== undefined);
  if (like?.spec.priority === undefined) return PriorityClass;
  const { priority: value, preemptionPolicy } = like.spec;
  const metadata = { ...like.metadata, namespace: '', name };
  return [
    ...PriorityClass,
    { kind: 'PriorityClass', metadata, value, globalDefault: false, preemptionPolicy },
  ];
}
