import { inRole, type Statement } from '../../../engine/language/statement.js';
import { leastReplicas, scaledObjectOf } from '../../../engine/objects/horizontal-autoscaler.js';
import { hasNode, isActive } from '../../../engine/objects/pod.js';
import type { Snapshot, Unseen } from '../../../engine/objects/snapshot.js';
import { unreadOf } from '../../../engine/objects/unread.js';
import { ownerObjectsOf, remediationOf } from '../../../engine/owners/owner-objects.js';
import { autoscalerThatMayShrink } from '../horizontal-autoscaler.js';
import { deadlock } from './text.js';

/**
 * What autoscalers mean for a deadlock: one that may reduce the replicas, one of the workload that could not
 * be read, and those of other workloads that hold the place and could not be read. Nothing without them.
 */
export function shrinkStatements(snapshot: Snapshot): readonly Statement[] {
  return [...ownShrinkStatements(snapshot), ...unreadOfOthers(snapshot)];
}

/** The same for the workload's own autoscaler and owner alone, where no other workload can hold the place. */
export function ownShrinkStatements(snapshot: Snapshot): readonly Statement[] {
  return [...remediationStatements(snapshot), ...autoscalerStatements(snapshot)];
}

/** Flux takes an upgrade back that is not complete in time, and with it the new pods. */
export function remediationStatements(snapshot: Snapshot): readonly Statement[] {
  const { helmRelease } = ownerObjectsOf(snapshot);
  const remediation = helmRelease?.type === 'found' ? remediationOf(helmRelease.object) : undefined;
  if (helmRelease?.type !== 'found' || remediation === undefined) return [];
  const { namespace, name } = helmRelease.object.metadata;
  return [
    inRole('escape', deadlock('release-is-remediated', { release: `${namespace}/${name}`, ...remediation })),
  ];
}

function autoscalerStatements(snapshot: Snapshot): readonly Statement[] {
  const { workload } = snapshot;
  const autoscaler = autoscalerThatMayShrink(snapshot);
  if (autoscaler !== undefined) {
    const scaledObject = scaledObjectOf(autoscaler);
    const minimum = leastReplicas(autoscaler);
    return [
      scaledObject !== undefined && minimum === 0
        ? deadlock('scaled-object-may-shrink', { scaledObject })
        : deadlock('autoscaler-may-shrink', { autoscaler: autoscaler.metadata.name, minimum }),
    ];
  }
  const unread = unreadIn(snapshot, (namespace) => ['', workload.metadata.namespace].includes(namespace));
  // KEDA may stop the last pod, so a workload with one replica is no exception.
  return unread === undefined || workload.kind === 'DaemonSet'
    ? []
    : [deadlock('autoscalers-unread', { because: unread.because })];
}

/** Autoscalers of other namespaces matter only where pods there have a node. */
export function unreadOfOthers(snapshot: Snapshot): readonly Statement[] {
  const own = snapshot.workload.metadata.namespace;
  const hasPods = (namespace: string): boolean =>
    snapshot.index.objects.Pod.some(
      (pod) => pod.metadata.namespace === namespace && isActive(pod) && hasNode(pod),
    );
  const unread = unreadIn(
    snapshot,
    (namespace) => namespace !== own && (namespace === '' || hasPods(namespace)),
  );
  return unread === undefined
    ? []
    : [deadlock('neighbours-autoscalers-unread', { namespace: unread.namespace, because: unread.because })];
}

/** One of them may evict a pod that holds the place. */
export function unreadEvictors(snapshot: Snapshot): readonly Statement[] {
  const unread = unreadOf(snapshot, 'VerticalPodAutoscaler');
  return unread === undefined ? [] : [deadlock('evictors-unread', { because: unread.because })];
}

function unreadIn({ unseen }: Snapshot, isThere: (namespace: string) => boolean): Unseen | undefined {
  return unseen.find(
    ({ what, namespace, because }) =>
      what === 'HorizontalPodAutoscaler' && because !== 'not-served' && isThere(namespace),
  );
}
