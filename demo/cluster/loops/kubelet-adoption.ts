import type { ClusterIndex } from '#src/engine/objects/cluster-index.js';
import type { ContainerStatus, Pod } from '#src/engine/objects/pod.js';
import type { ApiObject } from '../api-object.js';
import { requireResourceType } from '../resources/resource-types.js';
import { conductOf } from './conduct.js';
import { attempt, writeStatus } from './controller-writes.js';
import { addressOf, writerOn } from './kubelet-reports.js';
import type { LoopContext } from './loop.js';
import { type BehaviourOf, backOffMs, type PodBehaviour } from './pod-behaviour.js';
import { type ContainerPhase, type FormerRun, podStatus } from './pod-status.js';
import { volumeHeldElsewhere } from './volume-attachment.js';

const pods = requireResourceType('', 'pods');

/** What the kubelet remembers of a pod it runs. Times in epoch milliseconds. */
export interface Running {
  readonly takenAt: number;
  readonly podIP: string;
  runningSince: number | undefined;
  /** The next run may begin; set while the container waits. */
  waitsUntil: number | undefined;
  /** What it waits for between runs, or instead of the first. */
  waiting: ContainerPhase | undefined;
  restarts: number;
  /** Restarts that no longer lengthen the pause. */
  forgiven: number;
  /** Attempts that ended before the container ran. */
  hindered: number;
  former: FormerRun | undefined;
}

export interface KubeletOptions {
  readonly usual?: Partial<PodBehaviour>;
  readonly behaviourOf?: BehaviourOf;
  /**
   * Pods that came with a status and from now on behave like all others, asked whenever something changes: by
   * default those that wait for a volume which has been let go, and those of which the cluster knows how they
   * fail.
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
  return (
    (waitsForVolume && !hasRun) ||
    conductOf(context.registry, stored) !== undefined ||
    options.adopts?.(stored, index) === true
  );
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

/** A fresh pod begins now; one that runs, or waits for another attempt, goes on from where it is. */
export function takenOver({ metadata, status }: Pod, now: number): Running {
  const [container] = status.containerStatuses;
  const startedAt = container?.state.running?.startedAt;
  const restarts = container?.restartCount ?? 0;
  const former = formerRunOf(container);
  const wait = waitOf(container, former, now);
  const goesOn = startedAt !== undefined || wait.waiting !== undefined;
  return {
    takenAt: goesOn && status.startTime !== undefined ? Date.parse(status.startTime) : now,
    podIP: status.podIP ?? addressFor(metadata.uid),
    runningSince: startedAt === undefined ? undefined : Date.parse(startedAt),
    ...wait,
    restarts,
    forgiven: 0,
    former,
  };
}

/** Of the network of pods, by the uid: the same pod gets the same one. */
function addressFor(uid: string): string {
  const number = Number.parseInt(uid.slice(0, 4), 16) || 0;
  return `10.244.${number >> 8}.${((number & 255) % 254) + 1}`;
}

function formerRunOf(container: ContainerStatus | undefined): FormerRun | undefined {
  const ended = container?.lastState.terminated;
  if (ended?.startedAt === undefined || ended.finishedAt === undefined) return undefined;
  return {
    startedAt: Date.parse(ended.startedAt),
    finishedAt: Date.parse(ended.finishedAt),
    exitCode: ended.exitCode,
    reason: ended.reason,
    ...(ended.message === '' ? {} : { message: ended.message }),
  };
}

/** So many attempts make the longest pause. */
const many = 10;

function waitOf(
  container: ContainerStatus | undefined,
  former: FormerRun | undefined,
  now: number,
): Pick<Running, 'waiting' | 'waitsUntil' | 'hindered'> {
  const { reason = '', message = '' } = container?.state.waiting ?? {};
  if (reason === 'CrashLoopBackOff') {
    const pauseMs = backOffMs(container?.restartCount ?? 0);
    return {
      waiting: { phase: 'backing-off', pauseMs },
      waitsUntil: (former?.finishedAt ?? now) + pauseMs,
      hindered: 0,
    };
  }
  if (reason === 'ImagePullBackOff') {
    return {
      waiting: { phase: 'held', reason, message },
      waitsUntil: now + backOffMs(many),
      hindered: many,
    };
  }
  return { waiting: undefined, waitsUntil: undefined, hindered: 0 };
}

/**
 * A pod that was created with its node, past the scheduler, is none of ours: a real kubelet may reject it.
 */
export function wasBound(pod: Pod): boolean {
  return pod.status.conditions.some(({ type, status }) => type === 'PodScheduled' && status === 'True');
}
