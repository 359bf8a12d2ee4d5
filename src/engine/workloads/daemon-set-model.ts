import { compareText } from '../collections/collections.js';
import type { Node } from '../objects/node.js';
import { isActive, isAvailable, isReady, isTerminal, isTerminating, type Pod } from '../objects/pod.js';
import type { PodTemplate, Toleration } from '../objects/pod-spec.js';
import type { DaemonSet } from '../objects/workload.js';
import { matchesRequiredNodeAffinity, untoleratedTaints } from '../scheduler/node-selector.js';
import { actUntilRest, type PodController } from './act-until-rest.js';
import { controllerRevisionHashLabel, daemonSetHash, isUpdatedDaemonPod } from './controller-revisions.js';
import { byCreation } from './creation-order.js';
import { scaledValue } from './fenceposts.js';
import { createPodSet, type PodSet } from './pod-set.js';
import type { DaemonSetState } from './rollout-state.js';
import { simulatedPod } from './simulated-pods.js';
import type { Acted, Admission } from './simulation.js';
import { neverExhausted, type WorkMeter } from './simulation.js';

const maxRounds = 100;

type Creation = Extract<DaemonSetAction, { readonly kind: 'create' }>;

/** Runs the DaemonSet controller until it has nothing to do. */
export function actDaemonSet(start: DaemonSetState, admits: Admission): Acted<DaemonSetState> {
  const podSet = createPodSet(start.pods);
  const acted = actDaemonSetOn(podSet, start, (pod) => admits(pod, podSet.all()), neverExhausted);
  return { ...acted, state: { ...acted.state, pods: podSet.all() } };
}

/** The same on a pod set, which it changes. */
export function actDaemonSetOn(
  podSet: PodSet,
  start: DaemonSetState,
  admits: (pod: Pod) => boolean,
  meter: WorkMeter,
): Acted<DaemonSetState> {
  const controller: PodController<DaemonSetState, Creation> = {
    maxRounds,
    members: podSet.all,
    workOf: ({ pods, nodes }) => pods.length + nodes.length,
    sync(state) {
      const { actions, orElse, status } = syncDaemonSet(state);
      return { actions, orElse, next: { ...state, daemonSet: { ...state.daemonSet, status } } };
    },
    podFor: (state, { node }) => daemonPod(state, node, podSet),
  };
  return actUntilRest(controller, podSet, start, admits, meter);
}

/** Every node that should run a pod has an available one of the current template, and no other. */
export function daemonSetIsComplete(state: DaemonSetState): boolean {
  const { daemonSet, nodes, now } = state;
  const hash = daemonSetHash(state);
  const byNode = podsByTarget(state.pods);
  return nodes
    .filter((node) => daemonOnNode(daemonSet, node).shouldRun)
    .every(({ metadata }) => {
      const here = byNode.get(metadata.name) ?? [];
      const only = here[0];
      return (
        only !== undefined &&
        here.length === 1 &&
        isActive(only) &&
        isUpdatedDaemonPod(only, daemonSet, hash) &&
        isAvailable(only, daemonSet.spec.minReadySeconds, now)
      );
    });
}

/** Meant for one node by its affinity, as the controller writes it. */
function daemonPod(state: DaemonSetState, node: string, podSet: PodSet): Pod {
  const { daemonSet, now } = state;
  const name = podSet.freeName(`${daemonSet.metadata.name}-${node}-next-`);
  const pod = simulatedPod(daemonSet, daemonSet.spec.template, name, now, undefined);
  const required = {
    nodeSelectorTerms: [
      { matchExpressions: [], matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] },
    ],
  };
  const affinity = {
    podAffinity: pod.spec.affinity?.podAffinity,
    podAntiAffinity: pod.spec.affinity?.podAntiAffinity,
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required },
  };
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...pod.metadata.labels, [controllerRevisionHashLabel]: daemonSetHash(state) ?? '' },
    },
    spec: { ...pod.spec, affinity, tolerations: daemonTolerations(daemonSet) },
  };
}

