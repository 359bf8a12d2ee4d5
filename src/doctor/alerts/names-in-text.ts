import { trimCharacters } from '../../engine/language/text-scanning.js';
import type { NamedWorkload } from '../commands/command.js';
import { isNamespaceName, isWorkloadName } from '../commands/command.js';
import { memberKindOf, ownerKindOf, workloadKindOf } from '../commands/workload-kind.js';
import { isPodNameLike, spelledLabels } from './label-names.js';
import type { NamedPod } from './subject.js';

/** What a text may be about. Nothing of it is known to exist. */
interface NamesInText {
  /** Labels that the text spells out: `namespace: shop`, `*Pod:* web-0`, `deployment=web`. */
  readonly labels: Readonly<Record<string, string>>;
  readonly workloads: readonly NamedWorkload[];
  readonly pods: readonly NamedPod[];
}

/** Longer texts are read to here; names stand at the beginning. */
const maxText = 8_000;
const maxWords = 600;
/** Each name costs questions to a cluster. */
const maxNames = 6;

/**
 * Names of workloads and pods in what people or programs write: `shop/web`, `deployment/web`,
 * `deployment web in namespace shop`, `pod web-7d9c5b8f6-x2k4p`. Addresses, dates, ratios and images are
 * none.
 */
export function namesInText(text: string): NamesInText {
  const cleaned = plainText(text.slice(0, maxText));
  const words = wordsOf(cleaned);
  const workloads = new Map<string, NamedWorkload>();
  const pods = new Map<string, NamedPod>();
  words.forEach((word, position) => {
    const named = ofWord(word) ?? ofKind(words, position);
    if (named === undefined) return;
    const key = JSON.stringify(named);
    if (named.type === 'pod' && pods.size < maxNames) pods.set(key, named.pod);
    if (named.type === 'workload' && workloads.size < maxNames) workloads.set(key, named.query);
  });
  return {
    labels: labelsIn(cleaned),
    workloads: [...workloads.values()],
    pods: [...pods.values()].filter((pod) => pod.namespace !== undefined || !placedToo(pod, pods)),
  };
}

/** The same pod was named with its namespace elsewhere in the text. */
function placedToo({ name }: NamedPod, pods: ReadonlyMap<string, NamedPod>): boolean {
  return [...pods.values()].some((other) => other.name === name && other.namespace !== undefined);
}

type Named =
  | { readonly type: 'workload'; readonly query: NamedWorkload }
  | { readonly type: 'pod'; readonly pod: NamedPod };

