import { isActive, isTerminal, isTerminating, type Pod } from '#src/engine/objects/pod.js';
import { createPlacement, type Placement } from '#src/engine/scheduler/placement.js';
import type { ApiObject } from '../api-object.js';
import { apiTime } from '../api-time.js';
import { copy, type JsonObject, listAt, setAt, textAt } from '../json.js';
import { assignPod } from '../registry/assign-pod.js';
import { deleteObject } from '../registry/delete-object.js';
import type { WriteOptions } from '../registry/registry.js';
import { updateObject } from '../registry/update-object.js';
import { requireResourceType } from '../resources/resource-types.js';
import { attempt } from './controller-writes.js';
import type { Loop, LoopContext } from './loop.js';

const pods = requireResourceType('', 'pods');
const component = 'default-scheduler';
const writer: WriteOptions = { manager: 'kube-scheduler', user: 'system:kube-scheduler', dryRun: false };

/**
 * A pod that nothing brings back into the queue is tried again after so long
 * (`flushUnschedulablePodsLeftover`).
 */
const retryMs = 5 * 60_000;

/**
 * The scheduler: feasibility, preemption and the words of a refusal are the placement engine's. Of the
 * feasible nodes it takes the one with the fewest pods, then by name, where the real one scores. A pod that
 * the engine cannot judge stays pending.
 */
export const schedulerLoop: Loop = (context) => {
  const waiting = context.view().index.objects.Pod.filter(isWaiting).sort(byQueueOrder);
  for (const pod of waiting) {
    const index = context.view().index;
    attempt(() => schedule(context, createPlacement(index), pod));
  }
};

function isWaiting(pod: Pod): boolean {
  return isActive(pod) && !pod.spec.nodeName && pod.spec.schedulerName === component;
}

/** Priority first, then who came first (`queuesort/priority_sort.go`). */
function byQueueOrder(a: Pod, b: Pod): number {
  const priority = (b.spec.priority ?? 0) - (a.spec.priority ?? 0);
  if (priority !== 0) return priority;
  const key = ({ metadata }: Pod): string =>
    `${metadata.creationTimestamp} ${metadata.namespace}/${metadata.name}`;
  return key(a) < key(b) ? -1 : 1;
}

function schedule(context: LoopContext, placement: Placement, pod: Pod): void {
  const stored = context.view().stored(pod);
  if (stored === undefined) return;
  const evaluation = placement.evaluate(pod);
  const node = chooseNode(context, evaluation.feasible);
  if (evaluation.outcome === 'fits' && node !== undefined) {
    bind(context, stored, node);
    return;
  }
  const preemption = placement.preemption(pod);
  if (preemption.outcome === 'possible') preempt(context, stored, preemption.candidates);
  const message = evaluation.message();
  if (message === undefined) return;
  const isGated = pod.spec.schedulingGates.length > 0;
  refuse(context, stored, isGated ? 'SchedulingGated' : 'Unschedulable', message);
}

function chooseNode(context: LoopContext, feasible: readonly string[]): string | undefined {
  const { podsByNode } = context.view().index;
  const load = (node: string): number =>
    (podsByNode.get(node) ?? []).filter((pod) => !isTerminal(pod)).length;
  return [...feasible].sort((a, b) => load(a) - load(b) || (a < b ? -1 : 1))[0];
}

function bind({ registry, events }: LoopContext, pod: ApiObject, node: string): void {
  const { namespace = '', name } = pod.metadata;
  assignPod(registry, namespace, name, node, writer);
  events.recordSeries(pod, {
    type: 'Normal',
    reason: 'Scheduled',
    message: `Successfully assigned ${namespace}/${name} to ${node}`,
    component,
    action: 'Binding',
  });
}

