import { controllerOf } from '../objects/metadata.js';
import { containersInCrashLoop, type Pod } from '../objects/pod.js';
import { controllerRevisionHashLabel } from '../workloads/controller-revisions.js';
import { epochOf } from '../workloads/creation-order.js';

/**
 * Equal for pods of one revision of one workload: the ReplicaSet, or the revision that the controller wrote
 * on the pod.
 */
export function revisionKey(pod: Pod): string {
  const owner = controllerOf(pod);
  if (owner?.kind === 'ReplicaSet') return owner.uid;
  return pod.metadata.labels[controllerRevisionHashLabel] ?? '';
}

/** A rollout is in progress, or was left in the middle. */
export function areOfSeveralRevisions(pods: readonly Pod[]): boolean {
  const [first] = pods;
  if (first === undefined) return false;
  const revision = revisionKey(first);
  return pods.some((pod) => revisionKey(pod) !== revision);
}

/** The pod that was created last; the first of several. */
export function youngestOf(pods: readonly Pod[]): Pod | undefined {
  return pods.reduce<Pod | undefined>(
    (best, pod) => (best === undefined || createdAt(pod) > createdAt(best) ? pod : best),
    undefined,
  );
}

function createdAt({ metadata }: Pod): number {
  return epochOf(metadata.creationTimestamp) ?? 0;
}

/** A container that was started anew so often keeps failing; before, it may have waited for something. */
const restartsOfFailure = 3;

/** A pod that fails beside one that is ready belongs to the new revision, and does not leave by itself. */
export function isFailing(pod: Pod): boolean {
  const { status } = pod;
  if (containersInCrashLoop(pod).length > 0) return true;
  return [...status.containerStatuses, ...status.initContainerStatuses].some(
    ({ restartCount, state }) =>
      restartCount >= restartsOfFailure || failures.has(state.waiting?.reason ?? ''),
  );
}

/**
 * Reasons of a waiting container that do not pass by themselves (kubernetes pkg/kubelet/images, kuberuntime).
 */
const failures: ReadonlySet<string> = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'ErrImageNeverPull',
  'ErrImagePull',
  'ImageInspectError',
  'ImagePullBackOff',
  'InvalidImageName',
  'RunContainerError',
]);
