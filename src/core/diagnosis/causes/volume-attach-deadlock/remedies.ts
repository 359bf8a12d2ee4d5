import type { Snapshot } from '../../../cluster/snapshot.js';
import { lacksVolume } from '../../../pod-oracle/exclusive-volumes.js';
import { patchStrategyForms } from '../../../remediation/kinds/patch-strategy/forms.js';
import { proposePatchStrategy } from '../../../remediation/kinds/patch-strategy/propose.js';
import { proposeScaleDownOld } from '../../../remediation/kinds/scale-down-old/propose.js';
import { nothingOffered } from '../../../remediation/offer.js';
import type { Remediation, Withheld } from '../../../remediation/remediation.js';
import { strategySnippet } from '../../deadlock/lasting-strategy.js';
import { deadlock } from '../../deadlock/text.js';
import type { Advice } from '../../finding.js';
import { podOracleOf } from '../../pod-oracle-of.js';
import { rollBackOf } from '../../roll-back.js';
import type { Examination } from '../../rule.js';
import { type StuckRollout, workloadName } from '../../stuck-rollout.js';
import { waiting as waitingStatement } from '../../waiting/text.js';
import type { HeldVolume } from './held-volume.js';
import { state } from './text.js';

/** What frees the volume as the engines see it; nothing while other pods keep it where it is. */
export function remediesFor(
  examination: Examination,
  rollout: StuckRollout,
  { waiting, node, others }: HeldVolume,
): { readonly remediations: readonly Remediation[]; readonly withheld: readonly Withheld[] } {
  const { snapshot, placement } = examination;
  const withheld: Withheld[] = [
    { kind: 'restart-rollout', because: waitingStatement('restart-withheld') },
    { kind: 'delete-pod', because: state('delete-withheld') },
  ];
  const oracle = podOracleOf(
    examination,
    (pod, on, difference) => !lacksVolume(snapshot.index, pod, on, difference),
  );
  const input = { snapshot, state: rollout.state, placement, oracle, waiting: [waiting] };
  const patches = others.length > 0 ? nothingOffered : proposePatchStrategy(input);
  const undo = rollBackOf(examination, { origin: 'rollout', oracle });
  if (patches.remediations.length === 0) {
    const [because = state('patch-withheld', { node })] = patches.withheld.map((each) => each.because);
    withheld.push({ kind: 'patch-strategy', because });
    return { remediations: [...undo.remediations], withheld: [...withheld, ...undo.withheld] };
  }
  const scaleDown = proposeScaleDownOld(input);
  return {
    remediations: [...patches.remediations, ...scaleDown.remediations, ...undo.remediations],
    withheld: [...withheld, ...scaleDown.withheld, ...undo.withheld],
  };
}

export function adviceFor(snapshot: Snapshot, { node }: HeldVolume): readonly Advice[] {
  return [
    {
      title: deadlock('advice-lasting-title'),
      text: state('advice-lasting', { workload: workloadName(snapshot) }),
      snippet: strategySnippet(snapshot.workload, patchStrategyForms.recreate),
    },
    { title: state('advice-shared-title'), text: state('advice-shared') },
    { title: state('advice-attachment-title'), text: state('advice-attachment', { node }) },
  ];
}
