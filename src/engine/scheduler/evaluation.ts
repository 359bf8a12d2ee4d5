import type { Node } from '../objects/node.js';
import type { Pod } from '../objects/pod.js';
import { releaseRules } from '../objects/release-rules.js';
import { LEFT_OUT, nodeAffinityConflict } from './filters/node-filters.js';
import { preemptionOf } from './preemption.js';
import { isReason, type NotSimulated, type Objection, type Plugin, plugins, type Reason } from './reason.js';
import type { Situation } from './situation.js';
import { type NodeVerdict, verdictOn } from './verdict.js';

/**
 * True when the message can be told: nothing takes the pod, and on no node could something unanswered come
 * before the plugin at which the scheduler stops.
 */
function isFullyExplained(
  refusals: readonly Reason[],
  notSimulated: readonly NotSimulated[],
  verdicts: readonly NodeVerdict[],
): boolean {
  if (notSimulated.length > 0) return false;
  return refusals.length > 0 || verdicts.every(isExplained);
}

function isExplained(verdict: NodeVerdict): boolean {
  const decisive = decisiveReasons(verdict)[0];
  if (decisive === undefined) return false;
  const stop = plugins.indexOf(decisive.plugin);
  return verdict.notSimulated.every(({ plugin }) => plugins.indexOf(plugin) >= stop);
}

/**
 * `framework/types.go: FitError.Error` with the parts that the PostFilter plugins add: one message, or one
 * for each node that preemption may choose. Where the version was not read, only what all releases write.
 * None where what preemption would find is not known.
 */
function schedulerMessages(
  situation: Situation,
  refusals: readonly Reason[],
  verdicts: readonly NodeVerdict[],
  nodes: readonly Node[],
): readonly string[] {
  const refusal = refusals[0];
  if (refusal?.id === 'gates' || refusal?.id === 'no-node') return [refusal.text];
  const head = `0/${nodes.length} nodes are available:`;
  // The device plugin looks for the state of a PreFilter that never ran, and its error ends the message.
  if (refusal !== undefined && refusal.plugin !== 'DynamicResources')
    return [`${head} ${refusal.text}. not found`];
  const reasons = `${head} ${refusal?.text ?? histogram(verdicts.map(firstTexts))}.`;
  const { refusalStates } = releaseRules(situation.world.facts.index.serverVersion);
  const preemptions = preemptionMessages(situation, refusal === undefined ? verdicts : [], nodes);
  if (refusalStates === undefined) return preemptions.length === 0 ? [] : [reasons];
  const states = refusalStates === 'deallocation';
  const claims = deallocation(situation, nodes, { isRefused: refusal !== undefined, states });
  return preemptions.map(({ text, isFound }) => {
    if (!isFound) return `${reasons} ${[...claims, text].join(', ')}`;
    return states ? reasons : `${reasons} ${text}`;
  });
}

const NOT_HELPFUL = 'Preemption is not helpful for scheduling';
/** These collect all their reasons; the others stop at the first one. */
const COLLECTING: readonly Plugin[] = ['NodeResourcesFit', 'VolumeBinding'];

/** The reasons of the plugin at which the scheduler stops. */
export function decisiveReasons(verdict: Pick<NodeVerdict, 'reasons'>): readonly Reason[] {
  const leftOut = verdict.reasons.find(({ text }) => text === LEFT_OUT);
  const first = leftOut ?? verdict.reasons[0];
  if (first === undefined) return [];
  if (!COLLECTING.includes(first.plugin)) return [first];
  return verdict.reasons.filter(({ plugin }) => plugin === first.plugin);
}

/** `UnschedulableAndUnresolvable` as soon as one decisive reason is. */
function isPreemptible(verdict: NodeVerdict): boolean {
  return decisiveReasons(verdict).every(({ preemptible }) => preemptible);
}

function firstTexts(verdict: Pick<NodeVerdict, 'reasons'>): readonly string[] {
  return [...new Set(decisiveReasons(verdict).map(({ text }) => text))];
}

/** `"<count> <text>"`, sorted as strings: "10 x" comes before "2 y". */
function histogram(textsByNode: readonly (readonly string[])[]): string {
  const counts = new Map<string, number>();
  for (const text of textsByNode.flat()) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .map(([text, count]) => `${count} ${text}`)
    .sort()
    .join(', ');
}

/**
 * `dynamicresources.go: PostFilter`: an idle claim that is in the way is given back first.
 *
 * `isRefused`: the pod is refused before any node is looked at. `states`: the release also states that there
 * is nothing to give back.
 */
function deallocation(
  { devices, pod }: Situation,
  nodes: readonly Node[],
  { isRefused, states }: { isRefused: boolean; states: boolean },
): readonly string[] {
  const { allocated, needs, extended } = devices();
  const isIdle =
    !isRefused &&
    allocated.some(
      ({ users, reaches }) =>
        users.length <= 1 &&
        users.every((uid) => uid === pod.metadata.uid) &&
        nodes.some((node) => !reaches(node)),
    );
  if (isIdle) return ['deallocation of ResourceClaim completed'];
  if (!states) return [];
  const hasClaims = allocated.length > 0 || needs.length > 0 || extended.size > 0;
  return [!isRefused && hasClaims ? 'still not schedulable' : 'no new claims to deallocate'];
}

