import { isActive, isResized, type Pod } from '../objects/pod.js';
import type { Placement } from './placement.js';
import { isResizeInfeasible, podRequests } from './pod-requests.js';

/**
 * Pods that are being resized and request less than they count for until the kubelet has made the resize
 * (`component-helpers resource/helpers.go: AggregateContainerRequests`), where that lets the scheduler place
 * the waiting pod. Nobody has to act for it. The kubelet tries again while a container uses more memory than
 * it is to get.
 */
export function loweredPodsThatFree(placement: Placement, waiting: Pod): readonly Pod[] {
  const lowered = placement
    .evaluate(waiting)
    .nodes.filter(({ tooSmall }) => !tooSmall)
    .flatMap(({ node }) => placement.index.podsByNode.get(node) ?? [])
    .flatMap(loweredOf);
  if (lowered.length === 0 || placement.with({ add: lowered }).evaluate(waiting).outcome !== 'fits')
    return [];
  const alone = lowered
    .slice(0, maxTriedAlone)
    .filter((pod) => placement.with({ add: [pod] }).evaluate(waiting).outcome === 'fits');
  return alone.length > 0 ? alone : lowered;
}

/** They are tried alone to name those that are enough. */
const maxTriedAlone = 20;

/** As it will be. */
function loweredOf(pod: Pod): readonly Pod[] {
  if (!isActive(pod) || !isResized(pod) || isResizeInfeasible(pod.status)) return [];
  const after = resized(pod);
  const now = podRequests(pod, true);
  const then = podRequests(after, true);
  return [...now].some(([resource, amount]) => amount > (then.get(resource) ?? 0n)) ? [after] : [];
}

function resized(pod: Pod): Pod {
  const { status } = pod;
  const withoutResources = <Status extends object>(one: Status) => ({
    ...one,
    resources: undefined,
    allocatedResources: {},
  });
  return {
    ...pod,
    status: {
      ...status,
      resources: undefined,
      allocatedResources: {},
      containerStatuses: status.containerStatuses.map(withoutResources),
      initContainerStatuses: status.initContainerStatuses.map(withoutResources),
    },
  };
}
