import type { NamedWorkload } from '../../doctor/commands/command.js';
import { type ChildlessOwner, childlessOwnerOf } from '../../doctor/findings/owners.js';
import { clusterObjects } from '../../engine/objects/cluster-objects.js';
import { type KserveKind, kserveKinds, kserveLabels } from '../../engine/objects/inference-service.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import { kindsBelow, workloadsBelow } from '../../engine/parents/parent-resource.js';
import type { Unreadable } from '../../service/diagnose/cluster-reader.js';
import type { ClusterConnection } from './cluster-connection.js';
import { cachedList } from './list-reading.js';
import { listObjects } from './read-objects.js';

/** More namespaces than these have no service of one name. */
const maxWorkloads = 200;

/**
 * The workloads of an InferenceService or LLMInferenceService of this name, by the labels that its controller
 * sets. The object itself is not read.
 *
 * @param isVisible whether the person who asks may see the namespace
 */
export async function findBelow(
  { name: cluster, call }: ClusterConnection,
  {
    owner,
    namespace = '',
    name,
    parts,
  }: Pick<NamedWorkload, 'namespace' | 'name' | 'parts'> & { readonly owner: KserveKind },
  isVisible: (namespace: string) => boolean,
  signal: AbortSignal,
): Promise<readonly WorkloadRef[] | Unreadable> {
  const labelSelector = Object.entries(kserveLabels(owner, name))
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const selection = { namespace, labelSelector, max: maxWorkloads, reading: cachedList };
  const lists = await Promise.all(
    kindsBelow.map(async (kind) => ({ kind, read: await listObjects(call, kind, selection, signal) })),
  );
  const failed = lists.find(({ kind, read }) => kind === 'Deployment' && read.type === 'unreadable')?.read;
  if (failed?.type === 'unreadable') return failed;
  const objects = clusterObjects(
    Object.fromEntries(
      lists.map(({ kind, read }) => [kind, read.type === 'unreadable' ? [] : read.value.items]),
    ),
  );
  const below = { kind: owner, namespace: namespace === '' ? undefined : namespace, name };
  return workloadsBelow(objects, below, parts)
    .filter(({ metadata }) => isVisible(metadata.namespace))
    .map(({ kind, metadata }) => ({ cluster, kind, namespace: metadata.namespace, name: metadata.name }));
}

/** Objects of one name in a cluster; more namespaces say nothing new. */
const maxOwners = 20;

/**
 * An object of this name that exists and has no workload, because its controller could not make one or was
 * told to stop. It reports why. `undefined` where there is none, or it may not be read.
 */
export async function findChildless(
  { call }: ClusterConnection,
  { owner, namespace = '', name }: Pick<NamedWorkload, 'owner' | 'namespace' | 'name'>,
  isVisible: (namespace: string) => boolean,
  signal: AbortSignal,
): Promise<ChildlessOwner | undefined> {
  const selection = {
    namespace,
    fieldSelector: `metadata.name=${name}`,
    max: maxOwners,
    reading: cachedList,
  };
  for (const kind of owner === undefined ? kserveKinds : [owner]) {
    const read = await listObjects(call, kind, selection, signal);
    const items = read.type === 'unreadable' ? [] : read.value.items;
    const found = items.find(({ metadata }) => metadata.name === name && isVisible(metadata.namespace));
    if (found !== undefined) return childlessOwnerOf(found);
  }
  return undefined;
}