interface DaemonSetSync {
  /**
   * `manage`: what belongs on each node. `update`: the rolling update, which the controller begins only in a
   * later sync, after all of the former is done.
   */
  readonly phase: 'manage' | 'update';
  readonly actions: readonly DaemonSetAction[];
  /**
   * Old pods the controller may delete in place of one it deletes for the update: it lists nodes in no order.
   */
  readonly orElse: readonly Pod[];
  readonly status: DaemonSet['status'];
}

/**
 * One sync of the DaemonSet controller (kubernetes `daemon_controller.go: manage`,
 * `update.go: rollingUpdate`). Nodes are taken by name, where the controller takes them in no order. Not
 * simulated: the back-off before a failed pod is deleted again, the burst limit, adoption.
 */
export function syncDaemonSet(state: DaemonSetState): DaemonSetSync {
  if (state.daemonSet.metadata.deletionTimestamp !== undefined) {
    return { phase: 'manage', actions: [], orElse: [], status: state.daemonSet.status };
  }
  const nodes = nodeViews(state);
  const status = statusOf(state, nodes);
  const managed = [...nodes.flatMap((node) => manageNode(state, node)), ...podsWithoutNode(nodes)];
  if (managed.length > 0 || state.daemonSet.spec.updateStrategy.type !== 'RollingUpdate') {
    return { phase: 'manage', actions: managed, orElse: [], status };
  }
  const { maxSurge, maxUnavailable } = daemonSetBounds(state);
  const updated =
    maxSurge === 0
      ? replaceInPlace(state, nodes, maxUnavailable)
      : { actions: surge(state, nodes, maxSurge), orElse: [] };
  return { phase: 'update', ...updated, status };
}

/** Counts the oldest pod of each node (`updateDaemonSetStatus`). */
function statusOf(state: DaemonSetState, nodes: readonly NodeView[]): DaemonSet['status'] {
  const { daemonSet } = state;
  const hash = daemonSetHash(state);
  const views = nodes.filter(({ exists }) => exists);
  const wanted = views.filter(({ shouldRun }) => shouldRun);
  const oldest = wanted
    .map(({ pods }) => [...pods].sort(scheduledThenOldest)[0])
    .filter((pod) => pod !== undefined);
  const available = oldest.filter((pod) => isAvailableHere(state, pod)).length;
  return {
    ...daemonSet.status,
    observedGeneration: daemonSet.metadata.generation ?? 0,
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: oldest.length,
    numberMisscheduled: views.filter(({ shouldRun, pods }) => !shouldRun && pods.length > 0).length,
    numberReady: oldest.filter(isReady).length,
    updatedNumberScheduled: oldest.filter((pod) => isUpdatedDaemonPod(pod, daemonSet, hash)).length,
    numberAvailable: available,
    numberUnavailable: wanted.length - available,
  };
}

/** `podsShouldBeOnNode`. */
function manageNode(state: DaemonSetState, node: NodeView): readonly DaemonSetAction[] {
  if (!node.exists) return [];
  if (node.shouldRun && node.pods.length === 0) {
    return [{ kind: 'create', node: node.name, because: 'missing' }];
  }
  const staying = node.pods.filter((pod) => !isTerminating(pod));
  if (!node.shouldContinue) return deletions(staying, 'should-not-run');
  const ended = staying.filter(isTerminal);
  const running = staying.filter((pod) => !isTerminal(pod)).sort(scheduledThenOldest);
  const excess = allowsSurge(state.daemonSet)
    ? surgeExcess(state, node, running)
    : deletions(running.slice(1), 'excess');
  return [...deletions(ended, 'terminal'), ...excess];
}

/**
 * With surge, one pod of each kind may stay: the old one while it is ready and the new one is not available.
 */
function surgeExcess(
  state: DaemonSetState,
  node: NodeView,
  running: readonly Pod[],
): readonly DaemonSetAction[] {
  if (running.length === 0) {
    return node.shouldRun ? [{ kind: 'create', node: node.name, because: 'missing' }] : [];
  }
  if (running.length === 1) return [];
  const hash = daemonSetHash(state);
  const isNew = (pod: Pod) => hash !== undefined && pod.metadata.labels[controllerRevisionHashLabel] === hash;
  const newPod = running.find(isNew);
  const oldPod = running.find((pod) => !isNew(pod));
  const excess = deletions(
    running.filter((pod) => pod !== newPod && pod !== oldPod),
    'excess',
  );
  if (newPod === undefined || oldPod === undefined) return excess;
  if (!isReady(oldPod)) return [...excess, { kind: 'delete', pod: oldPod, because: 'old-not-ready' }];
  if (isAvailableHere(state, newPod)) {
    return [...excess, { kind: 'delete', pod: oldPod, because: 'new-available' }];
  }
  return excess;
}

