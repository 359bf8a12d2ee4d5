import { leastOf } from '../../../engine/collections/collections.js';
import type { Event } from '../../../engine/objects/event.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { hasClusterAutoscaler, hasKarpenter, isKarpenter } from '../../../engine/objects/node-autoscalers.js';
import { hasNode, isActive, type Pod } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import type { Deployment } from '../../../engine/objects/workload.js';
import { hasDeploymentStrategy, hasOrdinals, hasPodPerNode } from '../../../engine/objects/workload.js';
import { epochOf } from '../../../engine/workloads/creation-order.js';
import { newReplicaSetOf, oldReplicaSetsOf, podsOfReplicaSet } from '../../../engine/workloads/revisions.js';
import type { DeploymentState, StatefulSetState } from '../../../engine/workloads/rollout-state.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { refusedSince } from '../stuck-rollout.js';
import { backoffWords, cloudRefusalOf, isLaunchRefused } from './cloud-refusal.js';
import { isEveryGroupShut, isEveryPoolShut, isOrderInBackoff } from './node-groups-that-may-grow.js';

/** More replicas of a revision that had been rolled out before. */
export interface Growth {
  /** Replicas before; `undefined` where nothing tells. */
  readonly from: number | undefined;
  readonly to: number;
  /** RFC3339: when the first of the waiting pods was made. */
  readonly at: string;
  /** The controller's own word for it; without one the waiting pods might also replace lost ones. */
  readonly event: Event | undefined;
}

const aMinute = 60_000;
/** `--event-ttl` is an hour; within this time an event that is not there was not made. */
const eventsKept = 50 * aMinute;

/**
 * The scale-up that made these waiting pods, or `undefined` when they belong to a rollout or replace pods
 * that were lost. Told by the rollout having been complete before they were made, and by the controller's
 * event (`deployment/sync.go: scaleReplicaSet`, "Scaled up replica set NAME from A to B").
 */
export function growthOf(snapshot: Snapshot, waiting: readonly Pod[]): Growth | undefined {
  const state = rolloutStateOf(snapshot);
  const created = waiting
    .map(({ metadata }) => epochOf(metadata.creationTimestamp))
    .filter((each) => each !== undefined);
  if (created.length === 0) return undefined;
  const first = leastOf(created);
  if (hasDeploymentStrategy(state)) return ofDeployment(snapshot, state, first);
  return hasOrdinals(state) ? ofStatefulSet(state, waiting, first) : undefined;
}

function ofDeployment(snapshot: Snapshot, state: DeploymentState, first: number): Growth | undefined {
  const { deployment } = state;
  const replicaSet = newReplicaSetOf(state);
  if (replicaSet === undefined || oldReplicaSetsOf(state).some(({ spec }) => spec.replicas > 0))
    return undefined;
  const pods = podsOfReplicaSet(state, replicaSet).filter(isActive);
  if (!pods.some((pod) => hasNode(pod) && (epochOf(pod.metadata.creationTimestamp) ?? first) < first)) {
    return undefined;
  }
  if (!wasComplete(deployment, first)) return undefined;
  const event = scalingEvent(snapshot, deployment, replicaSet.metadata.name, first);
  const isRecent = state.now - first < eventsKept;
  const isWitnessed = (snapshot.index.eventsByUid.get(replicaSet.metadata.uid) ?? []).some(
    ({ reason }) => reason === 'SuccessfulCreate',
  );
  if (event === undefined && isRecent && isWitnessed) return undefined;
  return {
    from: event === undefined ? undefined : fromIn(event),
    to: deployment.spec.replicas,
    at: new Date(first).toISOString(),
    event,
  };
}

/** Scaling does not touch the condition that the rollout's completion left (`deployment/progress.go`). */
function wasComplete({ status, spec }: Deployment, before: number): boolean {
  const progressing = conditionOf(status, 'Progressing');
  if (progressing === undefined) return spec.progressDeadlineSeconds >= 2 ** 31 - 1;
  const since = epochOf(progressing.lastUpdateTime ?? progressing.lastTransitionTime) ?? 0;
  return progressing.reason === 'NewReplicaSetAvailable' && since <= before;
}

