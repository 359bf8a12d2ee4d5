import { compareText } from '../cluster/cluster-objects.js';
import type { WorkloadRef } from '../cluster/workload.js';
import type { NamedWorkload } from './command.js';

/** Which of the known workloads a name means. */
export type Matched =
  | { readonly type: 'one'; readonly workload: WorkloadRef }
  | { readonly type: 'several'; readonly workloads: readonly WorkloadRef[] }
  /** `near`: those whose names contain it. */
  | { readonly type: 'none'; readonly near: readonly WorkloadRef[] };

const maxNear = 5;

/** @param known those most likely meant first; the order of what is given back is by name */
export function matchWorkload(query: NamedWorkload, known: readonly WorkloadRef[]): Matched {
  const fits = known.filter((each) => isMeant(query, each));
  const [first, ...others] = fits;
  if (first !== undefined && others.length === 0) return { type: 'one', workload: first };
  if (first !== undefined) return { type: 'several', workloads: [...fits].sort(byName) };
  const near = known.filter(({ name }) => name.includes(query.name) || query.name.includes(name));
  return { type: 'none', near: near.slice(0, maxNear).sort(byName) };
}

function isMeant({ cluster, kind, namespace, name }: NamedWorkload, each: WorkloadRef): boolean {
  return (
    each.name === name &&
    (cluster === undefined || each.cluster === cluster) &&
    (kind === undefined || each.kind === kind) &&
    (namespace === undefined || each.namespace === namespace)
  );
}

function byName(a: WorkloadRef, b: WorkloadRef): number {
  return (
    compareText(a.namespace, b.namespace) ||
    compareText(a.name, b.name) ||
    compareText(a.kind, b.kind) ||
    compareText(a.cluster, b.cluster)
  );
}
