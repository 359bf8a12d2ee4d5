import { chargedFor, type QuotaBlock } from '../creation/quota-block.js';
import { isActive, type Pod, podKey } from '../objects/pod.js';
import { nowOf, type Snapshot } from '../objects/snapshot.js';
import type { Placement } from '../scheduler/placement.js';
import { admission, wouldBeAdmittedIf } from '../workloads/quota-admission.js';
import { rolloutStateOf } from '../workloads/rollout-state.js';
import type { MovingNeighbour } from './moving-neighbours.js';
import { departingNeighbours, deploymentOf, movingNeighbours } from './moving-neighbours.js';
import {
  byOwner,
  isHeldByPause,
  ownerKey,
  ownerNames,
  type PodOwner,
  placedPodsOfOthers,
  revisionKey,
} from './owned-pods.js';
import { groupNeighbours, type InPlaceNeighbour, inPlaceNeighbours } from './replaced-neighbours.js';

/** The cluster as it is, and as the scheduler sees it, perhaps after some steps of a rollout. */
type Seen = { readonly snapshot: Snapshot; readonly placement: Placement };

type Leaver = Pick<MovingNeighbour, 'leaving' | 'replacements'>;

/** Neighbours that are tried alone, to name the one that is enough. The proof itself looks at all of them. */
const maxTriedAlone = 50;
/**
 * Rollouts that wait for a node, of which it is asked whether another one frees it. Published in
 * docs/engines.md.
 */
const maxWaiting = 20;

/** The neighbours whose old pods' leaving lets the scheduler place the pod; empty if it would not. */
export function neighboursThatFree(seen: Seen, pod: Pod): readonly MovingNeighbour[] {
  const moving = neighboursInProgress(seen);
  const fitsAfter = (neighbours: readonly MovingNeighbour[]): boolean =>
    places(seen.placement, neighbours, pod);
  if (moving.length === 0 || !fitsAfter(moving)) return [];
  const alone = moving.slice(0, maxTriedAlone).filter((neighbour) => fitsAfter([neighbour]));
  return alone.length > 0 ? alone : moving;
}

/**
 * In-place rollouts of others whose old pods' leaving would let the scheduler place the pod, if their own
 * replacements did not take the places again: who is first is not known. Also LeaderWorkerSets that replace
 * their groups.
 */
export function neighboursThatReplace({ snapshot, placement }: Seen, pod: Pod): readonly string[] {
  const inPlace = [
    ...inPlaceNeighbours(snapshot).map((each) => ({ ...each, replacements: [] })),
    ...groupNeighbours(snapshot).map((each) => ({ ...each, starting: [] })),
  ];
  if (inPlace.length === 0 || !places(placement, inPlace, pod)) return [];
  const alone = inPlace.filter((each) => places(placement, [each], pod));
  return ownerNames(alone.length > 0 ? alone : inPlace);
}

/**
 * The rollouts of others that go on by themselves: those in progress, those that replace pods in place,
 * workloads whose pods are stopped without a replacement, and those whose new pod has no node yet and gets
 * one when another of them completes, however long the chain.
 */
function neighboursInProgress(seen: Seen): readonly MovingNeighbour[] {
  const { snapshot, placement } = seen;
  return withThoseThatFollow(seen, [
    ...movingNeighbours(snapshot),
    ...inPlaceNeighbours(snapshot).map((each) => withPossibleReplacements(placement, each)),
    ...departingNeighbours(snapshot),
  ]);
}

/**
 * These, and the rollouts whose new pod has no node yet and gets one when some of these stop their old pods.
 */
export function withThoseThatFollow<First extends Leaver>(
  { snapshot, placement }: Seen,
  first: readonly First[],
): readonly (First | MovingNeighbour)[] {
  const known: (First | MovingNeighbour)[] = [...first];
  if (known.length === 0) return known;
  let waiting = waitingRollouts(snapshot).slice(0, maxWaiting);
  for (;;) {
    const next = waiting.filter((each) => each.waiting.some((pod) => places(placement, known, pod)));
    if (next.length === 0) return known;
    known.push(...next);
    waiting = waiting.filter((each) => !next.includes(each));
  }
}

