import { claim, quota } from './claim-and-quota.js';
import type { Described, DescribedKind } from './described-kind.js';
import { type Fields, fieldsOf, statedIn } from './fields.js';
import { withIndents, withSpaces } from './lost-indents.js';
import { node } from './node.js';
import { pod } from './pod.js';
import { daemonSet, deployment, replicaSet, statefulSet } from './workloads.js';

/** The kinds whose descriptions are read; the first that recognises a block takes it. */
const kinds: readonly DescribedKind[] = [
  pod,
  node,
  deployment,
  statefulSet,
  daemonSet,
  replicaSet,
  claim,
  quota,
];

const known: ReadonlySet<string> = new Set(kinds.flatMap(({ fields }) => fields));

type ReadBlock =
  | { readonly type: 'object'; readonly described: Described; readonly fields: Fields }
  /** A description of another kind, which is not printed. */
  | { readonly type: 'other'; readonly name: string };

/** Reads one block of `kubectl describe`, from its `Name:` on. */
export function readBlock(given: readonly string[]): ReadBlock {
  const lines = withSpaces(given);
  const all = fieldsOf(lines, (key) => known.has(key));
  const kind = kinds.find((each) => each.isDescribed(all));
  if (kind === undefined) return { type: 'other', name: statedIn(all, 'Name') ?? '' };
  // Keys of other kinds are text of a message here.
  const own = new Set(kind.fields);
  const isOwn = (key: string): boolean => own.has(key);
  const fields = fieldsOf(withIndents(lines, isOwn), isOwn);
  return { type: 'object', described: kind.read(fields), fields };
}

/** What the description of a kind leaves out. */
export function notStatedOf(kind: string): readonly string[] {
  return kinds.find((each) => each.kind === kind)?.notStated ?? [];
}
