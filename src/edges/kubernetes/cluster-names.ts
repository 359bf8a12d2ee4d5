import type { NamedPod } from '../../doctor/alerts/subject.js';
import type { NamedWorkload } from '../../doctor/commands/command.js';
import { nearestTo } from '../../doctor/commands/resolve-workload.js';
import type { MemberKind } from '../../doctor/commands/workload-kind.js';
import { type Sight, visibleIn } from '../../doctor/policy/view.js';
import { controllerOf } from '../../engine/objects/metadata.js';
import { isReady, isTerminal, type Pod } from '../../engine/objects/pod.js';
import {
  hasPodPerNode,
  kindWithParts,
  namesRevision,
  WorkloadKind,
  type WorkloadRef,
  workloadKinds,
} from '../../engine/objects/workload.js';
import type { Located } from '../../service/alerts/alert-ports.js';
import type { ClusterNames } from '../../service/clusters/find-in-clusters.js';
import { noneOf, nothingFound } from '../../service/clusters/find-in-clusters.js';
import type { Found, NotFound, Unreadable } from '../../service/diagnose/cluster-reader.js';
import type { ApiCall } from './api-call.js';
import type { ClusterConnection } from './cluster-connection.js';
import { type NamedOwner, ownerAbove } from './controller-above.js';
import { findChildless } from './controllers-above-and-below.js';
import { inTurns } from './gathering.js';
import { cachedList, listQuery } from './list-reading.js';
import { listObjects } from './read-objects.js';
import { collectionPath } from './resource-paths.js';
import { MetadataList, metadataList, namesAtOnce, workloadNames, workloadsNamed } from './workload-names.js';

/** Reads at the same time for one answer. */
const atOnce = 6;
/** Pods looked at for who suffers; kubelets hold 110 unless configured. */
const maxPods = 500;

/** What one cluster answers about names, read with the rights of this process. */
export function createClusterNames(connection: ClusterConnection): ClusterNames {
  return {
    cluster: connection.name,
    find: (query, sight, signal) => findWorkload(connection, query, sight, signal),
    named: (query, sight, signal) => workloadsNamed(connection, query, sight, signal).then(located),
    ownerOf: (pod, sight, signal) => ownerIn(connection, pod, sight, signal),
    suffering: (place, sight, signal) =>
      suffering(
        connection,
        'node' in place ? { fieldSelector: `spec.nodeName=${place.node}` } : { namespace: place.namespace },
        sight,
        signal,
      ),
  };
}

/** The pod by name, in all namespaces where none is said, and its controllers up to a workload. */
async function ownerIn(
  connection: ClusterConnection,
  { namespace = '', name }: NamedPod,
  sight: Sight,
  signal: AbortSignal,
): Promise<Located | Unreadable> {
  const read = await listObjects(
    connection.call,
    'Pod',
    {
      namespace,
      fieldSelector: `metadata.name=${name}`,
      max: maxPods,
      reading: namespace === '' ? cachedList : { type: 'one-object' },
    },
    signal,
  );
  return read.type === 'unreadable' ? read : ownersOf(connection, read.value.items, sight, signal);
}

async function suffering(
  connection: ClusterConnection,
  selection: { readonly namespace?: string; readonly fieldSelector?: string },
  sight: Sight,
  signal: AbortSignal,
): Promise<Located | Unreadable> {
  const read = await listObjects(
    connection.call,
    'Pod',
    { ...selection, max: maxPods, reading: cachedList },
    signal,
  );
  if (read.type === 'unreadable') return read;
  const pods = read.value.items.filter((pod) => !isTerminal(pod) && !isReady(pod));
  const found = await ownersOf(connection, pods, sight, signal);
  return found.type === 'unreadable' ? found : { ...found, workloads: movableFirst(found.workloads) };
}

/** A DaemonSet's pod stays on its node: it suffers with it, and no rollout of it is to blame. */
function movableFirst(workloads: readonly WorkloadRef[]): readonly WorkloadRef[] {
  const stays = ({ kind }: WorkloadRef): number => (hasPodPerNode({ kind }) ? 1 : 0);
  return [...workloads].sort((left, right) => stays(left) - stays(right));
}

