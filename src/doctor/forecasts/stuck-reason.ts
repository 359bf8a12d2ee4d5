import { dearestFirst } from '../../engine/creation/quota-block.js';
import type { Statement } from '../../engine/language/statement.js';
import { mayLeave, podsThatMayLeave } from '../../engine/neighbours/leaving-together.js';
import { type MovingNeighbour, movingNeighbours } from '../../engine/neighbours/moving-neighbours.js';
import { neighboursThatFree, neighboursThatReplace } from '../../engine/neighbours/neighbours-that-free.js';
import type { PodOwner } from '../../engine/neighbours/owned-pods.js';
import { gangOf } from '../../engine/neighbours/pod-gang.js';
import { inPlaceNeighbours } from '../../engine/neighbours/replaced-neighbours.js';
import {
  stalledNeighbours,
  stalledNeighboursOf,
  unreadNeighbours,
  unreadNeighboursOf,
} from '../../engine/neighbours/stalled-neighbours.js';
import { byPodName, hasNode, isActive, type Pod, podKey } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import type { Evaluation } from '../../engine/scheduler/evaluation.js';
import type { Placement } from '../../engine/scheduler/placement.js';
import type { Reason } from '../../engine/scheduler/reason.js';
import { resourceOf } from '../../engine/scheduler/resource-name.js';
import type { ClusterSimulator } from '../../engine/simulation/create-pod-simulator.js';
import type { Forecast } from '../../engine/workloads/forecast.js';
import type { QuotaRefusal } from '../../engine/workloads/quota-admission.js';
import { admission } from '../../engine/workloads/quota-admission.js';
import { hasInventedName } from '../../engine/workloads/simulated-pods.js';
import { replacesOnlyDeleted } from '../fixes/forecast-change.js';
import {
  autoscalerDoubt,
  claimDoubt,
  doubtsOf,
  groupDoubts,
  neededOf,
  nodeDoubts,
  preemptionDoubt,
  resizeDoubts,
  scalingDoubts,
  simulationDoubts,
  waitsFor,
} from './stuck-doubts.js';
import { nameOf, qualified, state } from './text.js';

/** Why a simulated rollout rests half-way. */
export type StuckReason =
  | {
      readonly kind: 'placement';
      /** The new pod that finds no node. */
      readonly pod: Pod;
      readonly resource: string | undefined;
      /** Own pods whose leaving would make room; empty when they are not the reason. */
      readonly holders: readonly Pod[];
      readonly nodes: readonly string[];
      readonly message: string | undefined;
      readonly reasoning: readonly Statement[];
      /** Workloads of others that may still free what is missing, so that the result is not proven. */
      readonly doubts: readonly Statement[];
    }
  | {
      readonly kind: 'quota';
      readonly quota: string;
      readonly resource: string | undefined;
      readonly holders: readonly Pod[];
      readonly message: string;
      readonly reasoning: readonly Statement[];
      readonly doubts: readonly Statement[];
    }
  | { readonly kind: 'unclear'; readonly because: readonly Statement[] };

interface StuckInput {
  /** The cluster before the update. */
  readonly snapshot: Snapshot;
  readonly forecast: Forecast;
  readonly simulator: ClusterSimulator;
  /** The workload's pods of old revisions, as observed: those that only its controller takes away. */
  readonly old: readonly Pod[];
}

const shownNodes = 3;

/**
 * Looks at the state in which nothing moves any more, and proves by counterfactual whose pods are in the way.
 */
