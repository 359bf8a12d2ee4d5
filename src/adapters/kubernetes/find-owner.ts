import { controllerOf } from '../../core/cluster/metadata.js';
import { revisionNames } from '../../core/cluster/revisions.js';
import { WorkloadKind, type WorkloadRef } from '../../core/cluster/workload.js';
import type { NamedWorkload } from '../../core/command/command.js';
import type { MemberKind } from '../../core/command/workload-kind.js';
import type { Found } from '../../usecases/diagnose/cluster-reader.js';
import type { ClusterConnection } from './cluster-connection.js';
import { ownerAbove } from './controller-above.js';
import { cachedList } from './list-reading.js';
import { listObjects } from './read-objects.js';

/** A namespace is expected to hold fewer. */
const maxServices = 500;

/**
 * The RayServices whose status names a RayCluster of this name. RayClusters themselves need not be readable.
 */
async function findRayServices(
  { name: cluster, call }: ClusterConnection,
  { namespace, name }: NamedWorkload,
  isVisible: (namespace: string) => boolean,
  signal: AbortSignal,
): Promise<Found> {
  const place = namespace === undefined ? {} : { namespace };
  const read = await listObjects(
    call,
    'RayService',
    { ...place, max: maxServices, reading: cachedList },
    signal,
  );
  if (read.type === 'unreadable') return read.because === 'not-served' ? unowned('RayCluster', name) : read;
  const workloads = read.value.items
    .filter(
      ({ metadata, revisions }) => isVisible(metadata.namespace) && revisionNames(revisions).includes(name),
    )
    .map(({ kind, metadata }) => ({ cluster, kind, namespace: metadata.namespace, name: metadata.name }));
  return workloads.length > 0 ? { type: 'found', workloads } : unowned('RayCluster', name);
}

function unowned(member: MemberKind, name: string): Found {
  return { type: 'not-found', what: 'owner', name: `${member.toLowerCase()}/${name}`, nearest: [] };
}

/**
 * The workloads that own the Pods or ReplicaSets of this name: one read for the object, one more for the
 * ReplicaSet of a Pod. Without a namespace several may have the name.
 *
 * @param isVisible whether the person who asks may see the namespace; objects in others are not found
 */
export async function findOwner(
  connection: ClusterConnection,
  query: NamedWorkload,
  isVisible: (namespace: string) => boolean,
  signal: AbortSignal,
): Promise<Found> {
  const { name: cluster, call } = connection;
  const { member = 'Pod', namespace, name } = query;
  if (member === 'RayCluster') return findRayServices(connection, query, isVisible, signal);
  const selection = {
    ...(namespace === undefined ? {} : { namespace }),
    fieldSelector: `metadata.name=${name}`,
    reading: { type: 'one-object' },
  } as const;
  const read = await listObjects(call, member, selection, signal);
  if (read.type === 'unreadable') return read;
  const workloads: WorkloadRef[] = [];
  for (const object of read.value.items) {
    const { namespace: place } = object.metadata;
    const controller = isVisible(place) ? controllerOf(object) : undefined;
    if (controller === undefined) continue;
    const owner = await ownerAbove(call, object, signal);
    if (owner !== undefined && 'type' in owner) return owner;
    const kind = WorkloadKind.safeParse(owner?.kind);
    if (owner !== undefined && kind.success) {
      workloads.push({ cluster, kind: kind.data, namespace: place, name: owner.name });
    }
  }
  return workloads.length > 0 ? { type: 'found', workloads } : unowned(member, name);
}
