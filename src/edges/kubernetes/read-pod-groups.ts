import { groupNameOf } from '../../engine/neighbours/pod-gang.js';
import { hasNode, isActive, type Pod } from '../../engine/objects/pod.js';
import type { ApiCall } from './api-call.js';
import type { Gathering } from './gathering.js';
import { inTurns } from './in-turns.js';
import { readByPath } from './read-by-path.js';
import { objectPath } from './resource-paths.js';

/** Groups that are read; a rollout has two of Volcano at most. */
const maxGroups = 20;
const readsAtOnce = 4;

/**
 * Reads the PodGroups of pods that wait, of Volcano or of the plugin Coscheduling. Without them, the minimum
 * of a group is that of the scheduler's message.
 */
export async function readPodGroups(
  call: ApiCall,
  gathering: Pick<Gathering, 'keep' | 'miss'>,
  pods: readonly Pod[],
  signal: AbortSignal,
): Promise<void> {
  const places = new Map(
    pods
      .filter((pod) => isActive(pod) && !hasNode(pod))
      .flatMap((pod) => placeOf(pod) ?? [])
      .map((place) => [place.path, place] as const),
  );
  await inTurns(readsAtOnce, [...places.values()].slice(0, maxGroups), (place) =>
    readByPath(call, gathering, { kind: 'PodGroup', ...place }, signal),
  );
}

function placeOf(pod: Pod): { readonly namespace: string; readonly path: string } | undefined {
  const group = groupNameOf(pod);
  if (group === undefined) return undefined;
  const { namespace } = pod.metadata;
  const path = objectPath('PodGroup', namespace, group.name);
  const inCoscheduling = path.replace('scheduling.volcano.sh/v1beta1', 'scheduling.x-k8s.io/v1alpha1');
  return { namespace, path: group.by === 'Volcano' ? path : inCoscheduling };
}