/** Pods that wait for a node that no longer exists (`getUnscheduledPodsWithoutNode`). */
function podsWithoutNode(nodes: readonly NodeView[]): readonly DaemonSetAction[] {
  return nodes
    .filter(({ exists }) => !exists)
    .flatMap(({ pods }) => pods.filter((pod) => pod.spec.nodeName === undefined || pod.spec.nodeName === ''))
    .filter((pod) => !isTerminating(pod))
    .map((pod) => ({ kind: 'delete', pod, because: 'no-such-node' }));
}

/** `rollingUpdate` with maxSurge 0: old pods that are not available always, others within maxUnavailable. */
function replaceInPlace(
  state: DaemonSetState,
  nodes: readonly NodeView[],
  maxUnavailable: number,
): { readonly actions: readonly DaemonSetAction[]; readonly orElse: readonly Pod[] } {
  let unavailable = 0;
  const replaced: Pod[] = [];
  const candidates: Pod[] = [];
  for (const { pods } of nodes.filter((node) => node.pods.length > 0)) {
    const pair = pairOn(state, pods);
    if (pair === undefined || (pair.oldPod === undefined) === (pair.newPod === undefined)) unavailable += 1;
    else if (pair.newPod !== undefined) unavailable += isAvailableHere(state, pair.newPod) ? 0 : 1;
    else if (pair.oldPod !== undefined && isAvailableHere(state, pair.oldPod)) candidates.push(pair.oldPod);
    else if (pair.oldPod !== undefined) {
      replaced.push(pair.oldPod);
      unavailable += 1;
    }
  }
  const room = Math.max(0, maxUnavailable - unavailable);
  const chosen = candidates.slice(0, room);
  return {
    actions: [...deletions(replaced, 'unavailable-old'), ...deletions(chosen, 'update')],
    orElse: chosen.length === 0 ? [] : candidates.slice(room),
  };
}

/** `rollingUpdate` with maxSurge: new pods beside old ones; an old one goes when its new one is available. */
function surge(
  state: DaemonSetState,
  nodes: readonly NodeView[],
  maxSurge: number,
): readonly DaemonSetAction[] {
  let surging = 0;
  let available = 0;
  const leaving: DaemonSetAction[] = [];
  const displaced: Pod[] = [];
  const replaced: DaemonSetAction[] = [];
  const candidates: DaemonSetAction[] = [];
  for (const node of nodes.filter(({ pods }) => pods.length > 0)) {
    const pair = pairOn(state, node.pods);
    if (pair === undefined) {
      surging += 1;
      continue;
    }
    const { oldPod, newPod } = pair;
    const counted = oldPod ?? newPod;
    if (counted !== undefined && isAvailableHere(state, counted)) available += 1;
    if (oldPod === undefined) continue;
    if (newPod !== undefined) {
      if (isAvailableHere(state, newPod))
        leaving.push({ kind: 'delete', pod: oldPod, because: 'new-available' });
      else surging += 1;
      continue;
    }
    const healthy = isAvailableHere(state, oldPod);
    if (!node.shouldRun) {
      if (healthy) displaced.push(oldPod);
      else leaving.push({ kind: 'delete', pod: oldPod, because: 'should-not-run' });
      continue;
    }
    if (healthy) candidates.push({ kind: 'create', node: node.name, because: 'surge' });
    else replaced.push({ kind: 'create', node: node.name, because: 'replace-unavailable' });
  }
  const spare = Math.max(0, available - daemonSetBounds(state).desired);
  const room = Math.max(0, maxSurge - surging);
  return [
    ...leaving,
    ...deletions(displaced.slice(0, spare), 'should-not-run'),
    ...replaced,
    ...candidates.slice(0, room),
  ];
}

