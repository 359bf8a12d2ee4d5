import type { ApiObject } from '../api-object.js';
import { apiTime } from '../api-time.js';
import { type JsonObject, listAt, textAt } from '../json.js';
import { goDuration } from './pod-behaviour.js';

export type ContainerPhase =
  | { readonly phase: 'creating' }
  | { readonly phase: 'running'; readonly since: number; readonly ready: boolean }
  /** Between two runs. */
  | { readonly phase: 'backing-off'; readonly pauseMs: number }
  /** Not started at all. */
  | { readonly phase: 'held'; readonly reason: string; readonly message: string };

/** The end of a container's former run. */
export interface FormerRun {
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
}

export interface PodRun {
  readonly containers: ContainerPhase;
  readonly restarts: number;
  readonly former: FormerRun | undefined;
}

/**
 * The status that a kubelet reports of a pod in that state. Conditions keep the time of their last change.
 */
export function podStatus(
  pod: ApiObject,
  { containers, restarts, former }: PodRun,
  where: { readonly hostIP: string; readonly podIP: string },
  startedAt: number,
  now: number,
): JsonObject {
  const hasSandbox = containers.phase !== 'creating';
  const isRunning = hasSandbox && (containers.phase !== 'held' || former !== undefined);
  const isReady = containers.phase === 'running' && containers.ready;
  const names = listAt(pod, 'spec', 'containers').map(({ name }) => name);
  const unready = {
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${names.join(' ')}]`,
  };
  const generation = pod.metadata.generation;
  const condition = (type: string, holds: boolean, why: JsonObject = {}): JsonObject =>
    conditionJson(pod, type, holds, holds ? {} : why, generation, now);
  return {
    observedGeneration: generation,
    phase: isRunning ? 'Running' : 'Pending',
    conditions: [
      condition('PodReadyToStartContainers', hasSandbox),
      condition('Initialized', true),
      condition('Ready', isReady, unready),
      condition('ContainersReady', isReady, unready),
      ...listAt(pod, 'status', 'conditions').filter(({ type }) => type === 'PodScheduled'),
      ...listAt(pod, 'status', 'conditions').filter(({ type }) => type === 'DisruptionTarget'),
    ],
    hostIP: where.hostIP,
    hostIPs: [{ ip: where.hostIP }],
    ...(hasSandbox ? { podIP: where.podIP, podIPs: [{ ip: where.podIP }] } : {}),
    startTime: apiTime(startedAt),
    ...initStatuses(pod, startedAt),
    containerStatuses: listAt(pod, 'spec', 'containers').map((container) => ({
      name: container.name,
      state: stateJson(pod, containers, container),
      lastState:
        former === undefined
          ? {}
          : {
              terminated: terminatedJson(pod, container, former, isNow(containers) ? restarts - 1 : restarts),
            },
      ready: isReady,
      restartCount: restarts,
      image: container.image,
      imageID: isRunning ? imageId(container) : '',
      ...(isRunning ? { containerID: containerId(pod, container, restarts) } : {}),
      started: containers.phase === 'running',
    })),
    qosClass: textAt(pod, 'status', 'qosClass') ?? 'BestEffort',
  };
}

function stateJson(pod: ApiObject, phase: ContainerPhase, container: JsonObject): JsonObject {
  switch (phase.phase) {
    case 'creating':
      return { waiting: { reason: 'ContainerCreating' } };
    case 'running':
      return { running: { startedAt: apiTime(phase.since) } };
    case 'held':
      return { waiting: { reason: phase.reason, message: phase.message } };
    case 'backing-off': {
      const { namespace, name, uid } = pod.metadata;
      const message = `back-off ${goDuration(phase.pauseMs)} restarting failed container=${container.name} pod=${name}_${namespace}(${uid})`;
      return { waiting: { reason: 'CrashLoopBackOff', message } };
    }
  }
}

function terminatedJson(pod: ApiObject, container: JsonObject, run: FormerRun, number: number): JsonObject {
  return {
    exitCode: run.exitCode,
    reason: run.reason,
    ...(run.message === undefined ? {} : { message: run.message }),
    startedAt: apiTime(run.startedAt),
    finishedAt: apiTime(run.finishedAt),
    containerID: containerId(pod, container, number),
  };
}

/** The run that counts as `restartCount` goes on. */
function isNow({ phase }: ContainerPhase): boolean {
  return phase === 'running';
}

/** Init containers are done the moment the pod starts; sidecars run. */
function initStatuses(pod: ApiObject, startedAt: number): JsonObject {
  const inits = listAt(pod, 'spec', 'initContainers');
  if (inits.length === 0) return {};
  const time = apiTime(startedAt);
  return {
    initContainerStatuses: inits.map((container) => {
      const isSidecar = container.restartPolicy === 'Always';
      const done = { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time };
      return {
        name: container.name,
        state: isSidecar ? { running: { startedAt: time } } : { terminated: done },
        lastState: {},
        ready: true,
        restartCount: 0,
        image: container.image,
        imageID: imageId(container),
        containerID: containerId(pod, container, 0),
        started: isSidecar,
      };
    }),
  };
}

function conditionJson(
  pod: ApiObject,
  type: string,
  holds: boolean,
  why: JsonObject,
  observedGeneration: number | undefined,
  now: number,
): JsonObject {
  const status = holds ? 'True' : 'False';
  const former = listAt(pod, 'status', 'conditions').find((condition) => condition.type === type);
  const lastTransitionTime = former?.status === status ? former.lastTransitionTime : apiTime(now);
  return { type, observedGeneration, status, lastProbeTime: null, lastTransitionTime, ...why };
}

function imageId(container: JsonObject): string {
  return `${container.image}@sha256:${hexOf(String(container.image))}`;
}

function containerId({ metadata }: ApiObject, container: JsonObject, run: number): string {
  return `containerd://${hexOf(`${metadata.uid}/${container.name}/${run}`)}`;
}

/** Sixty-four hexadecimal digits that depend on the text alone. */
function hexOf(text: string): string {
  let digits = '';
  for (let round = 0; digits.length < 64; round += 1) {
    let hash = 0x811c9dc5;
    for (const byte of Buffer.from(`${round}${text}`)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
    digits += hash.toString(16).padStart(8, '0');
  }
  return digits.slice(0, 64);
}
