import type { Workload } from '../../cluster/workload.js';
import { patchStrategyForms } from '../../remediation/kinds/patch-strategy/forms.js';
import type { PatchStrategy } from '../../remediation/kinds/patch-strategy/plan.js';
import type { Remediation } from '../../remediation/remediation.js';
import { refusesRecreate } from '../../survival/refuses-recreate.js';

type Strategy = PatchStrategy['strategy'];

/**
 * The strategy of the first `patch-strategy` that is offered, for the manifest; `undefined` where none is: a strategy
 * that does not end this rollout would not end the next one either.
 */
export function lastingStrategy(workload: Workload, offered: readonly Remediation[]): string | undefined {
  const patch = offered.find((each) => each.kind === 'patch-strategy');
  return patch && strategySnippet(workload, patch.strategy);
}

/** A strategy for the manifest of a workload, in a form that its owner can apply. */
export function strategySnippet(workload: Workload, strategy: Strategy): string {
  const field = workload.kind === 'Deployment' ? 'strategy' : 'updateStrategy';
  const isRefused = strategy.type === 'Recreate' && refusesRecreate(workload);
  const form: Strategy = isRefused ? patchStrategyForms.allAtOnce : strategy;
  if (form.type === 'Recreate') return `spec:\n  ${field}:\n    type: Recreate\n    rollingUpdate: null\n`;
  const { maxSurge, maxUnavailable } = form;
  return `spec:\n  ${field}:\n    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: ${maxSurge}\n      maxUnavailable: ${maxUnavailable}\n`;
}
