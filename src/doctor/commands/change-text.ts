import type { RequestedChange } from '../fixes/requested-change.js';

const verbs = {
  'restart-rollout': 'restart',
  'undo-rollout': 'rollback',
  'resume-rollout': 'resume',
  'exclude-nodes': 'exclude',
  'abort-rollout': 'abort',
  'promote-rollout': 'promote',
  'retry-rollout': 'retry',
} as const satisfies Record<RequestedChange['kind'], string>;
export type ChangeVerb = (typeof verbs)[RequestedChange['kind']];

/** The words of a command that asks for this change: those before and after the workload. */
export function changeWords(change: RequestedChange): { readonly verb: ChangeVerb; readonly rest: string } {
  return {
    verb: verbs[change.kind],
    rest: change.kind === 'exclude-nodes' ? change.nodes.join(' ') : '',
  };
}
