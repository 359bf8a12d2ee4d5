import type { Condition } from '../../../cluster/metadata.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { childrenOf, rolloutStateOf } from '../../../rollout/rollout-state.js';

/**
 * The newest time in the workload's objects and in the events of its namespace, RFC3339; none after the
 * snapshot.
 */
export function newestTime(snapshot: Snapshot): string | undefined {
  const { workload, index } = snapshot;
  const state = rolloutStateOf(snapshot);
  const events = index.objects.Event.filter(
    ({ metadata }) => metadata.namespace === workload.metadata.namespace,
  );
  const times = [
    ...[workload, ...childrenOf(state), ...state.pods].flatMap(({ metadata, status }) => [
      metadata.creationTimestamp,
      metadata.deletionTimestamp,
      ...status.conditions.flatMap(timesOf),
    ]),
    ...events.map(({ lastSeen }) => lastSeen),
  ];
  const [newest] = times
    .filter((time) => time !== undefined)
    .filter((time) => Date.parse(time) <= nowOf(snapshot))
    .sort((a, b) => Date.parse(b) - Date.parse(a));
  return newest;
}

function timesOf({ lastTransitionTime, lastUpdateTime }: Condition): readonly (string | undefined)[] {
  return [lastTransitionTime, lastUpdateTime];
}
