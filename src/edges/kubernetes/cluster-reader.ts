import { compareText } from '../../engine/collections/collections.js';
import { type ClusterIndex, indexObjects } from '../../engine/objects/cluster-index.js';
import {
  byNamespaceAndName,
  ownedWorkloads,
  type ResourceKind,
  withReferencedTemplates,
} from '../../engine/objects/cluster-objects.js';
import { hasNode, type Pod } from '../../engine/objects/pod.js';
import type { ContainerLog } from '../../engine/objects/snapshot.js';
import type { AddOnKind, Workload } from '../../engine/objects/workload.js';
import { addOnAbove, hasSteps, isAddOn, workloadKinds } from '../../engine/objects/workload.js';
import { rolloutStateIn } from '../../engine/workloads/rollout-state.js';
import { findInClusters } from '../../service/clusters/find-in-clusters.js';
import type {
  ClusterReader,
  Needs,
  NotFound,
  Scope,
  ScopeQuery,
  Unreadable,
} from '../../service/diagnose/cluster-reader.js';
import type { Clock } from '../../service/records/process-ports.js';
import { type ApiCall, unanswered, unreadable } from './api-call.js';
import type { ClusterConnection } from './cluster-connection.js';
import { createClusterNames } from './cluster-names.js';
import type { PodCache } from './crash-watch/pod-cache.js';
import { createGathering, type Gathering, inTurns } from './gathering.js';
import { cachedList, diagnosisBudget, type ReadBudget, withReadBudget } from './list-reading.js';
import { manyRequests, within } from './locate-workloads.js';
import type { NodeCache } from './node-watch/node-cache.js';
import {
  readAutoscalerStatus,
  readNodePools,
  readPodGroups,
  readQueues,
  readVerticalAutoscalers,
} from './read-add-ons.js';
import type { ConfigMetadata } from './read-dependencies.js';
import { readLogs } from './read-dependencies.js';
import { listObjects } from './read-objects.js';
import { readServerVersion } from './read-own.js';
import { readPodsByNode } from './read-pods-by-node.js';
import { readSnapshot, waitingPods } from './read-snapshot.js';
import { relevantNodes } from './relevant-nodes.js';
import { objectPath, resourcePaths } from './resource-paths.js';

export interface ClusterReaderDeps {
  readonly connections: readonly ClusterConnection[];
  readonly clock: Clock;
  /** Deadline of a whole look, in milliseconds. */
  readonly timeoutMs: number;
  /** Deadline for finding a name, in milliseconds: somebody waits for it. */
  readonly findTimeoutMs: number;
  /** Of one diagnosis; `diagnosisBudget` when absent. */
  readonly budget?: ReadBudget;
  /** Of one scope; without it a scope may take as many reads as it needs. */
  readonly scopeBudget?: ReadBudget;
  /** Nodes that a watch keeps: they are not listed then. */
  readonly nodes?: Pick<NodeCache, 'nodes'>;
  /** Pods that a watch keeps: those of most nodes are not listed then. */
  readonly pods?: Pick<PodCache, 'podsByNode'>;
  /** None when left out. */
  readonly configMetadata?: ConfigMetadata;
}

/**
 * Reads clusters; never writes. Each read has a deadline, and a cluster that is down delays only its own
 * answers.
 */
