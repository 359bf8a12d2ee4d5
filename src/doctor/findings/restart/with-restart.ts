import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { proposeDeletePod } from '../../fixes/kinds/delete-pod.js';
import { proposeRestartRollout } from '../../fixes/kinds/restart-rollout/kind.js';
import { currentRevision, type FailureGroup, groupFailures } from '../crashes/failure-group.js';
import type { Finding } from '../finding.js';
import { podSimulatorOf } from '../pod-simulator-of.js';
import type { Examination } from '../rule.js';
import { dependencyReturned } from './dependency-returned.js';
import {
  lostReadiness,
  outdatedConfig,
  type RestartCase,
  unhealthyDevice,
  unreadConfig,
  youngerPodsReady,
} from './restart-reasons.js';

const kind = 'restart-rollout';

/**
 * The finding with a restart offered, where evidence says that new pods would do what the present ones no
 * longer can, and the engines see the restarted rollout complete. Where they do not, their reason takes the
 * place of the rule's. Where one pod fails, its deletion comes first. A finding without such evidence keeps
 * the answer of its rule, which says why a restart does not help.
 */
export function withRestart(examination: Examination, finding: Finding): Finding {
  const failureGroup = findFailureGroup(examination, finding);
  if (failureGroup === undefined) return finding;
  const unread = unreadConfig(examination.snapshot, failureGroup);
  const told = unread.length === 0 ? finding : { ...finding, reasoning: [...finding.reasoning, ...unread] };
  const found = caseOf(examination.snapshot, failureGroup);
  return found === undefined ? told : withCase(examination, told, failureGroup, found);
}

function withCase(
  examination: Examination,
  finding: Finding,
  failureGroup: FailureGroup,
  found: RestartCase,
): Finding {
  const otherKinds = finding.withheld.filter((each) => each.kind !== kind);
  if (found.kind === 'in-vain')
    return { ...finding, withheld: [...otherKinds, { kind, because: found.because }] };
  const { snapshot, placement } = examination;
  const engines = { snapshot, state: rolloutStateOf(snapshot), simulator: podSimulatorOf(examination) };
  const { remediations, withheld } = proposeRestartRollout(engines);
  const [{ pod }, ...others] = failureGroup.podFailures;
  const isAnswered = [...finding.remediations, ...finding.withheld].some(
    (each) => each.kind === 'delete-pod',
  );
  // The other pods need no new process.
  const gentler =
    others.length > 0 || isAnswered
      ? []
      : proposeDeletePod({ ...engines, placement, pod, purpose: 'unstick' }).remediations.filter(
          ({ prediction }) => prediction.ends !== 'stuck',
        );
  return {
    ...finding,
    reasoning: [...finding.reasoning, ...found.reasoning],
    evidence: [...finding.evidence, ...found.evidence],
    remediations: [
      ...finding.remediations,
      ...[...gentler, ...remediations].map((each) => ({
        ...each,
        effects: [...found.because, ...each.effects],
      })),
    ],
    withheld: [...otherKinds, ...withheld],
  };
}

function findFailureGroup(
  { snapshot }: Examination,
  { cause, container, severity }: Finding,
): FailureGroup | undefined {
  if (severity === 'info' || container === undefined) return undefined;
  const groups = groupFailures(snapshot).filter((each) => each.container === container);
  return cause === 'crash-loop-after-rollout'
    ? groups.find((each) => each.ongoing && each.revision === currentRevision(snapshot))
    : groups.find((each) => each.cause === cause);
}

/** The strongest evidence first. */
function caseOf(snapshot: Snapshot, failureGroup: FailureGroup): RestartCase | undefined {
  return (
    unhealthyDevice(snapshot, failureGroup) ??
    youngerPodsReady(snapshot, failureGroup) ??
    outdatedConfig(snapshot, failureGroup) ??
    lostReadiness(snapshot, failureGroup) ??
    dependencyReturned(snapshot, failureGroup)
  );
}
