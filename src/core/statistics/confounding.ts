import { strongestCandidate } from './candidate.js';
import { atMost } from './distribution.js';
import { type Incarnation, stratumOf } from './incarnation.js';
import { strataOf } from './strata.js';

/** A node and the revision whose crashes it holds: either may be the cause. */
export interface Confounded {
  readonly node: string;
  readonly revision: string;
}

/**
 * Whether the node cannot be told from the revision: with the revisions of a workload pooled some node would
 * be beyond chance, within revisions none is; or the only revision that crashes ran on one node, where no
 * other revision did, while others run elsewhere in health. Call it once the comparison within revisions has
 * found nothing.
 */
export function confoundedRevision(
  incarnations: readonly Incarnation[],
  alpha: number,
): Confounded | undefined {
  const pooled = strongestCandidate(strataOf(incarnations, 'workload'), {
    attributes: new Map(),
    sets: false,
  });
  const isPooled = pooled !== undefined && atMost(pooled.pAdjusted, alpha);
  return (isPooled ? byPooling(incarnations, pooled.nodes) : undefined) ?? byPlacement(incarnations);
}

/** Where all crashes on the node are of one revision, and the workload has others. */
function byPooling(incarnations: readonly Incarnation[], [node]: readonly string[]): Confounded | undefined {
  const [first, ...more] = incarnations.filter((one) => one.node === node && one.crashed);
  if (first === undefined || more.some(({ revision }) => revision !== first.revision)) return undefined;
  return otherRevisions(incarnations, first).length > 0
    ? { node: first.node, revision: first.revision }
    : undefined;
}

function byPlacement(incarnations: readonly Incarnation[]): Confounded | undefined {
  const [first, ...more] = incarnations.filter(({ crashed }) => crashed);
  if (first === undefined || more.some((one) => stratumOf(one) !== stratumOf(first))) return undefined;
  const alike = incarnations.filter((one) => stratumOf(one) === stratumOf(first));
  const { node, revision } = first;
  const isElsewhere = (one: Incarnation): boolean => one.node !== node;
  return !alike.some(isElsewhere) && otherRevisions(incarnations, first).some(isElsewhere)
    ? { node, revision }
    : undefined;
}

function otherRevisions(incarnations: readonly Incarnation[], { workload, revision }: Incarnation) {
  return incarnations.filter((one) => one.workload === workload && one.revision !== revision);
}
