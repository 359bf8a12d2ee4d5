import { conditionOf } from '../cluster/metadata.js';
import { isActive, isReady, type Pod } from '../cluster/pod.js';
import { nowOf, type Snapshot } from '../cluster/snapshot.js';
import { proposeUndoRollout } from '../remediation/kinds/undo-rollout/propose.js';
import { state as undo } from '../remediation/kinds/undo-rollout/statements.js';
import { type Offer, withheld } from '../remediation/offer.js';
import { canonicalJson } from '../remediation/plan.js';
import { type KeptRevision, revisionToGoBackTo } from '../remediation/template-source.js';
import { revisionOfTemplate } from '../rollout/controller-revisions.js';
import { epochOf } from '../rollout/creation-order.js';
import { type RolloutState, rolloutStateOf } from '../rollout/rollout-state.js';
import type { CauseId } from './cause-id.js';
import { ailmentsIn } from './crashes/ailments-of.js';
import { revisionOfPod } from './crashes/classify-pod.js';
import { currentRevision } from './crashes/current-revision.js';
import type { Finding } from './finding.js';
import { podOracleOf } from './pod-oracle-of.js';
import type { Examination } from './rule.js';

/** What a cause comes from. Another pod template may end only what comes from the template, or from its volumes. */
type Origin = 'template' | 'volumes' | 'surroundings';

const origins: Readonly<Record<CauseId, Origin>> = {
  'surge-deadlock': 'template',
  'quota-deadlock': 'template',
  'volume-attach-deadlock': 'template',
  'readiness-deadlock': 'template',
  'crash-loop-on-node': 'surroundings',
  'workload-being-deleted': 'surroundings',
  'control-plane-not-acting': 'surroundings',
  'rollout-paused': 'surroundings',
  'scheduling-gated': 'template',
  'waiting-for-autoscaler': 'surroundings',
  'volume-unbound': 'template',
  'node-cordoned': 'surroundings',
  'capacity-contention': 'template',
  'unsatisfiable-placement': 'template',
  'scale-up-pending': 'surroundings',
  'insufficient-capacity': 'template',
  'quota-exceeded': 'surroundings',
  'admission-denied': 'template',
  'ordered-ready-stuck': 'surroundings',
  'stuck-terminating': 'surroundings',
  'kubelet-rejected': 'surroundings',
  evicted: 'surroundings',
  preempted: 'surroundings',
  'node-not-ready': 'surroundings',
  'config-missing': 'template',
  'image-pull-failure': 'template',
  'mount-failure': 'volumes',
  'sandbox-failure': 'surroundings',
  'bad-command': 'template',
  'out-of-memory': 'template',
  'node-out-of-memory': 'surroundings',
  'startup-probe-kill': 'template',
  'liveness-probe-kill': 'template',
  'init-container-stuck': 'template',
  'crash-loop-after-rollout': 'template',
  'readiness-failing': 'template',
  'termination-grace-exceeded': 'surroundings',
  'process-exits-zero': 'template',
  'application-crash': 'template',
  'scheduler-refusal': 'template',
  'progress-deadline-exceeded': 'template',
  'fragile-strategy': 'template',
  'probe-configuration': 'template',
  'resource-configuration': 'template',
};

/**
 * The finding with an answer to "should I roll back?": an offer where the engines see the way back end, else the
 * reason against it. A finding that has its own answer keeps it, and a note about the future needs none.
 */
export function withRollBack(examination: Examination, finding: Finding): Finding {
  const answers = [...finding.remediations, ...finding.withheld];
  if (finding.severity === 'info' || answers.some(({ kind }) => kind === 'undo-rollout')) return finding;
  const answer = rollBackOf(examination, finding);
  return {
    ...finding,
    remediations: [...finding.remediations, ...answer.remediations],
    withheld: [...finding.withheld, ...answer.withheld],
  };
}

