import { type Node, ownsCordon } from '../../../cluster/node.js';

/** What the node's own object tells of its cordon. */
export interface Cordon {
  /** RFC3339. */
  readonly since: string | undefined;
  /** The client that set it, as the API server recorded it: `kubectl`, `kubectl-cordon`, `cluster-autoscaler`. */
  readonly by: string | undefined;
}

const taintOfCordon = 'node.kubernetes.io/unschedulable';

/** The field's manager is exact; the taint that the node lifecycle controller adds has a time where it has one. */
export function cordonOf({ metadata, spec }: Node): Cordon {
  const entry = metadata.managedFields.find(({ fieldsV1 }) => ownsCordon(fieldsV1));
  const taint = spec.taints.find(({ key }) => key === taintOfCordon);
  return { since: taint?.timeAdded ?? entry?.time, by: entry?.manager };
}
