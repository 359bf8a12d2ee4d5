import { indexObjects } from '../../engine/objects/cluster-index.js';
import type { ClusterObjects, ResourceKind } from '../../engine/objects/cluster-objects.js';
import { referencedDeployment, withReferencedTemplate } from '../../engine/objects/cluster-objects.js';
import type { Node } from '../../engine/objects/node.js';
import { hasNode, type Pod } from '../../engine/objects/pod.js';
import type { ContainerLog, Snapshot } from '../../engine/objects/snapshot.js';
import { hasSteps, type Workload, type WorkloadRef } from '../../engine/objects/workload.js';
import { createPlacement } from '../../engine/scheduler/placement.js';
import { implicitDeviceClass, isExtendedResourceName } from '../../engine/scheduler/resource-name.js';
import { serviceNames } from '../../engine/workloads/argo-rollout/service-targets.js';
import type { Needs, NotFound, Unreadable } from '../../service/diagnose/cluster-reader.js';
import type { ApiCall } from './api-call.js';
import { createGathering, type Gathering, inTurns } from './gathering.js';
import type { WatchedNodes } from './node-watch/node-cache.js';
import { readAddOnAbove, readOwners, readServedFields } from './read-above.js';
import {
  readAutoscalerStatus,
  readClaimEvents,
  readNodePools,
  readNodeWarnings,
  readPodGroups,
  readQueues,
  readVerticalAutoscalers,
} from './read-add-ons.js';
import { type ConfigMetadata, readConfigMetadata, readLogs, readNamedInLogs } from './read-dependencies.js';
import { readHolders, readNeighbours } from './read-neighbours.js';
import { readObject } from './read-objects.js';
import {
  keepWorkload,
  readCalledServices,
  readChargedPods,
  readOwn,
  readRefusedOwners,
  readServerVersion,
} from './read-own.js';
import type { AskWatchedPods, WatchedPods } from './read-pods-by-node.js';
import { confirmProof, readPodsByNode, watchedPodsOf } from './read-pods-by-node.js';
import { type Occasion, occasionsOf, plansFor } from './reading-plans.js';
import { isFailing, relevantNodes, withoutNode } from './relevant-nodes.js';

/** Reads that run at the same time against one cluster. */
const atOnce = 16;
/** Pods of all namespaces that have no node yet: they may want the place that becomes free. */
export const waitingPods = 'spec.nodeName=,status.phase=Pending';
/** With more candidates than this no proof is tried: so many lists cost the API server too much. */
const maxProvenNodes = 600;
/** Then the pods of so many are read, which may find room; those of the others are said to be unseen. */
const maxNodes = 100;
/** Further nodes whose pods are read, where only rollouts of others may use them. */
const maxNeighbourNodes = 20;
/** Events of a namespace that are looked through; the API server filters only after reading them all. */
const maxEvents = 5_000;
/** Objects of a kind that a namespace is expected to hold. */
const maxObjects = 2_000;

/**
 * Reads the picture of one workload: itself, what it owns, its namespace, the nodes its waiting pods could
 * use, and the pods on those nodes. Never the pods of the whole cluster. Lists come from the watch cache
 * (`SnapshotAge`).
 *
 * @param signal ends all reads; what was not read by then is `unseen`
 */