const scaledUp = /^Scaled up replica set (\S+) (?:from (\d+) )?to (\d+)/;

function scalingEvent(
  snapshot: Snapshot,
  { metadata }: Deployment,
  replicaSet: string,
  first: number,
): Event | undefined {
  return (snapshot.index.eventsByUid.get(metadata.uid) ?? []).findLast((event) => {
    const seen = epochOf(event.lastSeen);
    return (
      event.reason === 'ScalingReplicaSet' &&
      scaledUp.exec(event.message)?.[1] === replicaSet &&
      fromIn(event) !== 0 &&
      seen !== undefined &&
      seen >= first - aMinute
    );
  });
}

function fromIn({ message }: Event): number | undefined {
  const from = scaledUp.exec(message)?.[2];
  return from === undefined ? undefined : Number(from);
}

/**
 * The controller makes an ordinal as soon as the ones below are ready; one that came much later was not
 * wanted before.
 */
function ofStatefulSet(
  { statefulSet, pods }: StatefulSetState,
  waiting: readonly Pod[],
  first: number,
): Growth | undefined {
  const { currentRevision, updateRevision } = statefulSet.status;
  if (currentRevision !== updateRevision) return undefined;
  const names = new Set(waiting.map(({ metadata }) => metadata.name));
  const lowest = leastOf(waiting.map(ordinalOf));
  const others = pods.filter((pod) => isActive(pod) && !names.has(pod.metadata.name));
  if (others.length === 0 || others.some((pod) => ordinalOf(pod) > lowest)) return undefined;
  const ready = others.map((pod) => {
    const condition = conditionOf(pod.status, 'Ready');
    return condition?.status === 'True' ? epochOf(condition.lastTransitionTime) : undefined;
  });
  if (ready.some((since) => since === undefined || first - since <= aMinute)) return undefined;
  return {
    from: undefined,
    to: statefulSet.spec.replicas,
    at: new Date(first).toISOString(),
    event: undefined,
  };
}

function ordinalOf({ metadata }: Pod): number {
  return Number(metadata.name.slice(metadata.name.lastIndexOf('-') + 1));
}

/** What an autoscaler has said of pods for which no order is under way. */
type AutoscalerAnswer =
  /** It says that a new node would not help, or that it may not make one. */
  | { readonly kind: 'declined'; readonly event: Event }
  /** It ordered a node, the time for it has passed, and the pods still wait. */
  | { readonly kind: 'expired'; readonly order: ScaleUp }
  /** It ordered a node, the scale-up failed, and it does not try these groups for some time. */
  | { readonly kind: 'failed'; readonly order: ScaleUp }
  /** No word of any autoscaler: there is none, or its events are gone. */
  | { readonly kind: 'silent' };

/** The newest answer about any of the pods. Ask only when `scaleUpUnderWay` knows of no order. */
export function autoscalerAnswer(snapshot: Snapshot, pods: readonly Pod[]): AutoscalerAnswer {
  const declined = newest(pods.map((pod) => declinedFor(snapshot, pod)));
  const [{ order, isRefused } = { order: undefined, isRefused: false }] = failedOrders(snapshot, pods);
  if (declined !== undefined && (order === undefined || (declined.lastSeen ?? '') > order.since)) {
    return { kind: 'declined', event: declined };
  }
  if (order === undefined) return { kind: 'silent' };
  return { kind: isRefused ? 'failed' : 'expired', order };
}

function newest(events: readonly (Event | undefined)[]): Event | undefined {
  return events
    .filter((event) => event !== undefined)
    .sort((a, b) => ((a.lastSeen ?? '') < (b.lastSeen ?? '') ? 1 : -1))[0];
}

/** Karpenter collects pods for up to 10 s and then simulates; the cluster autoscaler looks every 10 s. */
const answersWithinMs = 60_000;

