import { trimCharacters } from '../../engine/language/text-scanning.js';
import type { NamedWorkload, Usage, UsageProblem } from './command.js';
import { isClusterName, isNamespaceName, isWorkloadName } from './command.js';
import { isQuestionWord, withoutParticle } from './loose-wording.js';
import { workloadInAddress } from './pasted-request.js';
import type { UsageShapes } from './usage-text.js';
import {
  isAnyKind,
  kindLike,
  memberKindOf,
  otherKindOf,
  ownerKindOf,
  workloadKindOf,
} from './workload-kind.js';

/**
 * One workload from the words that are left: `ml/inference`, `cluster/ml/inference`, `deploy/inference`,
 * `deploy inference`, `ml/deploy/inference`, `inference`. Names are lower-cased, since Kubernetes has no
 * others and phones write the first letter large; cluster names are kept as they are. `pod/inference-5c96`
 * means the workload that owns the Pod, and `isvc/llm` a workload that the InferenceService makes.
 */
export function parseWorkload({ words, ...options }: Words): NamedWorkload | Usage {
  const parts = partsOf(words, options.namespace);
  if ('type' in parts) return parts;
  const cluster = agreed('cluster', options.cluster, parts.cluster);
  const namespace = agreed('namespace', options.namespace?.toLowerCase(), parts.namespace);
  if (typeof cluster === 'object') return cluster;
  if (typeof namespace === 'object') {
    const like = kindLike(parts.kind === undefined ? parts.namespace : undefined);
    return like === undefined
      ? namespace
      : usage('further-words', { words: [], meant: `${like}/${parts.name} -n ${options.namespace}` });
  }
  const { kind, member, owner, name } = parts;
  if (cluster !== undefined && !isClusterName(cluster)) return usage('cluster-invalid', { name: cluster });
  if (namespace !== undefined && !isNamespaceName(namespace)) {
    return usage('namespace-invalid', { name: namespace });
  }
  if (namespace === 'namespace' && name === 'name') return usage('form-given', {});
  if (!isWorkloadName(name)) {
    const meant = namespace === undefined ? withSlash(name) : undefined;
    return meant === undefined
      ? usage('name-invalid', { name })
      : usage('further-words', { words: [], meant });
  }
  return {
    name,
    ...(cluster === undefined ? {} : { cluster }),
    ...(kind === undefined ? {} : { kind }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(member === undefined ? {} : { member }),
    ...(owner === undefined ? {} : { owner }),
  };
}

/** `ml:inference` and `ml\\inference` with the separator of a path, and `inference@ml` turned. */
function withSlash(name: string): string | undefined {
  const [, first = '', mark, second = ''] =
    /^([a-z0-9-]{1,63})([:\\|>@])([a-z][a-z0-9.-]{0,252})$/u.exec(name) ?? [];
  const [namespace, workload] = mark === '@' ? [second, first] : [first, second];
  return mark !== undefined && isNamespaceName(namespace) && isWorkloadName(workload)
    ? `${namespace}/${workload}`
    : undefined;
}

/** Refuses the name of a Pod or ReplicaSet. */
export function withoutMember(query: NamedWorkload | Usage): NamedWorkload | Usage {
  if ('type' in query) return query;
  const { member } = query;
  return member === undefined ? query : usage('kind-not-diagnosed', { kind: member });
}

function partsOf(words: readonly string[], namespace: string | undefined): NamedWorkload | Usage {
  const hasNamespace = namespace !== undefined;
  const [first, second, ...more] = withKindInOneWord(words);
  if (first === undefined) return usage('name-missing', {});
  if (second === undefined) return partsOfPath(first, hasNamespace);
  const kind = workloadKindOf(first);
  const member = memberKindOf(first);
  const owner = ownerKindOf(first);
  const other = more.length > 0 ? undefined : otherKindOf(first, true);
  if (other !== undefined) return usage('kind-not-supported', other);
  const isKind = kind !== undefined || member !== undefined || owner !== undefined;
  if (!isKind || more.length > 0) {
    const like = more.length === 0 && !isKind ? kindLike(first) : undefined;
    const meant = isKind ? undefined : onlyWorkloadIn(words, hasNamespace);
    if (like !== undefined)
      return usage('kind-misspelt', {
        word: first,
        meant: `${like}/${second}${hasNamespace ? ` -n ${namespace}` : ''}`,
      });
    return meant === undefined
      ? usage('too-many-words', { words: words.slice(1) })
      : usage('further-words', {
          words: words.filter((word) => !meant.split('/').includes(word) && word !== meant),
          meant,
        });
  }
  const parts = partsOfPath(second, hasNamespace);
  if ('type' in parts) return parts;
  if (parts.member !== undefined || parts.owner !== undefined) return usage('kind-twice', { first, second });
  return {
    ...parts,
    ...(kind === undefined ? {} : { kind }),
    ...(member === undefined ? {} : { member }),
    ...(owner === undefined ? {} : { owner }),
  };
}

/** `stateful set db` is `statefulset db`. */
function withKindInOneWord(words: readonly string[]): readonly string[] {
  const [first = '', second = '', ...more] = words;
  return more.length > 0 && isKindWord(`${first}${second}`) ? [`${first}${second}`, ...more] : words;
}

/** Words between a name and its namespace: `inference in ml`. */
const betweenNames: ReadonlySet<string> = new Set(['in', 'ns', 'namespace', 'from', 'of']);

/**
 * The workload among further words, where only one can be meant: the one word with a namespace, or a
 * namespace and a name as two words.
 */
function onlyWorkloadIn(words: readonly string[], hasNamespace: boolean): string | undefined {
  const [path, ...others] = words.filter((word) => word.includes('/'));
  if (others.length > 0) return undefined;
  const [first = '', second = '', third, ...more] = words.map((word) => word.toLowerCase());
  const isTurned = third !== undefined && more.length === 0 && betweenNames.has(second);
  const [namespace, name] = isTurned ? [third, first] : third === undefined ? [first, second] : ['', ''];
  if (path === undefined && (hasNamespace || [namespace, name].some(isNoName))) return undefined;
  const meant = path ?? `${namespace}/${name}`;
  const parts = partsOfPath(meant, false);
  const isName = !('type' in parts) && isWorkloadName(parts.name);
  return isName && parts.namespace !== undefined && isNamespaceName(parts.namespace) ? meant : undefined;
}

function isNoName(word: string | undefined): boolean {
  return word !== undefined && (isQuestionWord(word) || isAnyKind(word));
}

function partsOfPath(path: string, hasNamespace: boolean): NamedWorkload | Usage {
  // What no name has, and an address of a page does.
  if (/:\/\/|[?&=%]/u.test(path)) {
    const meant = workloadInAddress(path);
    return meant === undefined ? usage('address-given', {}) : usage('further-words', { words: [], meant });
  }
  const given = path.split('/').filter(Boolean);
  const [kindFirst = '', ...after] = given;
  // `deploy/ml/inference`, with the kind before the namespace.
  const isKindFirst = given.length === 3 && isKindWord(kindFirst);
  const segments = isKindFirst ? [after[0] ?? '', kindFirst, after[1] ?? ''] : given;
  const name = segments.at(-1)?.toLowerCase();
  const before = segments.at(-2);
  if (name === undefined) return usage('name-missing', {});
  if (before === undefined) return { name };
  const kind = workloadKindOf(before);
  const member = memberKindOf(before);
  const owner = ownerKindOf(before);
  const other = otherKindOf(before, hasNamespace);
  if (other !== undefined) return usage('kind-not-supported', other);
  const isNamespace = kind === undefined && member === undefined && owner === undefined;
  const namespace = (isNamespace ? before : segments.at(-3))?.toLowerCase();
  const cluster = segments.slice(0, isNamespace ? -2 : -3).join('/');
  return {
    name,
    ...(kind === undefined ? {} : { kind }),
    ...(member === undefined ? {} : { member }),
    ...(owner === undefined ? {} : { owner }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(cluster === '' ? {} : { cluster }),
  };
}

/** Whether the word names a kind and no namespace. */
function isKindWord(word: string): boolean {
  return [workloadKindOf(word), memberKindOf(word), ownerKindOf(word), otherKindOf(word, false)].some(
    (found) => found !== undefined,
  );
}

function agreed(
  option: string,
  first: string | undefined,
  second: string | undefined,
): string | undefined | Usage {
  if (first !== undefined && second !== undefined && first !== second) {
    return usage('given-twice', { option, first, second });
  }
  return first ?? second;
}

/** The words of a command and the options among them. */
export interface Words {
  readonly words: readonly string[];
  readonly namespace?: string;
  readonly cluster?: string;
  readonly allNamespaces: boolean;
}

type OptionName = 'namespace' | 'cluster';

const withValue: ReadonlyMap<string, OptionName> = new Map([
  ['-n', 'namespace'],
  ['--namespace', 'namespace'],
  ['--ns', 'namespace'],
  ['--context', 'cluster'],
  ['--cluster', 'cluster'],
  ['-c', 'cluster'],
]);

const all: ReadonlySet<string> = new Set(['-A', '-a', '--all-namespaces']);

/**
 * Splits on spaces and takes the options out, wherever they stand: `-n ml`, `-n=ml`, `-nml`,
 * `--namespace ml`, `--namespace=ml`. A value given twice with two meanings is a question back.
 */
export function takeOptions(text: string): Words | Usage {
  const words: string[] = [];
  const found: { [Name in OptionName]?: string } = {};
  let allNamespaces = false;
  const tokens = text
    .replace(/ ?\/ ?(?=[a-z0-9])/giu, '/')
    .split(/[ ,]/u)
    .map(unquoted)
    .filter(Boolean);
  for (let position = 0; position < tokens.length; position += 1) {
    const token = tokens[position] ?? '';
    if (!token.startsWith('-') || token === '-') {
      words.push(token);
      continue;
    }
    if (all.has(token)) {
      allNamespaces = true;
      continue;
    }
    const { flag, attached } = split(token);
    const name = withValue.get(flag.toLowerCase());
    if (name === undefined) return usage('option-unknown', { option: flag });
    const following = tokens[position + 1];
    if (attached === undefined) position += 1;
    const value = unquoted(attached ?? following ?? '');
    if (value === '' || (attached === undefined && value.startsWith('-'))) {
      return usage('option-empty', { option: flag });
    }
    const before = found[name];
    if (before !== undefined && before !== value) {
      return usage('given-twice', { option: name, first: before, second: value });
    }
    found[name] = value;
  }
  return { words, allNamespaces, ...found };
}

function split(token: string): { readonly flag: string; readonly attached: string | undefined } {
  const equals = token.indexOf('=');
  if (equals > 0) return { flag: token.slice(0, equals), attached: token.slice(equals + 1) };
  if (/^-n./u.test(token) && !token.startsWith('--')) return { flag: '-n', attached: token.slice(2) };
  return { flag: token, attached: undefined };
}

/** Without what people put around a name, and Slack's marks of bold, struck and slanted text. */
function unquoted(token: string): string {
  const bare = trimCharacters(unmarked(token), `"'([{*~@#`, `"')]}*~`);
  const isSlanted = bare.length > 2 && bare.startsWith('_') && bare.endsWith('_');
  return withoutParticle(unmarked(isSlanted ? bare.slice(1, -1) : bare));
}

/** Without the marks that end a sentence. */
export function unmarked(token: string): string {
  return token.length < 2
    ? token.replace(/[.,;!]/u, '')
    : trimCharacters(token, '', `"'),;.!?:…。、！？，；：`);
}

/** Makes a usage answer; the compiler checks key and values against the catalogue. */
export function usage<Key extends keyof UsageShapes>(key: Key, values: UsageShapes[Key]): Usage {
  return { type: 'usage', problem: { key, values } as UsageProblem };
}

/** The workload that a request other than a diagnosis is about: its own name, not that of one of its pods. */
export function workloadIn(text: string): NamedWorkload | Usage {
  const options: Words | Usage = takeOptions(text);
  return isUsage(options) ? options : withoutMember(parseWorkload(options));
}

export function isUsage(value: object): value is Usage {
  return 'type' in value && value.type === 'usage';
}

/** Whether more than a workload was given. */
export function hasFurtherWords({ problem: { key } }: Usage): boolean {
  return key === 'too-many-words' || key === 'further-words';
}
