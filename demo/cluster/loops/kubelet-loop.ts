import { isTerminal, type Pod } from '../../../src/core/cluster/pod.js';
import type { ApiObject } from '../api-object.js';
import { textAt } from '../json.js';
import { deleteObject } from '../registry/delete-object.js';
import { requireResourceType } from '../resources/resource-types.js';
import { attempt, writeStatus } from './controller-writes.js';
import {
  isAttachRefused,
  isOurs,
  type KubeletOptions,
  type Running,
  takenOver,
  wasBound,
} from './kubelet-adoption.js';
import { addressOf, containersOf, crashed, pulled, record, started, writerOn } from './kubelet-reports.js';
import type { Loop, LoopContext, LoopFactory } from './loop.js';
import { backOffMs, type PodBehaviour, usualBehaviour } from './pod-behaviour.js';
import { podStatus } from './pod-status.js';

const pods = requireResourceType('', 'pods');
const nodes = requireResourceType('', 'nodes');

/**
 * All kubelets: start the pods that are bound to their nodes, report them, restart what crashes, and let go of what
 * is deleted. A pod that came with a status, such as a recorded one, is left as it is until it is deleted. On a node
 * that is not Ready nothing happens.
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
  return { ...usualBehaviour, ...options.usual, ...options.behaviourOf?.(pod, node) };
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
    known = takenOver(pod, context.now(), running.size);
    running.set(uid, known);
    if (known.runningSince === undefined) {
      for (const container of containersOf(stored)) pulled(context, stored, container);
    }
  }
  const how = behaviour(context, options, stored);
  advance(context, stored, known, how);
  report(context, stored, known, how);
}

/** Takes every step that is due by now. */
function advance(context: LoopContext, pod: ApiObject, run: Running, how: PodBehaviour): void {
  const now = context.now();
  if (run.runningSince === undefined) {
    const startsAt = run.waitsUntil ?? run.takenAt + how.startMs;
    if (startsAt > now) {
      context.wakeAt(startsAt);
      return;
    }
    run.runningSince = now;
    run.waitsUntil = undefined;
    for (const container of containersOf(pod)) started(context, pod, container, how);
  }
  if (how.crash === undefined) return;
  const endsAt = run.runningSince + how.crash.afterMs;
  if (endsAt > now) {
    context.wakeAt(endsAt);
    return;
  }
  run.former = {
    startedAt: run.runningSince,
    finishedAt: now,
    exitCode: how.crash.exitCode,
    reason: how.crash.reason,
  };
  run.runningSince = undefined;
  run.restarts += 1;
  run.waitsUntil = now + backOffMs(run.restarts);
  context.wakeAt(run.waitsUntil);
  for (const container of containersOf(pod)) crashed(context, pod, container, how);
}

function report(context: LoopContext, pod: ApiObject, run: Running, how: PodBehaviour): void {
  const now = context.now();
  const readyAt =
    run.runningSince === undefined || how.readyMs === undefined ? undefined : run.runningSince + how.readyMs;
  if (readyAt !== undefined) context.wakeAt(readyAt);
  const containers =
    run.runningSince !== undefined
      ? ({
          phase: 'running',
          since: run.runningSince,
          ready: readyAt !== undefined && readyAt <= now,
        } as const)
      : run.former === undefined
        ? ({ phase: 'creating' } as const)
        : ({ phase: 'waiting', restarts: run.restarts } as const);
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
