import type { ClusterIndex } from '../../../src/core/cluster/cluster-index.js';
import type { Pod } from '../../../src/core/cluster/pod.js';
import type { ApiObject } from '../api-object.js';
import { requireResourceType } from '../resources/resource-types.js';
import { attempt, writeStatus } from './controller-writes.js';
import { addressOf, writerOn } from './kubelet-reports.js';
import type { LoopContext } from './loop.js';
import type { BehaviourOf, PodBehaviour } from './pod-behaviour.js';
import { type FormerRun, podStatus } from './pod-status.js';
import { volumeHeldElsewhere } from './volume-attachment.js';

const pods = requireResourceType('', 'pods');

/** What the kubelet remembers of a pod it runs. Times in epoch milliseconds. */
export interface Running {
  readonly takenAt: number;
  readonly podIP: string;
  runningSince: number | undefined;
  /** The next run may begin; set while the container waits. */
  waitsUntil: number | undefined;
  restarts: number;
  former: FormerRun | undefined;
}

export interface KubeletOptions {
  readonly usual?: Partial<PodBehaviour>;
  readonly behaviourOf?: BehaviourOf;
  /**
   * Pods that came with a status and from now on behave like all others, asked whenever something changes: by default
   * those that wait for a volume which has been let go.
   */
  readonly adopts?: (pod: ApiObject, index: ClusterIndex) => boolean;
}

/** A pod that no kubelet has reported yet, or one that came with a status and is to behave from now on. */
export function isOurs(context: LoopContext, options: KubeletOptions, pod: Pod, stored: ApiObject): boolean {
  if (pod.status.startTime === undefined) return true;
  const { index } = context.view();
  const waitsForVolume = (index.eventsByUid.get(pod.metadata.uid) ?? []).some(
    ({ reason }) => reason === 'FailedAttachVolume',
  );
  const hasRun = pod.status.containerStatuses.some(({ state }) => state.running !== undefined);
  return (waitsForVolume && !hasRun) || options.adopts?.(stored, index) === true;
}

/** True while a volume of the pod is in use on another node; told once. */
export function isAttachRefused(context: LoopContext, pod: Pod, stored: ApiObject): boolean {
  const { index } = context.view();
  const held = volumeHeldElsewhere(index, pod);
  if (held === undefined) return false;
  const isTold = (index.eventsByUid.get(pod.metadata.uid) ?? []).some(
    ({ reason }) => reason === 'FailedAttachVolume',
  );
  if (!isTold) {
    context.events.record(stored, {
      type: 'Warning',
      reason: 'FailedAttachVolume',
      message: `Multi-Attach error for volume "${held.volume}" Volume is already used by pod(s) ${held.holders.join(', ')}`,
      component: 'attachdetach-controller',
    });
  }
  if (pod.status.startTime === undefined) {
    const node = pod.spec.nodeName ?? '';
    const status = podStatus(
      stored,
      { containers: { phase: 'creating' }, restarts: 0, former: undefined },
      { hostIP: addressOf(context, node), podIP: '' },
      context.now(),
      context.now(),
    );
    attempt(() => writeStatus(context.registry, pods, stored, status, writerOn(node)));
  }
  return true;
}

/** A fresh pod begins now; one that runs already goes on from where it is. */
export function takenOver({ status }: Pod, now: number, count: number): Running {
  const [container] = status.containerStatuses;
  const startedAt = container?.state.running?.startedAt;
  return {
    takenAt: startedAt === undefined || status.startTime === undefined ? now : Date.parse(status.startTime),
    podIP: status.podIP ?? `10.244.${(count >> 8) & 255}.${(count & 255) + 1}`,
    runningSince: startedAt === undefined ? undefined : Date.parse(startedAt),
    waitsUntil: undefined,
    restarts: container?.restartCount ?? 0,
    former: undefined,
  };
}

/** A pod that was created with its node, past the scheduler, is none of ours: a real kubelet may reject it. */
export function wasBound(pod: Pod): boolean {
  return pod.status.conditions.some(({ type, status }) => type === 'PodScheduled' && status === 'True');
}
