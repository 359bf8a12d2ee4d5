import type { Event } from '../cluster/event.js';
import { conditionOf } from '../cluster/metadata.js';
import type { Pod } from '../cluster/pod.js';
import { nowOf, type Snapshot } from '../cluster/snapshot.js';

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

/**
 * The order that is under way for any of these pods, the newest one. An order counts for 15 minutes, and no longer
 * once the autoscaler has said that it cannot help.
 *
 * Sources: cluster-autoscaler `processors/status/eventing_scale_up_processor.go` (TriggeredScaleUp on the pod),
 * Karpenter `pkg/controllers/provisioning/scheduling/events.go` (Nominated on the pod), NodeClaim conditions.
 */
export function scaleUpUnderWay(snapshot: Snapshot, pods: readonly Pod[]): ScaleUp | undefined {
  const now = nowOf(snapshot);
  const fresh = (at: string | undefined): at is string => {
    if (at === undefined) return false;
    const age = now - Date.parse(at);
    return age >= -60_000 && age < patienceMs;
  };
  for (const pod of pods) {
    const events = snapshot.index.eventsByUid.get(pod.metadata.uid) ?? [];
    const ordered = events.findLast(({ reason, component }) => isOrder(reason, component));
    if (ordered === undefined || !fresh(ordered.lastSeen)) continue;
    const given = events.findLast(({ reason }) => reason === 'NotTriggerScaleUp');
    if (given !== undefined && (given.lastSeen ?? '') > ordered.lastSeen) continue;
    const by = ordered.reason === 'Nominated' ? 'Karpenter' : 'cluster-autoscaler';
    return {
      by,
      event: ordered,
      nodeClaim: undefined,
      since: ordered.lastSeen,
      until: after(ordered.lastSeen),
    };
  }
  const claim = snapshot.index.objects.NodeClaim.find(
    ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined &&
      conditionOf(status, 'Initialized')?.status !== 'True' &&
      fresh(metadata.creationTimestamp),
  );
  const since = claim?.metadata.creationTimestamp;
  if (claim === undefined || since === undefined) return undefined;
  return { by: 'Karpenter', event: undefined, nodeClaim: claim.metadata.name, since, until: after(since) };
}

function isOrder(reason: string, component: string): boolean {
  return reason === 'TriggeredScaleUp' || (reason === 'Nominated' && component.startsWith('karpenter'));
}

function after(since: string): string {
  return new Date(Date.parse(since) + patienceMs).toISOString();
}
