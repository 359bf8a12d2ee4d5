import { groupNameOf } from '../../engine/neighbours/pod-gang.js';
import { autoscalerStatusMap } from '../../engine/objects/autoscaler-status.js';
import { type ResourceKind, schemas } from '../../engine/objects/cluster-objects.js';
import { conditionOf } from '../../engine/objects/metadata.js';
import type { Node } from '../../engine/objects/node.js';
import { hasClusterAutoscaler, hasKarpenter } from '../../engine/objects/node-autoscalers.js';
import { hasNode, isActive, isReady, type Pod } from '../../engine/objects/pod.js';
import { isHeldByKueue } from '../../engine/queues/queued-workload.js';
import { type ApiCall, notUnderstood, unanswered, unreadable } from './api-call.js';
import type { Gathering } from './gathering.js';
import { inTurns } from './gathering.js';
import { cachedList } from './list-reading.js';
import { boundedEntries } from './object-schema.js';
import { listObjects, nodeWarnings, reasonsOfNodes } from './read-objects.js';
import { objectPath, otherPodGroups } from './resource-paths.js';

/** Kueue keeps the Workloads of finished jobs until their owners are gone. */
const maxWorkloads = 5_000;
const maxQueues = 2_000;

/**
 * Reads the queues of Kueue, where it keeps a pod from the scheduler. Quota and order are those of a
 * ClusterQueue, which Workloads of all namespaces share. Where they may not be listed in all of them, those
 * of the pods' namespace are.
 */
export async function readQueues(
  gathering: Pick<Gathering, 'list' | 'tryList'>,
  pods: readonly Pod[],
): Promise<void> {
  const held = pods.filter(isHeldByKueue);
  if (held.length === 0) return;
  const namespaces = [...new Set(held.map(({ metadata }) => metadata.namespace))];
  const listWide = async (kind: 'Workload' | 'LocalQueue', max: number): Promise<void> => {
    const listed = await gathering.tryList(kind, { max });
    if (!('type' in listed)) return;
    for (const namespace of namespaces) await gathering.tryList(kind, { namespace, max });
  };
  const [queues] = await Promise.all([
    gathering.list('ClusterQueue', { max: maxQueues }),
    listWide('Workload', maxWorkloads),
    listWide('LocalQueue', maxQueues),
    gathering.list('ResourceFlavor', { max: maxQueues }),
  ]);
  if (queues.some(({ spec }) => spec.cohort !== undefined))
    await gathering.list('Cohort', { max: maxQueues });
}

/** Groups that are read; a rollout has two of Volcano at most. */
const maxGroups = 20;
const maxMembers = 2_000;
const readsAtOnce = 4;

/**
 * Reads the PodGroups of pods that wait, and their members, of Kubernetes, of Volcano or of the plugin
 * Coscheduling. Without them, the minimum of a group of the last two is that of the scheduler's message.
 */
export async function readPodGroups(
  call: ApiCall,
  gathering: Pick<Gathering, 'keep' | 'list' | 'miss'>,
  pods: readonly Pod[],
  signal: AbortSignal,
): Promise<void> {
  const places = new Map(
    pods
      .filter((pod) => isActive(pod) && !hasNode(pod))
      .flatMap((pod) => placeOf(pod) ?? [])
      .map((place) => [place.path, place] as const),
  );
  await Promise.all([
    readGroupMembers(gathering, pods),
    inTurns(readsAtOnce, [...places.values()].slice(0, maxGroups), (place) =>
      readByPath(call, gathering, { kind: 'PodGroup', ...place }, signal),
    ),
  ]);
}

/**
 * Every pod of the namespace, but only while a pod waits that names a PodGroup: pods of other workloads count
 * in it, wherever they run.
 */
async function readGroupMembers(gathering: Pick<Gathering, 'list'>, own: readonly Pod[]): Promise<void> {
  const waiting = own.find((pod) => isActive(pod) && !hasNode(pod) && groupNameOf(pod) !== undefined);
  if (waiting === undefined) return;
  await gathering.list('Pod', { namespace: waiting.metadata.namespace, max: maxMembers });
}