export function stuckReasonOf(input: StuckInput): StuckReason {
  const { forecast, simulator, snapshot } = input;
  const { index } = snapshot;
  const now = nowOf(snapshot);
  const gone = forecast.steps.flatMap((step) => step.gone);
  const goneKeys = new Set(gone.map(podKey));
  const placed = forecast.placements.map(({ pod }) => pod).filter((pod) => !goneKeys.has(podKey(pod)));
  const placement = simulator.after({ gone, placed });
  const holding = input.old.filter((pod) => isActive(pod) && hasNode(pod) && !goneKeys.has(podKey(pod)));

  const waiting = forecast.waiting.find((pod) => !hasNode(pod));
  if (waiting !== undefined) return placementReason(input, placement, simulator.stored(waiting), holding);

  const refused = forecast.steps.at(-1)?.refused[0];
  if (refused === undefined) {
    const isByHand = forecast.waiting.length === 0 && replacesOnlyDeleted(snapshot.workload);
    const pods = qualified(forecast.waiting.filter((pod) => !hasInventedName(pod)));
    const because = isByHand ? state('on-delete') : state('because-not-ready', { pods });
    return { kind: 'unclear', because: [because] };
  }
  const pod = simulator.stored(refused);
  const created = forecast.steps
    .flatMap((step) => step.created)
    .filter((each) => !goneKeys.has(podKey(each)));
  const supposed = { removed: gone, added: created.map(simulator.stored) };
  const quotas = index.objects.ResourceQuota;
  const answer = admission(pod, quotas, now, supposed);
  if (answer.kind === 'admitted') return { kind: 'unclear', because: [state('because-unfinished')] };
  const [first] = answer.refusals;
  const admittedWithout = (pods: readonly Pod[]): boolean =>
    admission(pod, quotas, now, { ...supposed, removed: [...gone, ...pods] }).kind === 'admitted';
  const moving: readonly MovingNeighbour[] = [...movingNeighbours(snapshot), ...inPlaceNeighbours(snapshot)];
  const leaving = moving.flatMap((neighbour) => neighbour.leaving);
  const replacements = moving.flatMap((neighbour) => neighbour.replacements ?? []);
  const completed = { removed: [...gone, ...leaving], added: [...supposed.added, ...replacements] };
  if (leaving.length > 0 && admission(pod, quotas, now, completed).kind === 'admitted') {
    return { kind: 'unclear', because: [waitsFor(moving)] };
  }
  const freedBy = (neighbours: readonly { readonly owner: PodOwner; readonly pods: readonly Pod[] }[]) => {
    const pods = neighbours.flatMap((neighbour) => neighbour.pods);
    return pods.length > 0 && admittedWithout(pods) ? neighbours.map(({ owner }) => nameOf(owner)) : [];
  };
  const held = admittedWithout(holding) ? holding : [];
  const exceeded = first?.kind === 'exceeded' ? first.resources : [];
  const quota = first?.quota ?? '';
  return {
    kind: 'quota',
    quota,
    resource: exceeded[0]?.resource,
    holders: held,
    message: answer.message,
    reasoning: [
      ...exceeded.map((short) => state('quota-short', { quota, ...short })),
      ...(exceeded.length === 0 ? [state('would-say', { message: answer.message })] : []),
      ...(held.length === 0 ? [] : [state('quota-held-by', { pods: qualified(held), quota })]),
    ],
    doubts: [
      ...scalingDoubts(snapshot, held),
      ...doubtsOf(
        freedBy(unreadNeighbours(snapshot, 'all')),
        [
          ...freedBy(stalledNeighbours(snapshot)),
          ...freedBy(moving.map((neighbour) => ({ owner: neighbour.owner, pods: neighbour.leaving }))),
        ],
        () => neededOf(mayLeaveIn(snapshot, pod.metadata.namespace, answer.refusals), admittedWithout),
      ),
    ],
  };
}

/** Pods of the namespace that may leave: of a workload that shrinks, those that are charged most. */
function mayLeaveIn(
  snapshot: Snapshot,
  namespace: string,
  refusals: readonly QuotaRefusal[],
): readonly Pod[] {
  const now = nowOf(snapshot);
  const exceeded = refusals.flatMap((each) => (each.kind === 'exceeded' ? [each] : []));
  const leaving = mayLeave(snapshot, {
    shrink: ({ pods, removable }) => dearestFirst({ refusals: exceeded }, pods, now).slice(0, removable),
    unread: unreadNeighbours(snapshot, 'all'),
  });
  return leaving.filter(({ metadata }) => metadata.namespace === namespace);
}

