import { structuredPatch } from 'diff';
import { stringify } from 'yaml';
import type { FieldChange } from '../../../doctor/fixes/plan.js';
import { isObject } from '../../../engine/objects/wire.js';

const contextLines = 2;
/** No field of the API lies deeper; a path that does is not taken apart further. */
const maxDepth = 24;

/**
 * Field changes as people know them from `kubectl diff`: YAML, with `-` and `+` before the lines that go and
 * come. Parents stand around them, so that the place in the object is seen.
 */
export function fieldDiff(changes: readonly FieldChange[]): string {
  const before = yamlOf(changes.map(({ path, before: value }) => [path, value]));
  const after = yamlOf(changes.map(({ path, after: value }) => [path, value]));
  const { hunks } = structuredPatch('', '', before, after, '', '', {
    context: contextLines + depthOf(changes),
  });
  return hunks.map(({ lines }) => lines.filter((line) => !line.startsWith('\\')).join('\n')).join('\n ⋮\n');
}

/** A field's value on one line; undefined when the field is absent. */
export function fieldText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

interface Tree {
  [key: string]: unknown;
}

function yamlOf(fields: readonly (readonly [path: string, value: unknown])[]): string {
  const root: Tree = Object.create(null) as Tree;
  for (const [path, value] of fields) {
    const steps = stepsOf(path);
    const last = steps.pop();
    if (last === undefined || value === undefined) continue;
    let node = root;
    for (const step of steps) {
      const next = node[step];
      if (isObject(next)) node = next;
      else {
        const made: Tree = Object.create(null) as Tree;
        node[step] = made;
        node = made;
      }
    }
    node[last] = structuredClone(value);
  }
  return Object.keys(root).length === 0 ? '' : stringify(root, { lineWidth: 0 });
}

/** Splits a dotted path; dots inside brackets belong to a key. */
function stepsOf(path: string): string[] {
  const steps = splitOutsideBrackets(path);
  return steps.length <= maxDepth
    ? steps
    : [...steps.slice(0, maxDepth - 1), steps.slice(maxDepth - 1).join('.')];
}

function splitOutsideBrackets(path: string): string[] {
  const steps: string[] = [];
  let start = 0;
  let closing = -1;
  for (let at = 0; at < path.length; at += 1) {
    if (path[at] === '[' && at > closing) {
      closing = path.indexOf(']', at);
      if (closing < 0) break;
    }
    if (path[at] !== '.' || at < closing) continue;
    steps.push(path.slice(start, at));
    start = at + 1;
  }
  return [...steps, path.slice(start)].filter((step) => step !== '');
}

function depthOf(changes: readonly FieldChange[]): number {
  return changes.reduce((deepest, { path }) => Math.max(deepest, stepsOf(path).length), 0);
}
