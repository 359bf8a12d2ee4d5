import { greatestOf } from '../../../engine/collections/collections.js';
import { byOwner, type OwnedPods } from '../../../engine/neighbours/owned-pods.js';
import { controllerOf } from '../../../engine/objects/metadata.js';
import { hasNode, isActive, type Pod, podKey } from '../../../engine/objects/pod.js';
import { revisionNameOf } from '../../../engine/objects/revisions.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { hasGroups, hasPodPerNode, hasReplicaSets } from '../../../engine/objects/workload.js';
import type { NodeCounterfactual } from '../../../engine/scheduler/counterfactual.js';
import { holdersOf, type Reason } from '../../../engine/scheduler/reason.js';
import { resourceOf } from '../../../engine/scheduler/resource-name.js';
import { type NearNode, nearest } from '../../../engine/scheduler/verdict.js';
import {
  daemonSetHash,
  isUpdatedDaemonPod,
  podRevisionName,
  statefulSetRevisions,
} from '../../../engine/workloads/controller-revisions.js';
import { formerGroupPods, hasSurgeGroups } from '../../../engine/workloads/leader-worker-set/leader-set.js';
import { formerRevisionPods } from '../../../engine/workloads/revisioned/pods.js';
import { oldPods } from '../../../engine/workloads/revisions.js';
import type { StatefulSetState } from '../../../engine/workloads/rollout-state.js';
import { rolloutStateOf, switchesRevisions } from '../../../engine/workloads/rollout-state.js';
import { ordinalOf } from '../../../engine/workloads/stateful-set-model.js';
import type { Examination } from '../rule.js';
import type { RefusingNode } from './refusal.js';

/** Which pods are in the way on the nodes that could carry a waiting one. */
export interface Holding {
  /** What is missing on `node`. */
  readonly reason: Reason;
  /** The design's word for it. */
  readonly resource: string;
  /** The node that needs the fewest pods to leave, or lacks least. */
  readonly node: string;
  /** Without its own pods of the same revision it would fit. */
  readonly byOwnRevision: boolean;
  /**
   * Workloads that can be named as the reason; empty where it is spread over many, or is the workload's own
   * doing.
   */
  readonly culprits: readonly OwnedPods[];
  /**
   * The smallest set of pods whose leaving would open `node`; with own ones where others' alone do not
   * suffice.
   */
  readonly remove: readonly Pod[];
  /** Who else has most of it on `node`, for a shortage that nobody in particular is to blame for. */
  readonly largest: readonly OwnedPods[];
}

/** Nodes that are searched for a way; the rest lack more. */
const maxNodes = 20;
/** More workloads than these, each of which would do, are nobody in particular. */
const maxCulprits = 3;
/** Every pod on a node has some of these; of all else there are few, and who has one can be named. */
const fungible: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

/** @param held the nodes on which nothing but pods is in the way, at least one */
export function holdingOf(
  examination: Examination,
  pod: Pod,
  own: OwnPods,
  held: readonly RefusingNode[],
): Holding | undefined {
  const { index } = examination.snapshot;
  const near = nearest(
    held.map(({ name, reasons }) => ({
      node: name,
      outcome: 'refused',
      tooSmall: false,
      reasons,
      notSimulated: [],
    })),
    maxNodes,
  );
  const mine = [...own.predecessors, ...own.others];
  const mineKeys = new Set(mine.map(podKey));
  const foreign = holdersOn(near).filter((each) => !mineKeys.has(podKey(each)));
  const ask = { examination, pod, near };
  const byOthers = openings(ask, foreign);
  const [best] = byOthers.length > 0 ? byOthers : openings(ask, [...foreign, ...mine]);
  const at = near.find(({ node }) => node === best?.node) ?? near[0];
  if (at === undefined) return undefined;
  const reason = decisive(at.lacks);
  if (reason === undefined) return undefined;
  const resource = resourceOf(reason) ?? reason.id;
  const culprits = fungible.has(resource)
    ? culpritsOf(ask, foreign.filter(isMovable), best, mineKeys)
    : byOwner(
        index,
        distinct(
          (byOthers.length > 0 ? byOthers : best === undefined ? [] : [best])
            .filter(({ remove }) => remove.length === best?.remove.length)
            .flatMap(({ remove }) => remove)
            .filter((each) => !mineKeys.has(podKey(each))),
        ),
      );
  return {
    reason,
    resource,
    node: at.node,
    byOwnRevision: openings(ask, own.others).length > 0,
    culprits,
    remove: best?.remove ?? [],
    largest: byOwner(
      index,
      holdersOf(reason).filter((each) => !mineKeys.has(podKey(each))),
    ).slice(0, 5),
  };
}

type Ask = { readonly examination: Examination; readonly pod: Pod; readonly near: readonly NearNode[] };

/** The near nodes that some of these pods' leaving would open, those needing the fewest first. */
function openings({ examination, pod, near }: Ask, removable: readonly Pod[]): readonly NodeCounterfactual[] {
  if (removable.length === 0) return [];
  const { snapshot, placement } = examination;
  return near
    .flatMap(({ node: name }) => {
      const node = snapshot.index.nodes.get(name);
      return node === undefined ? [] : (placement.wouldFitIf(pod, removable, node).best ?? []);
    })
    .sort((a, b) => a.remove.length - b.remove.length);
}

