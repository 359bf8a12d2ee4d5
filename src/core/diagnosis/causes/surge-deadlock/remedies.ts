import type { Pod } from '../../../cluster/pod.js';
import { proposePatchStrategy } from '../../../remediation/kinds/patch-strategy/propose.js';
import { proposeScaleDownOld } from '../../../remediation/kinds/scale-down-old/propose.js';
import { proposeUndoRollout } from '../../../remediation/kinds/undo-rollout/propose.js';
import type { Remediation, Withheld } from '../../../remediation/remediation.js';
import { podOracleOf } from '../../pod-oracle-of.js';
import type { Examination } from '../../rule.js';
import type { StuckRollout } from '../../stuck-rollout.js';
import type { Blockage } from './blockage.js';
import { state } from './statements.js';

/** What frees the rollout as the engines see it, best first, and what people would try in vain. */
export function remediesFor(
  { snapshot, placement }: Examination,
  rollout: StuckRollout,
  waiting: readonly Pod[],
  { openable, resource }: Blockage,
): { readonly remediations: readonly Remediation[]; readonly withheld: readonly Withheld[] } {
  const oracle = podOracleOf(placement);
  const input = { snapshot, state: rollout.state, placement, oracle, waiting };
  const patches = proposePatchStrategy(input);
  const scaleDown = proposeScaleDownOld(input);
  const undo = proposeUndoRollout(input);
  const withheld: Withheld[] = [
    { kind: 'restart-rollout', because: state('restart-withheld', {}) },
    { kind: 'exclude-nodes', because: state('exclude-withheld', { node: openable[0].node }) },
  ];
  if (patches.length === 0)
    withheld.push({ kind: 'patch-strategy', because: state('patch-withheld', { resource }) });
  return {
    remediations: [...patches, ...scaleDown.remediations, ...undo.remediations],
    withheld: [...withheld, ...scaleDown.withheld, ...undo.withheld],
  };
}
