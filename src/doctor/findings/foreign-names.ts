import { namesIn } from '../../engine/language/catalogue.js';
import type { ClusterObjects } from '../../engine/objects/cluster-objects.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { Diagnosis } from './diagnosis.js';

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
