import { groupBy } from '../collections/collections.js';
import type { ClusterIndex } from '../objects/cluster-index.js';
import { workloadsIn } from '../objects/cluster-objects.js';
import { conditionOf, controllerOf } from '../objects/metadata.js';
import { hasNode, isActive, isTerminal, type Pod, podKey } from '../objects/pod.js';
import { groupMarks, type PodGroup } from '../objects/pod-group.js';
import type { Snapshot } from '../objects/snapshot.js';
import type { Difference, PodSimulator } from '../workloads/pod-simulator.js';
import { ownerKey, ownerNames, ownerOf, type PodOwner } from './owned-pods.js';

/** The group of a pod, whose scheduler starts none of its pods before enough of them exist and fit. */
export interface Gang {
  /** In the namespace of the pod. */
  readonly name: string;
  readonly by: 'Kubernetes' | 'Volcano' | 'Coscheduling';
  readonly minMember: number;
  /** Active pods of the group; for Kubernetes also those that are being deleted. */
  readonly members: readonly Pod[];
  readonly scheduled: number;
  /** Absent where the minimum is known from the scheduler's message alone. */
  readonly group?: PodGroup;
}

/** `undefined` where the pod names no group, or where its minimum is not known. */
export function gangOf({ objects }: Pick<ClusterIndex, 'objects'>, pod: Pod): Gang | undefined {
  const named = groupNameOf(pod);
  if (named === undefined) return undefined;
  const { name, by } = named;
  const { namespace } = pod.metadata;
  const group = objects.PodGroup.find(
    ({ metadata, spec }) =>
      metadata.namespace === namespace &&
      metadata.name === name &&
      (spec.schedulingPolicy !== undefined) === (by === 'Kubernetes'),
  );
  const isMember = (each: Pod): boolean =>
    each.metadata.namespace === namespace && groupNameOf(each)?.name === name && groupNameOf(each)?.by === by;
  if (by === 'Kubernetes') {
    // kubernetes `plugins/gangscheduling: PreEnqueue`. Under another policy pods start one by one.
    const gang = group?.spec.schedulingPolicy?.gang;
    if (group === undefined || gang === undefined) return undefined;
    const minMember = gang.minCount;
    const members = objects.Pod.filter((each) => isMember(each) && !isTerminal(each));
    return { name, by, minMember, members, scheduled: members.filter(hasNode).length, group };
  }
  const said = minimumSaid(pod);
  // Its marks alone make no group: kube-scheduler starts pods of groups one by one, unless a plugin was built
  // into it.
  if (pod.spec.schedulerName === kubeScheduler && said === undefined) return undefined;
  const minMember = group?.spec.minMember ?? said;
  if (minMember === undefined) return undefined;
  const members = objects.Pod.filter((each) => isActive(each) && isMember(each));
  const scheduled = members.filter(hasNode).length;
  return { name, by, minMember, members, scheduled, ...(group === undefined ? {} : { group }) };
}

const kubeScheduler = 'default-scheduler';

export function groupNameOf({
  metadata: { labels, annotations },
  spec: { schedulingGroup },
}: Pick<Pod, 'metadata' | 'spec'>): Pick<Gang, 'name' | 'by'> | undefined {
  const native = schedulingGroup?.podGroupName ?? '';
  if (native !== '') return { name: native, by: 'Kubernetes' };
  const label = labels[groupMarks.coscheduling];
  if (label !== undefined && label !== '') return { name: label, by: 'Coscheduling' };
  const [annotation] = groupMarks.volcano.flatMap((mark) => annotations[mark] ?? []);
  return annotation === undefined || annotation === '' ? undefined : { name: annotation, by: 'Volcano' };
}

/**
 * volcano `pkg/scheduler/api/job_info.go: FitError`, scheduler-plugins
 * `pkg/coscheduling/core/core.go: PreFilter`.
 */
const minimum = /\b(\d{1,6}) minAvailable\b|\bminMember of group: (\d{1,6})\b/u;

function minimumSaid(pod: Pod): number | undefined {
  const found = minimum.exec(conditionOf(pod.status, 'PodScheduled')?.message ?? '');
  const text = found?.[1] ?? found?.[2];
  return text === undefined ? undefined : Number(text);
}

/**
 * A simulator under which the pods of a PodGroup of Kubernetes find nodes only together: none while fewer
 * than its minimum exist, or while fewer fit at once (kubernetes 1.37 `plugins/gangscheduling`). Once the
 * minimum has nodes, further pods start one by one.
 */