async function ownersOf(
  { name: cluster, call }: ClusterConnection,
  pods: readonly Pod[],
  sight: Sight,
  signal: AbortSignal,
): Promise<Located | Unreadable> {
  const visible = pods.filter(
    ({ metadata }) => visibleIn(sight, { cluster, namespace: metadata.namespace }).workload,
  );
  const owners = new Map(
    visible.map((pod): [string, Pod] => {
      const { namespace, name } = pod.metadata;
      const owner = controllerOf(pod) ?? { kind: 'Pod', name };
      return [`${namespace}/${owner.kind}/${owner.name}`, pod];
    }),
  );
  const found = await inTurns(atOnce, [...owners.values()], async (pod): Promise<NamedOwner | Unreadable> => {
    const { namespace, name } = pod.metadata;
    const { kind, name: owner } = controllerOf(pod) ?? { kind: 'Pod', name };
    return (await ownerAbove(call, pod, signal)) ?? { kind, namespace, name: owner };
  });
  const known = found.flatMap((each) => ('type' in each ? [] : [each]));
  const unreadable = found.find((each): each is Unreadable => 'type' in each);
  if (known.length === 0 && unreadable !== undefined) return unreadable;
  const workloads = new Map<string, WorkloadRef>();
  const others = new Map<string, NamedOwner>();
  for (const owner of known) {
    const key = `${owner.namespace}/${owner.kind}/${owner.name}`;
    const kind = WorkloadKind.safeParse(owner.kind);
    if (kind.success) workloads.set(key, { cluster, ...owner, kind: kind.data });
    else others.set(key, owner);
  }
  return { type: 'located', workloads: [...workloads.values()], others: [...others.values()] };
}

function located(found: readonly WorkloadRef[] | Unreadable): Located | Unreadable {
  return 'type' in found ? found : { type: 'located', workloads: found, others: [] };
}

/**
 * All workloads of one cluster that a name may mean; what the sight does not cover is left out before
 * anything is decided, with the same requests.
 */
async function findWorkload(
  connection: ClusterConnection,
  query: NamedWorkload,
  sight: Sight,
  signal: AbortSignal,
): Promise<Found> {
  const { name: cluster, call } = connection;
  const isVisible = (namespace: string) => visibleIn(sight, { cluster, namespace }).workload;
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
  const all = await workloadNames(call, workloadKinds, namespace, signal, isVisible);
  if ('type' in all) return nothingFound(query.name);
  return noneOf(
    query,
    all.map((each) => ({ cluster, ...each })),
  );
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

/** A namespace is expected to hold fewer. */
const maxServices = 500;

/**
 * The services whose status names a revision of this name. The revisions themselves need not be readable.
 */
async function findServices(
  { name: cluster, call }: ClusterConnection,
  { namespace, name }: NamedWorkload,
  member: MemberKind,
  isVisible: (namespace: string) => boolean,
  signal: AbortSignal,
): Promise<Found> {
  const service = kindWithParts(member);
  if (service === undefined) return unowned(member, name);
  const place = namespace === undefined ? {} : { namespace };
  const read = await listObjects(call, service, { ...place, max: maxServices, reading: cachedList }, signal);
  if (read.type === 'unreadable') return read.because === 'not-served' ? unowned(member, name) : read;
  const workloads = read.value.items
    .filter((each) => isVisible(each.metadata.namespace) && namesRevision(each, name))
    .map(({ kind, metadata }) => ({ cluster, kind, namespace: metadata.namespace, name: metadata.name }));
  return workloads.length > 0 ? { type: 'found', workloads } : unowned(member, name);
}

function unowned(member: MemberKind, name: string, ownedBy?: NotFound['ownedBy']): Found {
  const named = `${member.toLowerCase()}/${name}`;
  return { type: 'not-found', what: 'owner', name: named, nearest: [], ...(ownedBy && { ownedBy }) };
}

/**
 * The workloads that own the Pods or ReplicaSets of this name: one read for the object, one more for the
 * ReplicaSet of a Pod. Without a namespace several may have the name.
 *
 * @param isVisible whether the person who asks may see the namespace; objects in others are not found
 */
async function findOwner(
  connection: ClusterConnection,
  query: NamedWorkload,
  isVisible: (namespace: string) => boolean,
  signal: AbortSignal,
): Promise<Found> {
  const { name: cluster, call } = connection;
  const { member = 'Pod', namespace, name } = query;
  if (member === 'RayCluster') return findServices(connection, query, member, isVisible, signal);
  const selection = {
    ...(namespace === undefined ? {} : { namespace }),
    fieldSelector: `metadata.name=${name}`,
    reading: { type: 'one-object' },
  } as const;
  const read = await listObjects(call, member, selection, signal);
  if (read.type === 'unreadable') return read;
  const workloads: WorkloadRef[] = [];
  let ownedBy: NotFound['ownedBy'];
  for (const object of read.value.items) {
    const { namespace: place } = object.metadata;
    const controller = isVisible(place) ? controllerOf(object) : undefined;
    if (controller === undefined) continue;
    const owner = await ownerAbove(call, object, signal);
    if (owner !== undefined && 'type' in owner) return owner;
    const kind = WorkloadKind.safeParse(owner?.kind);
    if (owner !== undefined && !kind.success) ownedBy = { kind: owner.kind, name: owner.name };
    if (owner !== undefined && kind.success) {
      workloads.push({ cluster, kind: kind.data, namespace: place, name: owner.name });
    }
  }
  return workloads.length > 0 ? { type: 'found', workloads } : unowned(member, name, ownedBy);
}
