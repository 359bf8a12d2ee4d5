import { indexObjects } from '../../core/cluster/cluster-index.js';
import type { ClusterObjects } from '../../core/cluster/cluster-objects.js';
import type { Pod } from '../../core/cluster/pod.js';
import { createPlacement } from '../../core/placement/placement.js';

/** Waiting pods for which room is looked for; with more of them all candidates are read. */
const maxWaiting = 20;

/**
 * Whether the nodes whose pods were read have room for every own pod that waits. What runs on other nodes
 * cannot change the answer then: the scheduler has a place for each. Pods whose place depends on other nodes'
 * pods never have enough.
 *
 * @param read names of these nodes
 */
export function hasRoomForAll(
  objects: ClusterObjects,
  own: readonly Pod[],
  read: ReadonlySet<string>,
): boolean {
  const waiting = own.filter(({ spec }) => (spec.nodeName ?? '') === '');
  if (waiting.length === 0 || waiting.length > maxWaiting || waiting.some(dependsOnOtherNodes)) return false;
  const Node = objects.Node.filter(({ metadata }) => read.has(metadata.name));
  let placement = createPlacement(indexObjects({ ...objects, Node }, read));
  for (const pod of waiting) {
    const nodeName = placement.firstFeasible(pod);
    if (nodeName === undefined) return false;
    placement = placement.with({ add: [{ ...pod, spec: { ...pod.spec, nodeName } }] });
  }
  return true;
}

function dependsOnOtherNodes({ spec }: Pod): boolean {
  const { affinity, topologySpreadConstraints } = spec;
  return (
    topologySpreadConstraints.length > 0 ||
    affinity?.podAffinity !== undefined ||
    affinity?.podAntiAffinity !== undefined
  );
}
