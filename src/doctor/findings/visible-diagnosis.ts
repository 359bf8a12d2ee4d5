import { namesIn, withoutNames } from '../../engine/language/catalogue.js';
import type { Statement } from '../../engine/language/statement.js';
import type { ClusterObjects } from '../../engine/objects/cluster-objects.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { type Sight, visibleIn } from '../policy/view.js';
import type { Diagnosis } from './diagnosis.js';
import type { Finding } from './finding.js';
import type { Picture } from './picture.js';

/**
 * A diagnosis as those with this sight may read it: without log lines where these are not for them, and
 * without names of namespaces that they may not see. What was left out is noted, so that it can be said.
 */
export function visibleDiagnosis(diagnosis: Diagnosis, sight: Sight): Diagnosis {
  const { logs } = visibleIn(sight, diagnosis.workload);
  const names = hiddenNamesOf(diagnosis, sight);
  const findings = diagnosis.findings.map((finding) => {
    const read = logs ? finding : withoutLogs(finding);
    return names.length === 0 ? read : withHiddenNames(read, names);
  });
  const leftOut = {
    logs: findings.some((finding, place) => isShorter(finding, diagnosis.findings[place])),
    names: names.length > 0,
  };
  if (!leftOut.logs && !leftOut.names) return diagnosis;
  const { picture, requested } = diagnosis;
  const seen = new Set(names);
  return {
    ...diagnosis,
    findings,
    ...(requested === undefined ? {} : { requested: withoutStatedNames(requested, names) }),
    unseen: diagnosis.unseen.map((each) => ({ ...each, namespace: withoutNames(each.namespace, seen) })),
    ...(picture === undefined ? {} : { picture: inTexts(picture, seen, pictureNames) as Picture }),
    leftOut,
  };
}

/** Names in the diagnosis of objects in namespaces that this sight does not cover. */
export function hiddenNamesOf(
  { workload: { cluster }, foreign = [] }: Pick<Diagnosis, 'workload' | 'foreign'>,
  sight: Sight,
): readonly string[] {
  const hidden = foreign.filter(({ namespace }) => !visibleIn(sight, { cluster, namespace }).workload);
  return [...new Set(hidden.flatMap(({ names }) => names))];
}

/**
 * A value whose statements leave these names out when they are told, and whose references to objects lack
 * them.
 */
export function withoutStatedNames<Value>(value: Value, names: readonly string[]): Value {
  return names.length === 0 ? value : (marked(value, names, new Set(names)) as Value);
}

function withoutLogs(finding: Finding): Finding {
  const { reasoning, evidence, weakenedBy, ruledOut } = finding;
  return {
    ...finding,
    reasoning: reasoning.filter(isFreeOfLogs),
    evidence: evidence.filter(({ says }) => isFreeOfLogs(says)),
    weakenedBy: weakenedBy.filter(isFreeOfLogs),
    ruledOut: ruledOut.filter(({ because }) => isFreeOfLogs(because)),
  };
}

function isFreeOfLogs({ quotesLogs }: Statement): boolean {
  return quotesLogs !== true;
}

function isShorter(now: Finding, before: Finding | undefined): boolean {
  const size = ({ reasoning, evidence, weakenedBy, ruledOut }: Finding): number =>
    reasoning.length + evidence.length + weakenedBy.length + ruledOut.length;
  return before !== undefined && size(now) < size(before);
}

/** Statements leave the names out when they are told; what stands beside them is text already. */
function withHiddenNames(finding: Finding, names: readonly string[]): Finding {
  const hidden = new Set(names);
  const stated = withoutStatedNames(finding, names);
  const { waitCycle, facts } = finding;
  return {
    ...stated,
    ...(facts === undefined ? {} : { facts: inAllTexts(facts, hidden) as typeof facts }),
    ...(waitCycle === undefined
      ? {}
      : { waitCycle: inTexts(waitCycle, hidden, pictureNames) as typeof waitCycle }),
    evidence: stated.evidence.map((each) => ({
      ...each,
      field: withoutNames(each.field, hidden),
      value: withoutNames(each.value, hidden),
    })),
    advice: stated.advice.map((each) =>
      each.snippet === undefined ? each : { ...each, snippet: withoutNames(each.snippet, hidden) },
    ),
  };
}

function marked(value: unknown, names: readonly string[], hidden: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => marked(each, names, hidden));
  if (typeof value !== 'object' || value === null) return value;
  if ('catalogue' in value && 'key' in value && 'values' in value) return { ...value, hiddenNames: names };
  const isObject = 'namespace' in value && 'name' in value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      isObject && (key === 'name' || key === 'namespace') && typeof each === 'string'
        ? withoutNames(each, hidden)
        : marked(each, names, hidden),
    ]),
  );
}