/**
 * A new revision that may not run on the node of an old pod goes elsewhere. Replacements differ in their node
 * only.
 */
function withPossibleReplacements(placement: Placement, neighbour: InPlaceNeighbour): InPlaceNeighbour {
  const [first] = neighbour.replacements;
  if (first === undefined) return neighbour;
  const anywhere = { ...first, spec: { ...first.spec, nodeName: undefined } };
  const possible = new Set(placement.candidateNodes(anywhere).map(({ metadata }) => metadata.name));
  const replacements = neighbour.replacements.filter(({ spec }) => possible.has(spec.nodeName ?? ''));
  return { ...neighbour, replacements };
}

/** Whether the pod fits once these rollouts are complete. */
function places(placement: Placement, neighbours: readonly Leaver[], pod: Pod): boolean {
  const without = new Set(neighbours.flatMap(({ leaving }) => leaving.map(podKey)));
  const add = neighbours.flatMap(({ replacements = [] }) => [...replacements]);
  const after = add.length === 0 ? placement : placement.with({ add, remove: without });
  return after.evaluate(pod, { without }).outcome === 'fits';
}

type WaitingRollout = MovingNeighbour & { readonly waiting: readonly Pod[] };

/** Rollouts of Deployments that were read, are not held by a pause, and whose new pods wait for a node. */
function waitingRollouts(snapshot: Snapshot): readonly WaitingRollout[] {
  const { index, workload } = snapshot;
  if (index.unassignedPods.length === 0) return [];
  const own = ownerKey({ kind: workload.kind, ...workload.metadata });
  const waiting = byOwner(
    index,
    index.unassignedPods.filter((pod) => isActive(pod) && pod.spec.schedulingGates.length === 0),
  );
  const running = new Map(
    placedPodsOfOthers(index, rolloutStateOf(snapshot).pods).map(
      ({ owner, pods }) => [ownerKey(owner), pods] as const,
    ),
  );
  return waiting.flatMap(({ owner, pods }) => {
    const deployment = deploymentOf(index, owner);
    if (deployment === undefined || ownerKey(owner) === own) return [];
    if (isHeldByPause(deployment) || deployment.metadata.deletionTimestamp !== undefined) return [];
    const revisions = new Set(pods.map(revisionKey));
    const leaving = (running.get(ownerKey(owner)) ?? []).filter((pod) => !revisions.has(revisionKey(pod)));
    return leaving.length === 0 ? [] : [{ owner, starting: [], leaving, waiting: pods }];
  });
}

/**
 * The rollouts in progress whose old pods' leaving admits the refused pod, beside the pods that replace them
 * in place; empty if it would not.
 */
export function neighboursThatFreeQuota(snapshot: Snapshot, block: QuotaBlock): readonly MovingNeighbour[] {
  const now = nowOf(snapshot);
  const charged = [...movingNeighbours(snapshot), ...inPlaceNeighbours(snapshot)].filter(
    ({ leaving }) => chargedFor(block, leaving, now).length > 0,
  );
  if (charged.length === 0) return [];
  const removed = charged.flatMap(({ leaving }) => chargedFor(block, leaving, now));
  const added = charged.flatMap(({ replacements = [] }: MovingNeighbour) => [...replacements]);
  return admission(block.pod, block.quotas, now, { removed, added }).kind === 'admitted' ? charged : [];
}

/** A workload and the pods of it that may leave. */
type OwnedLeaver = { readonly owner: PodOwner; readonly leaving: readonly Pod[] };

/**
 * The workloads that are charged for what the quota has too little of, as `namespace/name`, where the leaving
 * of all these pods admits the refused pod; empty where it does not.
 */
export function namesThatAdmit(
  snapshot: Snapshot,
  block: QuotaBlock,
  leavers: readonly OwnedLeaver[],
): readonly string[] {
  const now = nowOf(snapshot);
  const charged = leavers
    .map(({ owner, leaving }) => ({ owner, leaving: chargedFor(block, leaving, now) }))
    .filter(({ leaving }) => leaving.length > 0);
  const leaving = charged.flatMap((each) => each.leaving);
  return leaving.length > 0 && wouldBeAdmittedIf(block.pod, block.quotas, leaving, now)
    ? ownerNames(charged)
    : [];
}
