import { proposeRestartRollout } from '../../remediation/kinds/restart-rollout/propose.js';
import { rolloutStateOf } from '../../rollout/rollout-state.js';
import { sicknessesOf } from '../crashes/sickness.js';
import type { Finding } from '../finding.js';
import { podOracleOf } from '../pod-oracle-of.js';
import type { Examination } from '../rule.js';
import { lostReadiness } from './lost-readiness.js';
import type { RestartCase } from './restart-case.js';

const kind = 'restart-rollout';

/**
 * The finding with a restart offered, where evidence says that new pods would do what the present ones no longer can,
 * and the engines see the restarted rollout complete. Where they do not, their reason takes the place of the rule's. A
 * finding without such evidence stays as it is: its rule says why a restart does not help.
 */
export function withRestart(examination: Examination, finding: Finding): Finding {
  const found = caseOf(examination, finding);
  if (found === undefined) return finding;
  const others = finding.withheld.filter((each) => each.kind !== kind);
  if (found.kind === 'in-vain')
    return { ...finding, withheld: [...others, { kind, because: found.because }] };
  const { snapshot } = examination;
  const { remediations, withheld } = proposeRestartRollout({
    snapshot,
    state: rolloutStateOf(snapshot),
    oracle: podOracleOf(examination),
  });
  return {
    ...finding,
    reasoning: [...finding.reasoning, ...found.reasoning],
    evidence: [...finding.evidence, ...found.evidence],
    remediations: [
      ...finding.remediations,
      ...remediations.map((each) => ({ ...each, effects: [...found.because, ...each.effects] })),
    ],
    withheld: [...others, ...withheld],
  };
}

function caseOf({ snapshot }: Examination, { cause, container, severity }: Finding): RestartCase | undefined {
  if (severity === 'info' || container === undefined) return undefined;
  const sickness = sicknessesOf(snapshot).find(
    (each) => each.cause === cause && each.container === container,
  );
  return sickness && lostReadiness(snapshot, sickness);
}
