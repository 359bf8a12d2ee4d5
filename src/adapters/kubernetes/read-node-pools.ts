import { hasKarpenter } from '../../core/cluster/karpenter.js';
import { hasNode, type Pod } from '../../core/cluster/pod.js';
import type { Gathering } from './gathering.js';

/** A cluster has some dozens at most. */
const maxNodePools = 500;

/**
 * Reads Karpenter's NodePools, where a pod waits for a node and other objects show that Karpenter is there. A refused read
 * is noted as unseen and makes no finding less certain: then nothing is known of the limits.
 */
export async function readNodePools(
  gathering: Pick<Gathering, 'list' | 'objects'>,
  pods: readonly Pod[],
): Promise<void> {
  if (pods.every(hasNode) || !hasKarpenter(gathering.objects())) return;
  await gathering.list('NodePool', { max: maxNodePools });
}
