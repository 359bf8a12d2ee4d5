import { code, say } from '../../../engine/language/prose.js';
import { names } from '../../../engine/language/words.js';
import { evictablePods } from '../../../engine/neighbours/evicted-pods.js';
import { scalerThatMayShrink } from '../../../engine/objects/horizontal-autoscaler.js';
import type { ClusterQueue, QueuedWorkload } from '../../../engine/objects/kueue.js';
import { controllerOf } from '../../../engine/objects/metadata.js';
import { isTerminating, type Pod, podKey } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnreadNearby } from '../../../engine/objects/unread.js';
import type { Deployment } from '../../../engine/objects/workload.js';
import {
  hasReservation,
  isOnItsWayOut,
  nameOfQueued,
  queuedWorkloadOf,
  reservingIn,
} from '../../../engine/queues/queued-workload.js';
import {
  assignFlavors,
  chargesOf,
  difference,
  type FlavorAmounts,
  podSetRequestsOf,
  sumOf,
  usageIn,
  usageOf,
  viewAfter,
  viewWith,
} from '../../../engine/queues/quota-assignment.js';
import { isFixedPoint } from '../../../engine/workloads/fixed-point.js';
import { rolloutStateIn } from '../../../engine/workloads/rollout-state.js';
import { defineEscape, type Escape, type PlaceOf } from './contract.js';

type Workloads = { readonly workloads: readonly string[] };
const workloadsNamed = ({ workloads }: Workloads) => workloads;

/** Workloads of single pods that have quota. */
export function workloadsOf({ index }: Snapshot, pods: readonly Pod[]): readonly QueuedWorkload[] {
  return pods.flatMap((pod) => {
    const workload = queuedWorkloadOf(index, pod);
    const isOwn = workload?.metadata.ownerReferences.some(({ uid }) => uid === pod.metadata.uid) === true;
    return isOwn && workload !== undefined && hasReservation(workload) ? [workload] : [];
  });
}

/** Whether Kueue admits the Workload once these pods have given their quota back. */
export function isAdmittedWithout(
  snapshot: Snapshot,
  { queue, workload }: Pick<PlaceOf<'queue'>, 'queue' | 'workload'>,
  pods: readonly Pod[],
): boolean {
  const view = viewAfter(snapshot.index, queue, { released: chargesOf(workloadsOf(snapshot, pods)) });
  return assignFlavors(snapshot.index, queue, view, podSetRequestsOf(workload)).kind === 'fits';
}

/** Workloads of the queue that run to completion, and give back enough together with those that may stop. */
const workloadsMayFinish = defineEscape<Workloads>({
  id: 'may-finish',
  stopsPods: true,
  statusLine: 'standing-but-for-jobs',
  names: workloadsNamed,
  opens: { queue: (place, { snapshot }) => ({ workloads: othersIn(snapshot, place).finishing }) },
  says: {
    en: ({ workloads }) =>
      say`Workloads that run to completion also use this quota (${names('en', workloads, 3)}). The new pod may be admitted when they end.`,
    ko: ({ workloads }) =>
      say`작업을 마치면 종료되는 Workload(${names('ko', workloads, 3)})도 이 쿼터를 사용 중입니다. 끝나면 새 파드가 승인될 수 있습니다.`,
  },
});

/** Workloads of rollouts in progress, of autoscaled workloads, or of namespaces that were not read. */
const workloadsMayStop = defineEscape<Workloads>({
  id: 'may-stop',
  stopsPods: true,
  statusLine: 'standing-but-for-leaving',
  names: workloadsNamed,
  opens: { queue: (place, { snapshot }) => ({ workloads: othersIn(snapshot, place).mayStop }) },
  says: {
    en: ({ workloads }) =>
      say`${names('en', workloads, 3)} may stop without any change to this workload. The new pod may be admitted then.`,
    ko: ({ workloads }) =>
      say`${names('ko', workloads, 3)} Workload는 이 워크로드와 관계없이 종료될 수 있으며, 그때 새 파드가 승인될 수 있습니다.`,
  },
});

/** Quota is in use of which no Workload was read. */
const usageUnread = defineEscape<Readonly<Record<never, never>>>({
  id: 'usage-unread',
  isAtAnyTime: true,
  opens: { queue: (place, { snapshot }) => (othersIn(snapshot, place).isUsageUnread ? {} : undefined) },
  says: {
    en: () =>
      say`Workloads that could not be read use some of this quota. The new pod may be admitted when they end.`,
    ko: () =>
      say`읽지 못한 Workload도 이 쿼터를 사용 중입니다. 그 Workload가 끝나면 새 파드가 승인될 수 있습니다.`,
  },
});

