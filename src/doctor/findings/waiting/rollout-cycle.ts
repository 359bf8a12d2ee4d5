import { mayLeave, podsThatMayLeave } from '../../../engine/neighbours/leaving-together.js';
import { neighboursThatFree } from '../../../engine/neighbours/neighbours-that-free.js';
import {
  byOwner,
  ownerKey,
  type PodOwner,
  placedPodsOfOthers,
  revisionKey,
  workloadOf,
} from '../../../engine/neighbours/owned-pods.js';
import { shrinkingNeighboursOf } from '../../../engine/neighbours/shrinking-neighbours.js';
import { stalledNeighboursOf, unreadNeighboursOf } from '../../../engine/neighbours/stalled-neighbours.js';
import { scalerThatMayShrink } from '../../../engine/objects/horizontal-autoscaler.js';
import { hasNode, isActive, isReady, type Pod, podKey } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import {
  hasDeploymentStrategy,
  hasGroups,
  hasObservedSpec,
  hasSteps,
} from '../../../engine/objects/workload.js';
import { byCreation } from '../../../engine/workloads/creation-order.js';
import { restState } from '../../../engine/workloads/fixed-point.js';
import {
  type RolloutState,
  rolloutStateIn,
  rolloutStateOf,
  switchesRevisions,
  workloadIn,
} from '../../../engine/workloads/rollout-state.js';
import { isAboutToBePlaced } from '../pod-simulator-of.js';
import type { Examination } from '../rule.js';
import { isUnschedulable, stuckRolloutOf } from '../stuck-rollout.js';
import type { Block } from './block.js';
import type { Holding } from './holding.js';
import { scaleUpUnderWay } from './scale-up.js';

/**
 * Rollouts in one cycle, the workload itself included. A longer cycle is not found. Published in
 * docs/engines.md.
 */
export const maxCycleMembers = 6;
/** Rollouts that are looked at for a cycle; those whose pods wait longest come first. */
const maxCandidates = 12;

/** A rollout whose new pod waits for old pods of the next member of the cycle. */
export interface CycleMember {
  readonly owner: PodOwner;
  /** `undefined` where the rollout could not be read whole, so that it is not known whether it rests. */
  readonly state: RolloutState | undefined;
  /** The new pod. */
  readonly waiting: Pod;
  /** Old pods, for which the new pod of the member before waits. */
  readonly holds: readonly Pod[];
  /** On which the new pod fits without the old pods of the next member. */
  readonly node: string;
}

/**
 * Rollouts of which each waits for the next one, and the last one for the first: no controller can move
 * first.
 */
export interface RolloutCycle {
  /** The workload itself comes first. */
  readonly members: readonly [CycleMember, CycleMember, ...CycleMember[]];
  /**
   * Members, and neighbours that may free what a member waits for, that could not be read whole, as
   * `namespace/name`. The cycle is proven where there are none.
   */
  readonly unread: readonly string[];
  /**
   * Rollouts, of members or beside them, that are stuck at a new pod that is not ready, as `namespace/name`:
   * when it becomes ready, old pods stop.
   */
  readonly stalled: readonly string[];
  /**
   * Members, and workloads beside them, whose HorizontalPodAutoscaler may stop pods for which a member waits.
   */
  readonly shrinking: readonly string[];
  /**
   * Pods beside the cycle that may leave, for example at the end of a Job, and then let a member's new pod
   * start.
   */
  readonly leaving: readonly Pod[];
}

/**
 * The shortest cycle of rollouts that this workload's own rollout rests in. No member may be about to move:
 * each one is at rest as far as it was read, no rollout beside it frees what its new pod waits for, and no
 * node is on its way.
 */
export function rolloutCycleOf(
  examination: Examination,
  { why, pod }: Block,
  holding: Holding,
): RolloutCycle | undefined {
  if (why.kind !== 'held') return undefined;
  const { snapshot } = examination;
  const own = ownCandidate(snapshot, pod);
  if (own === undefined) return undefined;
  const others = otherCandidates(examination, own);
  const first = holding.culprits.flatMap(({ owner, pods }) => {
    const candidate = others.find((each) => isSameOwner(each.owner, owner));
    return candidate !== undefined && areAllIn(pods, candidate.old)
      ? [{ candidate: { ...candidate, holds: pods }, path: [] as readonly Step[] }]
      : [];
  });
  const path = shortestPath(examination, own, others, first);
  if (path === undefined) return undefined;
  const [second, ...more] = path.steps.map(({ candidate, holds, node }) => ({
    owner: candidate.owner,
    state: candidate.state,
    waiting: candidate.waiting,
    holds,
    node,
  }));
  if (second === undefined) return undefined;
  const members = [
    { owner: own.owner, state: own.state, waiting: pod, holds: path.weHold, node: holding.node },
    second,
    ...more,
  ] as const;
  const unread = members.flatMap(({ owner, state, waiting }) => [
    ...(state === undefined ? [`${owner.namespace}/${owner.name}`] : []),
    ...unreadNeighboursOf(examination, waiting),
  ]);
  const doubts = {
    unread: [...new Set(unread)],
    stalled: [...new Set(stalledIn(examination, own, members))],
    shrinking: [...new Set(shrinkingIn(examination, members))],
  };
  // Asked only where no doubt of one kind is enough, which names the workloads better.
  const isDoubted = Object.values(doubts).some(({ length }) => length > 0);
  return { members, ...doubts, leaving: isDoubted ? [] : leavingBeside(examination, members) };
}

