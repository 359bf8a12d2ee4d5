import { isObject } from '../../../engine/objects/wire.js';
import type { TextObject } from './described-kind.js';
import type { TextEvent } from './events.js';

/**
 * When the text was printed, in epoch milliseconds. No description states it. It was not before the newest
 * time in it, nor before the age of a pod's assignment to its node has passed since the kubelet took the pod.
 * Nodes list the ages of their pods: the pod that started soonest after it was created shows the time best.
 */
export function printedAtOf({
  objects,
  named,
  events,
  newest,
  at,
}: {
  objects: readonly TextObject[];
  /** Pods of which another description states an age. */
  named: readonly TextObject[];
  events: readonly TextEvent[];
  /** The newest time in objects that were read in another form, RFC3339. */
  newest: string | undefined;
  /** As people state it, RFC3339. */
  at: string | undefined;
}): number {
  if (at !== undefined) return Date.parse(at);
  const times = [...(newest === undefined ? [] : [Date.parse(newest)]), ...objects.flatMap(timesIn)];
  const startOf = new Map(
    objects.flatMap(({ kind, metadata: { namespace, name }, status }) =>
      kind === 'Pod' && isObject(status) && typeof status.startTime === 'string'
        ? [[`${namespace}/${name}`, Date.parse(status.startTime)] as const]
        : [],
    ),
  );
  for (const {
    reason,
    lastAge,
    involvedObject: { kind, namespace, name },
  } of events) {
    const started = startOf.get(`${namespace}/${name}`);
    if (kind === 'Pod' && reason === 'Scheduled' && started !== undefined)
      times.push(started + lastAge * 1000);
  }
  const byAge = named.flatMap(({ kind, metadata: { namespace, name }, age }) => {
    const started = startOf.get(`${namespace}/${name}`);
    return kind === 'Pod' && typeof age === 'number' && started !== undefined ? [started + age * 1000] : [];
  });
  if (byAge.length > 0) times.push(byAge.reduce((a, b) => Math.min(a, b)));
  const latest = times.reduce((a, b) => Math.max(a, b), 0);
  return latest === 0 ? Date.now() : latest;
}

/** Times of objects, as the API writes them. */
function timesIn(value: unknown): readonly number[] {
  if (typeof value === 'string') {
    const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/u.test(value) ? Date.parse(value) : Number.NaN;
    return Number.isNaN(time) ? [] : [time];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(timesIn) : [];
}
