import { namesIn } from '../../engine/language/hidden-names.js';
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

/** The namespaces whose objects have, or are made of, each name. A namespace has its own name. */
function namespacesByName(objects: ClusterObjects): ReadonlyMap<string, readonly string[]> {
  const before = known.get(objects);
  if (before !== undefined) return before;
  const found = new Map<string, string[]>();
  const note = (name: string, namespace: string): void => {
    const namespaces = found.get(name);
    if (namespaces === undefined) found.set(name, [namespace]);
    else if (!namespaces.includes(namespace)) namespaces.push(namespace);
  };
  for (const listed of Object.values(objects)) {
    for (const object of listed as readonly Namespaced[]) {
      const { namespace } = object.metadata;
      if (namespace === '') continue;
      note(namespace, namespace);
      for (const name of namesOf(object)) note(name, namespace);
    }
  }
  known.set(objects, found);
  return found;
}

/**
 * Its own name, its owners', and those that controllers made them of: `web-7d9f8-x2x4v` is of `web-7d9f8` and
 * `web`.
 */
function namesOf({ metadata }: Namespaced): readonly string[] {
  const names = [metadata.name, ...(metadata.ownerReferences ?? []).map(({ name }) => name)];
  return names.flatMap((name) => {
    const parent = withoutLastPart(name);
    return [name, parent, withoutLastPart(parent)].filter((each) => each !== '');
  });
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
