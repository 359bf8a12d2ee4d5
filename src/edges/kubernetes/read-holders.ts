import { byOwner, type OwnedPods, ownerKey, type PodOwner } from '../../engine/neighbours/pod-owner.js';
import { hasUnreadNodes, isAtRest, workloadOf } from '../../engine/neighbours/rest-of-workload.js';
import { type ClusterIndex, indexObjects } from '../../engine/objects/cluster-index.js';
import { selectorQuery } from '../../engine/objects/label-selector.js';
import { controllerOf } from '../../engine/objects/metadata.js';
import { hasNode, isActive, type Pod } from '../../engine/objects/pod.js';
import { podKey } from '../../engine/objects/pod-key.js';
import { type Workload, type WorkloadKind, workloadKinds } from '../../engine/objects/workload.js';
import { createPlacement } from '../../engine/scheduler/placement.js';
import type { Gathering } from './gathering.js';

/**
 * Lists of workloads that are read to find out whether those that hold a place rest: as many as nodes, at
 * least these. Published in docs/limits.md.
 */
const minLists = 12;
/**
 * Workloads of one kind and namespace that are read by name; more of them are read with the whole namespace.
 */
const maxByName = 2;
/** Objects of a kind that such a namespace is expected to hold. */
const maxObjects = 500;
/** Of those in progress, as many are read with all their pods. */
const maxWhole = 5;
/** Other namespaces with holders whose autoscalers are read. Published in docs/limits.md. */
const maxAutoscalerLists = 12;
/**
 * With holders in more namespaces, all autoscalers of the cluster are read, unless there are more. Published
 * in docs/limits.md.
 */
const maxAutoscalers = 2_000;
/** Own pods that wait; siblings of one revision are alike. */
const maxWaiting = 3;
/** Workloads that are tried alone. */
const maxTriedAlone = 50;

type Lists = Pick<Gathering, 'tryList' | 'list' | 'miss' | 'objects' | 'unseen'>;

/**
 * Reads the workloads of others that hold the place for which an own pod waits, where some of their pods may
 * be on nodes that were not read: a rollout whose new pod starts there frees the place when that pod is
 * ready. Those in progress are read with their ReplicaSets and all their pods. The autoscalers of the
 * holders' namespaces are read in any case.
 *
 * @param own pods of the workload; nothing is read when none of them waits
 * @param readOn names of the nodes whose pods were read
 * @param alsoReadIn reads what else is in the other namespaces whose autoscalers are read
 * @returns the workloads that were looked for and do not exist, as `ownerKey` writes them
 */
export async function readHolders(
  gathering: Lists,
  own: readonly Pod[],
  readOn: ReadonlySet<string>,
  alsoReadIn: (namespaces: readonly string[]) => Promise<void> = async () => {},
): Promise<ReadonlySet<string>> {
  const absent = new Set<string>();
  const waiting = own.filter((pod) => isActive(pod) && !hasNode(pod)).slice(0, maxWaiting);
  const index = indexObjects(gathering.objects(), readOn);
  // Where pods were not read, nothing is proven in any case.
  if (gathering.unseen().some(({ what }) => what === 'Pod')) return absent;
  if (waiting.length === 0) return absent;
  const holders = holdersOf(index, own, waiting);
  await alsoReadIn(await readAutoscalers(gathering, own, holders));
  if (!hasUnreadNodes(index)) return absent;
  const lists = listsFor(
    index,
    holders.map(({ owner }) => owner),
  ).slice(0, Math.max(minLists, readOn.size));
  await Promise.all(
    lists.map(async ({ kind, namespace, owners, name }) => {
      const selection =
        name === undefined
          ? { namespace, max: maxObjects }
          : { namespace, fieldSelector: `metadata.name=${name}` };
      const found = await gathering.tryList(kind, selection);
      if ('type' in found || (name === undefined && found.length >= maxObjects)) return;
      for (const owner of owners) {
        if (!found.some(({ metadata }) => metadata.name === owner.name)) absent.add(ownerKey(owner));
      }
    }),
  );
  const objects = gathering.objects();
  const inProgress = holders
    .flatMap(({ owner }) => workloadOf({ objects }, owner) ?? [])
    .filter((workload) => !isAtRest(workload) && !index.replicaSetsByOwner.has(workload.metadata.uid))
    .slice(0, maxWhole);
  await Promise.all(inProgress.map((workload) => readPodsOf(gathering, workload)));
  return absent;
}

