import { controllerOf } from '../../cluster/metadata.js';
import type { Remediation, Withheld } from '../../remediation/remediation.js';
import { newReplicaSetOf } from '../../rollout/revisions.js';
import { rolloutStateOf } from '../../rollout/rollout-state.js';
import { rollBackOf } from '../roll-back.js';
import type { Examination } from '../rule.js';
import type { Block } from './block.js';
import { ownPods } from './predecessors.js';

/**
 * Going back to the former revision, where the new one asks for what there is not and pods of the former still run.
 * Without those nothing says that the former revision would fare better.
 */
export function wayBack(
  examination: Examination,
  { pod }: Block,
): { readonly remediations: readonly Remediation[]; readonly withheld: readonly Withheld[] } {
  const { snapshot } = examination;
  const state = rolloutStateOf(snapshot);
  const nothing = { remediations: [], withheld: [] };
  if (state.kind !== 'Deployment' || ownPods(snapshot).predecessors.length === 0) return nothing;
  if (controllerOf(pod)?.uid !== newReplicaSetOf(state)?.metadata.uid) return nothing;
  return rollBackOf(examination, { origin: 'rollout' });
}