/** `isFound`: victims were found. Only since 1.37 a text states that. */
type PreemptionText = { readonly text: string; readonly isFound: boolean };

/** `preemption.go: Preempt`. */
function preemptionMessages(
  situation: Situation,
  verdicts: readonly NodeVerdict[],
  nodes: readonly Node[],
): readonly PreemptionText[] {
  const hopeful = new Set(verdicts.filter(isPreemptible).map(({ node }) => node));
  const preemption = preemptionOf(
    situation,
    nodes.filter(({ metadata }) => hopeful.has(metadata.name)),
  );
  const failed = (text: string): readonly PreemptionText[] => [
    { text: `preemption: ${text}.`, isFound: false },
  ];
  switch (preemption.outcome) {
    case 'possible':
      return preemption.candidates.map(({ node, victims }) => ({
        text: `preemption: found a potential placement for pod on node ${node}, preempting ${victims.length} victims`,
        isFound: true,
      }));
    case 'not-simulated':
      return [];
    case 'policy-never':
      return failed('not eligible due to preemptionPolicy=Never');
    case 'waiting-for-victims':
      return failed('not eligible due to a terminating pod on the nominated node');
    case 'impossible': {
      const texts = preemption.refusals.map(({ reasons }) =>
        reasons === undefined ? ['No preemption victims found for incoming pod'] : firstTexts({ reasons }),
      );
      const unhelpful = Array.from({ length: nodes.length - hopeful.size }, () => [NOT_HELPFUL]);
      return failed(`0/${nodes.length} nodes are available: ${histogram([...texts, ...unhelpful])}`);
    }
  }
}

/** What the scheduler would say of one pod and all nodes. */
export interface Evaluation {
  readonly pod: Pod;
  /** `not-simulated`: nothing known refuses on some node, but not everything could be checked there. */
  readonly outcome: 'fits' | 'refused' | 'not-simulated';
  /** Refusals of the pod as such, before any node is looked at: gates, claims, no nodes. */
  readonly refusals: readonly Reason[];
  /** What could not be simulated whatever the node. */
  readonly notSimulated: readonly NotSimulated[];
  /** By node name; also filled in when the pod itself is refused. */
  readonly nodes: readonly NodeVerdict[];
  /** Names of the nodes that would take the pod; empty while the pod itself is refused. */
  readonly feasible: readonly string[];
  /**
   * The texts of which the scheduler (of this release, default configuration) would write one into the
   * PodScheduled condition, preemption part included: several where preemption may choose among nodes, none
   * when the pod would be scheduled or not every answer is known.
   */
  readonly messages: () => readonly string[];
  /** The only one of them. */
  readonly message: () => string | undefined;
}

export function evaluation(situation: Situation, nodes: readonly Node[]): Evaluation {
  const podLevel = podObjections(situation, nodes);
  const refusals = podLevel.filter(isReason);
  const notSimulated = podLevel.filter((objection) => !isReason(objection));
  const verdicts = nodes.map((node) => verdictOn(situation, node));
  const feasible = refusals.length > 0 ? [] : verdicts.filter(({ outcome }) => outcome === 'fits');
  const messages = (): readonly string[] =>
    isFullyExplained(refusals, notSimulated, verdicts)
      ? schedulerMessages(situation, refusals, verdicts, nodes)
      : [];
  return {
    pod: situation.pod,
    outcome: outcomeOf(refusals, notSimulated, verdicts),
    refusals,
    notSimulated,
    nodes: verdicts,
    feasible: feasible.map(({ node }) => node),
    messages,
    message() {
      const distinct = new Set(messages());
      return distinct.size === 1 ? [...distinct][0] : undefined;
    },
  };
}

function outcomeOf(
  refusals: readonly Reason[],
  notSimulated: readonly NotSimulated[],
  verdicts: readonly NodeVerdict[],
): Evaluation['outcome'] {
  if (refusals.length > 0 || verdicts.every(({ outcome }) => outcome === 'refused')) return 'refused';
  const fits = notSimulated.length === 0 && verdicts.some(({ outcome }) => outcome === 'fits');
  return fits ? 'fits' : 'not-simulated';
}

/** Objections to the pod as such, in the order in which the scheduler would come to them. */
export function podObjections(situation: Situation, nodes: readonly Node[]): readonly Objection[] {
  const { pod } = situation;
  const objections: Objection[] = [];
  const gates = pod.spec.schedulingGates.map(({ name }) => name);
  if (gates.length > 0) {
    objections.push({
      id: 'gates',
      plugin: 'SchedulingGates',
      text: 'Scheduling is blocked due to non-empty scheduling gates',
      resolvable: false,
      preemptible: false,
      gates,
    });
  }
  if (nodes.length === 0) {
    objections.push({
      id: 'no-node',
      plugin: 'NodeName',
      text: 'no nodes available to schedule pods',
      resolvable: false,
      preemptible: false,
    });
  }
  if (pod.spec.schedulerName !== 'default-scheduler') {
    objections.push({
      id: 'not-simulated',
      plugin: 'NodeName',
      why: 'other-scheduler',
      subject: pod.spec.schedulerName,
    });
  }
  return [
    ...objections,
    ...nodeAffinityConflict(situation),
    ...situation.volumes().objections,
    ...situation.devices().objections,
  ];
}
