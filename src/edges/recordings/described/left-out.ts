import { groupBy } from '../../../engine/collections/collections.js';
import { parseSchedulerMessage } from '../../../engine/messages/parse-scheduler-message.js';
import { isResourceKind, type ResourceKind } from '../../../engine/objects/cluster-objects.js';
import { kueueKinds } from '../../../engine/objects/kueue.js';
import type { Unseen } from '../../../engine/objects/snapshot.js';
import { isObject } from '../../../engine/objects/wire.js';
import { isOfKind, type TextObject } from './described-kind.js';
import { notStatedOf } from './kinds.js';

/** What the descriptions leave out: fields of the kinds that were read, and whole kinds. */
export function leftOutOf(objects: readonly TextObject[], events: readonly TextObject[]): readonly Unseen[] {
  return [...partlyRecorded(objects), ...withoutEvents(objects, events), ...notPrinted(objects)];
}

/**
 * Namespaces in which pods were described without their events, and no table has the events. Those of other
 * objects do not show those of a pod whose description was cut off before them.
 */
function withoutEvents(objects: readonly TextObject[], events: readonly TextObject[]): readonly Unseen[] {
  const told = new Set(
    events.filter(({ listed }) => listed === true).map(({ metadata }) => metadata.namespace),
  );
  const silent = objects.flatMap(({ metadata, withoutEvents: isSilent }) =>
    isSilent === true && !told.has(metadata.namespace) ? [metadata.namespace] : [],
  );
  return [...new Set(silent)].map(
    (namespace): Unseen => ({ what: 'Event', namespace, because: 'not-recorded', message: '' }),
  );
}

/** Each kind and namespace of which text was read, with the fields that text leaves out. */
function partlyRecorded(objects: readonly TextObject[]): readonly Unseen[] {
  const groups = groupBy(
    objects.filter(({ kind }) => notStatedOf(kind).length > 0),
    ({ kind, metadata }) => `${kind}/${metadata.namespace}`,
  );
  return [...groups.values()].map((group): Unseen => {
    const [{ kind, metadata }] = group;
    return {
      what: isResourceKind(kind) ? kind : ('Pod' satisfies ResourceKind),
      namespace: metadata.namespace,
      because: 'partly-recorded',
      message: '',
      fields: [
        ...notStatedOf(kind),
        ...new Set(group.flatMap(({ cutBefore }) => (typeof cutBefore === 'string' ? [cutBefore] : []))),
      ],
      ...assumedIn(group),
    };
  });
}

/** Fields that objects are taken to have, although the text does not state them. */
function assumedIn(group: readonly TextObject[]): { readonly assumed?: readonly string[] } {
  const fields = group.flatMap(({ assumed }) =>
    Array.isArray(assumed) ? (assumed as readonly string[]) : [],
  );
  return fields.length === 0 ? {} : { assumed: [...new Set(fields)] };
}

/** Kinds that no description prints, and that may explain why pods with a node are not ready, or wait. */
function notPrinted(objects: readonly TextObject[]): readonly Unseen[] {
  const held = objects.filter(
    (object) => isOfKind(object, 'Pod') && isObject(object.spec) && 'schedulingGates' in object.spec,
  );
  const queues = [...new Set(held.map(({ metadata }) => metadata.namespace))].flatMap((namespace) =>
    kueueKinds.map((what): Unseen => ({ what, namespace, because: 'not-recorded', message: '' })),
  );
  return [...queues, ...beneathUnready(objects)];
}

function beneathUnready(objects: readonly TextObject[]): readonly Unseen[] {
  const groups = groupBy(objects.filter(isStartedUnready), ({ metadata }) => metadata.namespace);
  return [...groups].flatMap(([namespace, pods]) =>
    [
      ...(pods.some(hasClaim) ? (['VolumeAttachment'] as const) : []),
      'Lease' as const,
      'PodLog' as const,
    ].map((what): Unseen => ({ what, namespace, because: 'not-recorded', message: '' })),
  );
}

