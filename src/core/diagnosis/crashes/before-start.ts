import { isReady, type Pod } from '../../cluster/pod.js';
import type { Statement } from '../../language/statement.js';
import { proposeDeletePod } from '../../remediation/kinds/delete-pod/propose.js';
import type { NotRecommended, Remediation } from '../../remediation/remediation.js';
import { rolloutStateOf } from '../../rollout/rollout-state.js';
import type { CauseId } from '../cause-id.js';
import { podSimulatorOf } from '../pod-oracle-of.js';
import type { Examination } from '../rule.js';
import type { FailureGroup } from './failure-group.js';
import { isOfNoNode } from './incarnations-of.js';
import type { PodFailure } from './pod-failure.js';
import { crash } from './text.js';

/**
 * Causes that fail before the program starts. Nothing crashes, and the cause explains more than the node
 * alone.
 */
const beforeStart: ReadonlySet<CauseId> = new Set([
  'image-pull-failure',
  'mount-failure',
  'sandbox-failure',
  'pod-start-stalled',
]);

/** Whether the pod failed before its program started. */
export function isBeforeStart({ cause }: Pick<PodFailure, 'cause'>): boolean {
  return beforeStart.has(cause);
}

/**
 * The nodes of a failure before the start that occurs on these nodes only, while pods of the same revision
 * are ready on other nodes. Empty for a failure that would occur on any node.
 */
export function onlyNodesOf({ nodes, podFailures, siblings }: FailureGroup): readonly string[] {
  if (nodes.length === 0 || !isBeforeStart(podFailures[0])) return [];
  return podFailures.some(isOfNoNode) || readyElsewhere(siblings, nodes).length === 0 ? [] : nodes;
}

/**
 * The other nodes that run the revision, and the recreation of a pod there. Empty unless only some nodes
 * fail.
 */
export function aboutOnlyNodes(
  { snapshot, placement }: Examination,
  failureGroup: FailureGroup,
): {
  readonly reasoning: readonly Statement[];
  readonly remediations: readonly Remediation[];
  readonly withheld: readonly NotRecommended[];
} {
  const failing = onlyNodesOf(failureGroup);
  if (failing.length === 0) return { reasoning: [], remediations: [], withheld: [] };
  const elsewhere = readyElsewhere(failureGroup.siblings, failing);
  const nodes = [...new Set(elsewhere.map(({ spec }) => spec.nodeName ?? ''))].sort();
  const offer = proposeDeletePod({
    snapshot,
    state: rolloutStateOf(snapshot),
    placement,
    simulator: podSimulatorOf({ snapshot, placement }),
    pod: failureGroup.podFailures[0].pod,
    purpose: 'experiment',
    awayFrom: failing,
  });
  return { reasoning: [crash('only-there', { failing, pods: elsewhere.length, nodes })], ...offer };
}

function readyElsewhere(siblings: readonly Pod[], failing: readonly string[]): readonly Pod[] {
  return siblings.filter((pod) => isReady(pod) && !failing.includes(pod.spec.nodeName ?? ''));
}
