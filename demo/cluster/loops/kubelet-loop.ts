import { isTerminal, type Pod } from '#src/engine/objects/pod.js';
import type { ApiObject } from '../api-object.js';
import { textAt } from '../json.js';
import { deleteObject } from '../registry/delete-object.js';
import { requireResourceType } from '../resources/resource-types.js';
import { conductOf } from './conduct.js';
import { attempt, writeStatus } from './controller-writes.js';
import { type Hindrance, hindranceOf } from './hindrance.js';
import {
  isAttachRefused,
  isOurs,
  type KubeletOptions,
  type Running,
  takenOver,
  wasBound,
} from './kubelet-adoption.js';
import {
  addressOf,
  backsOff,
  containersOf,
  ended,
  imageOf,
  pullBacksOff,
  record,
  started,
  startFailed,
  writerOn,
} from './kubelet-reports.js';
import type { Loop, LoopContext, LoopFactory } from './loop.js';
import { backOffMs, forgivenAfterMs, type PodBehaviour, usualBehaviour } from './pod-behaviour.js';
import { type ContainerPhase, podStatus } from './pod-status.js';

const pods = requireResourceType('', 'pods');
const nodes = requireResourceType('', 'nodes');
/**
 * A kubelet looks at a pod that it could not start again after about so long (`kubelet.go: backOffPeriod`).
 */
const syncMs = 10_000;

/**
 * All kubelets: start the pods that are bound to their nodes, report them, restart what crashes, and let go
 * of what is deleted. A pod that came with a status, such as a recorded one, is left as it is until it is
 * deleted. On a node that is not Ready nothing happens.
 */
export function kubeletLoop(options: KubeletOptions): LoopFactory {
  return () => {
    const running = new Map<string, Running>();
    const endings = new Map<string, number>();
    const loop: Loop = (context) => {
      const present = new Set<string>();
      for (const pod of context.view().index.objects.Pod) {
        present.add(pod.metadata.uid);
        if (!pod.spec.nodeName || !isKubeletUp(context, pod.spec.nodeName)) continue;
        const stored = context.view().stored(pod);
        if (stored === undefined) continue;
        if (pod.metadata.deletionTimestamp !== undefined) terminate(context, options, stored, endings);
        else if (!isTerminal(pod)) run(context, options, pod, stored, running);
      }
      for (const uid of [...running.keys(), ...endings.keys()]) {
        if (present.has(uid)) continue;
        running.delete(uid);
        endings.delete(uid);
      }
    };
    return loop;
  };
}

function isKubeletUp({ view }: LoopContext, name: string): boolean {
  const ready = view()
    .index.nodes.get(name)
    ?.status.conditions.find(({ type }) => type === 'Ready');
  return ready === undefined || ready.status === 'True';
}

function behaviour({ registry }: LoopContext, options: KubeletOptions, pod: ApiObject): PodBehaviour {
  const node = registry.store.get(nodes.storage, textAt(pod, 'spec', 'nodeName') ?? '');
  return {
    ...usualBehaviour,
    ...options.usual,
    ...(options.behaviourOf?.(pod, node) ?? conductOf(registry, pod)),
  };
}

function run(
  context: LoopContext,
  options: KubeletOptions,
  pod: Pod,
  stored: ApiObject,
  running: Map<string, Running>,
): void {
  const { uid } = pod.metadata;
  let known = running.get(uid);
  if (known === undefined) {
    if (!wasBound(pod) || !isOurs(context, options, pod, stored)) return;
    if (isAttachRefused(context, pod, stored)) return;
    known = takenOver(pod, context.now());
    running.set(uid, known);
  }
  const how = behaviour(context, options, stored);
  advance(context, stored, known, how);
  report(context, stored, known, how);
}

/** Takes every step that is due by now. */
function advance(context: LoopContext, pod: ApiObject, run: Running, how: PodBehaviour): void {
  while (run.runningSince !== undefined || start(context, pod, run, how)) {
    if (!end(context, pod, run, how)) return;
  }
}

/** Starts the next run if it is its time and nothing is in its way. */
function start(context: LoopContext, pod: ApiObject, run: Running, how: PodBehaviour): boolean {
  const now = context.now();
  const startsAt = run.waitsUntil ?? run.takenAt + how.startMs;
  if (startsAt > now) {
    context.wakeAt(startsAt);
    return false;
  }
  const hindrance = hindranceOf(context, pod, how);
  if (hindrance !== undefined) {
    hold(context, pod, run, hindrance);
    return false;
  }
  if (run.former !== undefined) run.restarts += 1;
  run.runningSince = now;
  run.waitsUntil = undefined;
  run.waiting = undefined;
  run.hindered = 0;
  for (const container of containersOf(pod)) started(context, pod, container, how);
  return true;
}

