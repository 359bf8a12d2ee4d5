import * as z from 'zod';
import { type ObjectOf, type ResourceKind, schemas } from '../../engine/objects/cluster-objects.js';
import type { Unreadable } from '../../service/diagnose/cluster-reader.js';
import { type ApiAnswer, type ApiCall, type ApiRequest, unanswered, unreadable } from './api-call.js';
import { cachedList, type ListReading, listQuery } from './list-reading.js';
import { boundedEntries, quickSchema } from './object-schema.js';
import { MalformedProtobuf, protobufOrJson } from './protobuf/wire.js';
import { collectionPath, objectPath, olderVersionOf } from './resource-paths.js';

const List = z.object({
  metadata: z.object({ continue: z.string().nullish(), resourceVersion: z.string().nullish() }).nullish(),
  items: z.array(z.unknown()).nullish(),
});

/** Objects asked for at once; the server may send fewer, and from its cache it sends all. */
const pageSize = 500;
/** Asked for instead when a page of that many is too large, as ConfigMaps of a megabyte each are. */
const smallPageSize = 25;
/** A list that expires while it is being paged is begun anew this often (410 Gone). */
const restarts = 3;
/** A 429 is waited out when the server asks for no more than this. */
const patienceMs = 5_000;

export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Stop after so many objects; the rest is reported as `too-many`. */
  readonly max?: number;
  /** Another `group/version` than that of the kind. */
  readonly api?: string;
  /** Where the API server takes the list from. */
  readonly reading: ListReading;
}

/** Nodes have no namespace: events about them are in this one. */
export const namespaceOfNodeEvents = 'default';

/** What kubelets report of their nodes and no condition shows: cgroup v1, and what the kernel killed. */
export const reasonsOfNodes = ['CgroupV1', 'SystemOOM'] as const;

/** Events about nodes with one reason: a field selector has no *or*. */
export function nodeWarnings(reason: (typeof reasonsOfNodes)[number]): Selection {
  return {
    namespace: namespaceOfNodeEvents,
    fieldSelector: `involvedObject.kind=Node,reason=${reason}`,
    max: 500,
    reading: cachedList,
  };
}

export type Read<Value> =
  | { readonly type: 'read'; readonly value: Value }
  | { readonly type: 'missing' }
  | Unreadable;

/**
 * Kinds of which nothing but the metadata is asked for: the data of others does not even come over the wire.
 */
const metadataOnly: ReadonlySet<ResourceKind> = new Set<ResourceKind>(['ConfigMap', 'Secret', 'Endpoints']);
const partialMetadata = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

