import { ownerOf } from '../../../engine/neighbours/owned-pods.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { hasNode, isTerminating, type Pod } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import type { Incarnation } from '../../../engine/statistics/incarnation.js';
import { revisionOfPod } from './classify-pod.js';
import { containersOf, type EndedRun, lastEndedRun } from './container-view.js';
import { podFailuresIn } from './failure-group.js';
import type { PodFailure } from './pod-failure.js';
import { isLimitTooLow } from './runtime-refusal.js';

/** Older crashes say little about the current state of the node. */
export const windowSeconds = 24 * 3600;

/**
 * `kind/namespace/name` of the owner of a pod; for a pod of a ReplicaSet, the Deployment when it is known.
 */
export function ownerKeyOf({ index }: Snapshot, pod: Pod): string {
  const { kind, namespace, name } = ownerOf(index, pod);
  return `${kind}/${namespace}/${name}`;
}

/**
 * The given pods that have a node (by default all pods of the snapshot), each with or without a crash.
 * Several restarts of one pod count once. A pod whose readiness fails has not crashed. Pods do not count when
 * they are being deleted, lack something that no node could provide, were rejected by the kubelet, or ended
 * long ago.
 */
export function incarnationsOf(
  snapshot: Snapshot,
  pods: readonly Pod[] = snapshot.index.objects.Pod,
): readonly Incarnation[] {
  const now = nowOf(snapshot);
  return pods.flatMap((pod): Incarnation[] => {
    if (!hasNode(pod) || isTerminating(pod) || pod.status.phase === 'Succeeded') return [];
    const podFailures = podFailuresIn(snapshot, pod);
    // A pod that the kubelet rejected never ran.
    if (podFailures.some(({ cause }) => cause === 'kubelet-rejected')) return [];
    if (podFailures.some(isOfNoNode) || (pod.status.phase === 'Failed' && podFailures.length === 0))
      return [];
    const since = Date.parse(pod.status.startTime ?? pod.metadata.creationTimestamp ?? '');
    const crash = crashOf(snapshot, pod, podFailures, now);
    return [
      {
        uid: pod.metadata.uid,
        node: pod.spec.nodeName ?? '',
        workload: ownerKeyOf(snapshot, pod),
        revision: revisionOfPod(pod),
        crashed: crash !== undefined,
        ...(Number.isNaN(since) ? {} : { observedSeconds: Math.max(0, (now - since) / 1000) }),
        ...(crash?.seconds === undefined ? {} : { secondsToCrash: crash.seconds }),
      },
    ];
  });
}

/** The pod's current failure, or a failed run of the last day although the pod is healthy again. */
function crashOf(
  snapshot: Snapshot,
  pod: Pod,
  podFailures: readonly PodFailure[],
  now: number,
): { readonly seconds: number | undefined } | undefined {
  const present = podFailures.find(
    (podFailure) =>
      podFailure.cause !== 'readiness-failing' &&
      podFailure.cause !== 'init-container-stuck' &&
      (podFailure.ongoing || !isOutage(snapshot, pod.spec.nodeName ?? '', podFailure.run)),
  );
  if (present !== undefined) return { seconds: present.run?.seconds };
  for (const { role, status } of containersOf(pod)) {
    const run = lastEndedRun(status);
    if (run === undefined || role === 'ephemeral' || (status?.restartCount ?? 0) === 0) continue;
    if (run.exitCode === 0 || run.reason === 'RestartingAllContainers') continue;
    if (isOutage(snapshot, pod.spec.nodeName ?? '', run)) continue;
    if (now - Date.parse(run.finishedAt ?? '') <= windowSeconds * 1000) return { seconds: run.seconds };
  }
  return undefined;
}

/** Causes that do not depend on the node. */
export function isOfNoNode({ cause, reason, message, container }: PodFailure): boolean {
  if (cause === 'config-missing' || cause === 'preempted' || reason === 'InvalidImageName') return true;
  if (isLimitTooLow(message, container?.spec.resources.limits.memory)) return true;
  const isSource = cause === 'image-pull-failure' || cause === 'mount-failure';
  // The image exists, but not for the architecture of this node.
  if (/no match(?:ing manifest)? for platform|no matching manifest/i.test(message.slice(0, 4096)))
    return false;
  return (
    isSource &&
    /not found|manifest unknown|references non-existent|invalid reference format/i.test(
      message.slice(0, 4096),
    )
  );
}

/** Containers that end around the moment when their node recovers did not fail on their own. */
const outageSeconds = { before: 1800, after: 60 } as const;

/**
 * The node itself was down: the runtime lost the container, or the node became Ready again soon after the
 * end.
 */
export function isOutage(
  { index }: Snapshot,
  nodeName: string,
  run: Pick<EndedRun, 'reason' | 'finishedAt'> | undefined,
): boolean {
  if (run === undefined) return false;
  if (run.reason === 'Unknown' || run.reason === 'ContainerStatusUnknown') return true;
  const node = index.nodes.get(nodeName);
  const ready = node && conditionOf(node.status, 'Ready');
  const back = Date.parse(ready?.status === 'True' ? (ready.lastTransitionTime ?? '') : '');
  const seconds = (back - Date.parse(run.finishedAt ?? '')) / 1000;
  return seconds >= -outageSeconds.after && seconds <= outageSeconds.before;
}
