import { proposeUndoRollout } from '../../remediation/kinds/undo-rollout/propose.js';
import type { Remediation, Withheld } from '../../remediation/remediation.js';
import { rolloutStateOf } from '../../rollout/rollout-state.js';
import { podOracleOf } from '../pod-oracle-of.js';
import type { Examination } from '../rule.js';
import { type Sickness, wellPredecessors } from './sickness.js';

/**
 * Back to the former revision, where that is seen to be well while the new one fails. Nothing at all where no former
 * revision runs to compare with: what it would do is not known.
 */
export function wayBackFrom(
  { snapshot, placement }: Examination,
  sickness: Sickness,
): { readonly remediations: readonly Remediation[]; readonly withheld: readonly Withheld[] } {
  if (wellPredecessors(snapshot, sickness).length === 0) return { remediations: [], withheld: [] };
  const state = rolloutStateOf(snapshot);
  return proposeUndoRollout({ snapshot, state, oracle: podOracleOf(placement) });
}