/** One object, or `missing` on 404. */
export async function readObject<Kind extends ResourceKind>(
  call: ApiCall,
  kind: Kind,
  at: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<Read<ObjectOf<Kind>>> {
  const answer = await patiently(call, {
    path: objectPath(kind, at.namespace, at.name),
    ...(metadataOnly.has(kind) ? { accept: partialMetadata } : {}),
    signal,
  });
  if ('type' in answer) return answer;
  if (answer.status === 404) return { type: 'missing' };
  if (answer.status !== 200) return unreadable(answer);
  const parsed = schemas[kind].safeParse(boundedEntries(answer.body));
  if (!parsed.success) return malformed(kind, parsed.error, answer.body);
  return { type: 'read', value: parsed.data as ObjectOf<Kind> };
}

interface Listed<Item> {
  readonly items: readonly Item[];
  /** True when `max` cut the list. */
  readonly cut: boolean;
  /**
   * Objects that do not parse, each with the place: the first few, and how many there are. '' when all of
   * them do.
   */
  readonly malformed: string;
  /** How new the list is; '' where the API server does not say it. */
  readonly resourceVersion: string;
  /** The cache did not reach the version that was asked for, so that the list may be older. */
  readonly isOlder: boolean;
}

/**
 * All objects of a selection. An object that does not parse is left out and named in `malformed`; a list of
 * which nothing parses is unreadable. Two lists are read in another way than asked for: one that the cache
 * cannot give in the wanted version is taken as the cache has it (`isOlder`), and one whose single answer is
 * too large is read page by page from etcd, unless it has a field selector, for which etcd would be read in
 * vain.
 */
export async function listObjects<Kind extends ResourceKind>(
  call: ApiCall,
  kind: Kind,
  selection: Selection,
  signal: AbortSignal,
): Promise<{ readonly type: 'read'; readonly value: Listed<ObjectOf<Kind>> } | Unreadable> {
  return listAs(call, kind, selection, signal, (_, parsed) => parsed as ObjectOf<Kind>);
}

/**
 * The same, with each object as the API server sent it. Of pods and nodes only the fields of the model are
 * decoded.
 */
export async function listRawObjects(
  call: ApiCall,
  kind: ResourceKind,
  selection: Selection,
  signal: AbortSignal,
): Promise<{ readonly type: 'read'; readonly value: Listed<unknown> } | Unreadable> {
  return listAs(call, kind, selection, signal, (item) => item);
}

/** What is kept of an object that parses. */
type Keep<Item> = (item: unknown, parsed: unknown) => Item;

async function listAs<Item>(
  call: ApiCall,
  kind: ResourceKind,
  selection: Selection,
  signal: AbortSignal,
  itemOf: Keep<Item>,
): Promise<{ readonly type: 'read'; readonly value: Listed<Item> } | Unreadable> {
  const { fieldSelector } = selection;
  let { reading } = selection;
  let limit = pageSize;
  let isOlder = false;
  let { api } = selection;
  for (let round = 0; ; round += 1) {
    const pages = await readPages(call, kind, { ...selection, reading, api }, limit, signal, itemOf);
    if (pages.type === 'read') return { type: 'read', value: { ...pages.value, isOlder } };
    if (pages.type === 'too-old') {
      reading = cachedList;
      isOlder = true;
    } else if (pages.type === 'expired') {
      if (round >= restarts) return pages.failure;
    } else if (pages.because === 'not-served' && api === undefined && olderVersionOf(kind) !== undefined) {
      api = olderVersionOf(kind);
    } else if (pages.because !== 'too-large') {
      return pages;
    } else if (isCacheRead(reading) && fieldSelector === undefined) {
      reading = { type: 'stored' };
    } else if (limit > smallPageSize) {
      limit = smallPageSize;
    } else {
      return pages;
    }
  }
}

function isCacheRead({ type }: ListReading): boolean {
  return type === 'cached' || type === 'not-older-than';
}

type Pages<Item> =
  | { readonly type: 'read'; readonly value: Omit<Listed<Item>, 'isOlder'> }
  /** The cache has not reached the version that was asked for. */
  | { readonly type: 'too-old' }
  | { readonly type: 'expired'; readonly failure: Unreadable }
  | Unreadable;

async function readPages<Item>(
  call: ApiCall,
  kind: ResourceKind,
  {
    namespace = '',
    labelSelector,
    fieldSelector,
    max = Number.POSITIVE_INFINITY,
    reading,
    api,
  }: Omit<Selection, 'api'> & { readonly api: string | undefined },
  limit: number,
  signal: AbortSignal,
  itemOf: Keep<Item>,
): Promise<Pages<Item>> {
  const items: Item[] = [];
  const left: string[] = [];
  const keep = (item: unknown): void => {
    const parsed = quickSchema(kind).safeParse(boundedEntries(item));
    if (parsed.success) items.push(itemOf(item, parsed.data));
    else left.push(left.length < maxNamed ? problemOf(kind, item, parsed.error) : '');
  };
  let next: string | undefined;
  let isCut = false;
  let resourceVersion = '';
  do {
    const [before, leftBefore] = [items.length, left.length];
    const answer = await patiently(
      (request) => {
        // Asked for again, the same objects come again.
        items.length = before;
        left.length = leftBefore;
        return call(request);
      },
      {
        path: collectionPath(kind, namespace, api),
        query: { ...listQuery(reading, limit, next), labelSelector, fieldSelector },
        ...(kind === 'Node' || kind === 'Pod' ? { accept: protobufOrJson } : {}),
        onItem: (item: unknown) => {
          isCut = items.length >= max || left.length >= maxLeft;
          if (!isCut) keep(item);
          return !isCut;
        },
        signal,
      },
    );
    if ('type' in answer) return answer;
    if (answer.status === 410) return { type: 'expired', failure: unreadable(answer) };
    if (answer.status === 504 && reading.type === 'not-older-than') return { type: 'too-old' };
    if (answer.status !== 200) return unreadable(answer);
    const page = List.safeParse(answer.body);
    if (!page.success) return malformed(kind, page.error);
    for (const item of page.data.items ?? []) keep(item);
    next = page.data.metadata?.continue || undefined;
    resourceVersion = page.data.metadata?.resourceVersion ?? '';
  } while (next !== undefined && items.length < max && !isCut);
  const message = summaryOf(left);
  if (items.length === 0 && left.length > 0) return { type: 'unreadable', because: 'malformed', message };
  const cut = isCut || next !== undefined || items.length > max;
  return {
    type: 'read',
    value: { items: cut ? items.slice(0, max) : items, cut, malformed: message, resourceVersion },
  };
}

/**
 * Sends a read; waits out one 429 that asks for little; a missing answer becomes a value. An answer in
 * protobuf that cannot be read, as something between here and the API server may break it, is asked for once
 * more in JSON.
 */
async function patiently(
  call: ApiCall,
  request: ApiRequest & { readonly signal: AbortSignal },
): Promise<ApiAnswer | Unreadable> {
  try {
    const answer = await call(request);
    const wait = answer.retryAfterMs ?? 1_000;
    if (answer.status !== 429 || wait > patienceMs) return answer;
    await waited(wait, request.signal);
    return await call(request);
  } catch (error) {
    const { accept, onItem: _, ...inJson } = request;
    if (error instanceof MalformedProtobuf && accept !== undefined) return patiently(call, inJson);
    return unanswered(error);
  }
}

/** Also in browsers, which have no timers of Node. Rejects with the reason of an abort. */
function waited(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}

function malformed(kind: ResourceKind, error: z.ZodError, item?: unknown): Unreadable {
  return { type: 'unreadable', because: 'malformed', message: problemOf(kind, item, error) };
}

/** Objects that are named; more of them are counted. */
const maxNamed = 3;
/** With so many objects that do not parse, no more are read. */
const maxLeft = 1_000;
const maxProblem = 300;

const Named = z.object({ metadata: z.object({ namespace: z.string().optional(), name: z.string() }) });

/**
 * `Pod shop/web-1 spec.containers: Invalid input`: the object as far as its name can be read, and its first
 * fault.
 */
function problemOf(kind: ResourceKind, item: unknown, { issues: [first] }: z.ZodError): string {
  const { data } = Named.safeParse(item);
  const { namespace, name } = data?.metadata ?? {};
  const object =
    name === undefined ? kind : `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  const where = first === undefined ? '' : `${first.path.join('.')}: ${first.message}`;
  return `${object} ${where}`.slice(0, maxProblem);
}

function summaryOf(left: readonly string[]): string {
  const named = left.slice(0, maxNamed).join('; ');
  return left.length > maxNamed ? `${named}; and ${left.length - maxNamed} more` : named;
}
