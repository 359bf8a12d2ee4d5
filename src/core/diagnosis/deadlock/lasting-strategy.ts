import type { Workload } from '../../cluster/workload.js';
import type { Remediation } from '../../remediation/remediation.js';

/**
 * The strategy of the first `patch-strategy` that is offered, for the manifest; `undefined` where none is: a strategy
 * that does not end this rollout would not end the next one either.
 */
export function lastingStrategy(kind: Workload['kind'], offered: readonly Remediation[]): string | undefined {
  const patch = offered.find((each) => each.kind === 'patch-strategy');
  if (patch === undefined) return undefined;
  const field = kind === 'Deployment' ? 'strategy' : 'updateStrategy';
  const { strategy } = patch;
  return strategy.type === 'Recreate'
    ? `spec:\n  ${field}:\n    type: Recreate\n    rollingUpdate: null\n`
    : `spec:\n  ${field}:\n    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: ${strategy.maxSurge}\n      maxUnavailable: ${strategy.maxUnavailable}\n`;
}
