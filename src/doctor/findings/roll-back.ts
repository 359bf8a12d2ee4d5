import type { Statement } from '../../engine/language/statement.js';
import { conditionOf } from '../../engine/objects/metadata.js';
import { isActive, isReady, type Pod } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { isUnread } from '../../engine/objects/unread.js';
import {
  hasGroups,
  hasObservedSpec,
  hasOrdinals,
  hasReplicaSets,
  isRevisioned,
} from '../../engine/objects/workload.js';
import { epochOf } from '../../engine/workloads/creation-order.js';
import type { PodSimulator } from '../../engine/workloads/pod-simulator.js';
import { presentRevisionMadeAt } from '../../engine/workloads/revisions.js';
import { type RolloutState, rolloutStateOf, workloadIn } from '../../engine/workloads/rollout-state.js';
import { effect } from '../fixes/effects-text.js';
import type { UndoRollout } from '../fixes/kinds/undo-rollout/plan.js';
import { proposeUndoRollout } from '../fixes/kinds/undo-rollout/propose.js';
import { state as undo } from '../fixes/kinds/undo-rollout/text.js';
import { notRecommended, type Offer } from '../fixes/offered-fields.js';
import { canonicalJson } from '../fixes/plan.js';
import { type KeptRevision, revisionToGoBackTo } from '../fixes/template-changes.js';
import type { Origin } from './cause-id.js';
import { revisionOfPod } from './crashes/classify-pod.js';
import { currentRevision, podFailuresIn } from './crashes/failure-group.js';
import { firstCrashAt, trialSeconds } from './crashes/since-update.js';
import type { Finding } from './finding.js';
import { podSimulatorOf } from './pod-simulator-of.js';
import type { Examination } from './rule.js';

/** What a finding is about, as far as a roll back depends on it. */
interface RollBackCase {
  readonly origin: Origin;
  /** The one container that fails; absent where whole pods do. */
  readonly container?: string | undefined;
  /** What the cause knows beyond the scheduler; the scheduler alone when left out. */
  readonly simulator?: PodSimulator;
}

/**
 * The finding with an answer to "should I roll back?": an offer where the engines see the way back end, else
 * the reason against it. A finding whose rule has asked already keeps that answer, and a note about the
 * future needs none.
 */
export function withRollBack(examination: Examination, finding: Finding, origin: Origin): Finding {
  const answers = [...finding.remediations, ...finding.withheld];
  if (finding.severity === 'info' || answers.some(({ kind }) => kind === 'undo-rollout')) return finding;
  const answer = rollBackOf(examination, { origin, container: finding.container });
  return {
    ...finding,
    remediations: [...finding.remediations, ...answer.remediations],
    withheld: [...finding.withheld, ...answer.withheld],
  };
}

/**
 * The one place that decides about rolling back. It answers with nothing at all only where no earlier
 * revision is kept and the cause does not come from the template.
 */
export function rollBackOf(
  examination: Examination,
  { origin, container, simulator = podSimulatorOf(examination) }: RollBackCase,
): Offer<UndoRollout> {
  const { snapshot } = examination;
  const state = rolloutStateOf(snapshot);
  if (origin === 'rollout') return proposeUndoRollout({ snapshot, state, simulator });
  const kept = revisionToGoBackTo(state);
  if (kept === undefined && origin === 'surroundings') return { remediations: [], withheld: [] };
  const against = kept && reasonAgainst(snapshot, state, kept, { origin, container });
  if (against !== undefined) return notRecommended('undo-rollout', against);
  // Without them the engines see neither room nor what is in the way.
  const isBlind = isUnread(snapshot, 'Pod', 'Node');
  if (kept !== undefined && isBlind) return notRecommended('undo-rollout', effect('withheld-unknown'));
  return proposeUndoRollout({ snapshot, state, simulator });
}

function reasonAgainst(
  snapshot: Snapshot,
  state: RolloutState,
  kept: KeptRevision,
  { origin, container }: RollBackCase,
): Statement | undefined {
  const { revision } = kept;
  if (origin === 'surroundings') return undo('withheld-surroundings', { revision });
  // An old pod that mounted the volume before it failed shows nothing of the next one.
  if (origin === 'volumes' && hasSame(volumesOf, state, kept)) {
    return undo('withheld-same-volumes', { revision });
  }
  const own = podsByRevision(snapshot, state);
  if (own.current.length > 0 && own.current.every(isReady)) return undo('withheld-current-ready');
  const failing = own.former.filter((pod) => podFailuresIn(snapshot, pod).length > 0);
  // Pods of the former revision that work beside the failing ones say more than the templates.
  if (own.former.some((pod) => isReady(pod) && !failing.includes(pod))) return undefined;
  if (hasSame((spec) => partOf(spec, container), state, kept)) {
    return undo('withheld-same', { revision, container });
  }
  if (failing.length > 0) {
    return undo('withheld-former-fails', { pods: failing.map(({ metadata }) => metadata.name) });
  }
  if (kept.neverAvailable) return undo('withheld-never-available', { revision });
  const since = completedSince(state);
  if (since === undefined) return undefined;
  const now = nowOf(snapshot);
  const began = firstCrashAt(own.current.flatMap((pod) => podFailuresIn(snapshot, pod))) ?? now;
  return began - since > trialSeconds * 1000
    ? undo('withheld-completed', { forSeconds: Math.max(0, (now - since) / 1000) })
    : undefined;
}

function podsByRevision(
  snapshot: Snapshot,
  { pods }: RolloutState,
): { readonly current: readonly Pod[]; readonly former: readonly Pod[] } {
  const revision = currentRevision(snapshot);
  const active = pods.filter(isActive);
  return {
    current: active.filter((pod) => revisionOfPod(pod) === revision),
    former: active.filter((pod) => revisionOfPod(pod) !== revision),
  };
}

/** Whether both templates hold the same in that part of their spec. */
function hasSame(part: (spec: unknown) => unknown, state: RolloutState, { template }: KeptRevision): boolean {
  const present = part(workloadIn(state).spec.template.raw.spec);
  return canonicalJson(present) === canonicalJson(part(template.raw.spec));
}

function volumesOf(spec: unknown): unknown {
  return fieldsOf(spec).volumes ?? [];
}

/** The container with the volumes; the whole spec where whole pods fail. */
function partOf(spec: unknown, container: string | undefined): unknown {
  if (container === undefined) return spec;
  const { containers, initContainers, volumes } = fieldsOf(spec);
  const named = [containers, initContainers]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .filter((one) => fieldsOf(one).name === container);
  return { named, volumes };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/**
 * When the present revision was rolled out completely, in epoch milliseconds; `undefined` while it never was.
 * A Deployment records the moment (reason NewReplicaSetAvailable); of the others only the age of the revision
 * is known.
 */
function completedSince(state: RolloutState): number | undefined {
  const workload = workloadIn(state);
  if (!hasObservedSpec(workload)) return undefined;
  if (hasReplicaSets(workload)) {
    const progressing = conditionOf(workload.status, 'Progressing');
    if (progressing?.reason !== 'NewReplicaSetAvailable') return undefined;
    return epochOf(progressing.lastUpdateTime ?? progressing.lastTransitionTime);
  }
  if (hasGroups(workload) || isRevisioned(workload)) return undefined;
  const isDone = hasOrdinals(workload)
    ? workload.status.currentRevision === workload.status.updateRevision
    : workload.status.updatedNumberScheduled >= workload.status.desiredNumberScheduled;
  return isDone ? presentRevisionMadeAt(state) : undefined;
}
