import { greatestOf } from '../../../collections/collections.js';
import { proposeDeletePod } from '../../../remediation/kinds/delete-pod/propose.js';
import { proposeExcludeNodes } from '../../../remediation/kinds/exclude-nodes/propose.js';
import type { NotRecommended } from '../../../remediation/remediation.js';
import { rolloutStateOf } from '../../../rollout/rollout-state.js';
import { podsOf } from '../../crashes/pod-failures-of.js';
import type { Fixes } from '../../finding.js';
import { podSimulatorOf } from '../../pod-oracle-of.js';
import type { Examination } from '../../rule.js';
import type { Observation } from './observation.js';
import { state } from './text.js';

/**
 * Excludes the nodes when the evidence is strong enough for one click. Otherwise states what is missing and
 * offers to recreate one crashing pod on another node, which provides that evidence.
 */
export function fixesFor(
  examination: Examination,
  observation: Observation,
  nodes: readonly string[],
  recreate: string | undefined,
): Fixes {
  const { snapshot, placement } = examination;
  const usual: readonly NotRecommended[] = [
    { kind: 'undo-rollout', because: state('undo-withheld') },
    { kind: 'restart-rollout', because: state('restart-withheld') },
  ];
  if (observation.missing.length === 0) {
    const simulator = podSimulatorOf(examination);
    const offer = proposeExcludeNodes({
      snapshot,
      state: rolloutStateOf(snapshot),
      placement,
      simulator,
      nodes,
    });
    return { remediations: offer.remediations, withheld: [...offer.withheld, ...usual] };
  }
  const [missing] = observation.missing.filter((each) => each !== 'not-concentrated');
  const because = state('exclude-withheld', { because: missing ?? 'p-too-large' });
  const experiment = experimentWith(examination, observation, nodes, recreate);
  return {
    remediations: experiment.remediations,
    withheld: [{ kind: 'exclude-nodes', because }, ...experiment.withheld, ...usual],
  };
}

/**
 * One crashing pod recreated on another node: when it stays healthy there long enough, the node is the
 * suspect.
 */
function experimentWith(
  { snapshot, placement }: Examination,
  { own }: Observation,
  nodes: readonly string[],
  recreate: string | undefined,
): Fixes {
  const crashed = own.filter((one) => one.crashed && nodes.includes(one.node));
  // A deleted pod of the history cannot be recreated.
  const living = new Map(podsOf(snapshot).map((each) => [each.metadata.uid, each]));
  const pod = [recreate ?? '', ...crashed.map(({ uid }) => uid)].flatMap((uid) => living.get(uid) ?? [])[0];
  if (pod === undefined) return { remediations: [], withheld: [] };
  const lived = crashed.flatMap(({ secondsToCrash }) => secondsToCrash ?? []);
  return proposeDeletePod({
    snapshot,
    state: rolloutStateOf(snapshot),
    placement,
    simulator: podSimulatorOf({ snapshot, placement }),
    pod,
    purpose: 'experiment',
    awayFrom: nodes,
    ...(lived.length === 0 ? {} : { mustStayReadySeconds: greatestOf(lived) }),
  });
}
