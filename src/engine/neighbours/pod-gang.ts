import type { ClusterIndex } from '../objects/cluster-index.js';
import { conditionOf } from '../objects/metadata.js';
import { hasNode, isActive, type Pod } from '../objects/pod.js';
import { groupMarks, type PodGroup } from '../objects/pod-group.js';

/** The group of a pod, whose scheduler starts none of its pods before enough of them exist and fit. */
export interface Gang {
  /** In the namespace of the pod. */
  readonly name: string;
  readonly by: 'Volcano' | 'Coscheduling';
  readonly minMember: number;
  /** Active pods of the group. */
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
    ({ metadata }) => metadata.namespace === namespace && metadata.name === name,
  );
  const said = minimumSaid(pod);
  // Its marks alone make no group: kube-scheduler starts pods of groups one by one, unless a plugin was built
  // into it.
  if (pod.spec.schedulerName === kubeScheduler && said === undefined) return undefined;
  const minMember = group?.spec.minMember ?? said;
  if (minMember === undefined) return undefined;
  const members = objects.Pod.filter(
    (each) => each.metadata.namespace === namespace && isActive(each) && groupNameOf(each)?.name === name,
  );
  const scheduled = members.filter(hasNode).length;
  return { name, by, minMember, members, scheduled, ...(group === undefined ? {} : { group }) };
}

const kubeScheduler = 'default-scheduler';

export function groupNameOf({
  metadata: { labels, annotations },
}: Pod): Pick<Gang, 'name' | 'by'> | undefined {
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
