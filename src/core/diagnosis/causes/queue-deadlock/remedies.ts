import { queueSimulator } from '../../../kueue/queue-oracle.js';
import { proposePatchStrategy } from '../../../remediation/kinds/patch-strategy/propose.js';
import { proposeScaleDownOld } from '../../../remediation/kinds/scale-down-old/propose.js';
import { notRecommendedPatches } from '../../deadlock/strategy.js';
import type { Fixes } from '../../finding.js';
import { podSimulatorWithoutQueue } from '../../pod-oracle-of.js';
import { rollBackOf } from '../../roll-back.js';
import type { Examination } from '../../rule.js';
import type { QueueProof } from './proof.js';
import { state } from './text.js';

/**
 * What frees the rollout as the engines see it, best first: an old pod gives its quota back, and the new pod
 * finds a node.
 */
export function remediesFor(examination: Examination, { rollout, queue, workload }: QueueProof): Fixes {
  const { snapshot, placement } = examination;
  const simulator = queueSimulator(snapshot.index, queue, podSimulatorWithoutQueue(examination), workload);
  const input = { snapshot, placement, state: rollout.state, simulator, waiting: rollout.blocked };
  const patches = proposePatchStrategy(input);
  const scaleDown = proposeScaleDownOld(input);
  const undo = rollBackOf(examination, { origin: 'rollout', simulator });
  return {
    remediations: [...patches.remediations, ...scaleDown.remediations, ...undo.remediations],
    withheld: [
      { kind: 'restart-rollout', because: state('restart-withheld') },
      ...notRecommendedPatches(patches),
      ...scaleDown.withheld,
      ...undo.withheld,
    ],
  };
}
