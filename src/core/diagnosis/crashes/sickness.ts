import type { Pod } from '../../cluster/pod.js';
import { isActive, isReady } from '../../cluster/pod.js';
import type { Snapshot } from '../../cluster/snapshot.js';
import { hasNode } from '../stuck-rollout.js';
import type { Ailment, PodCause } from './ailment.js';
import { ailmentsIn, ailmentsOf, podsOf } from './ailments-of.js';
import { revisionOfPod } from './classify-pod.js';
import { currentRevision } from './current-revision.js';

/** One cause in one container of one revision: what a finding about a crash speaks of. */
export interface Sickness {
  readonly cause: PodCause;
  /** The container's name; '' where whole pods fail. */
  readonly container: string;
  readonly revision: string;
  /** One entry a pod, by pod name; the first that goes on comes first. */
  readonly ailments: readonly [Ailment, ...Ailment[]];
  /** Pods of that revision that have a node, failing or not. */
  readonly siblings: readonly Pod[];
  /** Nodes of the failing pods, by name. */
  readonly nodes: readonly string[];
  readonly ongoing: boolean;
}

/** The worst sickness of that cause: what goes on before what is over, then the one with most pods. */
export function sicknessOf(snapshot: Snapshot, cause: PodCause): Sickness | undefined {
  return sicknessesOf(snapshot).find((sickness) => sickness.cause === cause);
}

/** All of them, worst first. */
export function sicknessesOf(snapshot: Snapshot): readonly Sickness[] {
  const groups = new Map<string, [Ailment, ...Ailment[]]>();
  for (const ailment of ailmentsOf(snapshot)) {
    const key = JSON.stringify([ailment.cause, ailment.container?.name ?? '', ailment.revision]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [ailment]);
    else known.push(ailment);
  }
  const pods = podsOf(snapshot);
  return [...groups.values()].map((group) => sicknessOfGroup(group, pods)).sort(worstFirst);
}

function sicknessOfGroup(group: [Ailment, ...Ailment[]], pods: readonly Pod[]): Sickness {
  const [{ cause, container, revision }] = group;
  const nodes = new Set(group.map(({ pod }) => pod.spec.nodeName ?? '').filter((node) => node !== ''));
  return {
    cause,
    container: container?.name ?? '',
    revision,
    ailments: group.sort((a, b) => Number(b.ongoing) - Number(a.ongoing)),
    siblings: pods.filter((pod) => hasNode(pod) && revisionOfPod(pod) === revision),
    nodes: [...nodes].sort(),
    ongoing: group.some(({ ongoing }) => ongoing),
  };
}

function worstFirst(a: Sickness, b: Sickness): number {
  return Number(b.ongoing) - Number(a.ongoing) || b.ailments.length - a.ailments.length;
}

/**
 * Pods of former revisions that are ready and did not fail lately: what the failing revision can be compared with. None
 * while it is a former revision that fails: the pods beside it are of the newer one then.
 */
export function wellPredecessors(snapshot: Snapshot, { revision }: Sickness): readonly Pod[] {
  if (revision !== currentRevision(snapshot)) return [];
  return podsOf(snapshot).filter(
    (pod) =>
      isActive(pod) &&
      isReady(pod) &&
      revisionOfPod(pod) !== revision &&
      ailmentsIn(snapshot, pod).length === 0,
  );
}
