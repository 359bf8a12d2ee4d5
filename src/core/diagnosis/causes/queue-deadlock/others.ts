import type { ClusterQueue, QueuedWorkload } from '../../../cluster/kueue.js';
import { controllerOf } from '../../../cluster/metadata.js';
import { isTerminating, type Pod } from '../../../cluster/pod.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { isUnreadNearby } from '../../../cluster/unread.js';
import type { Deployment } from '../../../cluster/workload.js';
import {
  difference,
  type FlavorAmounts,
  podSetRequestsOf,
  sumOf,
  usageOf,
} from '../../../kueue/flavor-amounts.js';
import { isOnItsWayOut, nameOfQueued, reservingIn } from '../../../kueue/queued-workload.js';
import { assignFlavors, usageIn, viewWith } from '../../../kueue/quota-assignment.js';
import { isFixedPoint } from '../../../rollout/fixed-point.js';
import { rolloutStateIn } from '../../../rollout/rollout-state.js';
import { autoscalerThatMayShrink } from '../../horizontal-autoscaler.js';

/** Who else may give quota back so that the new pod is admitted. Empty lists where that is not enough. */
export interface OthersDoubts {
  /** Workloads, as `namespace/name`, that run to completion. */
  readonly finishing: readonly string[];
  /**
   * Workloads whose rollouts may stop pods, or that belong to other namespaces, whose rollouts were not read.
   */
  readonly mayStop: readonly string[];
  /** Quota is in use of which no Workload was read. */
  readonly isUsageUnread: boolean;
  /** ClusterQueues of the cohort whose Workloads use quota that it could lend. */
  readonly lending: readonly string[];
}

const none: OthersDoubts = { finishing: [], mayStop: [], isUsageUnread: false, lending: [] };

/** Deployments of a namespace whose state is worked out. */
const maxDeployments = 50;

export function othersThatMayFree(
  snapshot: Snapshot,
  {
    queue,
    workload,
    usage,
    own,
  }: {
    readonly queue: ClusterQueue;
    readonly workload: QueuedWorkload;
    readonly usage: FlavorAmounts;
    readonly own: ReadonlySet<QueuedWorkload>;
  },
): OthersDoubts {
  const { index } = snapshot;
  const reserving = reservingIn(index, queue);
  const finishing = reserving.filter(runsToCompletion);
  const rests = createRests(snapshot);
  const mayStop = reserving.filter((each) => !own.has(each) && !runsToCompletion(each) && !rests(each));
  const known = sumOf(reserving.map(usageOf));
  const unread = new Map([...usage].map(([key, nano]) => [key, nano - (known.get(key) ?? 0n)]));
  const released = sumOf([...[...finishing, ...mayStop].map(usageOf), unread]);
  const requests = podSetRequestsOf(workload);
  const isEnough =
    assignFlavors(index, queue, viewWith(index, queue, difference(usage, released)), requests).kind ===
    'fits';
  const lending = lendersOf(snapshot, { queue, workload, usage, own });
  return {
    ...none,
    lending,
    ...(isEnough
      ? {
          finishing: finishing.map(nameOfQueued),
          mayStop: mayStop.map(nameOfQueued),
          isUsageUnread: [...unread.values()].some((nano) => nano > 0n),
        }
      : {}),
  };
}

/** Pods that are not restarted when they end, as those of a Job, or a limit of its time. */
function runsToCompletion({ spec }: QueuedWorkload): boolean {
  return (
    spec.maximumExecutionTimeSeconds !== undefined ||
    spec.podSets.some(({ template }) => template.spec.restartPolicy !== 'Always')
  );
}

/** Whether the pod of a Workload stays, as far as its own rollout goes. */
function createRests({ index, ...snapshot }: Snapshot): (workload: QueuedWorkload) => boolean {
  const now = nowOf({ ...snapshot, index });
  const known = new Map<string, boolean>();
  const staysIn = (deployment: Deployment): boolean => {
    if (isUnreadNearby({ ...snapshot, workload: deployment }, 'HorizontalPodAutoscaler')) return false;
    const found = known.get(deployment.metadata.uid);
    if (found !== undefined || known.size >= maxDeployments) return found ?? false;
    const stays =
      isFixedPoint(rolloutStateIn(index, deployment, now)) &&
      autoscalerThatMayShrink({ ...snapshot, index, workload: deployment }) === undefined;
    known.set(deployment.metadata.uid, stays);
    return stays;
  };
  const podsByUid = new Map(index.objects.Pod.map((pod) => [pod.metadata.uid, pod]));
  return (workload) => {
    if (isOnItsWayOut(index, workload)) return false;
    const pods = workload.metadata.ownerReferences.map(({ uid }) => podsByUid.get(uid));
    return pods.length > 0 && pods.every((pod) => pod !== undefined && isStaying(pod));
  };

  function isStaying(pod: Pod): boolean {
    if (isTerminating(pod)) return false;
    const replicaSet = index.replicaSets.get(controllerOf(pod)?.uid ?? '');
    const above = replicaSet && controllerOf(replicaSet)?.uid;
    const deployment = index.objects.Deployment.find(({ metadata }) => metadata.uid === above);
    return deployment !== undefined && staysIn(deployment);
  }
}

/**
 * Other ClusterQueues of the cohort, where the new pod would be admitted if none of them used anything but
 * for the workload's own pods.
 */
function lendersOf(
  { index }: Snapshot,
  { queue, workload, usage, own }: Parameters<typeof othersThatMayFree>[1],
): readonly string[] {
  if (queue.spec.cohort === undefined) return [];
  const ofOwn = (each: ClusterQueue): FlavorAmounts =>
    sumOf(
      reservingIn(index, each)
        .filter((workload) => own.has(workload))
        .map(usageOf),
    );
  const view = viewWith(index, queue, usage, ofOwn);
  if (assignFlavors(index, queue, view, podSetRequestsOf(workload)).kind !== 'fits') return [];
  return index.objects.ClusterQueue.filter(
    (each) =>
      each.metadata.name !== queue.metadata.name &&
      each.spec.cohort !== undefined &&
      [...difference(usageIn(index, each), ofOwn(each)).values()].some((nano) => nano > 0n),
  ).map(({ metadata }) => metadata.name);
}
