import type { ClusterIndex } from '../cluster/cluster-index.js';
import type { Pod } from '../cluster/pod.js';
import { podKey } from '../cluster/pod-key.js';
import type { PriorityClass } from '../cluster/quota.js';
import type { Workload } from '../cluster/workload.js';
import type { Placement } from '../placement/placement.js';
import { podFromTemplate } from '../placement/pod-from-template.js';
import { contestOf } from '../pod-oracle/contested-oracle.js';
import { lacksVolume } from '../pod-oracle/exclusive-volumes.js';
import { createNodeChoice } from '../pod-oracle/node-choice.js';
import { withLimitRangeDefaults } from '../rollout/limit-range-defaults.js';
import type { Difference, PodOracle } from '../rollout/pod-oracle.js';
import { admission } from '../rollout/quota-admission.js';
import { createRunningQuotaUsage } from '../rollout/running-quota-usage.js';
import { isSimulated } from '../rollout/simulated-pods.js';

/** Which of the nodes that would take a pod gets it; the scheduler's scores are not simulated. */
export type NodeChoice = 'first' | 'last';

export interface CheckOracle extends PodOracle {
  /** The cluster as it would be after these changes. */
  readonly after: (difference: Pick<Difference, 'gone' | 'placed'>) => Placement;
  /** The pod as the API server would store it: with defaults, LimitRange, priority. */
  readonly stored: (pod: Pod) => Pod;
  /** True once a pod could have gone to several nodes: then the outcome may depend on the choice. */
  readonly hadChoice: () => boolean;
}

/** What a change of a workload is played on. */
export interface CheckedCluster {
  readonly index: ClusterIndex;
  readonly placement: Placement;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly workload: Workload;
}

/** Answers the rollout engine for pods that nobody has created yet, quotas and other workloads that wait included. */
export function checkOracle(
  { index, placement, now, workload }: CheckedCluster,
  choice: NodeChoice,
): CheckOracle {
  const stored = storer(index);
  const nodes = createNodeChoice(placement, stored);
  const usage = {
    removed: createRunningQuotaUsage(now, stored),
    added: createRunningQuotaUsage(now, stored),
  };
  const quotas = index.objects.ResourceQuota.filter(
    ({ spec, status }) => Object.keys(spec.hard).length + Object.keys(status.hard).length > 0,
  );
  const admits: NonNullable<PodOracle['admits']> = (pod, { gone, created }) =>
    admission(stored(pod), quotas, now, { removed: gone, added: created, usage }).kind === 'admitted';
  let chosen = false;
  const after: CheckOracle['after'] = ({ gone, placed }) =>
    placement.with({ add: placed.map(stored), remove: new Set(gone.map(podKey)) });
  const oracle: CheckOracle = {
    after,
    stored,
    hadChoice: () => chosen,
    placementOf(pod, difference) {
      const { name, hadChoice } = nodes.feasibleFor(pod, difference, choice);
      chosen ||= hadChoice;
      return name;
    },
    ...(placement.work === undefined ? {} : { work: placement.work }),
    likenessOf: nodes.likenessOf,
    countPlaces(own, wanted) {
      const places = nodes.countPlaces(own, wanted);
      chosen ||= (places?.size ?? 0) > 1;
      return places;
    },
    takeWork: nodes.takeWork,
    // A manifest cannot show whether the new image works. What keeps failing already will not get well by waiting, and
    // nothing starts without a volume that another node keeps.
    becomesReady: (pod, node, difference) =>
      (isSimulated(pod) || pod.status.containerStatuses.every(({ restartCount }) => restartCount === 0)) &&
      !lacksVolume(index, pod, node, difference),
    ...(quotas.length === 0 ? {} : { admits }),
  };
  const contest: PodOracle['contest'] = (own) =>
    contestOf({ base: oracle, placement, stored, own, workload, now, quotas });
  return { ...oracle, contest };
}

function storer(index: ClusterIndex): (pod: Pod) => Pod {
  const { LimitRange } = index.objects;
  const known = new WeakMap<Pod, Pod>();
  return (pod) => {
    if (!isSimulated(pod)) return pod;
    const before = known.get(pod);
    if (before !== undefined) return before;
    const { namespace, name } = pod.metadata;
    const made = podFromTemplate(pod, {
      namespace,
      name,
      priorityClasses: priorityClasses(index, pod.spec.priorityClassName),
      ...(pod.spec.nodeName === undefined ? {} : { nodeName: pod.spec.nodeName }),
    });
    const complete = {
      ...withLimitRangeDefaults(made, LimitRange),
      metadata: pod.metadata,
      status: pod.status,
    };
    known.set(pod, complete);
    return complete;
  };
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