export function createClusterReader(deps: ClusterReaderDeps): ClusterReader {
  const {
    connections,
    clock,
    timeoutMs,
    findTimeoutMs,
    budget = diagnosisBudget,
    scopeBudget,
    nodes,
    pods,
    configMetadata = [],
  } = deps;
  const connectionOf = (cluster: string): ClusterConnection | NotFound =>
    connections.find(({ name }) => name === cluster) ?? {
      type: 'not-found',
      what: 'cluster',
      name: cluster,
      nearest: [],
    };
  const names = connections.map(createClusterNames);
  return {
    clusters: connections.map(({ name }) => name),
    find: (query, sight, signal) => findInClusters(names, query, sight, within(findTimeoutMs, signal)),
    async snapshot(ref, needs, signal) {
      const connection = connectionOf(ref.cluster);
      if ('type' in connection) return connection;
      return readSnapshot(withReadBudget(connection.call, budget), ref, needs, {
        signal: within(timeoutMs, signal),
        now: () => clock.now(),
        watchedNodes: () => nodes?.nodes(ref.cluster),
        watchedPods: async (notOlderThan, isPatient) =>
          pods?.podsByNode(ref.cluster, notOlderThan, isPatient),
        configMetadata,
      });
    },
    async scope(query, needs, signal, onProgress) {
      const connection = connectionOf(query.cluster);
      if ('type' in connection) return connection;
      const call = scopeBudget === undefined ? connection.call : withReadBudget(connection.call, scopeBudget);
      manyRequests(signal);
      return readScope(call, query, needs, { signal, now: () => clock.now(), onProgress });
    },
  };
}

/** Lists that run at the same time. */
const listsAtOnce = 6;
/** Reads of one node's pods that run at the same time. */
const nodesAtOnce = 16;
/** From so many nodes on, one list of all pods costs the API server less than a list for each node. */
const nodesOneByOne = 200;
/** Objects of one kind that are read; what is beyond is said to be unseen. */
const maxObjects = 200_000;

/**
 * Reads each kind once, in place of once a workload: the kinds of the namespace, those of the cluster, and
 * the pods on the nodes that bear on the namespace's pods.
 */
async function readScope(
  call: ApiCall,
  { cluster, namespace, planned = [] }: ScopeQuery,
  needs: Needs,
  {
    signal,
    now,
    onProgress,
  }: { signal: AbortSignal; now: () => Date; onProgress: ((done: number, of: number) => void) | undefined },
): Promise<Scope | NotFound | Unreadable> {
  if (namespace !== '' && planned.length === 0) {
    const missing = await missingNamespace(call, namespace, signal);
    if (missing !== undefined) return missing;
  }
  const gathering = createGathering(call, signal);
  const kinds = kindsOf(needs);
  let done = 0;
  await inTurns(listsAtOnce, kinds, async (kind) => {
    const scope = resourcePaths[kind].namespaced ? { namespace } : {};
    if (kind === 'PersistentVolumeClaim') await readClaims(call, gathering, namespace, signal);
    else if (kind === 'Namespace' && namespace !== '')
      await gathering.get(kind, { namespace: '', name: namespace });
    else await gathering.list(kind, { ...scope, max: maxObjects });
    done += 1;
    onProgress?.(done, kinds.length);
  });
  for (const kind of workloadKinds.filter(isAddOn)) {
    await readAddOn(call, gathering, { kind, namespace }, signal);
  }
  // What their autoscaler keeps stands in the revisions alone.
  if (gathering.objects().KnativeService.length > 0) {
    await gathering.list('Revision', { namespace, max: maxObjects });
  }
  const refused = gathering.unseen().filter(({ what }) => appsKinds.some((kind) => kind === what));
  const [first] = refused;
  if (first !== undefined && refused.length === appsKinds.length) {
    return { type: 'unreadable', because: first.because, message: first.message };
  }
  const readOn =
    namespace === '' ? undefined : await readNeighbours(call, gathering, { namespace, planned }, signal);

  await readNodePools(gathering, podsOfNamespace(gathering, namespace));
  await readQueues(gathering, podsOfNamespace(gathering, namespace));
  await readVerticalAutoscalers(
    call,
    gathering,
    { own: podsOfNamespace(gathering, namespace), namespaces: [namespace] },
    signal,
  );
  await readPodGroups(call, gathering, [...podsOfNamespace(gathering, namespace), ...planned], signal);
  await readAutoscalerStatus(call, gathering, podsOfNamespace(gathering, namespace), signal);
  const serverVersion = await readServerVersion(call, gathering, signal, { forWords: planned.length > 0 });
  const index = indexObjects(withReferencedTemplates(gathering.objects()), readOn, serverVersion);
  const workloads = [...ownedWorkloads(index.objects)]
    .filter(({ metadata }) => namespace === '' || metadata.namespace === namespace)
    .sort((a, b) => byNamespaceAndName(a, b) || compareText(a.kind, b.kind));
  const takenAt = now().toISOString();
  const logs: readonly ContainerLog[] = needs.has('PodLog')
    ? (
        await inTurns(2, workloads, (workload) =>
          readLogs(call, gathering, podsOf(index, workload, takenAt), signal),
        )
      ).flat()
    : [];
  const unseen = gathering.unseen();
  return {
    type: 'scope',
    takenAt,
    index,
    unseen,
    snapshots: workloads.map((workload) => ({ takenAt, cluster, workload, index, logs, unseen })),
  };
}