/**
 * Pods that members hold leave only after the cycle is open, unless something else stops them, such as a
 * taint.
 */
function leavingBeside(examination: Examination, members: readonly CycleMember[]): readonly Pod[] {
  const held = new Set(members.flatMap(({ holds }) => holds.map(podKey)));
  for (const pod of mayLeave(examination.snapshot)) held.delete(podKey(pod));
  const leaving = members.flatMap(({ waiting }) => podsThatMayLeave(examination, waiting));
  return [...new Map(leaving.map((pod) => [podKey(pod), pod])).values()].filter(
    (pod) => !held.has(podKey(pod)),
  );
}

function stalledIn(
  examination: Examination,
  own: Candidate,
  members: readonly CycleMember[],
): readonly string[] {
  const { snapshot } = examination;
  const isOwnStalled = rolloutStateOf(snapshot).pods.some(
    (pod) => isActive(pod) && hasNode(pod) && !isReady(pod) && !own.old.includes(pod),
  );
  return [
    ...(isOwnStalled ? [nameOf(own)] : []),
    ...members.flatMap(({ waiting }) => stalledNeighboursOf(examination, waiting)),
  ];
}

function shrinkingIn(examination: Examination, members: readonly CycleMember[]): readonly string[] {
  const { snapshot } = examination;
  const { kind, metadata } = snapshot.workload;
  const { namespace, name } = metadata;
  return [
    ...(scalerThatMayShrink(snapshot.index, snapshot.workload) === undefined
      ? []
      : [nameOf({ owner: { kind, namespace, name } })]),
    ...members.flatMap(({ waiting }) => shrinkingNeighboursOf(examination, waiting)),
  ];
}

function nameOf({ owner }: { owner: PodOwner }): string {
  return `${owner.namespace}/${owner.name}`;
}

/** A rollout that may be part of a cycle. */
interface Candidate {
  readonly owner: PodOwner;
  readonly state: RolloutState | undefined;
  readonly waiting: Pod;
  /** Its pods of former revisions that have a node. */
  readonly old: readonly Pod[];
}

/**
 * A candidate on the way, what the one before waits for, and where it fits itself once the next one's pods
 * are gone.
 */
type Step = { readonly candidate: Candidate; readonly holds: readonly Pod[]; readonly node: string };

interface Reached {
  readonly candidate: Candidate & { readonly holds: readonly Pod[] };
  readonly path: readonly Step[];
}

/** Breadth first, so that the first way back to the workload itself is the shortest. */
function shortestPath(
  examination: Examination,
  own: Candidate,
  others: readonly Candidate[],
  first: readonly Reached[],
): { readonly steps: readonly Step[]; readonly weHold: readonly Pod[] } | undefined {
  const seen = new Set<Candidate>();
  let reached = first;
  for (let length = 2; length <= maxCycleMembers && reached.length > 0; length += 1) {
    for (const { candidate, path } of reached) {
      const back = opensFor(examination, candidate.waiting, own.old);
      if (back === undefined) continue;
      const steps = [...path, { candidate, holds: candidate.holds, node: back.node }];
      return { steps, weHold: back.remove };
    }
    for (const { candidate } of reached) seen.add(otherAt(others, candidate));
    reached = reached.flatMap(({ candidate, path }) =>
      others.flatMap((next) => {
        if (seen.has(next)) return [];
        const opened = opensFor(examination, candidate.waiting, next.old);
        if (opened === undefined) return [];
        const step = { candidate, holds: candidate.holds, node: opened.node };
        return [{ candidate: { ...next, holds: opened.remove }, path: [...path, step] }];
      }),
    );
  }
  return undefined;
}

function otherAt(others: readonly Candidate[], { owner }: Candidate): Candidate {
  const found = others.find((each) => isSameOwner(each.owner, owner));
  if (found === undefined) throw new Error(`${owner.namespace}/${owner.name} is not among the candidates`);
  return found;
}

