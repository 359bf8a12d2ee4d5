import { groupBy } from '../../../engine/collections/collections.js';
import type { Unseen } from '../../../engine/objects/snapshot.js';
import { isObject } from '../../../engine/objects/wire.js';
import { parseQuantity, value } from '../../../engine/scheduler/quantity.js';
import { type CountedPod, countedPodOf, withDerivedStatus } from './derived-status.js';
import type { BlockOfNode, Described, KnownObject, TextMeta, TextObject } from './described-kind.js';
import { textUid } from './described-kind.js';
import { withWhatEventsState } from './event-words.js';
import { containerPathOf, isTextEvent, mergeEvents, type TextEvent } from './events.js';
import { leftOutOf, withAssumedTerms } from './left-out.js';
import { allocatedOn } from './node.js';
import { printedAtOf } from './printed-at.js';
import { withUnprintedScopes } from './quota-scopes.js';
import { withSeenSurges } from './seen-surge.js';
import { alignTemplates } from './templates.js';

/** What the descriptions of a recording come to, in the form of the API. */
export interface JoinedDescriptions {
  readonly objects: readonly TextObject[];
  /** What the text leaves out, by kind and namespace. */
  readonly partly: readonly Unseen[];
  /** Nodes on which other pods run than those that were read. */
  readonly nodesWithOtherPods: readonly string[];
  /**
   * RFC3339; absent where there is no description. The least that the text allows, unless people state it.
   */
  readonly printedAt?: string;
}

interface Parts {
  readonly described: readonly Described[];
  /** Of `kubectl get events`. */
  readonly events: readonly TextEvent[];
  readonly nodes: readonly BlockOfNode[];
  readonly known: readonly KnownObject[];
  /** Owners that such objects name, by kind, namespace and name, with their uids. */
  readonly owners: readonly KnownObject[];
  /** Pods that were read in another form. */
  readonly pods: readonly CountedPod[];
  /** The newest time in any other object, RFC3339. */
  readonly newest: string | undefined;
  /** When the text was printed, where people state it, RFC3339. */
  readonly at: string | undefined;
}

/**
 * Ties descriptions to each other: names in place of uids, ages in place of times, and what one description
 * states of another object.
 */
export function joinDescribed({
  described,
  events,
  nodes,
  known,
  owners,
  pods,
  newest,
  at,
}: Parts): JoinedDescriptions {
  const read = new Map(known.map((object) => [keyOf(object), object]));
  const whole = new Map<string, { readonly object: TextObject; readonly deletedFor: number | undefined }>();
  const named = new Map<string, TextObject>();
  const told: TextEvent[] = [...events];
  for (const { object, deletedFor, others = [] } of described.map((each) => inNamespace(each, described))) {
    whole.set(keyOf(placed(object)), { object, deletedFor });
    for (const other of others) {
      if (isTextEvent(other)) told.push(other);
      else if (other.kind === 'Pod' || other.kind === 'ReplicaSet') named.set(keyOf(placed(other)), other);
      else whole.set(keyOf(placed(other)), { object: other, deletedFor: undefined });
    }
  }
  const all = new Map<string, { readonly object: TextObject; readonly deletedFor?: number | undefined }>();
  for (const [key, object] of named) all.set(key, { object });
  for (const [key, each] of whole) all.set(key, each);
  for (const [key, { isWithoutStatus }] of read) {
    if (isWithoutStatus !== true || !whole.has(key)) all.delete(key);
  }

  const places = [...read.values(), ...[...all.values()].map(({ object }) => placed(object))];
  const printedAt = printedAtOf({
    objects: [...all.values()].map(({ object }) => object),
    named: described.flatMap(({ others = [] }) => others),
    events: told,
    newest,
    at,
  });
  const ownerUids = new Map(owners.map((owner) => [keyOf(owner), owner.uid]));
  const uidOf = (kind: string, namespace: string, name: string, fallback: string): string =>
    read.get(keyOf({ kind, namespace, name }))?.uid ||
    ownerUids.get(keyOf({ kind, namespace, name })) ||
    fallback;
  const objects = alignTemplates(
    [...all.values()].map(({ object, deletedFor }) => ({
      ...object,
      metadata: {
        ...object.metadata,
        uid: uidOf(object.kind, object.metadata.namespace, object.metadata.name, object.metadata.uid),
        ownerReferences: ownersWith(object.metadata, uidOf),
        ...deletionOf(object, deletedFor, printedAt),
      },
    })),
    known,
  );
  const counted = [...pods, ...objects.flatMap(countedPodOf)];
  const finished = withUnprintedScopes(
    withAssumedTerms(
      withDerivedStatus(
        withSeenSurges(withWhatEventsState(objects, told, printedAt), told, printedAt),
        counted,
      ),
    ),
  );
  const eventsRead = eventObjects(told, { places, pods: finished, printedAt, uidOf });
  return {
    objects: [...finished, ...eventsRead],
    printedAt: new Date(printedAt).toISOString(),
    partly: leftOutOf(finished, eventsRead),
    nodesWithOtherPods: nodes.filter((node) => !podsAreKnown(node, finished, read)).map(({ name }) => name),
  };
}

/** Older versions print no namespace of a DaemonSet: it is that of its pods. */
function inNamespace(each: Described, all: readonly Described[]): Described {
  const { kind, metadata } = each.object;
  if (metadata.namespace !== '' || kind === 'Node') return each;
  const owned = all.filter(
    ({
      object: {
        metadata: { ownerReferences },
      },
    }) =>
      Array.isArray(ownerReferences) &&
      ownerReferences.some((owner: Placed) => owner.kind === kind && owner.name === metadata.name),
  );
  const namespaces = new Set(owned.map(({ object }) => object.metadata.namespace));
  const [namespace = ''] = namespaces.size === 1 ? namespaces : [];
  const uid = textUid(kind, namespace, metadata.name);
  const others = each.others?.map((other) =>
    isTextEvent(other) ? { ...other, involvedObject: { ...other.involvedObject, namespace, uid } } : other,
  );
  return {
    ...each,
    object: { ...each.object, metadata: { ...metadata, namespace, uid } },
    ...(others && { others }),
  };
}