/** Nothing at all only where no earlier revision is kept and the cause does not come from the template. */
function rollBackOf({ snapshot, placement }: Examination, finding: Finding): Offer<'undo-rollout'> {
  const state = rolloutStateOf(snapshot);
  const kept = revisionToGoBackTo(state);
  const origin = origins[finding.cause];
  if (kept === undefined && origin === 'surroundings') return { remediations: [], withheld: [] };
  const against = kept && reasonAgainst(snapshot, state, kept, finding);
  if (against !== undefined) return withheld('undo-rollout', against);
  // Without them the engines see neither room nor what is in the way.
  const isBlind = snapshot.unseen.some(({ what }) => what === 'Pod' || what === 'Node');
  if (kept !== undefined && isBlind) return withheld('undo-rollout', undo('withheld-unknown', {}));
  return proposeUndoRollout({ snapshot, state, oracle: podOracleOf(placement) });
}

function reasonAgainst(snapshot: Snapshot, state: RolloutState, kept: KeptRevision, finding: Finding) {
  const { revision } = kept;
  if (origins[finding.cause] === 'surroundings') return undo('withheld-surroundings', { revision });
  const own = podsByRevision(snapshot, state);
  if (own.current.length > 0 && own.current.every(isReady)) return undo('withheld-current-ready', {});
  if (origins[finding.cause] === 'volumes' && hasSame(volumesOf, state, kept)) {
    return undo('withheld-same-volumes', { revision });
  }
  if (hasSame((spec) => partOf(spec, finding.container), state, kept)) {
    return undo('withheld-same', { revision, container: finding.container });
  }
  const failing = own.former.filter((pod) => ailmentsIn(snapshot, pod).length > 0);
  if (failing.length > 0 && !own.former.some((pod) => isReady(pod) && !failing.includes(pod))) {
    return undo('withheld-former-fails', { pods: failing.map(({ metadata }) => metadata.name) });
  }
  const forSeconds = completedForSeconds(state, nowOf(snapshot));
  return forSeconds !== undefined && forSeconds > trialSeconds
    ? undo('withheld-completed', { forSeconds })
    : undefined;
}

/** A failure this long after the rollout completed did not come with the revision. */
const trialSeconds = 3600;

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
  const present = part(workloadOf(state).spec.template.raw.spec);
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

function workloadOf(state: RolloutState) {
  switch (state.kind) {
    case 'Deployment':
      return state.deployment;
    case 'StatefulSet':
      return state.statefulSet;
    case 'DaemonSet':
      return state.daemonSet;
  }
}

/**
 * Seconds since the present revision was rolled out completely; `undefined` while it never was. A Deployment records
 * the moment (reason NewReplicaSetAvailable); of the others only the age of the revision is known.
 */
function completedForSeconds(state: RolloutState, now: number): number | undefined {
  const since = completedSince(state);
  return since === undefined ? undefined : Math.max(0, (now - since) / 1000);
}

function completedSince(state: RolloutState): number | undefined {
  const { metadata, status } = workloadOf(state);
  if (status.observedGeneration < (metadata.generation ?? 0)) return undefined;
  if (state.kind === 'Deployment') {
    const progressing = conditionOf(state.deployment.status, 'Progressing');
    if (progressing?.reason !== 'NewReplicaSetAvailable') return undefined;
    return epochOf(progressing.lastUpdateTime ?? progressing.lastTransitionTime);
  }
  const isDone =
    state.kind === 'StatefulSet'
      ? state.statefulSet.status.currentRevision === state.statefulSet.status.updateRevision
      : state.daemonSet.status.updatedNumberScheduled >= state.daemonSet.status.desiredNumberScheduled;
  if (!isDone) return undefined;
  const workload = state.kind === 'StatefulSet' ? state.statefulSet : state.daemonSet;
  return epochOf(revisionOfTemplate(workload, state.controllerRevisions)?.metadata.creationTimestamp);
}
