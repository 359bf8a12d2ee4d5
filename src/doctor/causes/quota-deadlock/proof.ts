import { type FailedCreation, failedCreationsOf } from '../../../engine/creation/failed-creation.js';
import type { Exceeded, QuotaBlock } from '../../../engine/creation/quota-block.js';
import { chargedFor, quotaBlockOf, smallestRelease } from '../../../engine/creation/quota-block.js';
import type { Statement } from '../../../engine/language/statement.js';
import { groupIndexOf, isLeader } from '../../../engine/objects/leader-worker-set.js';
import { controllerOf } from '../../../engine/objects/metadata.js';
import { hasNode, isActive, isReady, type Pod, podNames } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { type DaemonSet, hasGroups, hasPodPerNode } from '../../../engine/objects/workload.js';
import { daemonSetHash, isUpdatedDaemonPod } from '../../../engine/workloads/controller-revisions.js';
import { daemonSetBounds } from '../../../engine/workloads/daemon-set-model.js';
import { waitsForSurgePods } from '../../../engine/workloads/fixed-point.js';
import type { DaemonSetState, LeaderWorkerSetState } from '../../../engine/workloads/rollout-state.js';
import { rolloutStateOf, switchesRevisions } from '../../../engine/workloads/rollout-state.js';
import { type StableRollout, subjectOf } from '../../findings/deadlock/stable.js';
import { adviceOn, revisionsDoubts } from '../../findings/deadlock/stable-revisions.js';
import { groupsDoubts, stableRolloutOf } from '../../findings/deadlock/stable-rollout.js';
import { deadlock } from '../../findings/deadlock/text.js';
import { isUnschedulable } from '../../findings/stuck-rollout.js';
import { state } from './text.js';

/** controller → new pod → quota → old pod → controller, and that taking old pods out opens it. */
export interface QuotaProof {
  readonly stalled: Stalled;
  readonly block: QuotaBlock;
  /** What is exceeded, the quota that the API server names first. */
  readonly exceeded: readonly [Exceeded, ...Exceeded[]];
  /** Old pods of the workload that the exceeded quotas charge. */
  readonly holders: readonly Pod[];
  /** The fewest of them whose leaving admits the new pod. */
  readonly release: readonly Pod[];
}

/**
 * The proof that the new pod is refused beside the workload's own old pods and admitted without some of them,
 * while the controller rests. `undefined` when any part of that does not hold: nothing was refused, the
 * rollout moves, new pods that exist fail for another reason, or the old pods are not enough.
 */
export function quotaProof(snapshot: Snapshot): QuotaProof | undefined {
  const stalled = stalledOf(snapshot);
  if (stalled === undefined) return undefined;
  const block = quotaBlockOf(snapshot, stalled.failed);
  const [first, ...more] = block?.refusals ?? [];
  if (block === undefined || first === undefined) return undefined;
  const now = nowOf(snapshot);
  const holders = chargedFor(block, stalled.holding, now);
  const release = smallestRelease(block, holders, now);
  if (release === undefined) return undefined;
  return { stalled, block, exceeded: [first, ...more], holders, release };
}

/** A rollout that rests as long as the API server refuses the pods that it wants beside the old ones. */
interface Stalled extends Pick<StableRollout, 'holding' | 'strategy' | 'strategyFacts' | 'strategyEvidence'> {
  readonly workload: StableRollout['workload'] | DaemonSet;
  readonly state: StableRollout['state'] | DaemonSetState;
  /** What a quota refuses, for the new revision. */
  readonly failed: FailedCreation;
  /** New pods that exist and wait for a node. */
  readonly blocked: readonly Pod[];
  /** Pods that may exist beyond those wanted. */
  readonly surge: number;
  /** @param startsWithout whether the new pods would be created once these are gone */
  readonly doubts: (startsWithout: (pods: readonly Pod[]) => boolean) => readonly Statement[];
}

function stalledOf(snapshot: Snapshot): Stalled | undefined {
  const refused = failedCreationsOf(snapshot).filter(
    ({ denial }) => denial.kind === 'quota' && denial.refusal.kind === 'exceeded',
  );
  if (refused.length === 0) return undefined;
  return hasPodPerNode(snapshot.workload)
    ? stalledDaemonSet(snapshot, refused)
    : stalledRollout(
        snapshot,
        refused.filter(({ isNewest }) => isNewest),
      );
}

