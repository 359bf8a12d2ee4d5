import type { Span } from './span.js';
import { endAt, matchAt } from './span.js';
import { readValue } from './values-in-text.js';

/**
 * The values of `data` and `stringData` once a text shows a Kubernetes `Secret`, whatever their keys are
 * called: in YAML, in JSON, and in the JSON that kubectl keeps in `last-applied-configuration`.
 */
export function secretManifests(text: string): readonly Span[] {
  return isSecretManifest(text) ? [...yamlData(text), ...jsonData(text)] : [];
}

function isSecretManifest(text: string): boolean {
  const kind = /^kind\\*["']?\s*:\s*\\*["']?Secret(?:[^A-Za-z]|$)/u;
  return [...text.matchAll(/(?<![A-Za-z])kind/gu)].some(({ index }) => matchAt(text, index, 60, kind));
}

const yamlMap = /^([ \t-]*)(?:data|stringData):[ \t]*$/u;

function yamlData(text: string): Span[] {
  const spans: Span[] = [];
  let indent: number | undefined;
  let at = 0;
  for (const line of text.split('\n')) {
    const content = line.trim();
    const depth = line.length - line.trimStart().length;
    const opens = yamlMap.exec(line);
    if (opens !== null) indent = opens[1]?.length ?? 0;
    else if (content !== '' && indent !== undefined && depth <= indent) indent = undefined;
    else if (content !== '' && indent !== undefined) spans.push(...yamlEntry(line, depth, at));
    at += line.length + 1;
  }
  return spans;
}

/** What manifests of ours show in place of a value. */
const placeholder = /^"…"(?: {1,8}#.{0,200})?$/u;

/** The value of `key: value`, or the whole line where it belongs to a block (`key: |`). */
function yamlEntry(line: string, depth: number, at: number): Span[] {
  const entry = /^["']?[\w.-]+["']?:(?:[ \t]+|$)/u.exec(line.slice(depth))?.[0];
  const start = depth + (entry?.length ?? 0);
  const value = line.slice(start).trimEnd();
  if (value === '' || /^[|>][+-]?\d?$/u.test(value) || placeholder.test(value)) return [];
  return [{ start: at + start, end: at + start + value.length, kind: 'secret' }];
}

const jsonMap = /"(?:data|stringData)\\{0,8}"\s{0,8}:\s{0,8}\{/gu;
const jsonEntry = /^(\s*(?:,\s*)?\\*"[\w.-]+\\*"\s*:\s*)\\*"/u;
const maxEntry = 700;

function jsonData(text: string): Span[] {
  const spans: Span[] = [];
  for (const map of text.matchAll(jsonMap)) {
    let at = map.index + map[0].length;
    for (
      let from = endAt(text, at, maxEntry, jsonEntry);
      from > at;
      from = endAt(text, at, maxEntry, jsonEntry)
    ) {
      const { start, end, next } = readValue(text, from);
      if (end > start) spans.push({ start, end, kind: 'secret' });
      at = next;
    }
  }
  return spans;
}
