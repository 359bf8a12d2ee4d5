import type { Statement } from '../../engine/language/statement.js';
import { isResourceKind } from '../../engine/objects/cluster-objects.js';
import { controllerOf, namesOf } from '../../engine/objects/metadata.js';
import type { Pod } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { createWorkBudget } from '../../engine/objects/work-budget.js';
import type { Workload } from '../../engine/objects/workload.js';
import { hasReplicaSets, hasSteps, isPaused, isRevisioned } from '../../engine/objects/workload.js';
import { isReplacedByEachChange, namedOwnerOf } from '../../engine/parents/parent-resource.js';
import { createPlacement } from '../../engine/scheduler/placement.js';
import { hasOpaquePart } from '../../engine/workloads/argo-rollout/canary-steps.js';
import { podsAreUnseen } from '../../engine/workloads/forecast.js';
import { limitValues } from '../../engine/workloads/limit-range-defaults.js';
import { newPods, newReplicaSetOf, podsOfNewRevision, revisionOf } from '../../engine/workloads/revisions.js';
import { type RolloutState, rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { failsToStart, startToReady } from '../../engine/workloads/start-to-ready.js';
import type { Diagnosis, RequestedForecast } from '../findings/diagnosis.js';
import { deletionOf, noFix, ownersOf } from '../findings/owners.js';
import { withoutStatedSecrets } from '../findings/without-secrets.js';
import { type Considered, impossible, type Possible } from '../fixes/considered.js';
import { considerAbortRollout } from '../fixes/kinds/abort-rollout.js';
import { considerExcludeNodes } from '../fixes/kinds/exclude-nodes/propose.js';
import { considerPromoteRollout } from '../fixes/kinds/promote-rollout.js';
import { considerRestartRollout } from '../fixes/kinds/restart-rollout/kind.js';
import { considerResumeRollout } from '../fixes/kinds/resume-rollout.js';
import { considerRetryRollout } from '../fixes/kinds/retry-rollout.js';
import { considerUndoRollout } from '../fixes/kinds/undo-rollout/propose.js';
import type { Remediation } from '../fixes/remediation.js';
import { type RequestedChange, requestedId } from '../fixes/requested-change.js';
import { ownerRefusalOf, withDrift } from '../fixes/with-drift.js';
import { checkSimulator } from '../forecasts/check-simulator.js';
import { whyUnknown } from '../forecasts/rollout-check.js';
import { stuckReasonOf } from '../forecasts/stuck-reason.js';
import { state as checkState } from '../forecasts/text.js';
import { state } from './text.js';

/** The diagnosis with the forecast of the change that a person asked for; as it is where nobody asked. */
export function withRequested(
  diagnosis: Diagnosis,
  snapshot: Snapshot,
  change: RequestedChange | undefined,
): Diagnosis {
  return change === undefined ? diagnosis : { ...diagnosis, requested: forecastRequested(change, snapshot) };
}

interface Run {
  readonly simulator: ReturnType<typeof checkSimulator>;
  readonly considered: Considered<Remediation>;
}

/**
 * Plays a change that a person asked for forward on the cluster as it was read: scheduler, quotas and
 * controllers. Nothing is held back: what would deadlock or interrupt the service is returned with its
 * warnings, and the person decides. Where the scheduler has a choice of nodes, two opposite choices are
 * tried, and the worse one is reported.
 */
export function forecastRequested(change: RequestedChange, snapshot: Snapshot): RequestedForecast {
  if (deletionOf(snapshot) !== undefined) return impossible(noFix());
  const { workload } = snapshot;
  if (isRevisioned(workload)) {
    const { namespace, name } = workload.metadata;
    const { kind } = workload;
    return impossible(state(withoutField[change.kind], { kind, workload: `${namespace}/${name}` }));
  }
  const rollout = rolloutStateOf(snapshot);
  const runs = runsOf(change, snapshot, rollout);
  const [first] = runs;
  if (first.considered.type === 'impossible') return first.considered;
  const stopping = runs.find(({ considered }) => endOf(considered) !== 'complete') ?? first;
  const { considered, simulator } = stopping;
  if (considered.type === 'impossible') return considered;
  const disagree = runs.some((run) => endOf(run.considered) !== endOf(considered));
  const { remediation, against } = considered;
  const refused = ownerRefusalOf(remediation, snapshot);
  if (refused !== undefined) return impossible(refused);
  const stop = stopOf(change, snapshot, rollout, considered, simulator);
  const { downtime } = remediation.price;
  const outage =
    downtime.kind === 'gap' ? state('outage', { change: change.kind, seconds: downtime.seconds }) : undefined;
  const verdict = stop.verdict ?? outage;
  const warnings = [
    ...(disagree ? [state('depends-on-node', { change: change.kind })] : []),
    ...stop.warnings,
    ...failingAlike(change, rollout),
    ...ownerWarnings(change, workload),
    ...(against === undefined ? [] : [against]),
    ...(outage === undefined || outage === verdict ? [] : [outage]),
    ...(downtime.kind === 'gap' ? [state('no-pod-ready', { seconds: downtime.seconds })] : []),
  ];
  return {
    type: 'possible',
    remediation: { ...withDrift(remediation, snapshot), id: requestedId(remediation.id) },
    ...(verdict === undefined ? {} : { verdict }),
    warnings: warnings.map(withoutStatedSecrets),
    ...(stop.stops === undefined ? {} : { stops: stop.stops }),
    owners: ownersOf(snapshot),
  };
}

/** Why the kinds of which every changed template is a new revision have no such change. */
const withoutField = {
  'restart-rollout': 'service-has-no-restart',
  'exclude-nodes': 'service-has-no-exclusion',
  'undo-rollout': 'service-has-no-rollback',
  'resume-rollout': 'service-has-no-pause',
  'abort-rollout': 'needs-argo-rollout',
  'promote-rollout': 'needs-argo-rollout',
  'retry-rollout': 'needs-argo-rollout',
} as const satisfies Record<RequestedChange['kind'], string>;

function runsOf(
  change: RequestedChange,
  snapshot: Snapshot,
  rollout: RolloutState,
): readonly [Run, ...Run[]] {
  const { index, unseen } = snapshot;
  const placement = createPlacement(index, {
    unseen: unseen.flatMap(({ what, because }) =>
      isResourceKind(what) && because !== 'not-served' ? [what] : [],
    ),
    work: createWorkBudget(),
  });
  const run = (choice: 'first' | 'last'): Run => {
    const { workload } = snapshot;
    const simulator = checkSimulator({ index, placement, now: nowOf(snapshot), workload }, choice);
    return { simulator, considered: consider(change, { snapshot, state: rollout, placement, simulator }) };
  };
  const first = run('first');
  return first.simulator.hadChoice() ? [first, run('last')] : [first];
}

function consider(
  change: RequestedChange,
  input: Omit<Parameters<typeof considerExcludeNodes>[0], 'nodes'>,
): Considered<Remediation> {
  const { snapshot, state: rollout, simulator } = input;
  switch (change.kind) {
    case 'restart-rollout':
      return considerRestartRollout(input);
    case 'undo-rollout':
      return considerUndoRollout(input);
    case 'exclude-nodes':
      return considerExcludeNodes({ ...input, nodes: change.nodes });
    case 'resume-rollout': {
      const { namespace, name } = snapshot.workload.metadata;
      const workload = `${namespace}/${name}`;
      if (!hasReplicaSets(rollout)) return impossible(state('resume-needs-deployment', { workload }));
      if (!isPaused(snapshot.workload)) return impossible(state('resume-not-paused', { workload }));
      return considerResumeRollout({ state: rollout, simulator, revision: revisionOf(snapshot) });
    }
    case 'abort-rollout':
    case 'promote-rollout':
    case 'retry-rollout': {
      const { kind, metadata } = snapshot.workload;
      const workload = `${metadata.namespace}/${metadata.name}`;
      if (!hasSteps(rollout)) return impossible(state('needs-argo-rollout', { kind, workload }));
      return considerUpdate[change.kind]({ state: rollout, simulator });
    }
  }
}

/** What people do to an update of Argo Rollouts that is under way. */
const considerUpdate = {
  'abort-rollout': considerAbortRollout,
  'promote-rollout': considerPromoteRollout,
  'retry-rollout': considerRetryRollout,
} as const;

function endOf(considered: Considered<Remediation>): string {
  return considered.type === 'impossible' ? considered.type : considered.forecast.ends;
}

/**
 * Pods that fail with the very template that the change starts once more. The forecast takes for granted that
 * new pods become ready.
 */
function failingAlike(change: RequestedChange, rollout: RolloutState): readonly Statement[] {
  if (change.kind !== 'restart-rollout' && change.kind !== 'exclude-nodes') return [];
  const avoided = change.kind === 'exclude-nodes' ? change.nodes : [];
  const observed = startToReady(rollout);
  const pods = podsOfNewRevision(rollout).filter(
    (pod) => failsToStart(pod, rollout.now, observed) && !avoided.includes(pod.spec.nodeName ?? ''),
  );
  return pods.length === 0 ? [] : [state('alike-fail', { pods: namesOf(pods) })];
}

/** What else a change of the owner replaces. */
function ownerWarnings({ kind: change }: RequestedChange, workload: Workload): readonly Statement[] {
  const owner = namedOwnerOf(workload);
  if (owner === undefined || !isReplacedByEachChange(workload)) return [];
  const { namespace, name } = workload.metadata;
  return [
    state('replaces-head-and-workers', {
      change,
      owner: `${owner.kind} ${owner.namespace}/${owner.name}`,
      workload: `${namespace}/${name}`,
    }),
  ];
}

interface Stop {
  /** That it would not complete. */
  readonly verdict?: Statement;
  readonly stops?: Extract<RequestedForecast, { readonly type: 'possible' }>['stops'];
  /** In the order of an explanation; empty when the rollout would complete. */
  readonly warnings: readonly Statement[];
}

/** Why the rollout would not complete. */
function stopOf(
  { kind: change }: RequestedChange,
  snapshot: Snapshot,
  rollout: RolloutState,
  { forecast, remediation }: Possible<Remediation>,
  simulator: Run['simulator'],
): Stop {
  const { namespace, name } = snapshot.workload.metadata;
  switch (forecast.ends) {
    case 'complete':
      return { warnings: [] };
    case 'contested': {
      const pods = (forecast.winners ?? []).map((pod) => `${pod.namespace}/${pod.name}`);
      return { warnings: [state('place-contested', { change, pods })] };
    }
    case 'unknown':
      return {
        warnings: [
          state('end-unknown', { change }),
          isAnalysed(rollout) ? state('because-analysis') : whyUnknown(forecast),
        ],
      };
    case 'too-large': {
      const why = checkState('because-too-large', limitValues(forecast.limit));
      return { warnings: [state('end-unknown', { change }), why] };
    }
    case 'stuck': {
      const halfway = (because: readonly Statement[]): Stop => ({
        stops: 'halfway',
        verdict: state('would-stop', { change }),
        warnings: because,
      });
      if (forecast.isCounted)
        return halfway([checkState('because-counted', { stops: `${namespace}/${name}` })]);
      const old = oldPods(rollout, remediation);
      const why = stuckReasonOf({ snapshot, forecast, simulator, old });
      if (why.kind === 'unclear') return halfway(why.because);
      if (why.holders.length === 0) return halfway(why.reasoning);
      return {
        stops: 'deadlock',
        verdict: state('would-deadlock', { change }),
        warnings: [state('capacity-in-use'), ...why.reasoning],
      };
    }
  }
}

/** The engine foresees no analysis of an update. */
function isAnalysed(rollout: RolloutState): boolean {
  return hasSteps(rollout) && hasOpaquePart(rollout.rollout) && !podsAreUnseen(rollout);
}

/** Observed pods that the change is to replace. */
function oldPods(rollout: RolloutState, remediation: Remediation): readonly Pod[] {
  if (!hasReplicaSets(rollout)) return rollout.pods;
  switch (remediation.kind) {
    case 'undo-rollout':
      return rollout.pods.filter((pod) => controllerOf(pod)?.uid !== remediation.from.uid);
    case 'resume-rollout':
    case 'promote-rollout':
    case 'retry-rollout': {
      const kept = newReplicaSetOf(rollout)?.metadata.uid;
      return rollout.pods.filter((pod) => controllerOf(pod)?.uid !== kept);
    }
    case 'abort-rollout':
      return newPods(rollout);
    default:
      return rollout.pods;
  }
}
