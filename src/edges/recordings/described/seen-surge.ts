import { groupBy } from '../../../engine/collections/collections.js';
import { isObject } from '../../../engine/objects/wire.js';
import { isOfKind, type TextObject } from './described-kind.js';
import type { TextEvent } from './events.js';

/** Field that no description of a DaemonSet states. */
const strategyField = 'spec.updateStrategy';

/**
 * Descriptions leave the update strategy of a DaemonSet out, and its pods may show that it surges: a
 * controller without a surge stops the old pod of a node first. What rests on it is said to be assumed
 * (`Unseen.assumed`). The API server takes no surge beside another budget.
 */
export function withSeenSurges(
  objects: readonly TextObject[],
  events: readonly TextEvent[],
  printedAt: number,
): readonly TextObject[] {
  const podsOf = groupBy(
    objects.filter((object) => isOfKind(object, 'Pod') && object.metadata.deletionTimestamp === undefined),
    ({ metadata: { ownerReferences } }) =>
      Array.isArray(ownerReferences) ? ownerReferences[0]?.uid : undefined,
  );
  return objects.map((object) => {
    if (!isOfKind(object, 'DaemonSet') || !isObject(object.spec)) return object;
    const surge = surgeOf(object, podsOf.get(object.metadata.uid) ?? [], events, printedAt);
    if (surge === 0) return object;
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: 0 } };
    return { ...object, spec: { ...object.spec, updateStrategy }, assumed: [strategyField] };
  });
}

/**
 * The least surge that the pods show: pods beyond one for each node, or a refused creation while the old pods
 * of all nodes are there since before.
 */
function surgeOf(
  { metadata, status }: TextObject,
  pods: readonly TextObject[],
  events: readonly TextEvent[],
  printedAt: number,
): number {
  if (!isObject(status)) return 0;
  const [desired, current, updated, available, misscheduled] = [
    'desiredNumberScheduled',
    'currentNumberScheduled',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberMisscheduled',
  ].map((count) => Number(status[count] ?? 0));
  if (desired === undefined || desired === 0 || current !== desired || misscheduled !== 0) return 0;
  if (pods.length > desired) return pods.length - desired;
  const refused = events.filter(
    ({ reason, involvedObject }) =>
      reason === 'FailedCreate' &&
      isOfKind(involvedObject, 'DaemonSet') &&
      involvedObject.name === metadata.name &&
      (involvedObject.namespace === '' || involvedObject.namespace === metadata.namespace),
  );
  const firstAge = refused.reduce((age, event) => Math.max(age, event.firstAge), 0);
  const areOlder = pods.every(
    ({ status: of }) =>
      isObject(of) &&
      typeof of.startTime === 'string' &&
      Date.parse(of.startTime) < printedAt - firstAge * 1000,
  );
  const areOld = updated === 0 && available === desired && pods.length === desired && areOlder;
  return refused.length > 0 && areOld ? 1 : 0;
}
