import { findPostFilter, isPreemption, parsePostFilter } from './post-filter.js';
import { isBeginning, recognise } from './recognise.js';
import {
  afterSpace,
  counted,
  fullStop,
  isDigit,
  isSpace,
  type Piece,
  splitAtCounts,
  trimmed,
} from './scanning.js';
import type { MessageReason, SchedulerMessage } from './scheduler-message.js';

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