export async function readSnapshot(
  call: ApiCall,
  ref: WorkloadRef,
  needs: Needs,
  options: {
    readonly signal: AbortSignal;
    readonly now: () => Date;
    /** All nodes, where a watch has them; else they are listed. */
    readonly watchedNodes?: () => WatchedNodes | undefined;
    /** Pods by node, where a watch has them as new as the lists of pods are. */
    readonly watchedPods?: AskWatchedPods;
    /** None when left out. */
    readonly configMetadata?: ConfigMetadata;
  },
): Promise<{ readonly type: 'snapshot'; readonly snapshot: Snapshot } | NotFound | Unreadable> {
  const { signal, now } = options;
  const at = { namespace: ref.namespace, name: ref.name };
  const found = await readObject(call, ref.kind, at, signal);
  if (found.type === 'missing') {
    return { type: 'not-found', what: 'workload', name: `${ref.namespace}/${ref.name}`, nearest: [] };
  }
  if (found.type === 'unreadable') return found;
  const gathering = createGathering(call, signal);
  const workload = await readWhole(gathering, found.value);
  keepWorkload(gathering, workload);
  // The controller writes the workload's status after the pods and revisions that it counts. After a change
  // the workload was written later than the change, so that no list shows what was there before it.
  const notOlderThan = workload.metadata.resourceVersion;
  gathering.demand(ownKinds, notOlderThan);
  // In a large cluster the nodes take longest, and what they are asked for does not depend on the workload.
  const watched = needs.has('Node') ? options.watchedNodes?.() : undefined;
  if (watched !== undefined) gathering.keep('Node', watched.nodes);
  const nodes = needs.has('Node') ? (watched?.nodes ?? gathering.list('Node', {})) : undefined;
  const own = await readOwn(gathering, workload, needs);
  const occasions = occasionsOf(workload, own, gathering.objects().ReplicaSet);
  const [unreadOwners] = await Promise.all([
    readOwners(call, gathering, workload, signal),
    readAddOnAbove(call, gathering, workload, signal),
    readNamespace(gathering, ref.namespace, needs, occasions),
    readVolumes(gathering, own, needs),
    readForWaiting(gathering, own, needs, occasions),
    readConfigMetadata(gathering, own, options.configMetadata ?? []),
  ]);
  await Promise.all([
    readChargedPods(gathering, workload),
    readRefusedOwners(gathering, workload),
    readCalledServices(gathering, workload),
    readNodePools(gathering, own, nodes),
    readClaimEvents(call, gathering, own, signal, nodes),
    readQueues(gathering, own),
    readPodGroups(call, gathering, own, signal),
    readVerticalAutoscalers(call, gathering, { own, namespaces: [ref.namespace] }, signal),
    readAutoscalerStatus(call, gathering, own, signal, nodes),
    readNodeWarnings(call, gathering, own, nodes ?? [], signal),
  ]);
  const bearing = nodes === undefined ? [] : relevantNodes(gathering.objects(), own, await nodes);
  const mostLists = occasions.has('waits') ? bearing.length : 0;
  const watchedPods = await watchedPodsOf(gathering, own, mostLists, options.watchedPods);
  const readOn = nodes === undefined ? undefined : await readPodsOn(gathering, own, bearing, watchedPods);
  const alsoReadOn = needs.has('Deployment')
    ? await readRollouts(gathering, own, readOn, needs, await nodes, watchedPods)
    : undefined;
  const absentWorkloads =
    readOn === undefined || !needs.has('Deployment')
      ? undefined
      : await readHolders(gathering, own, alsoReadOn ?? readOn, (namespaces) =>
          readVerticalAutoscalers(call, gathering, { own, namespaces }, signal),
        );
  const confirmed = await confirmProof(gathering, own);
  const logs: readonly ContainerLog[] = needs.has('PodLog')
    ? await readLogs(call, gathering, own, signal)
    : [];
  await readNamedInLogs(gathering, own, logs, options.configMetadata ?? []);
  const serverVersion = await readServerVersion(call, gathering, signal);
  const servedFields = await readServedFields(call, gathering, workload, signal);

  return {
    type: 'snapshot',
    snapshot: {
      takenAt: now().toISOString(),
      cluster: ref.cluster,
      workload,
      index: {
        ...indexObjects(gathering.objects(), alsoReadOn ?? readOn, serverVersion),
        ...(absentWorkloads === undefined ? {} : { absentWorkloads }),
      },
      logs,
      unseen: gathering.unseen(),
      ...(unreadOwners.length === 0 ? {} : { unreadOwners }),
      ...(servedFields.length === 0 ? {} : { servedFields }),
      age: {
        lists: 'watch-cache',
        notOlderThan,
        older: gathering.older(),
        ...confirmed,
        ...(watched === undefined ? {} : { watchedNodesMs: watched.ageMs }),
        ...(watchedPods.nodes.size === 0 ? {} : { watchedPodsOn: watchedPods.nodes.size }),
      },
    },
  };
}

/**
 * What a Rollout refers to: the Deployment that holds its template, and the Services whose selectors it sets.
 */
async function readWhole(gathering: Gathering, workload: Workload): Promise<Workload> {
  if (!hasSteps(workload)) return workload;
  const { namespace } = workload.metadata;
  const name = referencedDeployment(workload);
  const [deployment] = await Promise.all([
    name === undefined ? undefined : gathering.get('Deployment', { namespace, name }),
    serviceNames(workload).length === 0 ? [] : gathering.list('Service', { namespace, max: maxObjects }),
  ]);
  return withReferencedTemplate(workload, deployment === undefined ? [] : [deployment]);
}

