import { type Sight, visibleIn } from '../../core/authorization/view.js';
import { workloadKinds } from '../../core/cluster/workload.js';
import type { NamedWorkload } from '../../core/command/command.js';
import { nearestTo } from '../../core/command/resolve-workload.js';
import { nothingFound } from '../../usecases/clusters/find-in-clusters.js';
import type { Found, NotFound } from '../../usecases/diagnose/cluster-reader.js';
import type { ApiCall } from './api-call.js';
import type { ClusterConnection } from './cluster-connection.js';
import { findChildless } from './find-below.js';
import { findOwner } from './find-owner.js';
import { cachedList, listQuery } from './list-reading.js';
import { collectionPath } from './resource-paths.js';
import { MetadataList, metadataList, namesAtOnce, workloadNames, workloadsNamed } from './workload-names.js';

/**
 * All workloads of one cluster that a name may mean; what the sight does not cover is left out before
 * anything is decided, with the same requests.
 */
export async function findWorkload(
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
  if (query.kind === undefined) {
    const childless = await findChildless(connection, query, isVisible, signal);
    if (childless !== undefined) {
      return { type: 'not-found', what: 'below', name: wanted, nearest: [], childless };
    }
  }
  if (query.owner !== undefined) {
    return { type: 'not-found', what: 'workload', name: wanted, nearest: [] };
  }
  const all = await workloadNames(call, kinds, namespace, signal, isVisible);
  if ('type' in all) return nothingFound(query.name);
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
