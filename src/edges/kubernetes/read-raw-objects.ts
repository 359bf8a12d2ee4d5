import * as z from 'zod';
import { compareText } from '../../engine/collections/collections.js';
import { apiKindOf, type ResourceKind } from '../../engine/objects/cluster-objects.js';
import { serverVersionIn, versionText } from '../../engine/objects/release-rules.js';
import type { Unseen } from '../../engine/objects/snapshot.js';
import type { JsonObject } from '../../engine/objects/wire.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import type { NotFound, Unreadable } from '../../service/diagnose/cluster-reader.js';
import { type ApiCall, unanswered, unreadable } from './api-call.js';
import { inTurns } from './gathering.js';
import { cachedList } from './list-reading.js';
import {
  listRawObjects,
  namespaceOfNodeEvents,
  nodeWarnings,
  readObject,
  reasonsOfNodes,
} from './read-objects.js';
import { otherApis, resourcePaths } from './resource-paths.js';

/** Lists that run at the same time. */
const listsAtOnce = 4;
/** Objects of one kind; what is beyond is noted as unread. */
const maxObjects = 200_000;

/** The namespace that every cluster has; its uid tells clusters apart. */
const everyCluster = 'kube-system';

/** A kind that could not be read, in a namespace or in all. */
type UnreadKind = Unseen & { readonly what: ResourceKind | 'ServerVersion' };

/** The objects of a cluster as the API server sent them, with kind and apiVersion. */
interface RawObjects {
  readonly type: 'objects';
  /** By kind in the order of the kinds, then by namespace and name. */
  readonly objects: readonly JsonObject[];
  readonly unread: readonly UnreadKind[];
  readonly gitVersion: string | undefined;
  /** The uid of the namespace kube-system; '' where it could not be read. */
  readonly clusterId: string;
}

interface RawQuery {
  readonly kinds: readonly ResourceKind[];
  /** '' for all. Pods are listed in all namespaces in any case: they use the nodes together. */
  readonly namespace: string;
  readonly signal: AbortSignal;
  /** Lists read, of how many. */
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * Lists every kind once. A list that fails is noted as unread; without any workload kind there is no answer.
 */
export async function readRawObjects(
  call: ApiCall,
  { kinds, namespace, signal, onProgress }: RawQuery,
): Promise<RawObjects | NotFound | Unreadable> {
  const unread: UnreadKind[] = [];
  const miss = (
    what: UnreadKind['what'],
    where: string,
    failure: Pick<Unseen, 'because' | 'message'>,
  ): void => {
    unread.push({ what, namespace: where, because: failure.because, message: failure.message });
  };
  if (namespace !== '') {
    const read = await readObject(call, 'Namespace', { namespace: '', name: namespace }, signal);
    if (read.type === 'missing') {
      return { type: 'not-found', what: 'namespace', name: namespace, nearest: [] };
    }
    if (read.type === 'unreadable' && read.because !== 'forbidden') return read;
  }
  const byKind = new Map<ResourceKind, readonly JsonObject[]>();
  let done = 0;
  await inTurns(listsAtOnce, kinds, async (kind) => {
    byKind.set(kind, await listed(kind));
    done += 1;
    onProgress?.(done, kinds.length);
  });
  // Nodes are recorded whatever the namespace.
  const events = byKind.get('Event');
  if (events !== undefined && namespace !== '' && namespace !== namespaceOfNodeEvents) {
    const reads = await Promise.all(
      reasonsOfNodes.map((reason) => listRawObjects(call, 'Event', nodeWarnings(reason), signal)),
    );
    const items = reads.flatMap((read) => (read.type === 'unreadable' ? [] : read.value.items));
    byKind.set('Event', [...events, ...items.map((item) => named('Event', item as JsonObject))]);
  }
  const refused = unread.filter(({ what }) => workloadKinds.some((kind) => kind === what));
  const [first] = refused;
  if (first !== undefined && workloadKinds.every((kind) => refused.some(({ what }) => what === kind))) {
    return { type: 'unreadable', because: first.because, message: first.message };
  }
  const [gitVersion, clusterId] = [await readVersion(), await readClusterId()];
  const objects = kinds.flatMap((kind) => byPlace(byKind.get(kind) ?? []));
  return { type: 'objects', objects, unread, gitVersion, clusterId };

  async function listed(kind: ResourceKind): Promise<readonly JsonObject[]> {
    const own = await listedAs(kind);
    const others: (readonly JsonObject[])[] = [];
    for (const api of otherApis[kind] ?? []) others.push(await listedAs(kind, api));
    return [...own, ...others.flat()];
  }

  async function listedAs(kind: ResourceKind, api?: string): Promise<readonly JsonObject[]> {
    const { namespaced } = resourcePaths[kind];
    const where = namespaced && kind !== 'Pod' ? namespace : '';
    const first = await list(kind, where, api);
    // Who may not list the pods of all namespaces may list those of one.
    const own = kind === 'Pod' && namespace !== '' && first.type === 'unreadable';
    if (first.type === 'unreadable' && first.because !== 'not-served') miss(kind, where, first);
    const read = own ? await list(kind, namespace) : first;
    if (own && read.type === 'unreadable') miss(kind, namespace, read);
    if (read.type === 'unreadable') return [];
    const { items, cut, malformed } = read.value;
    if (cut) miss(kind, where, { because: 'too-many', message: '' });
    if (malformed !== '') miss(kind, where, { because: 'malformed', message: malformed });
    return items.map((item) => named(kind, item as JsonObject, api));
  }

  function list(kind: ResourceKind, where: string, api?: string) {
    const selection = { namespace: where, max: maxObjects, reading: cachedList };
    return listRawObjects(call, kind, api === undefined ? selection : { ...selection, api }, signal);
  }

  async function readVersion(): Promise<string | undefined> {
    try {
      const answer = await call({ path: '/version', signal });
      const version = answer.status === 200 ? serverVersionIn(answer.body) : undefined;
      if (version === undefined) miss('ServerVersion', '', unreadable(answer));
      return version === undefined ? undefined : versionText(version);
    } catch (error) {
      miss('ServerVersion', '', unanswered(error));
      return undefined;
    }
  }

  async function readClusterId(): Promise<string> {
    const read = await readObject(call, 'Namespace', { namespace: '', name: everyCluster }, signal);
    return read.type === 'read' ? read.value.metadata.uid : '';
  }
}

/** Items of a list come without kind and apiVersion. */
function named(kind: ResourceKind, item: JsonObject, api?: string): JsonObject {
  const { group, version } = resourcePaths[kind];
  const apiVersion = api ?? (group === '' ? version : `${group}/${version}`);
  return { ...item, apiVersion, kind: apiKindOf(kind) };
}

const Placed = z.object({
  metadata: z.object({ namespace: z.string().optional(), name: z.string().optional() }).optional(),
});

function byPlace(objects: readonly JsonObject[]): readonly JsonObject[] {
  return objects
    .map((object) => {
      const { namespace = '', name = '' } = Placed.safeParse(object).data?.metadata ?? {};
      return { namespace, name, object };
    })
    .sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name))
    .map(({ object }) => object);
}
