import type { Node } from '../../objects/node.js';
import { matchesRequiredNodeAffinity, namedNodes, unmetRequirements } from '../node-selector.js';
import type { NodeAffinityReason } from '../reason.js';
import { noObjections } from '../reason.js';
import type { Filter, Situation } from '../situation.js';

/** The words for a node that PreFilter dropped: they come before those of any filter. */
export const LEFT_OUT = "node(s) didn't satisfy plugin(s) [NodeAffinity]";

/**
 * `nodeSelector` and required node affinity (`node_affinity.go: Filter`). A pod that names its nodes in every
 * term, as a DaemonSet's does, never gets to the other nodes: PreFilter leaves them out, with words of its
 * own.
 */
export const nodeAffinity: Filter = ({ pod }, node) => {
  if (matchesRequiredNodeAffinity(pod.spec, node)) return noObjections;
  return [
    {
      id: 'node-affinity',
      plugin: 'NodeAffinity',
      text: isLeftOut({ pod }, node) ? LEFT_OUT : "node(s) didn't match Pod's node affinity/selector",
      resolvable: false,
      preemptible: false,
      unmet: unmetRequirements(pod.spec, node),
    },
  ];
};

/** True when PreFilter drops the node before any filter sees it. */
function isLeftOut({ pod }: Pick<Situation, 'pod'>, node: Node): boolean {
  const names = namedNodes(pod.spec);
  return names !== undefined && names.size > 0 && !names.has(node.metadata.name);
}

/** Terms that name nodes, but no node in common: refused before any node is looked at. */
export function nodeAffinityConflict({ pod }: Situation): readonly NodeAffinityReason[] {
  if (namedNodes(pod.spec)?.size !== 0) return [];
  return [
    {
      id: 'node-affinity',
      plugin: 'NodeAffinity',
      text: 'pod affinity terms conflict',
      resolvable: false,
      preemptible: false,
      unmet: [],
    },
  ];
}
