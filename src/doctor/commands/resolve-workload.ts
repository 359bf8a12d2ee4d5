import { compareText } from '../../engine/collections/collections.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { NamedWorkload } from './command.js';

/** Which of the known workloads a name means. */
type Resolved =
  | { readonly type: 'one'; readonly workload: WorkloadRef }
  | { readonly type: 'several'; readonly workloads: readonly WorkloadRef[] }
  /** `near`: see `nearestTo`. */
  | { readonly type: 'none'; readonly near: readonly WorkloadRef[] };

const maxNear = 5;
/** A name shorter than this is part of too many others. */
const minContained = 3;

/** A part that the query leaves out matches any. Several are ordered by namespace, name, kind and cluster. */
export function resolveWorkload(query: NamedWorkload, known: readonly WorkloadRef[]): Resolved {
  const matches = known.filter((each) => isMeant(query, each));
  const [first, ...others] = matches;
  if (first !== undefined && others.length === 0) return { type: 'one', workload: first };
  if (first !== undefined) return { type: 'several', workloads: [...matches].sort(byName) };
  return { type: 'none', near: nearestTo(query.name, [...known].sort(byName), ({ name }) => name) };
}

/**
 * What people may have meant by a name that does not exist: at most five, nearest first, and equally near
 * ones in the given order. An equal name (of another kind or namespace) comes first, then names that contain
 * the wanted one or are part of it, then those a few typing errors away, at most one for every three letters.
 * Other names are left out.
 */
export function nearestTo<Each>(
  wanted: string,
  known: readonly Each[],
  nameOf: (each: Each) => string,
): readonly Each[] {
  const limit = Math.ceil(wanted.length / 3);
  return known
    .map((each) => ({ each, steps: stepsBetween(wanted, nameOf(each), limit) }))
    .filter(({ steps }) => steps <= limit)
    .sort((a, b) => a.steps - b.steps)
    .slice(0, maxNear)
    .map(({ each }) => each);
}

/** Whether the name is the workload's own: that of an object above or below it is not. */
export function isMeant(
  { cluster, kind, namespace, name, owner, member }: NamedWorkload,
  each: WorkloadRef,
): boolean {
  return (
    owner === undefined &&
    member === undefined &&
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

function stepsBetween(wanted: string, name: string, limit: number): number {
  if (wanted === name) return 0;
  if (name.includes(wanted) || (name.length >= minContained && wanted.includes(name))) return 1;
  if (Math.abs(wanted.length - name.length) > limit) return Number.POSITIVE_INFINITY;
  return editDistance(wanted, name);
}

/**
 * Letters to insert, delete or replace, and neighbours to swap, each at most once (optimal string alignment).
 */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, at) => at);
  const at = (cells: readonly number[], column: number): number => cells[column] ?? Number.POSITIVE_INFINITY;
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const isSwapped = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
      next.push(
        Math.min(
          at(row, column - 1) + (from[line - 1] === to[column - 1] ? 0 : 1),
          at(row, column) + 1,
          at(next, column - 1) + 1,
          isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = row;
    row = next;
  }
  return at(row, to.length);
}