function stalledRollout(snapshot: Snapshot, refused: readonly FailedCreation[]): Stalled | undefined {
  const state = rolloutStateOf(snapshot);
  const isIncomplete = memberOfIncompleteGroup(hasGroups(state) ? state : undefined, refused);
  const rollout = stableRolloutOf(snapshot, isIncomplete);
  if (rollout === undefined) return undefined;
  if (!rollout.blocked.every((pod) => isUnschedulable(pod) || isIncomplete(pod))) return undefined;
  const failed = hasGroups(state) ? refused.find((each) => isBesideOthers(state, each)) : refused[0];
  if (failed === undefined) return undefined;
  return {
    ...rollout,
    failed,
    blocked: rollout.blocked.filter(isUnschedulable),
    surge: rollout.strategyFacts?.surge ?? failed.missing,
    ...(switchesRevisions(rollout.state)
      ? { strategy: adviceOn(rollout.state.service).strategy(rollout.state.service, failed.part?.name ?? '') }
      : {}),
    doubts: (startsWithout) => doubtsOf(snapshot, rollout, startsWithout),
  };
}

/** A pod of a group runs without the others, and may not be ready for want of them. */
function memberOfIncompleteGroup(
  state: LeaderWorkerSetState | undefined,
  refused: readonly FailedCreation[],
): (pod: Pod) => boolean {
  const uids = new Set(refused.map(({ uid }) => uid));
  const groups = new Set(
    state?.statefulSets.filter(({ metadata }) => uids.has(metadata.uid)).map(groupIndexOf) ?? [],
  );
  return (pod) => hasNode(pod) && groups.has(groupIndexOf(pod)) && !hasRestarted(pod);
}

function hasRestarted({ status }: Pod): boolean {
  return status.containerStatuses.some(({ restartCount }) => restartCount > 0);
}

/**
 * Whether the refused pod is one of a group beside the wanted ones: only for such a group an old one stops.
 */
function isBesideOthers(
  { leaderWorkerSet, statefulSets, pods }: LeaderWorkerSetState,
  { uid }: FailedCreation,
): boolean {
  const { replicas } = leaderWorkerSet.spec;
  const creator = statefulSets.find(({ metadata }) => metadata.uid === uid);
  if (creator === undefined) return false;
  if (controllerOf(creator)?.uid !== leaderWorkerSet.metadata.uid) return groupIndexOf(creator) >= replicas;
  const present = new Set(pods.filter((pod) => isActive(pod) && isLeader(pod)).map(groupIndexOf));
  return Array.from({ length: creator.spec.replicas }, (_, index) => index).some(
    (index) => index >= replicas && !present.has(index),
  );
}

function doubtsOf(
  { index }: Snapshot,
  { state: rolled, workload, holding, blocked }: StableRollout,
  startsWithout: (pods: readonly Pod[]) => boolean,
): readonly Statement[] {
  if (hasGroups(workload)) return groupsDoubts(workload);
  return switchesRevisions(rolled)
    ? revisionsDoubts(index, rolled, { holding, waiting: podNames(blocked), startsWithout })
    : [];
}

/**
 * With maxSurge the old pod of a node is kept until the new one is available there (kubernetes
 * `daemon/update.go: rollingUpdate`); an old pod that is not ready is taken before, so only ready ones hold
 * the quota for good.
 */
function stalledDaemonSet(snapshot: Snapshot, [failed]: readonly FailedCreation[]): Stalled | undefined {
  const rollout = rolloutStateOf(snapshot);
  if (!hasPodPerNode(rollout) || failed === undefined) return undefined;
  const { daemonSet, pods } = rollout;
  const { metadata, spec, status } = daemonSet;
  if (status.observedGeneration < (metadata.generation ?? 0)) return undefined;
  const { maxSurge: surge, desired } = daemonSetBounds(rollout);
  if (surge === 0 || !waitsForSurgePods(rollout)) return undefined;
  const hash = daemonSetHash(rollout);
  const isNew = (pod: Pod) => isUpdatedDaemonPod(pod, daemonSet, hash);
  const active = pods.filter(isActive);
  const holding = active.filter((pod) => !isNew(pod) && hasNode(pod));
  const blocked = active.filter((pod) => isNew(pod) && !hasNode(pod));
  if (!active.filter(isNew).every((pod) => isReady(pod) || isUnschedulable(pod))) return undefined;
  const { rollingUpdate } = spec.updateStrategy;
  const maxSurge = String(rollingUpdate?.maxSurge ?? '-');
  return {
    workload: daemonSet,
    state: rollout,
    failed,
    holding,
    blocked,
    surge,
    strategy: state('strategy-surges', { maxSurge, surge, nodes: desired }),
    strategyFacts: { maxSurge, surge, replicas: desired },
    strategyEvidence: [
      {
        object: subjectOf(daemonSet),
        field: 'spec.updateStrategy.rollingUpdate',
        value: JSON.stringify(rollingUpdate ?? {}),
        says: deadlock('ev-surges', { surge, nodes: desired }),
      },
    ],
    doubts: () => [],
  };
}
