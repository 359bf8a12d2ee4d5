import { isBeginning, oneLine, recognise } from './recognise.js';
import type { Piece } from './scanning.js';
import { afterSpace, counted, fullStop, isDigit, isSpace, splitAtCounts, trimmed } from './scanning.js';
import type {
  MessageReason,
  PreemptionReason,
  PreemptionReasonId,
  SchedulerMessage,
} from './scheduler-message.js';

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

const otherSpeakers: readonly (readonly [words: string, speaker: Speaker])[] = [
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
  for (const [words, speaker] of otherSpeakers) {
    const from = text.indexOf(words);
    if (from >= 0 && from < first.from) first = { speaker, from, to: from + words.length };
  }
  const clause = first.speaker === 'nobody' ? clauseOfKarpenter(text) : undefined;
  return clause === undefined ? first : { speaker: 'karpenter-declined', from: clause, to: clause };
}

const HEADINGS = ['nodes are available:', 'nodes are unavailable:'];

/** Fewer letters than this do not show that a heading ends. */
const FEWEST_OF_HEADING = 5;

/** `des are available: 2 Insufficient cpu`: a text that starts within the heading, after its counts. */
function headingCutAtStart(text: string): Heading | undefined {
  const colon = text.slice(0, HEADINGS[1]?.length).indexOf(':') + 1;
  const words = text.slice(0, colon);
  if (words.length < FEWEST_OF_HEADING || !HEADINGS.some((each) => each.endsWith(words))) return undefined;
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

export type ReasonList = Pick<SchedulerMessage, 'reasons' | 'preemption'>;

/**
 * How kube-scheduler ends an event's note that would be longer than 1024 bytes
 * (`schedule_one.go: truncateMessage`).
 */
export const CUT = ' ...';

export const noPreemption: SchedulerMessage['preemption'] = { reasons: [], text: '' };

/**
 * How sure it is that a text stops before its end: `marked` as kube-scheduler marks it, `possible` where no
 * full stop follows the last words, which may be a known form's beginning.
 */
type Cut = 'marked' | 'possible' | 'no';

/** Gaps in one list; behind further ones the words of a reason stay as they are. */
const MOST_GAPS = 3;

/** A histogram or PreFilter message, and what PostFilter plugins add. */
export function parseList(text: string, gaps = MOST_GAPS): ReasonList {
  const gap = gaps === 0 ? undefined : gapIn(text);
  if (gap === undefined) return parseWhole(text);
  const before = parseWhole(`${text.slice(0, gap.from)}${gap.isBetweenReasons ? '.' : CUT}`);
  const after = parseList(text.slice(gap.to), gaps - 1);
  return {
    reasons: [...before.reasons, ...after.reasons],
    preemption: after.preemption.text === '' ? before.preemption : after.preemption,
  };
}

interface Gap {
  readonly from: number;
  readonly to: number;
  /** The reason before it is whole. */
  readonly isBetweenReasons: boolean;
}

const TRUNCATED = /[([]?truncated[)\]]?/y;

/**
 * Where somebody left out the middle of a list: `1 Insufficient cpu, ... 2 node(s)`,
 * `{dedi...(truncated)... 2 node(s)`.
 */
function gapIn(text: string): Gap | undefined {
  for (let dots = dotsFrom(text, 1); dots !== undefined; dots = dotsFrom(text, dots.to)) {
    TRUNCATED.lastIndex = dots.to;
    const isNamed = TRUNCATED.test(text);
    const more = isNamed ? dotsFrom(text, TRUNCATED.lastIndex) : undefined;
    const end = more?.from === TRUNCATED.lastIndex ? more.to : isNamed ? TRUNCATED.lastIndex : dots.to;
    const to = afterSpace(text, end);
    let from = dots.from;
    while (isSpace(text[from - 1]) || text[from - 1] === ',' || text[from - 1] === ';') from -= 1;
    const isApart = isNamed || from < dots.from;
    if (isApart && isDigit(text[to])) return { from, to, isBetweenReasons: /[,;]/.test(text[from] ?? '') };
  }
  return undefined;
}

/** The next `...` or `…` from a position on. */
function dotsFrom(text: string, start: number): { readonly from: number; readonly to: number } | undefined {
  const three = text.indexOf('...', start);
  const one = text.indexOf('…', start);
  if (three < 0 && one < 0) return undefined;
  return one < 0 || (three >= 0 && three < one) ? { from: three, to: three + 3 } : { from: one, to: one + 1 };
}

function parseWhole(text: string): ReasonList {
  const { whole, cut } = endOf(text);
  const known = findPostFilter(whole);
  const pieces = splitAtCounts(whole.slice(0, known), cut === 'marked');
  const preemption = known === undefined ? preemptionIn(pieces, cut !== 'no') : undefined;
  const last = pieces.at(-1) ?? { text: '', at: 0 };
  const end = known ?? preemption?.at ?? last.at + fullStop(last.text);
  const list = preemption === undefined ? pieces : pieces.filter(({ at }) => at < preemption.at);
  const final = list.at(-1);
  const rest = trimmedStart(text.slice(end));
  const reasons = list
    .map((piece) => (piece === final ? whole.slice(piece.at, end) : piece.text))
    .map((piece, position, all) =>
      reasonOf(piece, end === whole.length && position === all.length - 1 ? cut : 'no'),
    )
    .filter((reason) => reason.text !== '');
  return { reasons, preemption: end === whole.length ? noPreemption : parseRest(rest, cut) };
}

/** A reason with its count. */
export function reasonOf(piece: string, cut: Cut = 'no'): MessageReason {
  const { count, words } = counted(trimmed(piece));
  const { reason, detail } = recognise(words, cut === 'marked' || (cut === 'possible' && isBeginning(words)));
  return {
    reason,
    ...(count === undefined ? {} : { count }),
    text: words,
    ...(detail === undefined ? {} : { detail }),
  };
}

/** Whether the last reason, or the part after the reasons, stops within known words without a mark. */
export function isCutShort(text: string, { reasons, preemption }: ReasonList): boolean {
  const { cut, whole } = endOf(text);
  if (cut === 'no' || text.endsWith(CUT)) return false;
  if (whole !== text) return true;
  if (preemption.text !== '') return parsePostFilter(preemption.text, true).endsWithin;
  return isBeginning(reasons.at(-1)?.text ?? '');
}

function endOf(text: string): { readonly whole: string; readonly cut: Cut } {
  if (text.endsWith(CUT)) return { whole: text.slice(0, -CUT.length), cut: 'marked' };
  if (text.endsWith('…')) return { whole: text.slice(0, -1), cut: 'marked' };
  return { whole: text, cut: text.endsWith('.') ? 'no' : 'possible' };
}

/** Fewer letters than this, where the text was cut off, may begin a reason or a preemption part. */
const FEWEST_LETTERS = 5;

/** Where all further pieces speak of evicting, although no `preemption:` stands before them. */
function preemptionIn(pieces: readonly Piece[], cut: boolean): Piece | undefined {
  let first: Piece | undefined;
  for (const piece of pieces.toReversed()) {
    const { words } = counted(trimmed(piece.text));
    const last = cut && piece === pieces.at(-1);
    if (last && words.length < FEWEST_LETTERS && pieces.length > 1) continue;
    if (!isPreemption(words, last)) break;
    first = piece;
  }
  return first;
}

function parseRest(text: string, cut: Cut): SchedulerMessage['preemption'] {
  if (text === '') return noPreemption;
  const end = text.length - (cut === 'marked' ? (text.endsWith(CUT) ? CUT.length : 1) : 0);
  const { reasons } = parsePostFilter(text.slice(0, end), cut !== 'no');
  return { reasons, text };
}

function trimmedStart(text: string): string {
  let start = 0;
  while (start < text.length && (text[start] === '.' || text[start]?.trim() === '')) start += 1;
  return text.slice(start).trimEnd();
}

/**
 * What DynamicResources says after the list of reasons (1.26 to 1.37, `dynamicresources.go: PostFilter`).
 * None of it speaks of the pod's chances; `not found` is its answer when PreFilter never got to it.
 */
const notes = [
  'no new claims to deallocate',
  'still not schedulable',
  'deallocation of ResourceClaim completed',
  'deletion of ResourceClaim completed',
  'deallocation and deletion of ResourceClaims completed',
  'deallocation of PodGroup ResourceClaim completed',
  'plugin disabled',
  'not found',
  'All PostFilter plugins are skipped',
];

const PREEMPTION = 'preemption:';
const openers = [PREEMPTION, `pod group ${PREEMPTION}`, ...notes];

const words: readonly (readonly [start: string, reason: PreemptionReasonId])[] = [
  ['No preemption victims found', 'no-victims'],
  ['No victims found on node', 'no-victims'],
  ['Preemption is not helpful', 'not-helpful'],
  ['no candidate node for preemption', 'not-helpful'],
  ['preemption not helpful', 'not-helpful'],
  ['no preemption victims found', 'no-victims'],
  ['no potential victims', 'no-victims'],
  ['not eligible due to', 'not-eligible'],
  ['pod group for pod not found', 'not-eligible'],
];

/** Where the list of reasons is over and the words of PostFilter plugins start, or undefined. */
function findPostFilter(text: string): number | undefined {
  if (openers.some((opener) => opensAt(text, opener, 0))) return 0;
  for (let stop = text.indexOf('.'); stop >= 0; stop = text.indexOf('.', stop + 1)) {
    let next = stop + 1;
    while (isSpace(text[next])) next += 1;
    if (next > stop + 1 && openers.some((opener) => opensAt(text, opener, next))) return next;
  }
  return undefined;
}

/** What PostFilter plugins add; `endsWithin` where it stops within words that are known. */
type PostFilterPart = { readonly reasons: readonly PreemptionReason[]; readonly endsWithin: boolean };

/** @param text all that follows the list of reasons; `cut` when the sentence may have been cut off */
function parsePostFilter(text: string, cut: boolean): PostFilterPart {
  const verbatim = text.trim();
  const start = verbatim.indexOf(PREEMPTION);
  if (start >= 0) {
    const before = verbatim.slice(0, start).trimEnd();
    const spoken = before.endsWith('pod group') ? before.slice(0, -'pod group'.length) : before;
    const part = parsePreemption(verbatim.slice(start + PREEMPTION.length), cut);
    return { reasons: [...others(spoken), ...part.reasons], endsWithin: part.endsWithin };
  }
  const opens = cut && openers.some((opener) => opener.startsWith(oneLine(verbatim)));
  if (!opens && isPreemption(counted(verbatim).words, cut)) return parsePreemption(verbatim, cut);
  const reasons = others(verbatim, cut);
  return {
    reasons,
    endsWithin: cut && reasons.length === 0 && !notes.some((note) => verbatim.endsWith(note)),
  };
}

/**
 * Whether words without a count are those of the preemption part, or may begin them where the text was cut
 * off.
 */
function isPreemption(text: string, cut: boolean): boolean {
  return preemptionReason(text, cut) !== 'unknown';
}

function parsePreemption(text: string, cut: boolean): PostFilterPart {
  const heading = findNodesHeading(text, true);
  const nested = heading !== undefined && text.slice(0, heading.from).trim() === '';
  if (cut && !nested && beginsHeading(text.trim())) return { reasons: [], endsWithin: true };
  const list = nested ? text.slice(heading.to) : text;
  const pieces = nested || isDigit(list[0]) ? splitAtCounts(list) : [{ text: list, at: 0 }];
  const last = pieces.at(-1) ?? { text: '', at: 0 };
  const end = last.at + fullStop(last.text);
  const said = [...pieces.slice(0, -1).map((piece) => piece.text), list.slice(last.at, end)]
    .map((piece, position, all) => {
      const { count, words: said } = counted(trimmed(piece));
      const reason = preemptionReason(said, cut && position === all.length - 1);
      return { reason, ...(count === undefined ? {} : { count }), text: said };
    })
    .filter((reason) => reason.text !== '');
  const final = oneLine(said.at(-1)?.text ?? '');
  const endsWithin =
    cut && end === list.length && words.some(([start]) => start !== final && start.startsWith(final));
  return { reasons: [...said, ...others(list.slice(end))], endsWithin };
}

/** `0/3 nodes are avail` */
function beginsHeading(text: string): boolean {
  const words = text.slice(0, 60).replace(/^\d{1,15}\/\d{1,15}\s{1,4}/, '');
  return 'nodes are available:'.startsWith(words);
}

function preemptionReason(text: string, cut: boolean): PreemptionReasonId {
  const said = oneLine(text);
  const found = words.find(
    ([start]) => said.startsWith(start) || (cut && said.length > 4 && start.startsWith(said)),
  );
  return found?.[1] ?? 'unknown';
}

/**
 * What nobody knows is kept; notes are not about the pod's chances, and stay in the part's text, as do first
 * words of what we know that the sentence was cut off in.
 */
function others(text: string, cut = false): readonly PreemptionReason[] {
  const said = trimmed(text);
  const note = notes.find((each) => said.startsWith(each));
  const rest = note === undefined ? said : trimmed(said.slice(note.length));
  if (rest === '' || (cut && openers.some((opener) => opener.startsWith(oneLine(rest))))) return [];
  return [{ reason: 'unknown', text: rest }];
}

function opensAt(text: string, opener: string, at: number): boolean {
  return text.startsWith(opener, at) && (opener !== 'not found' || trimmed(text.slice(at)) === opener);
}
