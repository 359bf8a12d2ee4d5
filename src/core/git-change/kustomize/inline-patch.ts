import { isMap, isNode, isScalar, isSeq } from 'yaml';
import { editManifest } from '../edit-manifest.js';
import { entryOf, parseManifest } from '../parse-manifest.js';
import type { FieldEdit } from '../refine-edit.js';
import { type GitRefusal, gitRefusal } from '../refusal.js';
import { linesOfEntry, newlineOf } from '../splice.js';
import type { PatchEntry } from './kustomization-file.js';

/** A kustomization whose patch changed, and the line of the patch. */
export interface EditedKustomization {
  readonly type: 'edited';
  readonly text: string;
  readonly line: number;
}

/** Writes fields into a patch that stands in the kustomization as a literal block. */
export function editInlinePatch(
  text: string,
  { list, position }: Pick<PatchEntry, 'list' | 'position'>,
  edits: readonly FieldEdit[],
): EditedKustomization | GitRefusal {
  const parsed = parseManifest(text);
  if (parsed.type === 'refusal') return parsed;
  const root = parsed.documents[0]?.contents;
  const sequence = isMap(root) ? entryOf(root, list)?.value : undefined;
  const item = isSeq(sequence) ? sequence.items[position] : undefined;
  const scalar = isMap(item) ? entryOf(item, 'patch')?.value : item;
  if (!isScalar(scalar) || scalar.type !== 'BLOCK_LITERAL' || scalar.range == null)
    return gitRefusal('shape');
  const [start, end] = scalar.range;
  const line = parsed.lineAt(start);
  const body = text.indexOf('\n', start) + 1;
  const written = text.slice(body, end).split('\n');
  const indent = /^ */u.exec(written.find((each) => each.trim() !== '') ?? '')?.[0].length ?? 0;
  // An indicator such as `|2` keeps leading spaces of the content.
  if (indent === 0 || /\d/u.test(text.slice(start, body))) return gitRefusal('shape', line);
  const inner = written.map((each) => each.slice(Math.min(indent, /^ */u.exec(each)?.[0].length ?? 0)));
  const edited = editManifest(inner.join('\n'), 0, edits);
  if (edited.type === 'refusal') return { ...gitRefusal(edited.reason, line) };
  const changed = withChangedLines(written, inner, edited.text.split('\n'), ' '.repeat(indent));
  return { type: 'edited', text: text.slice(0, body) + changed.join('\n') + text.slice(end), line };
}

/** Takes a patch out of its list; the list goes with the last one. */
export function removePatch(
  text: string,
  { list, position }: Pick<PatchEntry, 'list' | 'position'>,
): EditedKustomization | GitRefusal {
  const parsed = parseManifest(text);
  if (parsed.type === 'refusal') return parsed;
  const root = parsed.documents[0]?.contents;
  const entry = isMap(root) ? entryOf(root, list) : undefined;
  const sequence = entry?.value;
  const whole = entry && linesOfEntry(text, entry);
  if (!isSeq(sequence) || sequence.flow === true || whole === undefined) return gitRefusal('shape');
  const starts = sequence.items.map((item) => {
    const at = isNode(item) && item.range != null ? item.range[0] : 0;
    return text.lastIndexOf('\n', at) + 1;
  });
  const [start, end] =
    starts.length === 1
      ? [whole.start, whole.end]
      : [starts[position] ?? 0, starts[position + 1] ?? whole.end];
  const isOwn = starts.length === 1 || /^ *- /u.test(text.slice(start, end));
  if (!isOwn || start >= end) return gitRefusal('shape');
  return { type: 'edited', text: text.slice(0, start) + text.slice(end), line: parsed.lineAt(start) };
}

/** The written lines, of which only those that differ between two texts are written again. */
function withChangedLines(
  written: readonly string[],
  before: readonly string[],
  after: readonly string[],
  pad: string,
): readonly string[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const added = after.slice(start, after.length - end).map((each) => (each === '' ? '' : pad + each));
  return [...written.slice(0, start), ...added, ...written.slice(written.length - end)];
}

/**
 * Appends a strategic merge patch to `patches` of a kustomization. It stands in the kustomization itself: one
 * file changes, one blob says whether the edit still fits, and no new file can collide with another one.
 */
export function appendPatch(text: string, patch: string): EditedKustomization | GitRefusal {
  const parsed = parseManifest(text);
  if (parsed.type === 'refusal') return parsed;
  const root = parsed.documents[0]?.contents;
  if (parsed.documents.length !== 1 || !isMap(root) || root.flow === true) return gitRefusal('shape', 1);
  const newline = newlineOf(text, text.length);
  const lines = patch.trimEnd().split('\n');
  const itemAt = (pad: string): readonly string[] => [
    `${pad}- patch: |-`,
    ...lines.map((each) => `${pad}    ${each}`),
  ];
  const existing = entryOf(root, 'patches');
  if (existing === undefined) {
    const others = root.items.flatMap(({ value }) => (isSeq(value) && value.flow !== true ? [value] : []));
    const pad = ' '.repeat(others[0]?.range == null ? 0 : columnOf(text, others[0].range[0]));
    return inserted(text, text.length, ['patches:', ...itemAt(pad)], newline);
  }
  const { value } = existing;
  if (!isSeq(value) || value.range == null) return gitRefusal('shape', lineOf(existing.key));
  if (value.flow === true) {
    if (value.items.length > 0) return gitRefusal('shape', parsed.lineAt(value.range[0]));
    const [start, end] = value.range;
    const rest = text.slice(end, lineEnd(text, end));
    // Nothing but spaces may follow the empty list: the item starts a line of its own.
    if (rest.trim() !== '') return gitRefusal('shape', parsed.lineAt(start));
    const before = text.slice(0, start).trimEnd();
    const item = itemAt('').join(newline);
    const changed = `${before}${newline}${item}${text.slice(end)}`;
    return { type: 'edited', text: changed, line: parsed.lineAt(start) };
  }
  const place = lineEnd(text, Math.max(0, value.range[1] - 1));
  const end = text[place] === '\n' ? place + 1 : place;
  return inserted(text, endOfContent(text, end), itemAt(' '.repeat(columnOf(text, value.range[0]))), newline);

  function lineOf(key: unknown): number | undefined {
    return isScalar(key) && key.range != null ? parsedLine(key.range[0]) : undefined;
  }
  function parsedLine(offset: number): number {
    return text.slice(0, offset).split('\n').length;
  }
}

/** Before comments and empty lines that follow a list. */
function endOfContent(text: string, end: number): number {
  let at = end;
  for (;;) {
    const start = text.lastIndexOf('\n', at - 2) + 1;
    const line = text.slice(start, at).trim();
    if (start >= at || (line !== '' && !line.startsWith('#'))) return at;
    at = start;
  }
}

function inserted(text: string, at: number, lines: readonly string[], newline: string): EditedKustomization {
  const before = text.slice(0, at);
  const isUnended = before !== '' && !before.endsWith('\n');
  const added = lines.join(newline);
  const changed = isUnended
    ? `${before}${newline}${added}${text.slice(at)}`
    : `${before}${added}${newline}${text.slice(at)}`;
  const line = before.split('\n').length + (isUnended ? 1 : 0);
  return { type: 'edited', text: changed, line };
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline === -1 ? text.length : newline;
}
