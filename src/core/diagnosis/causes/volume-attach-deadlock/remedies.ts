import type { Snapshot } from '../../../cluster/snapshot.js';
import { lacksVolume } from '../../../pod-oracle/exclusive-volumes.js';
import { nothingOffered } from '../../../remediation/offer.js';
import { fixesOfKind, oldPodFirstFixes } from '../../deadlock/fixes-of-kind.js';
import { oldPodFirst } from '../../deadlock/lasting-strategy.js';
import type { StableRollout } from '../../deadlock/resting.js';
import { deadlock } from '../../deadlock/text.js';
import type { Advice, Fixes } from '../../finding.js';
import { podSimulatorOf } from '../../pod-oracle-of.js';
import { rollBackOf } from '../../roll-back.js';
import type { Examination } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { waiting as waitingStatement } from '../../waiting/text.js';
import type { HeldVolume } from './held-volume.js';
import { state } from './text.js';

/** What frees the volume as the engines see it; no other strategy while other pods keep it where it is. */
export function remediesFor(
  examination: Examination,
  rollout: StableRollout,
  { waiting, node, others }: HeldVolume,
): Fixes {
  const { index } = examination.snapshot;
  const simulator = podSimulatorOf(
    examination,
    (pod, on, difference) => !lacksVolume(index, pod, on, difference),
  );
  const { patches, further } = fixesOfKind(examination, rollout.state, simulator, [waiting]);
  const undo = rollBackOf(examination, { origin: 'rollout', simulator });
  const fixes = oldPodFirstFixes(
    others.length > 0 ? nothingOffered : patches,
    further,
    state('patch-withheld', { node }),
  );
  return {
    remediations: [...fixes.remediations, ...undo.remediations],
    withheld: [
      { kind: 'restart-rollout', because: waitingStatement('restart-withheld') },
      { kind: 'delete-pod', because: state('delete-withheld') },
      ...fixes.withheld,
      ...undo.withheld,
    ],
  };
}

export function adviceFor(snapshot: Snapshot, { node }: HeldVolume): readonly Advice[] {
  const snippet = oldPodFirst(snapshot.workload);
  return [
    ...(snippet === undefined
      ? []
      : [
          {
            title: deadlock('advice-lasting-title'),
            text: state('advice-lasting', { workload: workloadName(snapshot) }),
            snippet,
          },
        ]),
    { title: state('advice-shared-title'), text: state('advice-shared') },
    { title: state('advice-attachment-title'), text: state('advice-attachment', { node }) },
  ];
}
