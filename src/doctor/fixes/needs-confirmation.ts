import type { Remediation } from './remediation.js';

/**
 * Whether a change that a person asked for must be confirmed with the name of the workload: the rollout would
 * not complete, or for a time no pod would be ready. Remediations of findings are offered only where the
 * rollout completes or the deadlock ends.
 */
export function needsConfirmation({ price, prediction }: Pick<Remediation, 'price' | 'prediction'>): boolean {
  return prediction.ends !== 'complete' || price.downtime.kind === 'gap';
}