/** Slack's marks, links and entities, and Markdown's, become the words a reader sees. */
function plainText(text: string): string {
  return text
    .replace(/<(?:https?:[^<>|]*|mailto:[^<>|]*)\|([^<>]*)>/gu, ' $1 ')
    .replace(/<[^<>]*>/gu, ' ')
    .replace(/\[([^\][]*)\]\(https?:[^()\s]*\)/gu, ' $1 ')
    .replace(/&lt;/gu, '<')
    .replace(/&gt;/gu, '>')
    .replace(/&amp;/gu, '&')
    .replace(/\S+/gu, withoutAddress)
    .replace(/[*`~•]/gu, ' ');
}

/** The word up to an address with a scheme, which ends it. */
function withoutAddress(word: string): string {
  const at = word.indexOf('://');
  if (at < 0) return word;
  let start = at;
  while (start > 0 && /[a-z0-9+.-]/iu.test(word.charAt(start - 1))) start -= 1;
  return start === at ? word : `${word.slice(0, start)} `;
}

function labelsIn(text: string): Readonly<Record<string, string>> {
  const labels: [string, string][] = [];
  const spelled = /(?:^|[\s,{(])_?([a-z][\w.]+)\s{0,3}[:=]_?\s{0,3}"?([^\s,"'{}()<>]+)/giu;
  for (const [, key = '', value = ''] of text.matchAll(spelled)) {
    // `_Namespace_: shop` in italics; no label ends so.
    const label = key.toLowerCase().replace(/_$/u, '');
    const known = spelledLabels.has(label) && !labels.some(([earlier]) => earlier === label);
    if (known && labels.length < 32) labels.push([label, trimCharacters(value.slice(0, maxValue), '', '.;')]);
  }
  return Object.fromEntries(labels);
}

/** Longer values name no object. */
const maxValue = 253;
const marks = '<>.:!?';

function wordsOf(text: string): readonly string[] {
  const words = text.split(/[\s,;()[\]{}"'|]+/u, maxWords + 1).slice(0, maxWords);
  return words.map((word) => trimCharacters(word, marks, marks)).filter((word) => word !== '');
}

/**
 * `shop/web`, `deployment/web`, `shop/deployment/web`, `prod/shop/web`, `pod/web-0`, the notation of Argo CD
 * for objects, or the name of a pod by its shape.
 */
function ofWord(word: string): Named | undefined {
  const [, kindInArgoCd, path] = argoCdObject.exec(word) ?? [];
  if (kindInArgoCd !== undefined) return ofKind([kindInArgoCd, path ?? ''], 0);
  if (isPodNameLike(word) && isWorkloadName(word)) return { type: 'pod', pod: { name: word } };
  const segments = word.split('/');
  if (segments.length < 2 || segments.length > 4) return undefined;
  const name = segments.at(-1) ?? '';
  const kindWord = segments.at(-2) ?? '';
  const kind = workloadKindOf(kindWord);
  const owner = ownerKindOf(kindWord);
  const isStopWord = (segment: string, at: number): boolean =>
    stopWords.has(segment) && !(kind !== undefined && at === segments.length - 2);
  if (!isName(name) || segments.some(isStopWord)) return undefined;
  const owned = memberKindOf(kindWord) !== undefined;
  const before = segments.slice(0, kind !== undefined || owner !== undefined || owned ? -2 : -1);
  const [namespace, ...rest] = [...before].reverse();
  const cluster = rest[0];
  if (namespace !== undefined && !(isNamespaceName(namespace) && isName(namespace))) return undefined;
  if (
    rest.length > 1 ||
    (cluster !== undefined && !(cluster.length <= maxValue && /^[\w@:.-]+$/u.test(cluster)))
  )
    return undefined;
  const place = {
    ...(cluster === undefined ? {} : { cluster }),
    ...(namespace === undefined ? {} : { namespace }),
  };
  if (owned || isPodNameLike(name)) {
    return /^(?:rs|replicasets?)$/iu.test(kindWord) ? undefined : { type: 'pod', pod: { ...place, name } };
  }
  const as = { ...(kind === undefined ? {} : { kind }), ...(owner === undefined ? {} : { owner }) };
  return { type: 'workload', query: { ...place, ...as, name } };
}

/** `apps/Deployment:shop/web`, or `Pod:shop/web-0` (argo-cd `controller/health.go: formatHealthCauses`). */
const argoCdObject = /^(?:[a-z0-9.-]{1,253}\/)?([A-Za-z]{1,63}):([a-z0-9-]{1,63}\/[a-z0-9.-]{1,253})$/u;

/** `deployment web`, `Pod web-0 in namespace shop`, `StatefulSet shop/db`. */
function ofKind(words: readonly string[], position: number): Named | undefined {
  const word = words[position] ?? '';
  const kind = workloadKindOf(word);
  const owner = ownerKindOf(word);
  const owned = /^pods?$/iu.test(word);
  if (kind === undefined && owner === undefined && !owned) return undefined;
  const path = (words[position + 1] ?? '').split('/');
  const name = path.at(-1) ?? '';
  if (!isName(name) || path.length > 2 || stopWords.has(name)) return undefined;
  // "The rollout stalled" names no object.
  if (kind === 'Rollout' && path.length < 2) return undefined;
  const namespace = path.length === 2 ? path[0] : namespaceNear(words, position + 2);
  if (namespace !== undefined && !isNamespaceName(namespace)) return undefined;
  const place = namespace === undefined ? {} : { namespace };
  if (owner !== undefined) return { type: 'workload', query: { ...place, owner, name } };
  return kind === undefined
    ? { type: 'pod', pod: { ...place, name } }
    : { type: 'workload', query: { ...place, kind, name } };
}

/** `in namespace shop`, `in the shop namespace`, `namespace shop`. */
function namespaceNear(words: readonly string[], from: number): string | undefined {
  const at = words.findIndex((word, each) => each >= from && each < from + 5 && /^namespace$/iu.test(word));
  if (at < 0) return undefined;
  const after = words[at + 1];
  const before = at > from ? words[at - 1] : undefined;
  if (before !== undefined && !stopWords.has(before) && isNamespaceName(before)) return before;
  return after !== undefined && isNamespaceName(after) ? after : undefined;
}

const stopWords: ReadonlySet<string> = new Set([
  'a',
  'and',
  'are',
  'at',
  'by',
  'for',
  'from',
  'has',
  'have',
  'in',
  'is',
  'name',
  'not',
  'of',
  'on',
  'or',
  'restarts',
  'rollout',
  'status',
  'the',
  'to',
  'was',
  'with',
]);

/** A name has a letter: `1/1` and `2026/11/21` are none. */
function isName(word: string): boolean {
  return isWorkloadName(word) && /[a-z]/u.test(word);
}