/**
 * HorizontalPodAutoscalers of other namespaces; those of the own one are read already. One of them may stop a
 * holder.
 */
async function readAutoscalers(
  gathering: Lists,
  own: readonly Pod[],
  holders: readonly OwnedPods[],
): Promise<readonly string[]> {
  const scalable = holders.filter(({ owner }) => owner.kind !== 'DaemonSet');
  const namespaces = [...new Set(scalable.map(({ owner }) => owner.namespace))].filter(
    (namespace) => namespace !== own[0]?.metadata.namespace,
  );
  const first = namespaces.slice(0, maxAutoscalerLists);
  if (namespaces.length > first.length) {
    const all = await gathering.tryList('HorizontalPodAutoscaler', { max: maxAutoscalers });
    if (!('type' in all) && all.length < maxAutoscalers) return first;
  }
  await Promise.all(
    first.map((namespace) => gathering.list('HorizontalPodAutoscaler', { namespace, max: maxObjects })),
  );
  for (const namespace of namespaces.slice(first.length)) {
    gathering.miss('HorizontalPodAutoscaler', namespace, { because: 'too-many', message: '' });
  }
  return first;
}

/**
 * Workloads of others without whose pods a waiting pod would have a place: each that is enough alone, else
 * all.
 */
function holdersOf(index: ClusterIndex, own: readonly Pod[], waiting: readonly Pod[]): readonly OwnedPods[] {
  const ownKeys = new Set(own.map(podKey));
  const placed = index.objects.Pod.filter(
    (pod) => isActive(pod) && hasNode(pod) && controllerOf(pod) !== undefined && !ownKeys.has(podKey(pod)),
  );
  const others = byOwner(index, placed).filter(({ owner }) => owner.kind !== 'Job' && owner.kind !== 'Node');
  const placement = createPlacement(index);
  const fitsWithout = (some: readonly OwnedPods[]): boolean => {
    const without = new Set(some.flatMap(({ pods }) => pods.map(podKey)));
    return waiting.some((pod) => placement.evaluate(pod, { without }).outcome === 'fits');
  };
  if (others.length === 0 || fitsWithout([]) || !fitsWithout(others)) return [];
  const alone = others.slice(0, maxTriedAlone).filter((each) => fitsWithout([each]));
  return [...alone, ...others.filter((each) => !alone.includes(each))];
}

interface WorkloadList {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly owners: readonly PodOwner[];
  /** Only this one; the whole namespace where it is left out. */
  readonly name?: string;
}

/** The lists that hold those workloads that were not read, in their order. */
function listsFor(index: ClusterIndex, owners: readonly PodOwner[]): readonly WorkloadList[] {
  const groups = new Map<string, { kind: WorkloadKind; namespace: string; owners: PodOwner[] }>();
  for (const owner of owners) {
    const { kind, namespace } = owner;
    if (!isWorkloadKind(kind) || workloadOf(index, owner) !== undefined) continue;
    const key = `${namespace}/${kind}`;
    const group = groups.get(key) ?? { kind, namespace, owners: [] };
    group.owners.push(owner);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap((group): readonly WorkloadList[] =>
    group.owners.length > maxByName
      ? [group]
      : group.owners.map((owner) => ({ ...group, owners: [owner], name: owner.name })),
  );
}

async function readPodsOf(gathering: Lists, { kind, metadata, spec }: Workload): Promise<void> {
  const selection = { namespace: metadata.namespace, labelSelector: selectorQuery(spec.selector) };
  const hasReplicaSets = kind === 'Deployment' || kind === 'Rollout';
  await Promise.all([
    gathering.list('Pod', selection),
    hasReplicaSets ? gathering.list('ReplicaSet', selection) : undefined,
  ]);
}

function isWorkloadKind(kind: string): kind is WorkloadKind {
  return workloadKinds.some((each) => each === kind);
}
