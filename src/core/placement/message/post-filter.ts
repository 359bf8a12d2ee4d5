import { findNodesHeading } from './heading.js';
import { oneLine } from './recognise.js';
import { counted, fullStop, isDigit, isSpace, splitAtCounts, trimmed } from './scanning.js';
import type { PreemptionReason, PreemptionReasonId } from './scheduler-message.js';

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
export function findPostFilter(text: string): number | undefined {
  if (openers.some((opener) => opensAt(text, opener, 0))) return 0;
  for (let stop = text.indexOf('.'); stop >= 0; stop = text.indexOf('.', stop + 1)) {
    let next = stop + 1;
    while (isSpace(text[next])) next += 1;
    if (next > stop + 1 && openers.some((opener) => opensAt(text, opener, next))) return next;
  }
  return undefined;
}

/** What PostFilter plugins add; `endsWithin` where it stops within words that are known. */
export interface PostFilterPart {
  readonly reasons: readonly PreemptionReason[];
  readonly endsWithin: boolean;
}

/** @param text all that follows the list of reasons; `cut` when the sentence may have been cut off */
export function parsePostFilter(text: string, cut: boolean): PostFilterPart {
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
export function isPreemption(text: string, cut: boolean): boolean {
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
