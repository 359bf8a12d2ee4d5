import { hasKarpenter } from '../../core/cluster/karpenter.js';
import { hasNode, type Pod } from '../../core/cluster/pod.js';
import type { Gathering } from './gathering.js';

/** A cluster has some dozens at most. */
const maxNodePools = 500;

/**
 * Reads Karpenter's NodePools, where a pod waits for a node and other objects show that Karpenter is there. A refused read
 * is noted as unseen and makes no finding less certain: then nothing is known of the limits.
 *
 * @param nodes settles when the nodes are gathered, whose labels may be the only sign of Karpenter
 */
export async function readNodePools(
  gathering: Pick<Gathering, 'list' | 'objects'>,
  pods: readonly Pod[],
  nodes?: Promise<unknown> | readonly unknown[],
): Promise<void> {
  if (pods.every(hasNode)) return;
  await nodes;
  if (!hasKarpenter(gathering.objects())) return;
  await gathering.list('NodePool', { max: maxNodePools });
}
