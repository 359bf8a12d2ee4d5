import type { Node } from '../objects/node.js';
import { LEFT_OUT } from './filters/node-affinity.js';
import { preemptionOf } from './preemption.js';
import { type NotSimulated, type Plugin, plugins, type Reason } from './reason.js';
import type { Situation } from './situation.js';
import type { NodeVerdict } from './verdict.js';

/**
 * True when the message can be told: nothing takes the pod, and on no node could something unanswered come
 * before the plugin at which the scheduler stops.
 */
export function isFullyExplained(
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
 * `framework/types.go: FitError.Error` with the parts that the PostFilter plugins add. `undefined` where what
 * preemption would find is not known.
 */
export function schedulerMessage(
  situation: Situation,
  refusals: readonly Reason[],
  verdicts: readonly NodeVerdict[],
  nodes: readonly Node[],
): string | undefined {
  const refusal = refusals[0];
  if (refusal?.id === 'gates' || refusal?.id === 'no-node') return refusal.text;
  const head = `0/${nodes.length} nodes are available:`;
  // The device plugin looks for the state of a PreFilter that never ran, and its error ends the message.
  if (refusal !== undefined && refusal.plugin !== 'DynamicResources')
    return `${head} ${refusal.text}. not found`;
  const preemption = preemptionMessage(situation, refusal === undefined ? verdicts : [], nodes);
  if (preemption === undefined) return undefined;
  const reasons = refusal?.text ?? histogram(verdicts.map(firstTexts));
  if (preemption === '') return `${head} ${reasons}.`;
  const claims = refusal === undefined ? deallocation(situation, nodes) : 'no new claims to deallocate';
  return `${head} ${reasons}. ${claims}, ${preemption}`;
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

/** `dynamicresources.go: PostFilter`: an idle claim that is in the way is given back first. */
function deallocation({ devices, pod }: Situation, nodes: readonly Node[]): string {
  const { allocated, requests, extended } = devices();
  if (allocated.length === 0 && requests.length === 0 && extended.size === 0) {
    return 'no new claims to deallocate';
  }
  const idle = allocated.some(
    ({ users, reaches }) =>
      users.length <= 1 &&
      users.every((uid) => uid === pod.metadata.uid) &&
      nodes.some((node) => !reaches(node)),
  );
  return idle ? 'deallocation of ResourceClaim completed' : 'still not schedulable';
}

/**
 * `preemption.go: Preempt`. Empty when victims were found: then the pod is nominated and no text is added.
 */
function preemptionMessage(
  situation: Situation,
  verdicts: readonly NodeVerdict[],
  nodes: readonly Node[],
): string | undefined {
  const hopeful = new Set(verdicts.filter(isPreemptible).map(({ node }) => node));
  const preemption = preemptionOf(
    situation,
    nodes.filter(({ metadata }) => hopeful.has(metadata.name)),
  );
  switch (preemption.outcome) {
    case 'possible':
      return '';
    case 'not-simulated':
      return undefined;
    case 'policy-never':
      return 'preemption: not eligible due to preemptionPolicy=Never.';
    case 'waiting-for-victims':
      return 'preemption: not eligible due to a terminating pod on the nominated node.';
    case 'impossible': {
      const texts = preemption.refusals.map(({ reasons }) =>
        reasons === undefined ? ['No preemption victims found for incoming pod'] : firstTexts({ reasons }),
      );
      const unhelpful = Array.from({ length: nodes.length - hopeful.size }, () => [NOT_HELPFUL]);
      return `preemption: 0/${nodes.length} nodes are available: ${histogram([...texts, ...unhelpful])}.`;
    }
  }
}
