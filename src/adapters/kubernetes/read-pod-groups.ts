import { schemas } from '../../core/cluster/cluster-objects.js';
import { hasNode, isActive, type Pod } from '../../core/cluster/pod.js';
import { groupNameOf } from '../../core/neighbours/pod-gang.js';
import type { ApiCall } from './api-call.js';
import type { Gathering } from './gathering.js';
import { inTurns } from './in-turns.js';
import { objectPath } from './resource-paths.js';

/** Groups that are read; a rollout has two of Volcano at most. */
const maxGroups = 20;
const readsAtOnce = 4;

/**
 * Reads the PodGroups of pods that wait, of Volcano or of the plugin Coscheduling. A refused read makes no finding less
 * certain: the minimum of a group is then that of the scheduler's message.
 */
export async function readPodGroups(
  call: ApiCall,
  gathering: Pick<Gathering, 'keep'>,
  pods: readonly Pod[],
  signal: AbortSignal,
): Promise<void> {
  const paths = new Set(
    pods.filter((pod) => isActive(pod) && !hasNode(pod)).flatMap((pod) => pathOf(pod) ?? []),
  );
  await inTurns(readsAtOnce, [...paths].slice(0, maxGroups), async (path) => {
    try {
      const { status, body } = await call({ path, signal });
      const parsed = status === 200 ? schemas.PodGroup.safeParse(body) : undefined;
      if (parsed?.success === true) gathering.keep('PodGroup', [parsed.data]);
    } catch {
      // No answer: as where the right is missing.
    }
  });
}

function pathOf(pod: Pod): string | undefined {
  const group = groupNameOf(pod);
  if (group === undefined) return undefined;
  const path = objectPath('PodGroup', pod.metadata.namespace, group.name);
  return group.by === 'Volcano'
    ? path
    : path.replace('scheduling.volcano.sh/v1beta1', 'scheduling.x-k8s.io/v1alpha1');
}