const ownKinds = [
  'Pod',
  'ReplicaSet',
  'StatefulSet',
  'ControllerRevision',
] as const satisfies readonly ResourceKind[];

async function readNamespace(
  gathering: Gathering,
  namespace: string,
  needs: Needs,
  occasions: ReadonlySet<Occasion>,
): Promise<void> {
  await Promise.all([
    needs.has('Namespace') ? gathering.get('Namespace', { namespace: '', name: namespace }) : undefined,
    ...plansFor('namespace', occasions, needs).map(({ kind, max = maxObjects }) =>
      gathering.list(kind, { namespace, max }),
    ),
  ]);
}

/** Claims that the pods name, the volumes behind them, and where those are attached. */
async function readVolumes(gathering: Gathering, pods: readonly Pod[], needs: Needs): Promise<void> {
  if (!needs.has('PersistentVolumeClaim')) return;
  const namespace = pods[0]?.metadata.namespace ?? '';
  const names = new Set(
    pods.flatMap((pod) =>
      pod.spec.volumes.flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
        if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
        return ephemeral === undefined ? [] : [`${pod.metadata.name}-${name}`];
      }),
    ),
  );
  if (names.size === 0) return;
  const claims = await inTurns(atOnce, [...names], (name) =>
    gathering.get('PersistentVolumeClaim', { namespace, name }),
  );
  const volumes = claims.flatMap((claim) => (claim?.spec.volumeName ? [claim.spec.volumeName] : []));
  const unbound = claims.some((claim) => claim !== undefined && claim.spec.volumeName === '');
  await Promise.all([
    needs.has('PersistentVolume')
      ? unbound
        ? gathering.list('PersistentVolume', { max: maxObjects })
        : inTurns(atOnce, volumes, (name) => gathering.get('PersistentVolume', { namespace: '', name }))
      : undefined,
    needs.has('StorageClass') ? gathering.list('StorageClass', { max: maxObjects }) : undefined,
    needs.has('VolumeAttachment') ? gathering.list('VolumeAttachment', { max: maxEvents }) : undefined,
    needs.has('CSINode') ? gathering.list('CSINode', { max: maxEvents }) : undefined,
    needs.has('CSIDriver') ? gathering.list('CSIDriver', { max: maxObjects }) : undefined,
  ]);
}

/**
 * What decides where pods without a node may go, besides the nodes: others that wait, priorities, devices.
 */
async function readForWaiting(
  gathering: Gathering,
  own: readonly Pod[],
  needs: Needs,
  occasions: ReadonlySet<Occasion>,
): Promise<void> {
  if (!needs.has('Node')) return;
  await Promise.all([
    occasions.has('waits')
      ? gathering.list('Pod', { fieldSelector: waitingPods, max: maxObjects })
      : undefined,
    ...plansFor('cluster', occasions, needs).map(({ kind }) => gathering.list(kind, { max: maxObjects })),
    needs.has('ResourceSlice') ? readDevices(gathering, own) : undefined,
  ]);
}

/**
 * Devices, and claims of every namespace that have them. Pods may also get devices for an extended resource,
 * where a class stands for it.
 */
async function readDevices(gathering: Gathering, own: readonly Pod[]): Promise<void> {
  const hasClaims = own.some(({ spec }) => spec.resourceClaims.length > 0);
  const extended = new Set(own.flatMap(({ spec }) => spec.containers.flatMap(extendedResources)));
  if (!hasClaims && extended.size === 0) return;
  const classes = await gathering.list('DeviceClass', { max: maxObjects });
  const isBacked = [...extended].some(
    (name) =>
      implicitDeviceClass(name) !== undefined ||
      classes.some(({ spec }) => spec.extendedResourceName === name),
  );
  if (!hasClaims && !isBacked) return;
  await Promise.all([
    gathering.list('ResourceSlice', { max: maxObjects }),
    gathering.list('DeviceTaintRule', { max: maxObjects }),
    gathering.list('ResourceClaim', { max: maxObjects }),
  ]);
}

const extendedResources = ({ resources }: Pod['spec']['containers'][number]): readonly string[] =>
  Object.keys(resources.requests).filter(isExtendedResourceName);