type Placed = { readonly kind: string; readonly namespace: string; readonly name: string };

function placed({ kind, metadata: { namespace, name, uid } }: TextObject): KnownObject {
  return { kind, namespace, name, uid };
}

function keyOf({ kind, namespace, name }: Placed): string {
  return `${kind}/${namespace}/${name}`;
}

type UidOf = (kind: string, namespace: string, name: string, fallback: string) => string;

function ownersWith({ namespace, ownerReferences }: TextMeta, uidOf: UidOf): readonly unknown[] {
  if (!Array.isArray(ownerReferences)) return [];
  return ownerReferences.map((owner: Placed & { readonly uid: string }) => ({
    ...owner,
    uid: uidOf(owner.kind, namespace, owner.name, owner.uid),
  }));
}

/** A deletion that is not due yet is due within the grace period. */
function deletionOf({ metadata }: TextObject, deletedFor: number | undefined, printedAt: number): object {
  if (deletedFor === undefined) return {};
  const grace = Number(metadata.deletionGracePeriodSeconds ?? 0);
  const due = printedAt - deletedFor * 1000 + (deletedFor === 0 ? grace * 1000 : 0);
  return { deletionTimestamp: new Date(due).toISOString() };
}

/**
 * A table without namespaces is of the namespace in which its objects are, or of the only one of the
 * recording.
 */
function eventObjects(
  events: readonly TextEvent[],
  {
    places,
    pods,
    printedAt,
    uidOf,
  }: { places: readonly Placed[]; pods: readonly TextObject[]; printedAt: number; uidOf: UidOf },
): readonly TextObject[] {
  const described = new Map(pods.map((object) => [keyOf(placed(object)), object]));
  const byName = groupBy(places, ({ kind, name }) => `${kind}/${name}`);
  const uids = new Map(places.map((place) => [keyOf(place), 'uid' in place ? String(place.uid) : '']));
  const namespaces = new Set(places.map(({ namespace }) => namespace).filter((each) => each !== ''));
  const [only = ''] = namespaces.size === 1 ? namespaces : [];
  const unique = new Map<string, TextEvent>();
  for (const event of events) {
    const { kind, name, namespace } = event.involvedObject;
    const homes = new Set((byName.get(`${kind}/${name}`) ?? []).map((place) => place.namespace));
    const [home = ''] = homes.size === 1 ? homes : [only];
    const where = kind === 'Node' ? '' : namespace === '' ? home : namespace;
    const uid = uids.get(keyOf({ kind, namespace: where, name })) ?? `described:${kind}/${where}/${name}`;
    const fieldPath = containerPathOf(event, described.get(keyOf({ kind, namespace: where, name })));
    const placedEvent: TextEvent = {
      ...event,
      involvedObject: {
        ...event.involvedObject,
        namespace: where,
        uid: uidOf(kind, where, name, uid),
        ...(fieldPath !== undefined && { fieldPath }),
      },
    };
    const key = [kind, where, name, event.reason, event.message].join('\n');
    const same = unique.get(key);
    unique.set(key, same === undefined ? placedEvent : mergeEvents(same, placedEvent));
  }
  return [...unique.values()].map(({ firstAge, lastAge, ...event }, position) => ({
    ...event,
    metadata: {
      name: `described-${position + 1}`,
      namespace: event.involvedObject.namespace || 'default',
      uid: `described:Event/${position + 1}`,
    },
    firstTimestamp: new Date(printedAt - firstAge * 1000).toISOString(),
    lastTimestamp: new Date(printedAt - lastAge * 1000).toISOString(),
  }));
}

/**
 * True when the pods that were read ask for everything that the description of the node counts: of pods that
 * it only names, no more than processor and memory is known.
 */
function podsAreKnown(
  { name, fields }: BlockOfNode,
  objects: readonly TextObject[],
  read: ReadonlyMap<string, KnownObject>,
): boolean {
  if (!fields.has('Non-terminated Pods')) return false;
  const here = objects.filter(({ kind, spec }) => kind === 'Pod' && isObject(spec) && spec.nodeName === name);
  const onlyNamed = here.filter((object) => object.onlyNamed === true);
  if (onlyNamed.length === 0) return true;
  // Pods that were read as JSON are not among `objects`, and what they ask for is not known here.
  const others = [...allocatedOn(fields)].filter(([resource]) => resource !== 'cpu' && resource !== 'memory');
  return others.every(([resource, amount]) => {
    if (!/[1-9]/u.test(amount)) return true;
    const described = here.reduce((sum, { spec }) => sum + requestsOf(spec, resource), 0n);
    return read.size === 0 && described >= amountOf(amount);
  });
}

function requestsOf(spec: unknown, resource: string): bigint {
  if (!isObject(spec) || !Array.isArray(spec.containers)) return 0n;
  return spec.containers.reduce((sum: bigint, container: unknown) => {
    const resources = isObject(container) && isObject(container.resources) ? container.resources : {};
    const requests = isObject(resources.requests) ? resources.requests : {};
    const amount = requests[resource];
    return sum + (typeof amount === 'string' ? amountOf(amount) : 0n);
  }, 0n);
}

function amountOf(text: string): bigint {
  const quantity = parseQuantity(text);
  return quantity === undefined ? 0n : value(quantity);
}