function placementReason(
  { snapshot, forecast }: StuckInput,
  placement: Placement,
  pod: Pod,
  holding: readonly Pod[],
): StuckReason {
  const { index, unseen } = snapshot;
  const evaluation = placement.evaluate(pod);
  const moving = neighboursThatFree({ snapshot, placement }, pod);
  const because = [
    ...(moving.length === 0 ? [] : [waitsFor(moving)]),
    ...simulationDoubts(evaluation),
    ...claimDoubt(evaluation, pod),
    ...unseen
      .filter(({ what }) => what === 'Pod' || what === 'Node')
      .map(({ what, because: why }) => state('because-unread', { what, because: why })),
    ...preemptionDoubt(placement, pod),
    ...autoscalerDoubt(index),
  ];
  if (because.length > 0) return { kind: 'unclear', because };
  const seen = { snapshot, placement };
  const doubtful = [
    ...nodeDoubts(snapshot, evaluation),
    ...resizeDoubts(placement, pod),
    ...doubtsOf(
      unreadNeighboursOf(seen, pod),
      [...stalledNeighboursOf(seen, pod), ...neighboursThatReplace(seen, pod)],
      () => podsThatMayLeave(seen, pod),
    ),
  ];
  const { best, nodes } = placement.wouldFitIf(pod, holding);
  const removable = best !== undefined && best.remove.length > 0 ? best : undefined;
  const message = evaluation.message();
  const verdict = evaluation.nodes.find(({ node }) => node === removable?.node);
  const reason =
    removable === undefined ? mostCommon(evaluation) : decisive(verdict?.reasons ?? [], removable.remove);
  const resource = reason === undefined ? undefined : (resourceOf(reason) ?? reason.id);
  const waiting = forecast.waiting.filter((each) => !hasNode(each)).length;
  const needed =
    resource !== undefined && reason !== undefined && 'short' in reason
      ? [state('needs', { resource, pods: waiting })]
      : [];
  const said = message === undefined ? [] : [state('would-say', { message })];
  if (removable === undefined) {
    const near = placement.nearestNodes(pod, shownNodes);
    // Where a node takes the pod, only its group keeps the scheduler from trying it.
    const gang = evaluation.outcome === 'fits' ? gangOf(index, pod) : undefined;
    return {
      kind: 'placement',
      pod,
      resource,
      holders: [],
      nodes: [],
      message,
      reasoning: [
        ...needed,
        ...said,
        ...(gang === undefined
          ? []
          : [state('group-incomplete', { group: gang.name, least: gang.minMember })]),
        ...near
          .filter(({ lacks }) => lacks.length > 0)
          .map(({ node, lacks }) => state('lacks', { node, texts: lacks.map(({ text }) => text) })),
      ],
      doubts: [
        ...scalingDoubts(snapshot, gang === undefined ? [] : holding),
        ...groupDoubts(snapshot, gang),
        ...doubtful,
      ],
    };
  }
  const opened = nodes.filter(({ remove }) => remove.length > 0);
  const smallest = opened.filter(({ remove }) => remove.length === removable.remove.length);
  const holders = [
    ...new Map(smallest.flatMap(({ remove }) => remove).map((each) => [podKey(each), each])).values(),
  ].sort(byPodName);
  return {
    kind: 'placement',
    pod,
    resource,
    holders,
    nodes: opened.map(({ node }) => node),
    message,
    reasoning: [
      ...needed,
      ...said,
      state('held-by', { pods: qualified(holders), nodes: smallest.map(({ node }) => node) }),
      state('would-have-to-move', { pods: qualified(removable.remove), node: removable.node }),
    ],
    doubts: [...scalingDoubts(snapshot, holders), ...doubtful],
  };
}

/** The first reason, in the scheduler's order, that the pods to be removed account for. */
function decisive(reasons: readonly Reason[], removed: readonly Pod[]): Reason | undefined {
  const keys = new Set(removed.map(podKey));
  const resolvable = reasons.filter((reason) => resourceOf(reason) !== undefined);
  return (
    resolvable.find((reason) => 'holders' in reason && reason.holders.some((pod) => keys.has(podKey(pod)))) ??
    resolvable[0]
  );
}

/**
 * What most nodes refuse for, by their first reason: of those where only pods are in the way, if there are
 * any. Nodes of another pool refuse by their labels, and nothing is short there.
 */
function mostCommon({ nodes, refusals }: Evaluation): Reason | undefined {
  const [refusal] = refusals;
  if (refusal !== undefined) return refusal;
  const counts = new Map<string, { readonly reason: Reason; count: number }>();
  const full = nodes.filter(({ reasons }) => reasons.every(({ resolvable }) => resolvable));
  for (const { reasons } of full.length > 0 ? full : nodes) {
    const [reason] = reasons;
    if (reason === undefined) continue;
    const key = resourceOf(reason) ?? reason.id;
    const entry = counts.get(key) ?? { reason, count: 0 };
    entry.count += 1;
    counts.set(key, entry);
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.reason;
}