/** ClusterQueues of the cohort whose Workloads use quota that it could lend. */
const cohortMayLend = defineEscape<{ readonly cohort: string; readonly queues: readonly string[] }>({
  id: 'may-lend',
  isAtAnyTime: true,
  names: ({ queues }) => queues,
  opens: {
    queue: (place, { snapshot }) => ({
      cohort: place.queue.spec.cohort ?? '',
      queues: lendersOf(snapshot, place),
    }),
  },
  says: {
    en: ({ cohort, queues }) =>
      say`The cohort ${code(cohort)} could lend enough quota if the Workloads of ${names('en', queues, 3)} ended or were evicted.`,
    ko: ({ cohort, queues }) =>
      say`${names('ko', queues, 3)} ClusterQueue의 Workload가 끝나거나 축출되면 코호트 ${code(cohort)}에서 쿼터를 충분히 빌릴 수 있습니다.`,
  },
});

/** Who else may give quota back so that the new pod is admitted; nobody where that is not enough. */
interface Others {
  /** As `namespace/name`. */
  readonly finishing: readonly string[];
  readonly mayStop: readonly string[];
  readonly isUsageUnread: boolean;
}

/** Three escapes ask the same, since their Workloads give back enough together. */
const known = new WeakMap<PlaceOf<'queue'>, Others>();

function othersIn(snapshot: Snapshot, place: PlaceOf<'queue'>): Others {
  const found = known.get(place) ?? othersThatMayFree(snapshot, place);
  known.set(place, found);
  return found;
}

function othersThatMayFree(snapshot: Snapshot, { queue, workload, usage, own }: PlaceOf<'queue'>): Others {
  const { index } = snapshot;
  const reserving = reservingIn(index, queue);
  const finishing = reserving.filter(runsToCompletion);
  const rests = createRests(snapshot);
  const mayStop = reserving.filter((each) => !own.has(each) && !runsToCompletion(each) && !rests(each));
  const read = sumOf(reserving.map(usageOf));
  const unread = new Map([...usage].map(([key, nano]) => [key, nano - (read.get(key) ?? 0n)]));
  const released = sumOf([...[...finishing, ...mayStop].map(usageOf), unread]);
  const view = viewWith(index, queue, difference(usage, released));
  const isEnough = assignFlavors(index, queue, view, podSetRequestsOf(workload)).kind === 'fits';
  if (!isEnough) return { finishing: [], mayStop: [], isUsageUnread: false };
  return {
    finishing: finishing.map(nameOfQueued),
    mayStop: mayStop.map(nameOfQueued),
    isUsageUnread: [...unread.values()].some((nano) => nano > 0n),
  };
}

/** Pods that are not restarted when they end, as those of a Job, or a limit of its time. */
function runsToCompletion({ spec }: QueuedWorkload): boolean {
  return (
    spec.maximumExecutionTimeSeconds !== undefined ||
    spec.podSets.some(({ template }) => template.spec.restartPolicy !== 'Always')
  );
}

/** Deployments of a namespace whose state is worked out. */
const maxDeployments = 50;

/** Whether the pod of a Workload stays, as far as its own rollout goes. */
function createRests({ index, ...snapshot }: Snapshot): (workload: QueuedWorkload) => boolean {
  const now = nowOf(snapshot);
  const states = new Map<string, boolean>();
  const staysIn = (deployment: Deployment): boolean => {
    if (isUnreadNearby({ ...snapshot, workload: deployment }, 'HorizontalPodAutoscaler')) return false;
    const found = states.get(deployment.metadata.uid);
    if (found !== undefined || states.size >= maxDeployments) return found ?? false;
    const stays =
      isFixedPoint(rolloutStateIn(index, deployment, now)) &&
      scalerThatMayShrink(index, deployment) === undefined;
    states.set(deployment.metadata.uid, stays);
    return stays;
  };
  const evictable = new Set(evictablePods(index).map(podKey));
  const podsByUid = new Map(index.objects.Pod.map((pod) => [pod.metadata.uid, pod]));
  return (workload) => {
    if (isOnItsWayOut(index, workload)) return false;
    const pods = workload.metadata.ownerReferences.map(({ uid }) => podsByUid.get(uid));
    return pods.length > 0 && pods.every((pod) => pod !== undefined && isStaying(pod));
  };

  function isStaying(pod: Pod): boolean {
    if (isTerminating(pod) || evictable.has(podKey(pod))) return false;
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
  { queue, workload, usage, own }: PlaceOf<'queue'>,
): readonly string[] {
  if (queue.spec.cohort === undefined) return [];
  const ofOwn = (each: ClusterQueue): FlavorAmounts =>
    sumOf(
      reservingIn(index, each)
        .filter((reserving) => own.has(reserving))
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

export const queueEscapes: readonly Escape[] = [
  workloadsMayFinish,
  workloadsMayStop,
  usageUnread,
  cohortMayLend,
];
