import type { Node } from '../objects/node.js';
import { byPodName, isTerminating, type Pod, podKey } from '../objects/pod.js';
import { priorityOf } from './pod-defaults.js';
import type { Reason } from './reason.js';
import { type Situation, situationOf } from './situation.js';
import { fitsOn, verdictOn } from './verdict.js';
import { podsOn, without } from './world.js';

/** A node that would take the pod once its victims are gone. */
interface PreemptionCandidate {
  readonly node: string;
  /** Of lower priority, the most important first. */
  readonly victims: readonly Pod[];
}

/** Why a node is no candidate: no pod of lower priority (`undefined`), or it refuses even without them. */
type PreemptionRefusal = { readonly node: string; readonly reasons: readonly Reason[] | undefined };

export type Preemption =
  | { readonly outcome: 'possible'; readonly candidates: readonly PreemptionCandidate[] }
  | { readonly outcome: 'impossible'; readonly refusals: readonly PreemptionRefusal[] }
  /** Some node could be one, but not all of its rules could be simulated. */
  | { readonly outcome: 'not-simulated' }
  | { readonly outcome: 'policy-never' }
  /** Its victims are already terminating on the node that was nominated for it. */
  | { readonly outcome: 'waiting-for-victims' };

/**
 * What preemption could do on these nodes, which are those that refuse the pod for a reason that preemption
 * can remove. Victims have strictly lower priority. PodDisruptionBudgets, which only change which victims are
 * spared first, are not looked at (`default_preemption.go: SelectVictimsOnNode`).
 */
export function preemptionOf(situation: Situation, nodes: readonly Node[]): Preemption {
  const { pod } = situation;
  if (pod.spec.preemptionPolicy === 'Never') return { outcome: 'policy-never' };
  if (isWaiting(situation, nodes)) return { outcome: 'waiting-for-victims' };
  const candidates: PreemptionCandidate[] = [];
  const refusals: PreemptionRefusal[] = [];
  let unanswered = false;
  for (const node of nodes) {
    const name = node.metadata.name;
    const lower = podsOn(situation.world, name).filter((other) => priorityOf(other) < priorityOf(pod));
    if (lower.length === 0) {
      refusals.push({ node: name, reasons: undefined });
      continue;
    }
    const verdict = verdictOn(withoutPods(situation, lower), node);
    if (verdict.outcome === 'not-simulated') unanswered = true;
    else if (verdict.outcome === 'refused') refusals.push({ node: name, reasons: verdict.reasons });
    else candidates.push({ node: name, victims: spare(situation, node, lower) });
  }
  if (candidates.length > 0) return { outcome: 'possible', candidates };
  return unanswered ? { outcome: 'not-simulated' } : { outcome: 'impossible', refusals };
}

/** Puts back as many as fit, the most important first; what cannot be put back is a victim. */
function spare(situation: Situation, node: Node, lower: readonly Pod[]): readonly Pod[] {
  let victims = [...lower].sort(byImportance);
  for (const pod of [...victims]) {
    const fewer = victims.filter((other) => other !== pod);
    if (fitsOn(withoutPods(situation, fewer), node)) victims = fewer;
  }
  return victims;
}

function withoutPods({ world, pod }: Situation, pods: readonly Pod[]): Situation {
  return situationOf({ ...without(world, new Set(pods.map(podKey))), preempted: pods }, pod);
}

/** Higher priority first, then the one that runs longer (`scheduler/util: MoreImportantPod`). */
function byImportance(a: Pod, b: Pod): number {
  return priorityOf(b) - priorityOf(a) || startOf(a) - startOf(b) || byPodName(a, b);
}

function startOf(pod: Pod): number {
  return pod.status.startTime === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(pod.status.startTime);
}

function isWaiting({ world, pod }: Situation, nodes: readonly Node[]): boolean {
  const nominated = pod.status.nominatedNodeName;
  if (nominated === undefined || !nodes.some(({ metadata }) => metadata.name === nominated)) return false;
  return podsOn(world, nominated).some(
    (other) =>
      priorityOf(other) < priorityOf(pod) &&
      isTerminating(other) &&
      other.status.conditions.some(
        ({ type, status, reason }) =>
          type === 'DisruptionTarget' && status === 'True' && reason === 'PreemptionByScheduler',
      ),
  );
}
