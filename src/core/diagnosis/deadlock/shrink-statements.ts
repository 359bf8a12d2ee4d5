import type { Snapshot } from '../../cluster/snapshot.js';
import type { Statement } from '../../language/statement.js';
import { autoscalerThatMayShrink } from '../horizontal-autoscaler.js';
import { deadlock } from './text.js';

/** What an autoscaler that may reduce the replicas means for a deadlock, or that none could be read; nothing without one. */
export function shrinkStatements(snapshot: Snapshot): readonly Statement[] {
  const autoscaler = autoscalerThatMayShrink(snapshot);
  if (autoscaler === undefined) {
    const { workload } = snapshot;
    const unread = snapshot.unseen.find(
      ({ what, because }) => what === 'HorizontalPodAutoscaler' && because !== 'not-served',
    );
    const canShrink = workload.kind !== 'DaemonSet' && workload.spec.replicas > 1;
    return unread === undefined || !canShrink
      ? []
      : [deadlock('autoscalers-unread', { because: unread.because })];
  }
  const { metadata, spec } = autoscaler;
  return [deadlock('autoscaler-may-shrink', { autoscaler: metadata.name, minimum: spec.minReplicas ?? 1 })];
}