/** Fields of a picture or a wait cycle that hold names. */
const pictureNames: ReadonlySet<string> = new Set(['names', 'workload', 'quota', 'group', 'volume', 'lease']);

function inTexts(value: unknown, hidden: ReadonlySet<string>, fields: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => inTexts(each, hidden, fields));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      fields.has(key) ? inAllTexts(each, hidden) : inTexts(each, hidden, fields),
    ]),
  );
}

function inAllTexts(value: unknown, hidden: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return withoutNames(value, hidden);
  if (Array.isArray(value)) return value.map((each) => inAllTexts(each, hidden));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inAllTexts(each, hidden)]));
}

interface Namespaced {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly ownerReferences?: readonly { readonly name: string }[] | undefined;
  };
}

/**
 * Notes which names in a diagnosis belong to objects of other namespaces, so that those who may not see such
 * a namespace can be shown the diagnosis without them. Names of the workload's own namespace and of nodes are
 * never foreign.
 */
export function withForeignNames(diagnosis: Diagnosis, snapshot: Snapshot): Diagnosis {
  const listed = foreignNamesIn(diagnosis, snapshot);
  return listed.length === 0 ? diagnosis : { ...diagnosis, foreign: listed };
}

/** Names in an answer about a workload that belong to objects of other namespaces. */
export function foreignNamesIn(
  answer: Pick<Diagnosis, 'workload'>,
  { index }: Pick<Snapshot, 'index'>,
): NonNullable<Diagnosis['foreign']> {
  const { namespace: own, name: ownName } = answer.workload;
  const stated = new Set<string>();
  collectNames(answer, stated);
  const owners = namespacesByName(index.objects);
  const foreign = new Map<string, string[]>();
  for (const name of stated) {
    if (name === own || name === ownName || index.nodes.has(name)) continue;
    const namespaces = owners.get(name) ?? [];
    if (namespaces.includes(own)) continue;
    for (const namespace of namespaces) foreign.set(namespace, [...(foreign.get(namespace) ?? []), name]);
  }
  return [...foreign]
    .map(([namespace, names]) => ({ namespace, names: names.sort() }))
    .sort((a, b) => (a.namespace < b.namespace ? -1 : 1));
}

/** Computed once for the objects of a cluster: a scan asks for every workload. */
const known = new WeakMap<ClusterObjects, ReadonlyMap<string, readonly string[]>>();

/**
 * The namespaces whose objects have, or are made of, each name: their own names, their owners', and those
 * that controllers made them of (`web-7d9f8-x2x4v` is of `web-7d9f8` and `web`). A namespace has its own
 * name.
 */
function namespacesByName(objects: ClusterObjects): ReadonlyMap<string, readonly string[]> {
  const before = known.get(objects);
  if (before !== undefined) return before;
  const found = new Map<string, string[]>();
  const note = (name: string, namespace: string): void => {
    const namespaces = found.get(name);
    if (namespaces === undefined) found.set(name, [namespace]);
    else if (!namespaces.includes(namespace)) namespaces.push(namespace);
  };
  const noteMade = (name: string, namespace: string): void => {
    const parent = withoutLastPart(name);
    for (const each of [name, parent, withoutLastPart(parent)]) if (each !== '') note(each, namespace);
  };
  // Objects of one namespace and one owner follow one another, mostly.
  let last = { namespace: '', owner: '' };
  for (const listed of Object.values(objects)) {
    for (const object of listed as readonly Namespaced[]) {
      const { namespace, name, ownerReferences = [] } = object.metadata;
      if (namespace === '') continue;
      if (namespace !== last.namespace) {
        note(namespace, namespace);
        last = { namespace, owner: '' };
      }
      for (const owner of ownerReferences) {
        if (owner.name === last.owner) continue;
        noteMade(owner.name, namespace);
        last = { namespace, owner: owner.name };
      }
      if (isMadeOf(name, last.owner)) note(name, namespace);
      else noteMade(name, namespace);
    }
  }
  known.set(objects, found);
  return found;
}

/** The owner's name and a last part: what else the name is made of is noted with the owner. */
function isMadeOf(name: string, owner: string): boolean {
  return owner !== '' && name.startsWith(owner) && name.lastIndexOf('-') === owner.length;
}

function withoutLastPart(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('-')));
}

function collectNames(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') for (const name of namesIn(value)) names.add(name);
  else if (Array.isArray(value)) for (const each of value) collectNames(each, names);
  else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) collectNames(each, names);
  }
}