/** One write of the DaemonSet controller. */
export type DaemonSetAction =
  | {
      readonly kind: 'create';
      readonly node: string;
      readonly because: 'missing' | 'surge' | 'replace-unavailable';
    }
  | {
      readonly kind: 'delete';
      readonly pod: Pod;
      readonly because:
        | 'terminal'
        | 'excess'
        | 'should-not-run'
        | 'no-such-node'
        | 'old-not-ready'
        | 'new-available'
        | 'unavailable-old'
        | 'update';
    };

type DeletionReason = Extract<DaemonSetAction, { kind: 'delete' }>['because'];

function deletions(pods: readonly Pod[], because: DeletionReason): readonly DaemonSetAction[] {
  return pods.map((pod) => ({ kind: 'delete', pod, because }));
}

/** A node and the DaemonSet's pods on it, or meant for it. */
interface NodeView extends DaemonOnNode {
  readonly name: string;
  readonly exists: boolean;
  readonly pods: readonly Pod[];
}

/**
 * Terminal pods that are already being deleted are none of the controller's any more
 * (`getNodesToDaemonPods`).
 */
export function nodeViews({ daemonSet, nodes, pods }: DaemonSetState): readonly NodeView[] {
  const byNode = podsByTarget(pods.filter((one) => !(isTerminal(one) && isTerminating(one))));
  const known = nodes.map((node) => ({
    name: node.metadata.name,
    exists: true,
    ...daemonOnNode(daemonSet, node),
    pods: byNode.get(node.metadata.name) ?? [],
  }));
  const names = new Set(known.map(({ name }) => name));
  const gone = [...byNode]
    .filter(([name]) => !names.has(name))
    .map(([name, onNode]) => ({
      name,
      exists: false,
      shouldRun: false,
      shouldContinue: false,
      pods: onNode,
    }));
  return [...known, ...gone].sort((a, b) => compareText(a.name, b.name));
}

/** Pods by the node that they run on or are meant for. */
function podsByTarget(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  const byNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    const name = targetNode(pod);
    if (name === undefined) continue;
    const there = byNode.get(name);
    if (there === undefined) byNode.set(name, [pod]);
    else there.push(pod);
  }
  return byNode;
}

type Pair = { readonly newPod: Pod | undefined; readonly oldPod: Pod | undefined };

/** At most one staying pod of each kind; `undefined` when there are more (`findUpdatedPodsOnNode`). */
export function pairOn(state: DaemonSetState, pods: readonly Pod[]): Pair | undefined {
  const hash = daemonSetHash(state);
  const staying = pods.filter((pod) => !isTerminating(pod));
  const isUpdated = (pod: Pod): boolean => isUpdatedDaemonPod(pod, state.daemonSet, hash);
  const updated = staying.filter(isUpdated);
  const old = staying.filter((pod) => !isUpdated(pod));
  return updated.length > 1 || old.length > 1 ? undefined : { newPod: updated[0], oldPod: old[0] };
}

export function isAvailableHere({ daemonSet, now }: DaemonSetState, pod: Pod): boolean {
  return isAvailable(pod, daemonSet.spec.minReadySeconds, now);
}

/** Scheduled pods first, then the oldest (`podByCreationTimestampAndPhase`). */
export function scheduledThenOldest(a: Pod, b: Pod): number {
  const unscheduled = (pod: Pod) => Number(pod.spec.nodeName === undefined || pod.spec.nodeName === '');
  return unscheduled(a) - unscheduled(b) || byCreation(a, b);
}

interface DaemonSetBounds {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
  /** Nodes that should run a pod. */
  readonly desired: number;
}

/**
 * Both bounds rounded up over the nodes that should run a pod; when both come out as 0, maxUnavailable is 1
 * (`update.go: updatedDesiredNodeCounts`, `daemonset_util.go: SurgeCount, UnavailableCount`).
 */
export function daemonSetBounds({ daemonSet, nodes }: DaemonSetState): DaemonSetBounds {
  const desired = nodes.filter((node) => daemonOnNode(daemonSet, node).shouldRun).length;
  const { type, rollingUpdate } = daemonSet.spec.updateStrategy;
  if (type !== 'RollingUpdate') return { maxSurge: 0, maxUnavailable: 0, desired };
  const surgeCount = scaledValue(rollingUpdate?.maxSurge ?? 0, desired, 'up');
  const unavailable = scaledValue(rollingUpdate?.maxUnavailable ?? 1, desired, 'up');
  const maxSurge = surgeCount.kind === 'value' ? surgeCount.value : 0;
  const maxUnavailable = unavailable.kind === 'value' ? unavailable.value : 1;
  return {
    maxSurge,
    maxUnavailable: desired > 0 && maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable,
    desired,
  };
}