/**
 * True if the cluster has an autoscaler and it has not answered for any of the pods, the newest of which was
 * refused less than a minute ago: it may order a node at any moment. No autoscaler orders nodes for pods of a
 * DaemonSet. False where its limits let it add none.
 */
export function isAnswerPending(snapshot: Snapshot, pods: readonly Pod[]): boolean {
  if (hasPodPerNode(snapshot.workload) || !hasAutoscaler(snapshot)) return false;
  if (isEveryAdmissionClosed(snapshot, pods)) return false;
  if (autoscalerAnswer(snapshot, pods).kind !== 'silent') return false;
  const now = nowOf(snapshot);
  return pods.some((pod) => now - Date.parse(refusedSince(pod) ?? '') < answersWithinMs);
}

/**
 * True where a scale-up for one of the pods failed or gave no node in time: after a backoff,
 * cluster-autoscaler tries the node groups again, without a change by people.
 */
export function isScaleUpRetried(snapshot: Snapshot, pods: readonly Pod[]): boolean {
  if (hasPodPerNode(snapshot.workload)) return false;
  const answer = autoscalerAnswer(snapshot, pods);
  if (answer.kind === 'declined') return answer.event.message.includes(backoffWords);
  return answer.kind === 'failed' || answer.kind === 'expired';
}

function hasAutoscaler({ index }: Snapshot): boolean {
  return hasKarpenter(index.objects) || hasClusterAutoscaler(index.objects);
}

/** True where every autoscaler that the objects show is kept from adding a node for any of the pods. */
export function isEveryAdmissionClosed(snapshot: Snapshot, pods: readonly Pod[]): boolean {
  const { objects } = snapshot.index;
  const [karpenter, groups] = [hasKarpenter(objects), hasClusterAutoscaler(objects)];
  if (!karpenter && !groups) return false;
  return (!karpenter || isEveryPoolShut(snapshot, pods)) && (!groups || isEveryGroupShut(snapshot));
}

/** A node that an autoscaler has ordered for a pod and that is not there yet. */
export interface ScaleUp {
  readonly by: 'cluster-autoscaler' | 'Karpenter';
  readonly event: Event | undefined;
  /** Name of Karpenter's NodeClaim. */
  readonly nodeClaim: string | undefined;
  /** RFC3339. */
  readonly since: string;
  /** RFC3339; after it the order counts as failed. */
  readonly until: string;
}

/** Cloud providers give a node within minutes or not at all. */
const patienceMs = 15 * 60_000;

/** A NodeClaim that is ready for longer than this has given its node, and the pod still waits. */
const arrivalMs = 2 * 60_000;

/**
 * The order that is under way for any of these pods, the newest one. An order counts for 15 minutes, and no
 * longer once the autoscaler has said that it cannot help, or its node is there and the pod still waits.
 *
 * Sources: cluster-autoscaler `processors/status/eventing_scale_up_processor.go` (TriggeredScaleUp on the
 * pod), Karpenter `pkg/controllers/provisioning/scheduling/events.go` (Nominated on the pod), NodeClaim
 * conditions.
 */
export function scaleUpUnderWay(snapshot: Snapshot, pods: readonly Pod[]): ScaleUp | undefined {
  for (const pod of pods) {
    const ordered = orderFor(snapshot, pod);
    if (ordered === undefined || !isFresh(snapshot, ordered.since)) continue;
    if ((declinedFor(snapshot, pod)?.lastSeen ?? '') > ordered.since) continue;
    if (ordered.nodeClaim !== undefined && hasArrived(snapshot, ordered.nodeClaim)) continue;
    if (hasFailed(snapshot, pod, ordered)) continue;
    return ordered;
  }
  const declined = pods.map((pod) => declinedFor(snapshot, pod)?.lastSeen ?? '');
  const claim = snapshot.index.objects.NodeClaim.find((each) => {
    const { metadata, status } = each;
    return (
      metadata.deletionTimestamp === undefined &&
      conditionOf(status, 'Initialized')?.status !== 'True' &&
      conditionOf(status, 'Launched')?.status !== 'False' &&
      !isLaunchRefused(snapshot, each) &&
      isFresh(snapshot, metadata.creationTimestamp) &&
      declined.some((at) => at < (metadata.creationTimestamp ?? ''))
    );
  });
  const since = claim?.metadata.creationTimestamp;
  if (claim === undefined || since === undefined) return undefined;
  return { by: 'Karpenter', event: undefined, nodeClaim: claim.metadata.name, since, until: after(since) };
}