/**
 * An image is asked for again after a growing pause, during which the status says so; what is missing, soon.
 */
function hold(context: LoopContext, pod: ApiObject, run: Running, hindrance: Hindrance): void {
  const now = context.now();
  const { container, kind, reason, message } = hindrance;
  if (kind === 'pull' && run.waiting?.phase === 'held' && run.waiting.reason === 'ErrImagePull') {
    run.hindered += 1;
    run.waiting = {
      phase: 'held',
      reason: 'ImagePullBackOff',
      message: `Back-off pulling image "${imageOf(pod, container)}": ErrImagePull: ${message}`,
    };
    run.waitsUntil = now + backOffMs(run.hindered);
    pullBacksOff(context, pod, container);
  } else {
    run.waiting = { phase: 'held', reason, message };
    run.waitsUntil = now + syncMs;
    startFailed(context, pod, hindrance);
  }
  context.wakeAt(run.waitsUntil);
}

/** Ends the run if it is its time; true when the next one begins at once. */
function end(context: LoopContext, pod: ApiObject, run: Running, how: PodBehaviour): boolean {
  const { crash } = how;
  const now = context.now();
  if (crash === undefined || run.runningSince === undefined) return false;
  const endsAt = run.runningSince + crash.afterMs;
  if (endsAt > now) {
    context.wakeAt(endsAt);
    return false;
  }
  const { exitCode, reason, message } = crash;
  run.former = {
    startedAt: run.runningSince,
    finishedAt: now,
    exitCode,
    reason,
    ...(message === undefined ? {} : { message }),
  };
  if (now - run.runningSince > forgivenAfterMs) run.forgiven = run.restarts;
  run.runningSince = undefined;
  const pauseMs = backOffMs(run.restarts - run.forgiven);
  run.waitsUntil = now + pauseMs;
  for (const container of containersOf(pod)) ended(context, pod, container, how);
  if (pauseMs === 0) return true;
  run.waiting = { phase: 'backing-off', pauseMs };
  context.wakeAt(run.waitsUntil);
  for (const container of containersOf(pod)) backsOff(context, pod, container);
  return false;
}

function report(context: LoopContext, pod: ApiObject, run: Running, how: PodBehaviour): void {
  const now = context.now();
  const readyAt =
    run.runningSince === undefined || how.readyMs === undefined ? undefined : run.runningSince + how.readyMs;
  if (readyAt !== undefined) context.wakeAt(readyAt);
  const containers: ContainerPhase =
    run.runningSince === undefined
      ? (run.waiting ?? { phase: 'creating' })
      : { phase: 'running', since: run.runningSince, ready: readyAt !== undefined && readyAt <= now };
  const node = textAt(pod, 'spec', 'nodeName') ?? '';
  const current =
    context.registry.store.get(pods.storage, `${pod.metadata.namespace}/${pod.metadata.name}`) ?? pod;
  const where = { hostIP: addressOf(context, node), podIP: run.podIP };
  const status = podStatus(
    current,
    { containers, restarts: run.restarts, former: run.former },
    where,
    run.takenAt,
    now,
  );
  attempt(() => writeStatus(context.registry, pods, current, status, writerOn(node)));
}

function terminate(
  context: LoopContext,
  options: KubeletOptions,
  pod: ApiObject,
  endings: Map<string, number>,
): void {
  const { uid, namespace = '', name, deletionGracePeriodSeconds = 0 } = pod.metadata;
  let endsAt = endings.get(uid);
  if (endsAt === undefined) {
    const { terminationMs } = behaviour(context, options, pod);
    endsAt = context.now() + Math.min(deletionGracePeriodSeconds * 1000, terminationMs);
    endings.set(uid, endsAt);
    for (const container of containersOf(pod)) {
      record(context, pod, container, 'Normal', 'Killing', `Stopping container ${container}`);
    }
  }
  if (endsAt > context.now()) {
    context.wakeAt(endsAt);
    return;
  }
  const node = textAt(pod, 'spec', 'nodeName') ?? '';
  attempt(() =>
    deleteObject(context.registry, pods, namespace, name, { ...writerOn(node), uid, gracePeriodSeconds: 0 }),
  );
}