/** True when some node may run an old and a new pod at once (`daemonset_util.go: AllowsSurge`). */
export function allowsSurge({ spec }: DaemonSet): boolean {
  const { type, rollingUpdate } = spec.updateStrategy;
  const onOneNode = scaledValue(rollingUpdate?.maxSurge ?? 0, 1, 'up');
  return type === 'RollingUpdate' && onOneNode.kind === 'value' && onOneNode.value > 0;
}

/** Whether the DaemonSet wants a pod on a node, and lets one that is there go on. */
type DaemonOnNode = { readonly shouldRun: boolean; readonly shouldContinue: boolean };

const toleratedAlways: readonly (readonly [key: string, effect: string])[] = [
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoExecute'],
  ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
  ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
  ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
  ['node.kubernetes.io/unschedulable', 'NoSchedule'],
];

/** The template's tolerations and those every daemon pod gets (`AddOrUpdateDaemonPodTolerations`). */
export function daemonTolerations({ spec }: DaemonSet): readonly Toleration[] {
  const known = knownTolerations.get(spec.template);
  if (known !== undefined) return known;
  const tolerations = tolerationsOf(spec.template);
  knownTolerations.set(spec.template, tolerations);
  return tolerations;
}

/** They are asked for at each node. */
const knownTolerations = new WeakMap<PodTemplate, readonly Toleration[]>();

function tolerationsOf(template: PodTemplate): readonly Toleration[] {
  const { tolerations, hostNetwork } = template.spec;
  const added = hostNetwork
    ? [...toleratedAlways, ['node.kubernetes.io/network-unavailable', 'NoSchedule'] as const]
    : toleratedAlways;
  return [
    ...tolerations,
    ...added.map(([key, effect]) => ({
      key,
      operator: 'Exists',
      value: '',
      effect,
      tolerationSeconds: undefined,
    })),
  ];
}

/**
 * By node name, selector, required affinity and taints alone; free room does not matter
 * (kubernetes `daemon_controller.go: NodeShouldRunDaemonPod`).
 */
export function daemonOnNode(daemonSet: DaemonSet, node: Node): DaemonOnNode {
  const { template } = daemonSet.spec;
  const answers = knownAnswers.get(template) ?? new WeakMap<Node, DaemonOnNode>();
  knownAnswers.set(template, answers);
  const known = answers.get(node);
  if (known !== undefined) return known;
  const answer = answerFor(daemonSet, node);
  answers.set(node, answer);
  return answer;
}

/** A simulation asks for the same template and node at each step. */
const knownAnswers = new WeakMap<PodTemplate, WeakMap<Node, DaemonOnNode>>();

function answerFor(daemonSet: DaemonSet, node: Node): DaemonOnNode {
  const { spec } = daemonSet.spec.template;
  const named = spec.nodeName === undefined || spec.nodeName === '' || spec.nodeName === node.metadata.name;
  if (!named || !matchesRequiredNodeAffinity(spec, node)) return { shouldRun: false, shouldContinue: false };
  const taints = untoleratedTaints(node.spec.taints, daemonTolerations(daemonSet));
  if (taints.length === 0) return { shouldRun: true, shouldContinue: true };
  return { shouldRun: false, shouldContinue: !taints.some(({ effect }) => effect === 'NoExecute') };
}

/**
 * The node a daemon pod runs on or is meant for; `undefined` where neither is said
 * (`daemonset_util.go: GetTargetNodeName`).
 */
export function targetNode(pod: Pod): string | undefined {
  if (pod.spec.nodeName !== undefined && pod.spec.nodeName !== '') return pod.spec.nodeName;
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const named = required?.nodeSelectorTerms
    .flatMap(({ matchFields }) => matchFields)
    .find(({ key, operator }) => key === 'metadata.name' && operator === 'In');
  return named?.values.length === 1 ? named.values[0] : undefined;
}