function placeOf(pod: Pod): { readonly namespace: string; readonly path: string } | undefined {
  const group = groupNameOf(pod);
  if (group === undefined) return undefined;
  const { namespace } = pod.metadata;
  const api = group.by === 'Volcano' ? undefined : otherPodGroups[group.by];
  return { namespace, path: objectPath('PodGroup', namespace, group.name, api) };
}

const group = 'autoscaling.k8s.io';
/** Objects of one list that are kept. */
const maxObjects = 500;

/**
 * Reads the VerticalPodAutoscalers of these namespaces, '' for all of them, where some pod of the workload is
 * not ready. Those that could not be read may evict a pod at any time, unless the cluster does not serve
 * them. A kind is served in all namespaces or in none, so the first answer decides whether others are asked.
 */
export async function readVerticalAutoscalers(
  call: ApiCall,
  gathering: Pick<Gathering, 'keep' | 'miss'>,
  { own, namespaces }: { own: readonly Pod[]; namespaces: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  if (!own.some((pod) => isActive(pod) && !isReady(pod))) return;
  const readIn = async (namespace: string): Promise<boolean> => {
    const selection = { namespace, max: maxObjects, reading: cachedList };
    const read = await listObjects(call, 'VerticalPodAutoscaler', selection, signal);
    if (read.type !== 'unreadable') {
      gathering.keep('VerticalPodAutoscaler', read.value.items);
      return true;
    }
    const isThere =
      read.because === 'forbidden' ? await isServed(call, group, signal) : read.because !== 'not-served';
    if (isThere) gathering.miss('VerticalPodAutoscaler', namespace, read);
    return isThere;
  };
  const [first, ...others] = namespaces;
  if (first !== undefined && (await readIn(first))) await Promise.all(others.map(readIn));
}

/** A cluster has some dozens at most. */
const maxNodePools = 500;

/**
 * Reads Karpenter's NodePools, where a pod waits for a node and other objects show that Karpenter is there. A
 * refused read is noted as unseen and makes no finding less certain: then nothing is known of the limits.
 *
 * @param nodes settles when the nodes are gathered, whose labels may be the only sign of Karpenter
 */
export async function readNodePools(
  gathering: Pick<Gathering, 'list' | 'objects'>,
  pods: readonly Pod[],
  nodes?: Promise<unknown> | readonly unknown[],
): Promise<void> {
  if (pods.every(hasNode)) return;
  await nodes;
  if (!hasKarpenter(gathering.objects())) return;
  await gathering.list('NodePool', { max: maxNodePools });
}

/** Where Events about objects without a namespace are (client-go `tools/record/event.go: makeEvent`). */
const namespaceOfEvents = 'default';
/** Karpenter makes some claims a minute at most, and events expire after an hour. */
const maxClaimEvents = 500;

/**
 * Reads the events of Karpenter's NodeClaims, where a pod waits for a node and there are such claims or
 * events about them: a claim that the cloud refused is deleted, and only its event says why. Without the
 * right to read them nothing is noted: a refusal is then not known, as where its event has expired.
 *
 * @param nodes settles when the nodes are gathered, whose labels may be the only sign of Karpenter
 */
export async function readClaimEvents(
  call: ApiCall,
  gathering: Pick<Gathering, 'keep' | 'objects'>,
  pods: readonly Pod[],
  signal: AbortSignal,
  nodes?: Promise<unknown> | readonly unknown[],
): Promise<void> {
  if (pods.every(hasNode)) return;
  await nodes;
  if (!hasKarpenter(gathering.objects())) return;
  if (pods.some(({ metadata }) => metadata.namespace === namespaceOfEvents)) return;
  const selection = {
    namespace: namespaceOfEvents,
    fieldSelector: 'involvedObject.kind=NodeClaim',
    max: maxClaimEvents,
    reading: cachedList,
  };
  const read = await listObjects(call, 'Event', selection, signal);
  if (read.type !== 'unreadable') gathering.keep('Event', read.value.items);
}

/**
 * Reads what kubelets warned of: what keeps their successor from starting, where a node is not ready that has
 * a pod or may get one; and what the kernel killed, where a container was killed for no reason of its own.
 * Without the right to read it nothing is noted, as where the event has expired.
 */
export async function readNodeWarnings(
  call: ApiCall,
  gathering: Pick<Gathering, 'keep'>,
  pods: readonly Pod[],
  nodes: Promise<readonly Node[]> | readonly Node[],
  signal: AbortSignal,
): Promise<void> {
  const isUsed = (name: string): boolean => pods.some(({ spec }) => (spec.nodeName ?? name) === name);
  const lost = (await nodes).filter(({ status }) => conditionOf(status, 'Ready')?.status !== 'True');
  const reasons = reasonsOfNodes.filter((reason) =>
    reason === 'SystemOOM' ? pods.some(wasKilled) : lost.some(({ metadata }) => isUsed(metadata.name)),
  );
  await Promise.all(
    reasons.map(async (reason) => {
      const read = await listObjects(call, 'Event', nodeWarnings(reason), signal);
      if (read.type !== 'unreadable') gathering.keep('Event', read.value.items);
    }),
  );
}

/** By SIGKILL, and the runtime reports no memory limit of the container. */
function wasKilled({ status }: Pod): boolean {
  return [...status.initContainerStatuses, ...status.containerStatuses].some(({ state, lastState }) =>
    [state.terminated, lastState.terminated].some(
      (ended) => ended?.exitCode === 137 && ended.reason !== 'OOMKilled',
    ),
  );
}

/**
 * Reads the status of cluster-autoscaler, where a pod waits for a node and other objects show that the
 * autoscaler is there. It is the only ConfigMap whose data is read. Without it nothing is known of the node
 * groups, and no finding is less certain.
 *
 * @param nodes settles when the nodes are gathered, whose marks may be the only sign of the autoscaler
 */
export async function readAutoscalerStatus(
  call: ApiCall,
  gathering: Pick<Gathering, 'keep' | 'miss' | 'objects'>,
  pods: readonly Pod[],
  signal: AbortSignal,
  nodes?: Promise<unknown> | readonly unknown[],
): Promise<void> {
  if (pods.every(hasNode)) return;
  await nodes;
  if (!hasClusterAutoscaler(gathering.objects())) return;
  const { namespace, name } = autoscalerStatusMap;
  const path = objectPath('ConfigMap', namespace, name);
  await readByPath(call, gathering, { kind: 'ConfigMap', namespace, path }, signal);
}

/**
 * Whether the cluster serves an API group. A refused read does not tell: the API server refuses a kind before
 * it looks for it. Every authenticated client may ask for groups (ClusterRole `system:discovery`). No answer
 * counts as not served.
 */
export async function isServed(call: ApiCall, group: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await call({ path: `/apis/${group}`, signal })).status === 200;
  } catch {
    return false;
  }
}

/**
 * Reads one whole object, where `Gathering.get` would ask for another version or for the metadata alone. An
 * object that does not exist is not kept, and a failure ends in `unseen`.
 */
async function readByPath(
  call: ApiCall,
  gathering: Pick<Gathering, 'keep' | 'miss'>,
  { kind, namespace, path }: { kind: ResourceKind; namespace: string; path: string },
  signal: AbortSignal,
): Promise<void> {
  try {
    const answer = await call({ path, signal });
    if (answer.status === 404) return;
    const parsed = answer.status === 200 ? schemas[kind].safeParse(boundedEntries(answer.body)) : undefined;
    if (parsed?.success === true) gathering.keep(kind, [parsed.data]);
    else gathering.miss(kind, namespace, parsed === undefined ? unreadable(answer) : notUnderstood(kind));
  } catch (error) {
    gathering.miss(kind, namespace, unanswered(error));
  }
}
