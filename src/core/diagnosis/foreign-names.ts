import type { Snapshot } from '../cluster/snapshot.js';
import { namesIn } from '../language/hidden-names.js';
import type { Diagnosis } from './diagnosis.js';

interface Namespaced {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly ownerReferences?: readonly { readonly name: string }[] | undefined;
  };
}

/**
 * Notes which names in a diagnosis belong to objects of other namespaces, so that those who may not see such a
 * namespace can be shown the diagnosis without them. Names of the workload's own namespace and of nodes are never
 * foreign.
 */
export function withForeignNames(diagnosis: Diagnosis, snapshot: Snapshot): Diagnosis {
  const listed = foreignNamesIn(diagnosis, snapshot);
  return listed.length === 0 ? diagnosis : { ...diagnosis, foreign: listed };
}

/** Names in an answer about a workload that belong to objects of other namespaces. */
export function foreignNamesIn(
  answer: Pick<Diagnosis, 'workload'>,
  snapshot: Pick<Snapshot, 'index'>,
): NonNullable<Diagnosis['foreign']> {
  const own = answer.workload.namespace;
  const stated = new Set<string>();
  collectNames(answer, stated);
  const kept = new Set<string>([own, answer.workload.name, ...snapshot.index.nodes.keys()]);
  const foreign = new Map<string, Set<string>>();
  for (const objects of Object.values(snapshot.index.objects)) {
    for (const object of objects as readonly Namespaced[]) {
      const { namespace } = object.metadata;
      if (namespace === own) for (const name of namesOf(object)) kept.add(name);
      if (namespace === own || namespace === '') continue;
      const names = foreign.get(namespace) ?? new Set();
      if (stated.has(namespace)) names.add(namespace);
      for (const name of namesOf(object)) if (stated.has(name)) names.add(name);
      foreign.set(namespace, names);
    }
  }
  return [...foreign].flatMap(([namespace, names]) => {
    const others = [...names].filter((name) => !kept.has(name)).sort();
    return others.length === 0 ? [] : [{ namespace, names: others }];
  });
}

/** Its own name, its owners', and those that controllers made them of: `web-7d9f8-x2x4v` is of `web-7d9f8` and `web`. */
function namesOf({ metadata }: Namespaced): readonly string[] {
  const names = [metadata.name, ...(metadata.ownerReferences ?? []).map(({ name }) => name)];
  return names.flatMap((name) => {
    const parts = name.split('-');
    return [name, parts.slice(0, -1).join('-'), parts.slice(0, -2).join('-')].filter((each) => each !== '');
  });
}

function collectNames(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') for (const name of namesIn(value)) names.add(name);
  else if (Array.isArray(value)) for (const each of value) collectNames(each, names);
  else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) collectNames(each, names);
  }
}
