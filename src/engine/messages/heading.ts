import { afterSpace, isDigit, isSpace } from './scanning.js';

/** Who speaks, as far as the first words tell. */
export type Speaker =
  /** kube-scheduler, or another that writes `M/N nodes are available`. */
  | 'scheduler'
  /** cluster-autoscaler: no node group helps. Counts are node groups. */
  | 'scale-up-declined'
  /** cluster-autoscaler: nodes were ordered. */
  | 'scale-up-triggered'
  /** Karpenter: no NodePool helps. */
  | 'karpenter-declined'
  /** Karpenter: a node was found or ordered. */
  | 'karpenter-nominated'
  /** Volcano and kin, and kube-scheduler since 1.36: the gang is not complete. */
  | 'gang'
  /** Kueue, Volcano, YuniKorn and KAI-Scheduler: no quota. */
  | 'queue'
  /** kube-scheduler before 1.8: a list with counts in brackets. */
  | 'predicates'
  /** kube-scheduler before 1.6: a list for every node. */
  | 'fit-failures'
  /** kube-scheduler 1.0: as `fit-failures`, without anything between the nodes. */
  | 'oldest-fit-failures'
  /** kube-scheduler before 1.9: an error of a predicate, once for each attempt. */
  | 'predicate-errors'
  /** KAI-Scheduler: a list whose reasons end in full stops. */
  | 'kai'
  /** YuniKorn: a list with `(3x)` after each reason. */
  | 'yunikorn'
  /** Koordinator: the whole group is rejected for the reason of one pod. */
  | 'gang-member'
  | 'nobody';

export interface Heading {
  readonly speaker: Speaker;
  readonly nodes?: number;
  readonly feasible?: number;
  /** Where the heading starts; what stands before is context (columns of `kubectl get events`). */
  readonly from: number;
  /** Where what it is about starts. */
  readonly to: number;
}

const others: readonly (readonly [words: string, speaker: Speaker])[] = [
  ["didn't trigger scale-up", 'scale-up-declined'],
  ['triggered scale-up: [', 'scale-up-triggered'],
  ['ailed to schedule pod, ', 'karpenter-declined'],
  ['ould not schedule pod, ', 'karpenter-declined'],
  ['od should schedule on: ', 'karpenter-nominated'],
  ['tasks in gang unschedulable', 'gang'],
  ['pod group is not ready', 'gang'],
  [' placements are available, first placement status: ', 'gang'],
  ['failed to schedule other pod from a pod group: ', 'gang'],
  ['Not enough valid tasks for gang-scheduling', 'gang'],
  ['Resources were found for ', 'gang'],
  ["couldn't assign flavors to pod set", 'queue'],
  ['failed to assign flavors to pod set', 'queue'],
  ['insufficient unused quota for ', 'queue'],
  ['queue resource quota insufficient', 'queue'],
  ['resource quota insufficient, requested: ', 'queue'],
  ['Non-preemptible workload is over quota', 'queue'],
  ['ailed to fit in any node', 'fit-failures'],
  ['ailed to find fit for pod: ', 'oldest-fit-failures'],
  ['SchedulerPredicates failed due to ', 'predicate-errors'],
  ['o nodes with enough resources were found', 'kai'],
  ["Unschedulable request '", 'yunikorn'],
  ['gets rejected due to member Pod ', 'gang-member'],
  ['No nodes are available that match all of the', 'predicates'],
];

/** Finds the first words by which a sentence shows whose it is; linear in the text's length. */
export function findHeading(text: string): Heading {
  let first: Heading = headingCutAtStart(text) ??
    findNodesHeading(text) ?? { speaker: 'nobody', from: text.length, to: 0 };
  for (const [words, speaker] of others) {
    const from = text.indexOf(words);
    if (from >= 0 && from < first.from) first = { speaker, from, to: from + words.length };
  }
  const clause = first.speaker === 'nobody' ? clauseOfKarpenter(text) : undefined;
  return clause === undefined ? first : { speaker: 'karpenter-declined', from: clause, to: clause };
}

const HEADINGS = ['nodes are available:', 'nodes are unavailable:'];

/** Fewer letters than this do not show that a heading ends. */
const FEWEST_LETTERS = 5;

/** `des are available: 2 Insufficient cpu`: a text that starts within the heading, after its counts. */
function headingCutAtStart(text: string): Heading | undefined {
  const colon = text.slice(0, HEADINGS[1]?.length).indexOf(':') + 1;
  const words = text.slice(0, colon);
  if (words.length < FEWEST_LETTERS || !HEADINGS.some((each) => each.endsWith(words))) return undefined;
  return { speaker: 'scheduler', from: 0, to: afterSpace(text, colon) };
}

/** Where Karpenter's reasons start in a line of its log, without `Failed to schedule pod, `. */
function clauseOfKarpenter(text: string): number | undefined {
  const at = [
    'incompatible with nodepool "',
    'incompatible with provisioner "',
    'no instance type satisfied resources {',
  ]
    .map((words) => text.indexOf(words))
    .filter((from) => from >= 0);
  return at.length === 0 ? undefined : Math.min(...at);
}

/**
 * `0/3 nodes are available:` and its kin, at the first place where it is not the nested sentence of
 * preemption.
 */
export function findNodesHeading(text: string, allowNested = false): Heading | undefined {
  const words = /nodes\s+(?:are\s+)?(un)?available(\s*:)?/y;
  for (let at = text.indexOf('nodes'); at >= 0; at = text.indexOf('nodes', at + 1)) {
    words.lastIndex = at;
    const found = words.exec(text);
    if (found === null) continue;
    const ratio = ratioBefore(text, at);
    if (ratio === undefined && found[2] === undefined) continue;
    const from = ratio?.from ?? at;
    if (!allowNested && endsWithPreemption(text, from)) continue;
    const feasible = ratio?.feasible ?? (found[1] === undefined ? undefined : 0);
    return {
      speaker: 'scheduler',
      from,
      to: afterSpace(text, at + found[0].length),
      ...(ratio === undefined ? {} : { nodes: ratio.nodes }),
      ...(feasible === undefined ? {} : { feasible }),
    };
  }
  return undefined;
}

/** The most digits a count of nodes is read with. */
const MOST_DIGITS = 15;

function ratioBefore(
  text: string,
  at: number,
): { nodes: number; feasible: number; from: number } | undefined {
  let end = at;
  while (end > 0 && isSpace(text[end - 1])) end -= 1;
  const slash = digitsBefore(text, end);
  if (slash === end || text[slash - 1] !== '/') return undefined;
  const from = digitsBefore(text, slash - 1);
  if (from === slash - 1) return undefined;
  return { nodes: Number(text.slice(slash, end)), feasible: Number(text.slice(from, slash - 1)), from };
}

function digitsBefore(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < MOST_DIGITS && isDigit(text[start - 1])) start -= 1;
  return start;
}

function endsWithPreemption(text: string, end: number): boolean {
  let last = end;
  while (last > 0 && isSpace(text[last - 1])) last -= 1;
  return text.slice(Math.max(0, last - 'preemption:'.length), last) === 'preemption:';
}