export function startingInGroups<Simulator extends PodSimulator>(
  base: Simulator,
  { objects }: Pick<ClusterIndex, 'objects'>,
): Simulator {
  const minimums = new Map<string, number>(
    objects.PodGroup.flatMap(({ metadata, spec: { schedulingPolicy } }) =>
      schedulingPolicy?.gang === undefined
        ? []
        : [[`${metadata.namespace}/${metadata.name}`, schedulingPolicy.gang.minCount] as const],
    ),
  );
  const groupOf = (pod: Pod): string | undefined => {
    const group = groupNameOf(pod);
    const key = `${pod.metadata.namespace}/${group?.name}`;
    return group?.by === 'Kubernetes' && minimums.has(key) ? key : undefined;
  };
  if (minimums.size === 0) return base;
  const observed = groupBy(objects.Pod, (pod) => (isTerminal(pod) ? undefined : groupOf(pod)));
  const together =
    (placementOf: PodSimulator['placementOf']): PodSimulator['placementOf'] =>
    (pod, difference) => {
      const group = groupOf(pod);
      if (group === undefined) return placementOf(pod, difference);
      const members = membersOf(group, observed.get(group) ?? [], pod, difference);
      let missing = (minimums.get(group) ?? 0) - members.filter(hasNode).length;
      const { byNode: _, ...start } = difference;
      let placed = start.placed;
      const chosen = placementOf(pod, difference);
      for (const member of [pod, ...members.filter((each) => !hasNode(each) && each !== pod)]) {
        if (missing <= 0) break;
        const nodeName = placementOf(member, { ...start, placed });
        if (nodeName === undefined) continue;
        placed = [...placed, { ...member, spec: { ...member.spec, nodeName } }];
        missing -= 1;
      }
      return missing > 0 ? undefined : chosen;
    };
  function membersOf(
    group: string,
    known: readonly Pod[],
    pod: Pod,
    { gone, created, placed }: Difference,
  ): readonly Pod[] {
    const left = new Set(gone.map(podKey));
    const since = [pod, ...created, ...placed].filter((each) => groupOf(each) === group);
    const all = new Map([...known, ...since].map((each) => [podKey(each), each]));
    return [...all].filter(([key]) => !left.has(key)).map(([, each]) => each);
  }
  const { countPlaces, likenessOf, contest } = base;
  return {
    ...base,
    placementOf: together(base.placementOf),
    likenessOf: (pod) => (groupOf(pod) === undefined ? likenessOf?.(pod) : undefined),
    countPlaces: (own, wanted) =>
      [...own, ...wanted].some((pod) => groupOf(pod) !== undefined) ? undefined : countPlaces?.(own, wanted),
    contest(own) {
      const found = contest?.(own);
      if (found === undefined) return undefined;
      const { simulator } = found;
      return { ...found, simulator: { ...simulator, placementOf: together(simulator.placementOf) } };
    },
  };
}

/**
 * Who else may complete a group, as `namespace/name`: workloads with pods of it or with a template that names
 * it, since pods of every owner count, and the controller of the group, which may lower its minimum. A pod
 * without a controller is not created again.
 */
export function otherUsersOf(
  { index, workload }: Pick<Snapshot, 'index' | 'workload'>,
  { name, by, members, group }: Gang,
): readonly string[] {
  const { namespace, uid } = workload.metadata;
  const sets = index.objects.ReplicaSet.filter((set) => controllerOf(set)?.uid === uid);
  const own = new Set([uid, ...sets.map(({ metadata }) => metadata.uid)]);
  const ofMembers = members
    .filter((pod) => !own.has(controllerOf(pod)?.uid ?? uid))
    .map((pod) => ownerOf(index, pod));
  const ofTemplates = workloadsIn(index.objects)
    .filter(({ metadata, spec: { template } }) => {
      const named = groupNameOf(template);
      const isOther = metadata.namespace === namespace && !own.has(metadata.uid);
      return isOther && named?.name === name && named.by === by;
    })
    .map(({ kind, metadata }): PodOwner => ({ kind, namespace, name: metadata.name }));
  const manager = group && controllerOf(group);
  const managers: readonly PodOwner[] =
    manager === undefined || own.has(manager.uid)
      ? []
      : [{ kind: manager.kind, namespace, name: manager.name }];
  const owners = [...ofMembers, ...ofTemplates, ...managers].map((owner) => ({ owner }));
  return ownerNames([...new Map(owners.map((each) => [ownerKey(each.owner), each])).values()]);
}
