import { isObject } from '../../engine/objects/wire.js';
import { holdsPart } from './described/split-text.js';

/**
 * A chat or a mail cuts a long List into several texts. A text that begins within the List has the rest
 * of one object, then whole ones, and perhaps the last keys of the List. Nothing in it shows where the List
 * began, so it gets a line that does, and an item that marks it.
 */

/** An object in a List at the left margin, as kubectl prints it. */
const firstItem = /^- (?=apiVersion:|kind:)/mu;
/** What stands behind the items of a List: kubectl sorts keys. */
const endOfList = /^kind: \w{0,100}List\s*$/mu;
const mark = 'beginsEarlier';
/** The first lines of an object in a JSON List of kubectl. References to owners have a wider indent. */
const jsonItem = /^( {0,40})\{\n {1,44}"(?:apiVersion|kind)":/gmu;
/** Values that a comma separates are of one array, whose start may be missing. */
const nextOfArray = /^( {0,40})\},\n\1\{\n/gmu;
const startOfArray = /^( {0,40})(?:"items": )?\[$/gmu;

/** The text, with a start of the List where it begins within one. Its objects stay on their lines. */
export function withListStart(text: string): string {
  const from = text.search(firstItem);
  if (from < 0) return text;
  const before = text.slice(0, from).split('\n');
  const restOfObject = before.filter((line) => line.trim() !== '');
  if (holdsPart(before)) return text;
  // Without either, it is a bare array, which may stand behind a command line.
  const isWithin = /^\s{2,200}\S/u.test(restOfObject.at(-1) ?? '') || endOfList.test(text.slice(from));
  if (!isWithin) return text;
  const emptyLines = '\n'.repeat(Math.max(0, before.length - 3));
  return `${emptyLines}items:\n- ${mark}: true\n${text.slice(from)}`;
}

/** The same for a List of JSON, before indents are taken away. */
export function withJsonStart(text: string): string {
  const indent = Math.min(...indentsOf(jsonItem, text));
  const from = firstAt(indent, text);
  if (from === undefined || !indentsOf(nextOfArray, text).has(indent)) return text;
  // An array within the rest of an object has a wider indent.
  if ([...indentsOf(startOfArray, text.slice(0, from))].some((each) => each <= indent)) return text;
  const before = text.slice(0, from).split('\n');
  if (holdsPart(before)) return text;
  return `${'\n'.repeat(Math.max(0, before.length - 2))}{"kind":"List","items":[{"${mark}":true},\n${text.slice(from)}`;
}

/** The indents that a pattern captures, each once. A long text has more matches than memory should hold. */
function indentsOf(pattern: RegExp, text: string): ReadonlySet<number> {
  const indents = new Set<number>();
  for (const [, indent = ''] of text.matchAll(pattern)) indents.add(indent.length);
  return indents;
}

/** Where the first object with this indent begins. */
function firstAt(indent: number, text: string): number | undefined {
  for (const { 1: each, index } of text.matchAll(jsonItem)) if (each?.length === indent) return index;
  return undefined;
}

/** Whether it is the item that marks a List without its start. */
export function isMark(item: unknown): boolean {
  return isObject(item) && mark in item;
}

/** Whether a List got its start here: its first item is the mark. */
export function isLaterPart({ items }: { readonly items: readonly unknown[] }): boolean {
  return isMark(items[0]);
}

/** A List of the API, or the part of one that a text has. */
export interface List {
  readonly kind?: string;
  readonly items: readonly unknown[];
  readonly metadata?: unknown;
}

/**
 * Why a list has further objects than it holds. Programs write the fields of a List in the order of their
 * names, so a text that ends early lacks the kind. A server gives a large list in pages.
 */
export function whyIncomplete(
  list: List,
): 'list-cut-off' | 'list-without-start' | 'list-continued' | undefined {
  const isLater = isLaterPart(list);
  if ((isLater || 'apiVersion' in list) && list.kind === undefined) return 'list-cut-off';
  if (isLater) return 'list-without-start';
  const next = isObject(list.metadata) ? list.metadata.continue : undefined;
  return typeof next === 'string' && next !== '' ? 'list-continued' : undefined;
}