/** Kinds that every cluster serves. */
const appsKinds = workloadKinds.filter((kind) => !isAddOn(kind));

/**
 * Workloads of an add-on, where the cluster has their controller. The API server refuses a kind without
 * saying whether it serves it, so a refusal counts only where another object belongs to one.
 */
async function readAddOn(
  call: ApiCall,
  gathering: Gathering,
  { kind, namespace }: { kind: AddOnKind; namespace: string },
  signal: AbortSignal,
): Promise<void> {
  const selection = { namespace, max: maxObjects, reading: cachedList };
  const listed = await listObjects(call, kind, selection, signal);
  if (listed.type === 'unreadable') {
    if (listed.because === 'not-served') return;
    const { ReplicaSet, StatefulSet, Deployment, Pod } = gathering.objects();
    const isUsed = [...ReplicaSet, ...StatefulSet, ...Deployment, ...Pod].some(
      (each) => addOnAbove(each) === kind,
    );
    if (isUsed || listed.because !== 'forbidden') gathering.miss(kind, namespace, listed);
    return;
  }
  const { items, cut, malformed } = listed.value;
  gathering.keep(kind, items);
  if (cut) gathering.miss(kind, namespace, { because: 'too-many', message: '' });
  if (malformed !== '') gathering.miss(kind, namespace, { because: 'malformed', message: malformed });
  if (hasSteps({ kind }) && items.length > 0) {
    await gathering.list('Service', { namespace, max: maxObjects });
  }
}

/** Claims that are read one by one where they may not be listed. */
const maxClaims = 500;

/**
 * The shipped rights let claims be read, not listed: then those that the pods name are read, one by one. More
 * than a bound of them stay unseen.
 */
async function readClaims(
  call: ApiCall,
  gathering: Gathering,
  namespace: string,
  signal: AbortSignal,
): Promise<void> {
  const kind = 'PersistentVolumeClaim';
  const selection = { namespace, max: maxObjects, reading: cachedList };
  const listed = await listObjects(call, kind, selection, signal);
  if (listed.type === 'read') {
    gathering.keep(kind, listed.value.items);
    const { cut, malformed } = listed.value;
    if (cut) gathering.miss(kind, namespace, { because: 'too-many', message: '' });
    if (malformed !== '') gathering.miss(kind, namespace, { because: 'malformed', message: malformed });
    return;
  }
  if (listed.type !== 'unreadable' || listed.because !== 'forbidden') {
    if (listed.type === 'unreadable') gathering.miss(kind, namespace, listed);
    return;
  }
  const pods = await gathering.list('Pod', { namespace, max: maxObjects });
  const named = new Map(
    pods.flatMap(({ metadata, spec }) =>
      spec.volumes.flatMap(({ persistentVolumeClaim }) => {
        const name = persistentVolumeClaim?.claimName;
        const at = { namespace: metadata.namespace, name: name ?? '' };
        return name === undefined ? [] : [[`${at.namespace}/${name}`, at] as const];
      }),
    ),
  );
  const claims = [...named.values()];
  if (claims.length > maxClaims) gathering.miss(kind, namespace, { because: 'too-many', message: '' });
  await inTurns(nodesAtOnce, claims.slice(0, maxClaims), (at) => gathering.get(kind, at));
}

