import type { Event } from '../../engine/objects/event.js';
import { conditionOf } from '../../engine/objects/metadata.js';
import { isKarpenter } from '../../engine/objects/node-autoscalers.js';
import type { Pod } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { cloudRefusalOf, isLaunchRefused } from './waiting/cloud-refusal.js';
import { isOrderInBackoff } from './waiting/node-groups-that-may-grow.js';

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
export function declinedFor(snapshot: Snapshot, pod: Pod): Event | undefined {
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
export function failedOrders(
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