/** The last order for this pod, however old. */
function orderFor(snapshot: Snapshot, pod: Pod): ScaleUp | undefined {
  const event = (snapshot.index.eventsByUid.get(pod.metadata.uid) ?? []).findLast(isOrder);
  if (event?.lastSeen === undefined) return undefined;
  return {
    by: event.reason === 'Nominated' ? 'Karpenter' : 'cluster-autoscaler',
    event,
    nodeClaim: /nodeclaim\/([a-z0-9.-]+)/.exec(event.message)?.[1],
    since: event.lastSeen,
    until: after(event.lastSeen),
  };
}

/**
 * The autoscaler's last word that no new node would help this pod. Karpenter uses kube-scheduler's reason
 * FailedScheduling, so the component decides.
 */
function declinedFor(snapshot: Snapshot, pod: Pod): Event | undefined {
  const events = snapshot.index.eventsByUid.get(pod.metadata.uid) ?? [];
  return events.findLast(
    ({ reason, component }) =>
      reason === 'NotTriggerScaleUp' || (reason === 'FailedScheduling' && isKarpenter(component)),
  );
}

/**
 * True where the cloud has refused the node of the order since, or cluster-autoscaler does not try its node
 * groups for some time.
 */
function hasFailed(snapshot: Snapshot, pod: Pod, { by, event, since }: ScaleUp): boolean {
  if (by === 'cluster-autoscaler' && isOrderInBackoff(snapshot, event?.message ?? '')) return true;
  const refusal = cloudRefusalOf(snapshot, [pod]);
  if (refusal === undefined || refusal.by !== by) return false;
  // Karpenter nominates the pod again for each NodeClaim that it makes.
  return by === 'Karpenter' || refusal.at >= since;
}

/** The last orders for these pods that gave no node, newest first. */
function failedOrders(
  snapshot: Snapshot,
  pods: readonly Pod[],
): readonly { readonly order: ScaleUp; readonly isRefused: boolean }[] {
  return pods
    .flatMap((pod) => {
      const order = orderFor(snapshot, pod);
      if (order === undefined) return [];
      const isRefused = hasFailed(snapshot, pod, order);
      return isRefused || Date.parse(order.until) <= nowOf(snapshot) ? [{ order, isRefused }] : [];
    })
    .sort((a, b) => (a.order.since < b.order.since ? 1 : -1));
}

function isOrder({ reason, component }: Event): boolean {
  return reason === 'TriggeredScaleUp' || (reason === 'Nominated' && isKarpenter(component));
}

function isFresh(snapshot: Snapshot, at: string | undefined): boolean {
  if (at === undefined) return false;
  const age = nowOf(snapshot) - Date.parse(at);
  return age >= -60_000 && age < patienceMs;
}

function hasArrived(snapshot: Snapshot, name: string): boolean {
  const claim = snapshot.index.objects.NodeClaim.find(({ metadata }) => metadata.name === name);
  const initialized = claim === undefined ? undefined : conditionOf(claim.status, 'Initialized');
  if (initialized?.status !== 'True' || initialized.lastTransitionTime === undefined) return false;
  return nowOf(snapshot) - Date.parse(initialized.lastTransitionTime) > arrivalMs;
}

function after(since: string): string {
  return new Date(Date.parse(since) + patienceMs).toISOString();
}