function podsOfNamespace(gathering: Gathering, namespace: string): readonly Pod[] {
  const { Pod } = gathering.objects();
  return namespace === '' ? Pod : Pod.filter(({ metadata }) => metadata.namespace === namespace);
}

function kindsOf(needs: Needs): readonly ResourceKind[] {
  const kinds = new Set<ResourceKind>([...appsKinds, 'ReplicaSet', 'Pod', 'ControllerRevision']);
  for (const need of needs) if (need !== 'PodLog') kinds.add(need);
  return [...kinds];
}

/**
 * Pods of other namespaces on the nodes that matter, and those that wait for a place.
 *
 * @returns names of the nodes whose pods were all read; `undefined`: of every node
 */
async function readNeighbours(
  call: ApiCall,
  gathering: Gathering,
  { namespace, planned }: { namespace: string; planned: readonly Pod[] },
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  const objects = gathering.objects();
  const own = podsOfNamespace(gathering, namespace);
  const names = relevantNodes(objects, [...planned, ...own], objects.Node);
  const readOn = await readPods(gathering, names);
  const others = gathering
    .objects()
    .Pod.filter((pod) => pod.metadata.namespace !== namespace && hasNode(pod))
    .map(({ metadata }) => metadata.namespace);
  if (others.length > 0) await readAutoscalers(call, gathering, [...new Set(others)].sort(), signal);
  return readOn;
}

/** Other namespaces that are named where their autoscalers cannot be read. */
const maxUnread = 12;

/**
 * An autoscaler of another namespace may stop a pod that holds a place. One list reads them all; a failure
 * counts for the namespaces of those pods, since the autoscalers of the scanned one are read already.
 */
async function readAutoscalers(
  call: ApiCall,
  gathering: Gathering,
  namespaces: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const kind = 'HorizontalPodAutoscaler';
  const listed = await listObjects(call, kind, { max: maxObjects, reading: cachedList }, signal);
  const miss = (failure: Parameters<Gathering['miss']>[2]): void => {
    for (const namespace of namespaces.slice(0, maxUnread)) gathering.miss(kind, namespace, failure);
  };
  if (listed.type === 'unreadable') {
    if (listed.because !== 'not-served') miss(listed);
    return;
  }
  const { items, cut, malformed } = listed.value;
  gathering.keep(kind, items);
  if (cut) miss({ because: 'too-many', message: '' });
  if (malformed !== '') miss({ because: 'malformed', message: malformed });
}

async function readPods(
  gathering: Gathering,
  names: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  if (names.length > nodesOneByOne) {
    await gathering.list('Pod', { max: maxObjects });
    return undefined;
  }
  await gathering.list('Pod', { fieldSelector: waitingPods, max: maxObjects });
  return readPodsByNode(gathering, names, { atOnce: nodesAtOnce });
}

async function missingNamespace(
  call: ApiCall,
  name: string,
  signal: AbortSignal,
): Promise<NotFound | Unreadable | undefined> {
  try {
    const answer = await call({ path: objectPath('Namespace', '', name), signal });
    if (answer.status === 404) return { type: 'not-found', what: 'namespace', name, nearest: [] };
    // Who may not read namespaces may still read what is in one.
    return answer.status === 200 || answer.status === 403 ? undefined : unreadable(answer);
  } catch (error) {
    return unanswered(error);
  }
}

function podsOf(index: ClusterIndex, workload: Workload, takenAt: string): readonly Pod[] {
  return rolloutStateIn(index, workload, Date.parse(takenAt)).pods;
}
