import type { Pod } from '../../../cluster/pod.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import {
  chargedFor,
  type Exceeded,
  opensByItself,
  type QuotaBlock,
  quotaBlockOf,
  smallestRelease,
} from '../../../creation/quota-block.js';
import { podsThatMayFreeQuota } from '../../../neighbours/leaving-together.js';
import {
  departingNeighboursThatFreeQuota,
  neighboursThatFreeQuota,
  neighboursThatReplaceQuota,
  shrinkingNeighboursThatFreeQuota,
  stalledNeighboursThatFreeQuota,
  unreadNeighboursThatFreeQuota,
} from '../../../neighbours/quota-neighbours.js';
import { wouldBeAdmittedIf } from '../../../rollout/quota-admission.js';
import { type Stalled, stalledOf } from './stalled.js';

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
  /** Pods that run to completion, of a Job or of another owner, and whose end would admit it too. */
  readonly finishing: readonly Pod[];
  /**
   * Workloads with pods of several revisions that could not be read, and whose leaving would admit it too.
   */
  readonly unread: readonly string[];
  /**
   * Workloads that replace pods in place, and whose old pods' leaving would admit it if it came before the
   * replacements.
   */
  readonly replacing: readonly string[];
  /** Workloads whose rollout is stuck at a failing pod, and whose old pods' leaving would admit it too. */
  readonly stalledNeighbours: readonly string[];
  /** Workloads whose HorizontalPodAutoscaler may stop pods, which would admit it too. */
  readonly shrinkingNeighbours: readonly string[];
  /** The fewest pods that may leave for different reasons, and would admit it together. */
  readonly leavingTogether: readonly Pod[];
  /** Workloads that stop pods without replacing them, which admits it then. */
  readonly departingNeighbours: readonly string[];
}

/**
 * The proof that the new pod is refused beside the workload's own old pods and admitted without some of them,
 * while the controller rests. `undefined` when any part of that does not hold: nothing was refused, the
 * rollout moves, a pod that is leaving will make room, a rollout of another workload in progress will, new
 * pods that exist fail for another reason, or the old pods are not enough.
 */
export function quotaProof(snapshot: Snapshot): QuotaProof | undefined {
  const stalled = stalledOf(snapshot);
  if (stalled === undefined) return undefined;
  const block = quotaBlockOf(snapshot, stalled.failed);
  const [first, ...more] = block?.refusals ?? [];
  if (block === undefined || first === undefined || opensByItself(snapshot, block)) return undefined;
  const now = nowOf(snapshot);
  if (neighboursThatFreeQuota(snapshot, block).length > 0) return undefined;
  const holders = chargedFor(block, stalled.holding, now);
  const release = smallestRelease(block, holders, now);
  if (release === undefined) return undefined;
  const doubts = {
    finishing: finishingPods(snapshot, block, now),
    unread: unreadNeighboursThatFreeQuota(snapshot, block),
    replacing: neighboursThatReplaceQuota(snapshot, block),
    stalledNeighbours: stalledNeighboursThatFreeQuota(snapshot, block),
    shrinkingNeighbours: shrinkingNeighboursThatFreeQuota(snapshot, block),
    departingNeighbours: departingNeighboursThatFreeQuota(snapshot, block),
  };
  // Asked only where no doubt of one kind is enough, which names the pods better.
  const isDoubted = Object.values(doubts).some(({ length }) => length > 0);
  const leavingTogether = isDoubted ? [] : podsThatMayFreeQuota(snapshot, block);
  return { stalled, block, exceeded: [first, ...more], holders, release, ...doubts, leavingTogether };
}

/**
 * A pod that runs to completion ends by itself, so a quota that only waits for it is no deadlock for sure.
 */
function finishingPods({ index }: Snapshot, block: QuotaBlock, now: number): readonly Pod[] {
  const charged = chargedFor(block, index.finitePods, now);
  return charged.length > 0 && wouldBeAdmittedIf(block.pod, block.quotas, charged, now) ? charged : [];
}
