import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { type WorkloadKind, type WorkloadRef, workloadKinds } from '../../core/cluster/workload.js';
import type { Found, NotFound, Unreadable, WorkloadQuery } from '../../usecases/ports.js';
import { type ApiCall, unanswered, unreadable } from './api-call.js';
import type { ClusterConnection } from './cluster-connection.js';
import { collectionPath } from './resource-paths.js';

const metadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

const MetadataList = z.object({
  items: z
    .array(z.object({ metadata: z.object({ name: z.string(), namespace: z.string().default('') }) }))
    .nullish(),
});

/** Names looked at for near misses; more would cost more than the hint is worth. */
const nearestAmong = 1_000;
const nearestShown = 5;

interface Named {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
}

/**
 * All workloads that a name may mean, asked of all clusters at once unless one is named. A cluster that does not
 * answer is only reported when no other one knows the name.
 */
export async function findWorkload(
  connections: readonly ClusterConnection[],
  query: WorkloadQuery,
  signal: AbortSignal,
): Promise<Found> {
  const asked =
    query.cluster === undefined ? connections : connections.filter(({ name }) => name === query.cluster);
  if (asked.length === 0) {
    const names = connections.map(({ name }) => name);
    return {
      type: 'not-found',
      what: 'cluster',
      name: query.cluster ?? '',
      nearest: nearest(query.cluster ?? '', names),
    };
  }
  const answers = await Promise.all(asked.map((connection) => findIn(connection, query, signal)));
  const workloads = answers.flatMap((answer) => (answer.type === 'found' ? answer.workloads : []));
  if (workloads.length > 0) return { type: 'found', workloads };
  const failed = answers.find((answer) => answer.type === 'unreadable');
  if (failed !== undefined) return failed;
  const missing = answers.filter((answer): answer is NotFound => answer.type === 'not-found');
  return missing.find(({ what }) => what === 'workload') ?? missing[0] ?? nothing(query.name);
}

async function findIn(
  { name: cluster, call }: ClusterConnection,
  query: WorkloadQuery,
  signal: AbortSignal,
): Promise<Found> {
  const kinds = query.kind === undefined ? workloadKinds : [query.kind];
  const namespace = query.namespace ?? '';
  const exact = await namesOf(call, kinds, namespace, signal, `metadata.name=${query.name}`);
  if ('type' in exact) return exact;
  if (exact.length > 0) {
    const workloads = exact.map((named): WorkloadRef => ({ cluster, ...named }));
    return { type: 'found', workloads };
  }
  if (namespace !== '') {
    const missing = await missingNamespace(call, namespace, signal);
    if (missing !== undefined) return missing;
  }
  const all = await namesOf(call, kinds, namespace, signal);
  if ('type' in all) return nothing(query.name);
  const names = all.map((named) => `${named.namespace}/${named.name}`);
  const wanted = namespace === '' ? query.name : `${namespace}/${query.name}`;
  return {
    type: 'not-found',
    what: 'workload',
    name: wanted,
    nearest: nearest(query.name, names, (each) => each.slice(each.indexOf('/') + 1)),
  };
}

async function namesOf(
  call: ApiCall,
  kinds: readonly WorkloadKind[],
  namespace: string,
  signal: AbortSignal,
  fieldSelector?: string,
): Promise<readonly Named[] | Unreadable> {
  const lists = await Promise.all(
    kinds.map(async (kind): Promise<readonly Named[] | Unreadable> => {
      try {
        const answer = await call({
          path: collectionPath(kind, namespace),
          query: { limit: nearestAmong, fieldSelector },
          accept: metadataList,
          signal,
        });
        if (answer.status !== 200) return unreadable(answer);
        const parsed = MetadataList.safeParse(answer.body);
        if (!parsed.success) return { type: 'unreadable', because: 'malformed', message: '' };
        return (parsed.data.items ?? []).map(({ metadata }) => ({ kind, ...metadata }));
      } catch (error) {
        return unanswered(error);
      }
    }),
  );
  const found = lists.flatMap((each) => ('type' in each ? [] : each));
  if (found.length > 0) return found;
  return lists.find((each): each is Unreadable => 'type' in each) ?? [];
}

async function missingNamespace(
  call: ApiCall,
  namespace: string,
  signal: AbortSignal,
): Promise<NotFound | undefined> {
  try {
    const answer = await call({
      path: collectionPath('Namespace', ''),
      query: { limit: nearestAmong },
      accept: metadataList,
      signal,
    });
    const parsed = MetadataList.safeParse(answer.body);
    if (answer.status !== 200 || !parsed.success) return undefined;
    const names = (parsed.data.items ?? []).map(({ metadata }) => metadata.name);
    if (names.includes(namespace)) return undefined;
    return { type: 'not-found', what: 'namespace', name: namespace, nearest: nearest(namespace, names) };
  } catch {
    return undefined;
  }
}

/** Names ordered by edit distance, those too far to be a slip left out. */
function nearest(
  wanted: string,
  names: readonly string[],
  part: (name: string) => string = (name) => name,
): string[] {
  const limit = Math.max(2, Math.ceil(wanted.length / 3));
  return names
    .map((name) => ({ name, steps: part(name).includes(wanted) ? 1 : distance(wanted, part(name)) }))
    .filter(({ steps }) => steps <= limit)
    .sort((a, b) => a.steps - b.steps || (a.name < b.name ? -1 : 1))
    .slice(0, nearestShown)
    .map(({ name }) => name);
}

function nothing(name: string): NotFound {
  return { type: 'not-found', what: 'workload', name, nearest: [] };
}
