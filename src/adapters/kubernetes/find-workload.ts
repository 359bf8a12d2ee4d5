import { isClusterVisible, type Sight, visibleIn } from '../../core/authorization/view.js';
import { workloadKinds } from '../../core/cluster/workload.js';
import type { NamedWorkload } from '../../core/command/command.js';
import { nearestTo } from '../../core/command/resolve-workload.js';
import type { Found, NotFound } from '../../usecases/diagnose/cluster-reader.js';
import type { ApiCall } from './api-call.js';
import type { ClusterConnection } from './cluster-connection.js';
import { findOwner } from './find-owner.js';
import { cachedList, listQuery } from './list-reading.js';
import { collectionPath } from './resource-paths.js';
import { MetadataList, metadataList, namesAtOnce, workloadNames, workloadsNamed } from './workload-names.js';

/**
 * All workloads that a name may mean, asked of all clusters at once unless one is named. A cluster that does not
 * answer is only reported when no other one knows the name. What the sight does not cover is left out of each answer
 * before anything is decided, so that it reads like what does not exist and takes the same requests.
 */
export async function findWorkload(
  connections: readonly ClusterConnection[],
  query: NamedWorkload,
  sight: Sight,
  signal: AbortSignal,
): Promise<Found> {
  const visible = connections.filter(({ name }) => isClusterVisible(sight, name));
  const asked = query.cluster === undefined ? visible : visible.filter(({ name }) => name === query.cluster);
  if (asked.length === 0 && query.cluster === undefined) return nothing(query.name);
  if (asked.length === 0) {
    const names = visible.map(({ name }) => name);
    return {
      type: 'not-found',
      what: 'cluster',
      name: query.cluster ?? '',
      nearest: nearestTo(query.cluster ?? '', names, (name) => name),
      known: names,
    };
  }
  const answers = await Promise.all(asked.map((connection) => findIn(connection, query, sight, signal)));
  const workloads = answers.flatMap((answer) => (answer.type === 'found' ? answer.workloads : []));
  if (workloads.length > 0) return { type: 'found', workloads };
  const failed = answers.find((answer) => answer.type === 'unreadable');
  if (failed !== undefined) return failed;
  const missing = answers.filter((answer): answer is NotFound => answer.type === 'not-found');
  return (
    missing.find(({ what }) => what === 'workload' || what === 'owner') ?? missing[0] ?? nothing(query.name)
  );
}

async function findIn(
  connection: ClusterConnection,
  query: NamedWorkload,
  sight: Sight,
  signal: AbortSignal,
): Promise<Found> {
  const { name: cluster, call } = connection;
  const isVisible = (namespace: string) => visibleIn(sight, { cluster, namespace }).workload;
  const kinds = query.kind === undefined ? workloadKinds : [query.kind];
  const namespace = query.namespace ?? '';
  const wanted = namespace === '' ? query.name : `${namespace}/${query.name}`;
  // Decided by the name alone: whether such a namespace exists must not show.
  if (namespace !== '' && !isVisible(namespace)) {
    return (
      (await missingNamespace(call, namespace, isVisible, signal)) ?? {
        type: 'not-found',
        what: 'workload',
        name: wanted,
        nearest: [],
      }
    );
  }
  if (query.member !== undefined) return findOwner(connection, query, isVisible, signal);
  const exact = await workloadsNamed(connection, query, sight, signal);
  if ('type' in exact) return exact;
  if (exact.length > 0) return { type: 'found', workloads: exact };
  if (namespace !== '') {
    const missing = await missingNamespace(call, namespace, isVisible, signal);
    if (missing !== undefined) return missing;
  }
  const all = await workloadNames(call, kinds, namespace, signal, isVisible);
  if ('type' in all) return nothing(query.name);
  const near = nearestTo(query.name, all, ({ name }) => name);
  return {
    type: 'not-found',
    what: 'workload',
    name: wanted,
    nearest: [...new Set(near.map((each) => `${each.namespace}/${each.name}`))],
  };
}

async function missingNamespace(
  call: ApiCall,
  namespace: string,
  isVisible: (namespace: string) => boolean,
  signal: AbortSignal,
): Promise<NotFound | undefined> {
  try {
    const answer = await call({
      path: collectionPath('Namespace', ''),
      query: listQuery(cachedList, namesAtOnce, undefined),
      accept: metadataList,
      signal,
    });
    const parsed = MetadataList.safeParse(answer.body);
    if (answer.status !== 200 || !parsed.success) return undefined;
    const names = (parsed.data.items ?? []).map(({ metadata }) => metadata.name).filter(isVisible);
    if (names.includes(namespace)) return undefined;
    const nearest = nearestTo(namespace, names, (name) => name);
    return { type: 'not-found', what: 'namespace', name: namespace, nearest };
  } catch {
    return undefined;
  }
}

function nothing(name: string): NotFound {
  return { type: 'not-found', what: 'workload', name, nearest: [] };
}
