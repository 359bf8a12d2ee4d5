import { conditionOf } from '../../engine/objects/metadata.js';
import type { Pod } from '../../engine/objects/pod.js';

/** What keeps the pod from being ready, in the API's own word, and the container where it is one's. */
export function troubleOf({ status }: Pod): {
  readonly reason: string;
  readonly container: string | undefined;
} {
  const scheduled = conditionOf(status, 'PodScheduled');
  if (scheduled?.status === 'False') return { reason: scheduled.reason, container: undefined };
  const statuses = [...status.initContainerStatuses, ...status.containerStatuses];
  for (const { name, ready, state: now, lastState } of statuses) {
    const reason = now.waiting?.reason ?? now.terminated?.reason ?? lastState.terminated?.reason;
    if (!ready && reason !== undefined && reason !== '') return { reason, container: name };
  }
  return { reason: conditionOf(status, 'Ready')?.reason || 'NotReady', container: undefined };
}
