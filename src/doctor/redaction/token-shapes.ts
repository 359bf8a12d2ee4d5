import { alphabet, countOf, isMachineMade } from './entropy.js';
import type { Span } from './span.js';
import { type Form, type Part, tokenForms } from './token-forms.js';

/** Tokens and keys whose issuer gave them a form of their own, wherever they stand. */
export function tokenShapes(text: string): readonly Span[] {
  const spans: Span[] = [];
  let at = 0;
  while (at < text.length) {
    const found = isBoundary(text, at) ? firstMatch(text, at) : undefined;
    if (found?.kind !== undefined) spans.push({ start: at, end: found.end, kind: found.kind });
    at = found?.end ?? at + 1;
  }
  return spans;
}

/** Forms by each character, or each pair of characters, that their first part may begin with. */
const formsByStart: ReadonlyMap<string, readonly Form[]> = indexed(tokenForms);

function indexed(forms: readonly Form[]): ReadonlyMap<string, readonly Form[]> {
  const index = new Map<string, Form[]>();
  for (const form of forms) {
    for (const character of startsOf(form.parts[0] ?? [])) {
      index.set(character, [...(index.get(character) ?? []), form]);
    }
  }
  return index;
}

function startsOf(part: Part): ReadonlySet<string> {
  return 'alphabet' in part ? part.alphabet : new Set(part.map((text) => text.slice(0, 2)));
}

const alnum = alphabet('A-Za-z0-9');
const hex = alphabet('A-Fa-f0-9');
const lineBreaks = alphabet('nrt');

/** At the start of a word, or behind a line break written as `\n`, or behind a percent-encoded character. */
function isBoundary(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  if (!alnum.has(before)) return true;
  if (lineBreaks.has(before) && text[at - 2] === '\\') return true;
  return text[at - 3] === '%' && hex.has(before) && hex.has(text.charAt(at - 2));
}

function firstMatch(text: string, at: number) {
  return amongForms(text, at, text.slice(at, at + 2)) ?? amongForms(text, at, text.charAt(at));
}

function amongForms(text: string, at: number, start: string) {
  for (const form of formsByStart.get(start) ?? []) {
    const end = endOf(text, at, form);
    if (end !== undefined) return { kind: form.kind, end };
  }
  return undefined;
}

function endOf(text: string, start: number, form: Form): number | undefined {
  if (form.notBehind?.has(text.charAt(start - 1))) return undefined;
  if (form.machineMade && !startsMachineMade(text, start, form.parts)) return undefined;
  let end = afterParts(text, start, form.parts);
  for (let i = 0; i < (form.tail?.most ?? 0) && end !== undefined; i += 1) {
    end = afterParts(text, end, form.tail?.parts ?? []) ?? end;
  }
  if (end === undefined || form.notBefore?.has(text.charAt(end))) return undefined;
  const token = text.slice(start, end);
  const { holds } = form;
  return holds === undefined || [...token].some((each) => holds.has(each)) ? end : undefined;
}

const longestStart = 256;

/**
 * The start of a token tells: reading a long run to its end for each prefix in it would not be linear work.
 */
function startsMachineMade(text: string, start: number, parts: readonly Part[]): boolean {
  const end = afterParts(text, start, parts, longestStart);
  return (
    end !== undefined && isMachineMade(text.slice(start + (lengthOf(text, start, parts[0] ?? []) ?? 0), end))
  );
}

function afterParts(
  text: string,
  start: number,
  parts: readonly Part[],
  longest = Number.POSITIVE_INFINITY,
): number | undefined {
  let at = start;
  for (const part of parts) {
    const length = lengthOf(text, at, part, longest);
    if (length === undefined) return undefined;
    at += length;
  }
  return at;
}

function lengthOf(
  text: string,
  at: number,
  part: Part,
  longest = Number.POSITIVE_INFINITY,
): number | undefined {
  if (!('alphabet' in part)) return part.find((each) => text.startsWith(each, at))?.length;
  const count = countOf(text, at, part.alphabet, Math.min(part.max, longest));
  return count < part.min ? undefined : count;
}
