import * as z from 'zod';
import type { NamedWorkload } from '../../doctor/commands/command.js';
import { type Sight, visibleIn } from '../../doctor/policy/view.js';
import { type KserveKind, kserveKinds } from '../../engine/objects/inference-service.js';
import type { WorkloadKind, WorkloadRef } from '../../engine/objects/workload.js';
import { hasGroups, hasOrdinals, isAddOn, workloadKinds } from '../../engine/objects/workload.js';
import type { Unreadable } from '../../service/diagnose/cluster-reader.js';
import { type ApiCall, unanswered, unreadable } from './api-call.js';
import type { ClusterConnection } from './cluster-connection.js';
import { findBelow } from './controllers-above-and-below.js';
import { type ListReading, listQuery } from './list-reading.js';
import { collectionPath } from './resource-paths.js';

/** Names alone, without the objects. */
export const metadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

export const MetadataList = z.object({
  items: z
    .array(z.object({ metadata: z.object({ name: z.string(), namespace: z.string().default('') }) }))
    .nullish(),
});

/** Names asked for at once for near misses; the API server sends all of them from its cache. */
export const namesAtOnce = 1_000;

type Named = { readonly kind: WorkloadKind; readonly namespace: string; readonly name: string };

/**
 * Workloads of these kinds in namespaces that may be shown: all of them, or those of one name. A kind that
 * cannot be read is only reported when the others have none.
 */
export async function workloadNames(
  call: ApiCall,
  kinds: readonly WorkloadKind[],
  namespace: string,
  signal: AbortSignal,
  isVisible: (namespace: string) => boolean,
  name?: string,
): Promise<readonly Named[] | Unreadable> {
  // One name in one namespace is one key; every other selection would make the API server read the whole
  // collection.
  const reading: ListReading =
    name !== undefined && namespace !== '' ? { type: 'one-object' } : { type: 'cached' };
  const fieldSelector = name === undefined ? undefined : `metadata.name=${name}`;
  const lists = await Promise.all(
    kinds.map(async (kind): Promise<readonly Named[] | Unreadable> => {
      try {
        const answer = await call({
          path: collectionPath(kind, namespace),
          query: { ...listQuery(reading, namesAtOnce, undefined), fieldSelector },
          accept: metadataList,
          signal,
        });
        // The kind belongs to an add-on, whose right is optional.
        if (isAddOn(kind) && isOptionalHere(answer.status, kinds)) return [];
        if (answer.status !== 200) return unreadable(answer);
        const parsed = MetadataList.safeParse(answer.body);
        if (!parsed.success) return { type: 'unreadable', because: 'malformed', message: '' };
        const visible = (parsed.data.items ?? []).filter(({ metadata }) => isVisible(metadata.namespace));
        return visible.map(({ metadata }) => ({ kind, ...metadata }));
      } catch (error) {
        return unanswered(error);
      }
    }),
  );
  const found = lists.flatMap((each) => ('type' in each ? [] : each));
  if (found.length > 0) return found;
  return lists.find((each): each is Unreadable => 'type' in each) ?? [];
}

/** Not served, or refused to somebody who did not ask for this kind. */
function isOptionalHere(status: number, kinds: readonly WorkloadKind[]): boolean {
  return status === 404 || (status === 403 && kinds.length > 1);
}

/** The workloads of a cluster that a query means, as far as the sight covers them. */
export async function workloadsNamed(
  connection: ClusterConnection,
  query: NamedWorkload,
  sight: Sight,
  signal: AbortSignal,
): Promise<readonly WorkloadRef[] | Unreadable> {
  const { kind, owner, namespace = '', name } = query;
  if (owner !== undefined) return belowOwners(connection, query, [owner], sight, signal);
  const kinds = kind === undefined ? workloadKinds : [kind];
  const { name: cluster, call } = connection;
  const isVisible = (each: string) => visibleIn(sight, { cluster, namespace: each }).workload;
  const found = await workloadNames(call, kinds, namespace, signal, isVisible, name);
  if ('type' in found) return found;
  if (found.length === 0 && kind === undefined)
    return belowOwners(connection, query, kserveKinds, sight, signal);
  const groups = new Set(found.filter((each) => hasGroups(each)).map(keyOf));
  // The StatefulSet of the leaders has the name of the LeaderWorkerSet that people own.
  const owned = found.filter((each) => !hasOrdinals(each) || !groups.has(keyOf(each)));
  return owned.map((each) => ({ cluster, ...each }));
}

/** The workloads of all objects of this name and of these kinds. */
async function belowOwners(
  connection: ClusterConnection,
  { namespace, name, parts }: NamedWorkload,
  owners: readonly KserveKind[],
  sight: Sight,
  signal: AbortSignal,
): Promise<readonly WorkloadRef[] | Unreadable> {
  const { name: cluster } = connection;
  const isVisible = (each: string) => visibleIn(sight, { cluster, namespace: each }).workload;
  const asked = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(parts === undefined ? {} : { parts }),
  };
  const found: WorkloadRef[] = [];
  for (const owner of owners) {
    const below = await findBelow(connection, { owner, ...asked }, isVisible, signal);
    if ('type' in below) return below;
    found.push(...below);
  }
  return found;
}

const keyOf = ({ namespace, name }: Named): string => `${namespace}/${name}`;
