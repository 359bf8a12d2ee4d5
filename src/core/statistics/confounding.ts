import type { Incarnation } from './incarnation.js';
import { atMost } from './multiplicity.js';
import { type SelectionOptions, strongestCandidate } from './strongest-candidate.js';
import { tally } from './tally.js';

/** A node and the revision whose crashes it holds: either may be the cause. */
export interface Confounded {
  readonly node: string;
  readonly revision: string;
}

/**
 * Whether the node cannot be told from the revision: with the revisions of a workload pooled some node would be beyond
 * chance, within revisions none is; or the only revision that crashes ran on one node, where no other revision did,
 * while others run elsewhere in health. Call it once the comparison within revisions has found nothing.
 */
export function confoundedRevision(
  incarnations: readonly Incarnation[],
  options: SelectionOptions,
): Confounded | undefined {
  return byPooling(incarnations, options) ?? byPlacement(incarnations);
}

function byPooling(incarnations: readonly Incarnation[], options: SelectionOptions): Confounded | undefined {
  const revisions = new Set(incarnations.map((one) => JSON.stringify([one.workload, one.revision])));
  if (revisions.size === new Set(incarnations.map((one) => one.workload)).size) return undefined;
  const table = tally(incarnations, 'workload');
  const selection = strongestCandidate(table, {
    ...options,
    attributes: new Map(),
    sets: false,
    permutations: 499,
  });
  const place = selection?.candidate.members[0];
  const node = place === undefined ? undefined : table.nodes[place];
  if (selection === undefined || node === undefined || !atMost(selection.pAdjusted, options.alpha))
    return undefined;
  const crashed = incarnations.filter((one) => one.node === node && one.crashed);
  const [first] = crashed;
  if (first === undefined || crashed.some((one) => one.revision !== first.revision)) return undefined;
  const others = incarnations.some(
    (one) => one.workload === first.workload && one.revision !== first.revision,
  );
  return others ? { node, revision: first.revision } : undefined;
}

function byPlacement(incarnations: readonly Incarnation[]): Confounded | undefined {
  const crashed = incarnations.filter((one) => one.crashed);
  const [first] = crashed;
  if (first === undefined) return undefined;
  const sameRevision = incarnations.filter(
    (one) => one.workload === first.workload && one.revision === first.revision,
  );
  const otherRevisions = incarnations.filter(
    (one) => one.workload === first.workload && one.revision !== first.revision,
  );
  const alone =
    crashed.every((one) => one.workload === first.workload && one.revision === first.revision) &&
    sameRevision.every((one) => one.node === first.node);
  return alone && otherRevisions.some((one) => one.node !== first.node && !one.crashed)
    ? { node: first.node, revision: first.revision }
    : undefined;
}
