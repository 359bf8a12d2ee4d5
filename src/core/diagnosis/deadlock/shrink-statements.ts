import type { HorizontalPodAutoscaler } from '../../cluster/policy.js';
import type { Statement } from '../../language/statement.js';
import { deadlock } from './text.js';

/** What an autoscaler that may reduce the replicas means for a deadlock; nothing without one. */
export function shrinkStatements(autoscaler: HorizontalPodAutoscaler | undefined): readonly Statement[] {
  if (autoscaler === undefined) return [];
  const { metadata, spec } = autoscaler;
  return [deadlock('autoscaler-may-shrink', { autoscaler: metadata.name, minimum: spec.minReplicas ?? 1 })];
}