/** Condition and Event are written when the words change, and told again after five minutes. */
function refuse(
  context: LoopContext,
  pod: ApiObject,
  reason: 'Unschedulable' | 'SchedulingGated',
  message: string,
): void {
  const current = conditionOf(pod);
  const isNews = current?.reason !== reason || current.message !== message;
  if (isNews) writeCondition(context, pod, reason, message);
  if (reason === 'SchedulingGated') return;
  const due = lastTold(context, pod) + retryMs;
  if (isNews || due <= context.now()) {
    context.events.recordSeries(pod, {
      type: 'Warning',
      reason: 'FailedScheduling',
      message,
      component,
      action: 'Scheduling',
    });
    context.wakeAt(context.now() + retryMs);
  } else {
    context.wakeAt(due);
  }
}

function conditionOf(pod: ApiObject): JsonObject | undefined {
  return listAt(pod, 'status', 'conditions').find(({ type }) => type === 'PodScheduled');
}

function writeCondition(
  { registry, now }: LoopContext,
  pod: ApiObject,
  reason: string,
  message: string,
): void {
  const { namespace = '', name, generation } = pod.metadata;
  const current = conditionOf(pod);
  const condition = {
    type: 'PodScheduled',
    observedGeneration: generation,
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: current?.status === 'False' ? current.lastTransitionTime : apiTime(now()),
    reason,
    message,
  };
  const change = (stored: ApiObject): JsonObject => {
    const changed = copy<JsonObject>(stored);
    const others = listAt(stored, 'status', 'conditions').filter(({ type }) => type !== 'PodScheduled');
    setAt(changed, ['status', 'conditions'], [...others, condition]);
    return changed;
  };
  updateObject(registry, pods, namespace, name, change, {
    ...writer,
    subresource: 'status',
    replaces: false,
  });
}

/** When the last FailedScheduling of this pod was told; its creation when none was. */
function lastTold(context: LoopContext, pod: ApiObject): number {
  const told = (context.view().index.eventsByUid.get(pod.metadata.uid) ?? [])
    .filter(({ reason }) => reason === 'FailedScheduling')
    .map(({ lastSeen }) => Date.parse(lastSeen ?? ''));
  return Math.max(Date.parse(pod.metadata.creationTimestamp), ...told);
}

/**
 * Evicts the fewest victims there are and nominates their node (`preemption.go: pickOneNodeForPreemption`).
 */
function preempt(
  context: LoopContext,
  pod: ApiObject,
  candidates: readonly { readonly node: string; readonly victims: readonly Pod[] }[],
): void {
  const { registry, events } = context;
  const [chosen] = [...candidates].sort(
    (a, b) => a.victims.length - b.victims.length || (a.node < b.node ? -1 : 1),
  );
  if (chosen === undefined || textAt(pod, 'status', 'nominatedNodeName') === chosen.node) return;
  for (const victim of chosen.victims.filter((each) => !isTerminating(each))) {
    const stored = context.view().stored(victim);
    if (stored === undefined) continue;
    markDisrupted(context, stored, pod);
    events.record(stored, {
      type: 'Normal',
      reason: 'Preempted',
      message: `Preempted by pod ${pod.metadata.uid} on node ${chosen.node}`,
      component,
    });
    const { namespace = '', name, uid } = stored.metadata;
    deleteObject(registry, pods, namespace, name, { ...writer, uid });
  }
  const { namespace = '', name } = pod.metadata;
  const nominate = (stored: ApiObject): JsonObject => {
    const changed = copy<JsonObject>(stored);
    setAt(changed, ['status', 'nominatedNodeName'], chosen.node);
    return changed;
  };
  updateObject(registry, pods, namespace, name, nominate, {
    ...writer,
    subresource: 'status',
    replaces: false,
  });
}

function markDisrupted({ registry, now }: LoopContext, victim: ApiObject, preemptor: ApiObject): void {
  const { namespace = '', name } = victim.metadata;
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: apiTime(now()),
    reason: 'PreemptionByScheduler',
    message: `default-scheduler: preempting to accommodate a higher priority pod ${preemptor.metadata.name}`,
  };
  const change = (stored: ApiObject): JsonObject => {
    const changed = copy<JsonObject>(stored);
    setAt(changed, ['status', 'conditions'], [...listAt(stored, 'status', 'conditions'), condition]);
    return changed;
  };
  updateObject(registry, pods, namespace, name, change, {
    ...writer,
    subresource: 'status',
    replaces: false,
  });
}