function hasClaim({ spec }: TextObject): boolean {
  const volumes: readonly unknown[] = isObject(spec) && Array.isArray(spec.volumes) ? spec.volumes : [];
  return volumes.some((each) => isObject(each) && ('persistentVolumeClaim' in each || 'ephemeral' in each));
}

function isStartedUnready({ kind, spec, status }: TextObject): boolean {
  const conditions = isObject(status) && Array.isArray(status.conditions) ? status.conditions : [];
  return (
    kind === 'Pod' &&
    isObject(spec) &&
    typeof spec.nodeName === 'string' &&
    conditions.some((each: unknown) => isObject(each) && each.type === 'Ready' && each.status === 'False')
  );
}

/** Field that no description states, and that these pods are assumed to have. */
const assumedField = 'spec.affinity';

/**
 * Descriptions leave anti-affinity out, and the scheduler counts the nodes that it refuses. Where pods of the
 * same selector run on just as many nodes, a term that keeps them apart is the simplest one that gives this
 * count: the waiting pods are taken to have it. What rests on it is said to be assumed (`Unseen.assumed`).
 */
export function withAssumedTerms(objects: readonly TextObject[]): readonly TextObject[] {
  return objects.map((object) => {
    const refused = object.kind === 'Pod' ? nodesRefusedForPods(object) : undefined;
    const selector = refused === undefined ? undefined : selectorAbove(object, objects);
    if (selector === undefined || nodesOfPods(object.metadata.namespace, selector, objects) !== refused)
      return object;
    const term = { labelSelector: { matchLabels: selector }, topologyKey: 'kubernetes.io/hostname' };
    const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    return {
      ...object,
      spec: { ...(isObject(object.spec) ? object.spec : {}), affinity: { podAntiAffinity } },
      assumed: [assumedField],
    };
  });
}

function nodesRefusedForPods({ status }: TextObject): number | undefined {
  const conditions = isObject(status) && Array.isArray(status.conditions) ? status.conditions : [];
  const scheduled = conditions.find((each: unknown) => isObject(each) && each.type === 'PodScheduled');
  if (!isObject(scheduled) || scheduled.status !== 'False' || typeof scheduled.message !== 'string')
    return undefined;
  const { reasons } = parseSchedulerMessage(scheduled.message);
  return reasons.find(({ reason, text }) => reason === 'pod-affinity' && /anti-affinity/u.test(text))?.count;
}

/** Of the workload of the pod, also through a ReplicaSet. */
function selectorAbove(
  { metadata }: TextObject,
  objects: readonly TextObject[],
): Readonly<Record<string, string>> | undefined {
  const owner = ownerOf(metadata, objects);
  const top = owner && (ownerOf(owner.metadata, objects) ?? owner);
  const selector = top && isObject(top.spec) && isObject(top.spec.selector) ? top.spec.selector : undefined;
  return selector !== undefined && isObject(selector.matchLabels)
    ? (selector.matchLabels as Readonly<Record<string, string>>)
    : undefined;
}

function ownerOf(
  { namespace, ownerReferences }: TextObject['metadata'],
  objects: readonly TextObject[],
): TextObject | undefined {
  const [owner] = Array.isArray(ownerReferences) ? (ownerReferences as readonly unknown[]) : [];
  return isObject(owner)
    ? objects.find(
        ({ kind, metadata }) =>
          kind === owner.kind && metadata.name === owner.name && metadata.namespace === namespace,
      )
    : undefined;
}

function nodesOfPods(
  namespace: string,
  selector: Readonly<Record<string, string>>,
  objects: readonly TextObject[],
): number {
  const nodes = objects.flatMap(({ kind, metadata, spec }) => {
    if (kind !== 'Pod' || metadata.namespace !== namespace || !isObject(spec)) return [];
    const labels = isObject(metadata.labels) ? metadata.labels : {};
    const isSelected = Object.entries(selector).every(([key, value]) => labels[key] === value);
    return isSelected && typeof spec.nodeName === 'string' && spec.nodeName !== '' ? [spec.nodeName] : [];
  });
  return new Set(nodes).size;
}