/** Where the pod fits without some of these, and without which; `undefined` where that is not the reason. */
function opensFor(
  { placement }: Examination,
  waiting: Pod,
  old: readonly Pod[],
): { readonly node: string; readonly remove: readonly Pod[] } | undefined {
  const best = placement.wouldFitIf(waiting, old).best;
  return best === undefined || best.remove.length === 0 ? undefined : best;
}

/** The workload itself, if its rollout rests half-way. */
function ownCandidate(snapshot: Snapshot, waiting: Pod): Candidate | undefined {
  const { kind, metadata } = snapshot.workload;
  const { namespace, name } = metadata;
  const state = rolloutStateOf(snapshot);
  const old = keptOldPods(snapshot, state, waiting);
  return old === undefined || old.length === 0
    ? undefined
    : { owner: { kind, namespace, name }, state, waiting, old };
}

/**
 * Other workloads with a refused pod of a new revision and placed pods of former ones, none of them about to
 * move.
 */
function otherCandidates(examination: Examination, own: Candidate): readonly Candidate[] {
  const { snapshot } = examination;
  const { index } = snapshot;
  const refused = index.unassignedPods.filter((pod) => isActive(pod) && isUnschedulable(pod));
  const groups = byOwner(index, refused)
    .filter(({ owner }) => steppedKinds.has(owner.kind) && !isSameOwner(owner, own.owner))
    .map(({ owner, pods }) => ({ owner, waiting: [...pods].sort(byCreation).at(-1) }))
    .flatMap(({ owner, waiting }) => (waiting === undefined ? [] : [{ owner, waiting }]))
    .sort((a, b) => byCreation(a.waiting, b.waiting))
    .slice(0, maxCandidates);
  const wanted = new Set(groups.map(({ owner }) => ownerKey(owner)));
  const running = placedPodsOfOthers(index, rolloutStateOf(snapshot).pods).filter(({ owner }) =>
    wanted.has(ownerKey(owner)),
  );
  return groups.flatMap(({ owner, waiting }): readonly Candidate[] => {
    if (isAboutToMove(examination, waiting)) return [];
    const state = stateOf(snapshot, owner);
    const pods = running.find((each) => isSameOwner(each.owner, owner))?.pods ?? [];
    const former = pods.filter((pod) => revisionKey(pod) !== revisionKey(waiting));
    const old = state === undefined ? former : keptOldPods(snapshot, state, waiting);
    return old === undefined || old.length === 0 ? [] : [{ owner, state, waiting, old }];
  });
}

/** Kinds whose controllers the engines can step. */
const steppedKinds: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

/** Something other than the members of a cycle gives the pod its place. */
function isAboutToMove(examination: Examination, waiting: Pod): boolean {
  return (
    isAboutToBePlaced(examination, waiting) ||
    scaleUpUnderWay(examination.snapshot, [waiting]) !== undefined ||
    neighboursThatFree(examination, waiting).length > 0
  );
}

/**
 * Pods of former revisions that only the controller stops; `undefined` where the rollout is no candidate or
 * moves.
 */
function keptOldPods(snapshot: Snapshot, state: RolloutState, waiting: Pod): readonly Pod[] | undefined {
  if (hasDeploymentStrategy(state))
    return stuckRolloutOf({ ...snapshot, workload: state.deployment })?.holding;
  // These are not simulated together with others.
  if (hasSteps(state) || hasGroups(state) || switchesRevisions(state)) return undefined;
  const workload = workloadIn(state);
  if (workload.metadata.deletionTimestamp !== undefined || !hasObservedSpec(workload)) return undefined;
  if (restState(state).kind !== 'fixed') return undefined;
  return state.pods.filter(
    (pod) => isActive(pod) && hasNode(pod) && revisionKey(pod) !== revisionKey(waiting),
  );
}

/** The rollout of another workload; `undefined` where it was not read, or not its revisions. */
function stateOf(snapshot: Snapshot, owner: PodOwner): RolloutState | undefined {
  const workload = workloadOf(snapshot.index, owner);
  if (workload === undefined) return undefined;
  const state = rolloutStateIn(snapshot.index, workload, nowOf(snapshot));
  if (switchesRevisions(state)) return undefined;
  const revisions = 'replicaSets' in state ? state.replicaSets : state.controllerRevisions;
  return revisions.length === 0 ? undefined : state;
}

function areAllIn(pods: readonly Pod[], among: readonly Pod[]): boolean {
  const keys = new Set(among.map(podKey));
  return pods.every((pod) => keys.has(podKey(pod)));
}

function isSameOwner(one: PodOwner, other: PodOwner): boolean {
  return ownerKey(one) === ownerKey(other);
}