/**
 * Of what every pod uses some of, a workload is to blame when all of its pods on a node together are enough
 * of the reason, and few others are; or when the smallest set that would do belongs to two at most.
 */
function culpritsOf(
  ask: Ask,
  foreign: readonly Pod[],
  best: NodeCounterfactual | undefined,
  mine: ReadonlySet<string>,
): readonly OwnedPods[] {
  const { placement, snapshot } = ask.examination;
  const enough = byOwner(snapshot.index, foreign).filter(({ pods }) => {
    const without = new Set(pods.map(podKey));
    return ask.near.some(({ node: name }) => {
      const node = snapshot.index.nodes.get(name);
      return (
        node !== undefined &&
        pods.some(({ spec }) => spec.nodeName === name) &&
        placement.check(ask.pod, node, without).outcome === 'fits'
      );
    });
  });
  if (enough.length > maxCulprits) return [];
  if (enough.length > 0) return enough;
  if (best === undefined || best.remove.some((each) => mine.has(podKey(each)) || !isMovable(each))) return [];
  const owners = byOwner(snapshot.index, best.remove);
  const isOnlyWay = best.alternatives.every(
    (pods) => byOwner(snapshot.index, [...pods, ...best.remove]).length === owners.length,
  );
  return isOnlyWay && owners.length <= 2 ? owners : [];
}

/** A pod that every node has, or that is part of the node, is nobody's to move. */
function isMovable(pod: Pod): boolean {
  const owner = controllerOf(pod);
  return !hasPodPerNode(owner) && owner?.kind !== 'Node';
}

/** What there are few of comes before what everybody uses. */
function decisive(reasons: readonly Reason[]): Reason | undefined {
  const known = reasons.filter((reason) => resourceOf(reason) !== undefined);
  return known.find((reason) => !fungible.has(resourceOf(reason) ?? '')) ?? known[0] ?? reasons[0];
}

function holdersOn(near: readonly NearNode[]): readonly Pod[] {
  return distinct(near.flatMap(({ lacks }) => lacks.flatMap((reason) => [...holdersOf(reason)])));
}

function distinct(pods: readonly Pod[]): readonly Pod[] {
  return [...new Map(pods.map((pod) => [podKey(pod), pod])).values()];
}

/** The workload's active pods that hold a node, told apart by whether a rollout will replace them. */
interface OwnPods {
  /**
   * Of an older revision; of a StatefulSet only those that the controller replaces after a pod that waits, of
   * a LeaderWorkerSet only while a new group stands beside the wanted ones.
   */
  readonly predecessors: readonly Pod[];
  readonly others: readonly Pod[];
}

/** Pods of revisions that the traffic names, beside a new revision: they stay, whatever becomes of it. */
export function keptPods(snapshot: Snapshot): readonly Pod[] {
  const state = rolloutStateOf(snapshot);
  if (!switchesRevisions(state) || state.service.revisions.next === undefined) return [];
  const { revisions } = state.service;
  return ownPods(snapshot).others.filter((pod) => revisions.kept.includes(revisionNameOf(revisions, pod)));
}

export function ownPods(snapshot: Snapshot): OwnPods {
  const state = rolloutStateOf(snapshot);
  const placed = state.pods.filter((pod) => isActive(pod) && hasNode(pod));
  const old = new Set(
    hasReplicaSets(state)
      ? oldPods(state)
      : hasPodPerNode(state)
        ? placed.filter((pod) => !isUpdatedDaemonPod(pod, state.daemonSet, daemonSetHash(state)))
        : hasGroups(state)
          ? hasSurgeGroups(state)
            ? formerGroupPods(state)
            : []
          : switchesRevisions(state)
            ? formerRevisionPods(state)
            : oldOrdinalsOf(state).old,
  );
  return {
    predecessors: placed.filter((pod) => old.has(pod)),
    others: placed.filter((pod) => !old.has(pod)),
  };
}

/** A StatefulSet's pods that wait for a node, and those that its controller replaces only afterwards. */
interface OldOrdinals {
  /** Active pods of the present revision without a node. */
  readonly pending: readonly Pod[];
  /**
   * Active pods of other revisions with a node and a lower ordinal, down to the partition. The controller
   * updates from the highest ordinal and goes on only when that pod is available (kubernetes
   * `stateful_set_control.go`).
   */
  readonly old: readonly Pod[];
}

const none: OldOrdinals = { pending: [], old: [] };

/** None where the controller replaces nothing by itself, or has not yet made the present revision. */
export function oldOrdinalsOf(state: StatefulSetState): OldOrdinals {
  const { updateStrategy } = state.statefulSet.spec;
  const revisions = statefulSetRevisions(state);
  if (updateStrategy.type !== 'RollingUpdate' || revisions === undefined) return none;
  const partition = updateStrategy.rollingUpdate?.partition ?? 0;
  const isUpdated = (pod: Pod) => podRevisionName(pod) === revisions.update;
  const active = state.pods.filter(isActive);
  const pending = active.filter((pod) => !pod.spec.nodeName && isUpdated(pod));
  const highest = greatestOf(pending.map(ordinalOf));
  return {
    pending,
    old: active.filter(
      (pod) =>
        pod.spec.nodeName && !isUpdated(pod) && ordinalOf(pod) >= partition && ordinalOf(pod) < highest,
    ),
  };
}
