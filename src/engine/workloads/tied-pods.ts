import { groupBy } from '../collections/collections.js';
import { type Rollout, rolloutHashLabel } from '../objects/argo-rollout.js';
import type { ClusterIndex } from '../objects/cluster-index.js';
import { matchesSelector } from '../objects/label-selector.js';
import { conditionOf, controllerOf, isReplicaSet } from '../objects/metadata.js';
import type { Pod } from '../objects/pod.js';
import { type Deployment, hasObservedSpec, hasSteps } from '../objects/workload.js';
import { isObserved } from './argo-rollout/replica-set-roles.js';

/** Labels with which a controller marks the pods of a ReplicaSet, and the kind of its workloads. */
const hashLabels = [
  { label: 'pod-template-hash', kind: 'Deployment' },
  { label: rolloutHashLabel, kind: 'Rollout' },
] as const;

/**
 * The Deployment or Rollout of a pod of a ReplicaSet that was not read, and the hash of its revision: the
 * name of the ReplicaSet is that of its workload and this hash (`deployment/sync.go: getNewReplicaSet`,
 * argo-rollouts `rollout/sync.go: createNewReplicaSet`). `undefined` where the name is another one.
 */
export function workloadByName(
  pod: Pod,
): { readonly kind: 'Deployment' | 'Rollout'; readonly name: string; readonly hash: string } | undefined {
  const owner = controllerOf(pod);
  if (!isReplicaSet(owner)) return undefined;
  for (const { label, kind } of hashLabels) {
    const hash = pod.metadata.labels[label] ?? '';
    const suffix = `-${hash}`;
    if (hash !== '' && owner.name.endsWith(suffix)) {
      return { kind, name: owner.name.slice(0, -suffix.length), hash };
    }
  }
  return undefined;
}

/** What is known of a workload whose ReplicaSets were not read. */
export interface UnreadReplicaSets {
  /** The uid of the newest ReplicaSet; absent where neither its pods nor the workload shows it. */
  readonly newest?: string;
}

/**
 * Pods of the workload whose ReplicaSet is not in the index. A selector alone ties no pod to a workload:
 * those of two workloads may overlap, and the controllers take the owner.
 */
export function tiedPods(index: ClusterIndex, workload: Deployment | Rollout): readonly Pod[] {
  const known = tied.get(workload);
  if (known?.index === index) return known.pods;
  const { namespace, name } = workload.metadata;
  const pods = index.objects.Pod.filter((pod) => {
    if (pod.metadata.namespace !== namespace) return false;
    const above = workloadByName(pod);
    if (above?.kind !== workload.kind || above.name !== name) return false;
    return (
      !index.replicaSets.has(controllerOf(pod)?.uid ?? '') &&
      matchesSelector(workload.spec.selector, pod.metadata.labels)
    );
  });
  tied.set(workload, { index, pods });
  return pods;
}

/** Every rule asks for the pods of the same workload. */
const tied = new WeakMap<
  Deployment | Rollout,
  { readonly index: ClusterIndex; readonly pods: readonly Pod[] }
>();

/**
 * Which of these ReplicaSets is the newest: the one that the status of the workload names, by its hash or in
 * the Progressing condition. Where pods of only one exist, the count of updated pods tells whether it is.
 */
export function newestOfTied(workload: Deployment | Rollout, pods: readonly Pod[]): string | undefined {
  const byHash = groupBy(pods, (pod) => workloadByName(pod)?.hash ?? '');
  const uidOf = (hash: string): string | undefined => {
    const [first] = byHash.get(hash) ?? [];
    return first && controllerOf(first)?.uid;
  };
  if (hasSteps(workload)) {
    return isObserved(workload) ? uidOf(workload.status.currentPodHash) : undefined;
  }
  if (!hasObservedSpec(workload)) return undefined;
  const { name } = workload.metadata;
  const message = conditionOf(workload.status, 'Progressing')?.message ?? '';
  const named = [...byHash.keys()].find((hash) => message.includes(`"${name}-${hash}"`));
  if (named !== undefined) return uidOf(named);
  const [only, ...others] = byHash.keys();
  if (only === undefined || others.length > 0) return undefined;
  return workload.status.updatedReplicas > 0 ? uidOf(only) : undefined;
}
