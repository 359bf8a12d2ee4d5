import { containerKeys, stateKeys } from './containers.js';
import { podSpecFields, templateKeys, volumeKeys } from './pod-spec.js';

/** Where a line stands in a description. */
interface Part {
  /** Keys of each part of the list. */
  readonly keys: ReadonlySet<string>;
  /** What the first line below the name of a part begins with. */
  readonly first: RegExp;
}

const containers: Part = { keys: containerKeys, first: /^(?:Container ID|Image):/u };
/** Lists of named parts, by their field. */
const lists: ReadonlyMap<string, Part> = new Map([
  ['Init Containers', containers],
  ['Containers', containers],
  ['Ephemeral Containers', containers],
  ['Volumes', { keys: volumeKeys, first: /^Type:/u }],
]);

/** Fields that the description has again behind those of the template. */
const behindTemplate: ReadonlySet<string> = new Set([
  'Conditions',
  'OldReplicaSets',
  'OldReplicaSet',
  'NewReplicaSet',
  'Volume Claims',
  'Events',
]);
/** Fields that may stand behind such a list, of pods and of their templates. */
const behindLists: ReadonlySet<string> = new Set([...podSpecFields, 'QoS Class', ...behindTemplate]);

const keyForm = /^([A-Za-z][^:]{0,60}):(?=\s|$)/u;

/**
 * The lines with the spaces that kubectl printed, where an editor put tabs in place of them. It prints
 * indents of two and of four: those that are left show how wide a tab is.
 */
export function withSpaces(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.startsWith('\t'))) return lines;
  const width = lines.some((line) => /^ {4}\S/u.test(line))
    ? 8
    : lines.some((line) => /^ {2}\S/u.test(line))
      ? 4
      : 2;
  return lines.map((line) => line.replace(/^\t{1,100}/u, (tabs) => ' '.repeat(tabs.length * width)));
}

/**
 * The lines with the indents that kubectl printed, where a chat or a page took them away: the fields show
 * which line belongs to which. Lines that have their indents stay as they are.
 *
 * @param isField the fields at the left margin
 */
export function withIndents(lines: readonly string[], isField: (key: string) => boolean): readonly string[] {
  if (lines.some((line) => /^\s{2,}\S/u.test(line))) return lines;
  const seen = new Set<string>();
  let template = '';
  let list: Part | undefined;
  let last = '';
  return lines.map((given, at) => {
    const line = given.trim();
    const key = keyForm.exec(line)?.[1] ?? '';
    if (template !== '' && behindTemplate.has(key)) {
      template = '';
      list = undefined;
    }
    if (list !== undefined && !(behindLists.has(key) && !list.keys.has(key))) {
      if (/^[a-z0-9][\w.-]{0,300}:$/u.test(line) && list.first.test((lines[at + 1] ?? '').trim())) {
        last = '';
        return `${template}  ${line}`;
      }
      if (/State$/u.test(last) && stateKeys.has(key)) return `${template}      ${line}`;
      if (!list.keys.has(key)) return `${template}      ${line}`;
      last = key;
      return `${template}    ${line}`;
    }
    list = lists.get(key);
    last = '';
    if (template !== '') return templateKeys.has(key) ? `  ${line}` : `    ${line}`;
    if (key === '' || !isField(key) || seen.has(key)) return `  ${line}`;
    seen.add(key);
    if (key === 'Pod Template') template = '  ';
    return line;
  });
}