/**
 * Rollouts that may wait for the workload's own, with the pods on the nodes that bear on them: a cycle may go
 * through nodes that no pod of the workload could use.
 *
 * @returns names of all nodes whose pods were read; `undefined` where no further one was
 */
async function readRollouts(
  gathering: Gathering,
  own: readonly Pod[],
  readOn: ReadonlySet<string> | undefined,
  needs: Needs,
  nodes: readonly Node[] | undefined,
  { keep }: WatchedPods,
): Promise<ReadonlySet<string> | undefined> {
  const namespace = own[0]?.metadata.namespace ?? '';
  const neighbours = await readNeighbours(gathering, namespace, own);
  if (neighbours.length === 0 || readOn === undefined || nodes === undefined) return undefined;
  await readVolumes(gathering, neighbours, needs);
  const further = relevantNodes(gathering.objects(), neighbours, nodes)
    .filter((name) => !readOn.has(name))
    .slice(0, maxNeighbourNodes);
  return new Set([...readOn, ...(await readPodsByNode(gathering, further, { atOnce, isKept: keep }))]);
}

/**
 * The pods on the nodes that matter: where the own pods are, and where waiting and failing ones could go.
 * Reading ends early when room is found for all that wait.
 *
 * @param names of these nodes
 * @returns names of the nodes whose pods were read, as far as the reads succeeded
 */
async function readPodsOn(
  gathering: Gathering,
  own: readonly Pod[],
  names: readonly string[],
  { keep }: WatchedPods,
): Promise<ReadonlySet<string>> {
  const wanted = names.length > maxProvenNodes ? names.slice(0, maxNodes) : names;
  const isEnough = (read: ReadonlySet<string>): boolean => hasRoomForAll(gathering.objects(), own, read);
  const placed = new Set(own.filter(hasNode).map(({ spec }) => spec.nodeName));
  const first = own.every(hasNode) ? { firstRound: placed.size + firstElsewhere } : {};
  const read = await readPodsByNode(gathering, wanted, { atOnce, isKept: keep, isEnough, ...first });
  if (wanted.length < names.length && !isEnough(read)) {
    gathering.miss('Pod', '', { because: 'too-many', message: `${names.length - wanted.length} nodes` });
  }
  return read;
}

/** Nodes of the first round, beside those of the own pods, where no pod waits. */
const firstElsewhere = 4;
/** Pods for which room is looked for; with more of them all candidates are read. */
const maxSought = 20;

/**
 * Whether the nodes whose pods were read have room for every own pod that waits. What runs on other nodes
 * cannot change the answer then: the scheduler has a place for each. Where none waits and one fails, its
 * replacements have to find room: one for each own pod and one more, on nodes without an own pod. Pods whose
 * place depends on other nodes' pods never have enough.
 *
 * @param read names of these nodes
 */
function hasRoomForAll(objects: ClusterObjects, own: readonly Pod[], read: ReadonlySet<string>): boolean {
  const waiting = own.filter((pod) => !hasNode(pod));
  const sought = waiting.length > 0 ? waiting : replacementsOf(own);
  if (sought.length === 0 || sought.length > maxSought || sought.some(dependsOnOtherNodes)) return false;
  const taken = new Set(waiting.length > 0 ? [] : own.map(({ spec }) => spec.nodeName ?? ''));
  const Node = objects.Node.filter(({ metadata: { name } }) => read.has(name) && !taken.has(name));
  let placement = createPlacement(indexObjects({ ...objects, Node }, read));
  for (const pod of sought) {
    const nodeName = placement.firstFeasible(pod);
    if (nodeName === undefined) return false;
    placement = placement.with({ add: [{ ...pod, spec: { ...pod.spec, nodeName } }] });
  }
  return true;
}

function replacementsOf(own: readonly Pod[]): readonly Pod[] {
  const failing = own.find(isFailing);
  if (failing === undefined) return [];
  const { metadata } = failing;
  return Array.from({ length: own.length + 1 }, (_, number) => {
    const name = `${metadata.name}-${number}`;
    return { ...withoutNode(failing), metadata: { ...metadata, name, uid: name } };
  });
}

function dependsOnOtherNodes({ spec }: Pod): boolean {
  const { affinity, topologySpreadConstraints } = spec;
  return (
    topologySpreadConstraints.length > 0 ||
    affinity?.podAffinity !== undefined ||
    affinity?.podAntiAffinity !== undefined
  );
}
