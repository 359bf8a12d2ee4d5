import { autoscalerStatusMap } from '../../engine/objects/autoscaler-status.js';
import { hasClusterAutoscaler } from '../../engine/objects/cluster-autoscaler.js';
import { hasNode, type Pod } from '../../engine/objects/pod.js';
import type { ApiCall } from './api-call.js';
import type { Gathering } from './gathering.js';
import { readByPath } from './read-by-path.js';
import { objectPath } from './resource-paths.js';

/**
 * Reads the status of cluster-autoscaler, where a pod waits for a node and other objects show that the
 * autoscaler is there. It is the only ConfigMap whose data is read. Without it nothing is known of the node
 * groups, and no finding is less certain.
 *
 * @param nodes settles when the nodes are gathered, whose marks may be the only sign of the autoscaler
 */
export async function readAutoscalerStatus(
  call: ApiCall,
  gathering: Pick<Gathering, 'keep' | 'miss' | 'objects'>,
  pods: readonly Pod[],
  signal: AbortSignal,
  nodes?: Promise<unknown> | readonly unknown[],
): Promise<void> {
  if (pods.every(hasNode)) return;
  await nodes;
  if (!hasClusterAutoscaler(gathering.objects())) return;
  const { namespace, name } = autoscalerStatusMap;
  const path = objectPath('ConfigMap', namespace, name);
  await readByPath(call, gathering, { kind: 'ConfigMap', namespace, path }, signal);
}
