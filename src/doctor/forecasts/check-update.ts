import type { Statement } from '../../engine/language/statement.js';
import type { ClusterIndex } from '../../engine/objects/cluster-index.js';
import { isResourceKind } from '../../engine/objects/cluster-objects.js';
import { kueueMarks } from '../../engine/objects/kueue.js';
import { controllerOf } from '../../engine/objects/metadata.js';
import { isTerminating, type Pod, podKey, refOf } from '../../engine/objects/pod.js';
import type { Snapshot, Unseen } from '../../engine/objects/snapshot.js';
import { isUnreadNearby } from '../../engine/objects/unread.js';
import { createWorkBudget } from '../../engine/objects/work-budget.js';
import type { DeploymentStrategy, Workload, WorkloadRef } from '../../engine/objects/workload.js';
import {
  hasDeploymentStrategy,
  hasOrdinals,
  hasPodPerNode,
  hasReplicaSets,
  isRevisioned,
} from '../../engine/objects/workload.js';
import { createPlacement, type Placement } from '../../engine/scheduler/placement.js';
import { type Forecast, nextSteps } from '../../engine/workloads/forecast.js';
import { limitValues } from '../../engine/workloads/limit-range-defaults.js';
import type { PodSimulator } from '../../engine/workloads/pod-simulator.js';
import { newReplicaSetOf } from '../../engine/workloads/revisions.js';
import { restarted } from '../../engine/workloads/rollout-change.js';
import { type RolloutState, rolloutStateIn } from '../../engine/workloads/rollout-state.js';
import { isOverdue } from '../../engine/workloads/simulated-pods.js';
import { sameTemplate } from '../../engine/workloads/template-equality.js';
import { playChange } from '../fixes/forecast-change.js';
import { checkSimulator } from './check-simulator.js';
import { maxClaims } from './claims-of.js';
import { keepsRevision, makesRevision, revisionDoubts } from './planned-workload.js';
import type { RolloutCheck, WayOut } from './rollout-check.js';
import { boundsOf, completion, standsStill, summaryOf, whyUnknown } from './rollout-check.js';
import { stuckReasonOf } from './stuck-reason.js';
import { impactValues, nameOf, state as say, state } from './text.js';

interface CheckInput {
  /** The cluster as it is, with what the manifests change beside workloads. */
  readonly index: ClusterIndex;
  readonly unseen: readonly Unseen[];
  readonly cluster: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The workload as the manifest makes it: `plannedWorkload`. */
  readonly planned: Workload;
  /** The one in the cluster; `undefined`: it is new. */
  readonly live: Workload | undefined;
  /**
   * Some ordinals of a large StatefulSet have no claims in `index`, although their controller would create
   * them.
   */
  readonly lacksClaims?: boolean;
}

/**
 * Plays the update forward on the cluster as it is, with the same engines that prove a deadlock after the
 * fact: the controllers' arithmetic, the scheduler's filters, quota admission. Where the scheduler has a
 * choice, two opposite choices are tried, and an answer is given only when both agree. Each workload is
 * checked by itself.
 */
export function checkUpdate(input: CheckInput): RolloutCheck {
  const { index, live, planned, cluster, now } = input;
  const { namespace, name } = planned.metadata;
  const workload: WorkloadRef = { cluster, kind: planned.kind, namespace, name };
  const named = { workload: `${namespace}/${name}` };
  const answer = (
    fields: Pick<RolloutCheck, 'outcome' | 'summary' | 'reasoning'> & Partial<RolloutCheck>,
  ): RolloutCheck => ({ workload, confidence: 'proven', ...nothing, ...fields });

  if (live !== undefined && !isRevisioned(planned) && !sameSelector(live, planned)) {
    return answer({
      outcome: 'refused',
      summary: state('refused', { ...named, field: 'spec.selector' }),
      reasoning: [],
    });
  }
  const rolls = isRevisioned(planned)
    ? makesRevision(planned, live)
    : live === undefined || !sameTemplate(live.spec.template, planned.spec.template);
  const still = standsStill(planned) ?? keepsRevision(planned, live, rolls);
  if (still !== undefined) {
    return answer({ outcome: 'unchanged', summary: state('unchanged', named), reasoning: [still] });
  }
  if (rolls && live !== undefined && isRevisioned(live) && live.revisions.next !== undefined) {
    return answer({
      outcome: 'cannot-tell',
      confidence: undefined,
      summary: state('cannot-tell', named),
      reasoning: [state('because-revision-under-way', { revision: live.revisions.next })],
    });
  }
  const placement = withoutLeaving(
    createPlacement(index, {
      unseen: input.unseen.map(({ what }) => what).filter(isResourceKind),
      work: createWorkBudget(),
    }),
    input,
  );
  const rollout: Planned = { index, placement, now, planned, live };
  const [run, ...others] = runs(rollout);
  const agrees = others.every(({ forecast }) => forecast.ends === run.forecast.ends);
  const confidence = others.length === 0 ? 'proven' : 'likely';
  const { forecast } = run;
  const downtime = live === undefined ? undefined : forecast.downtime;
  const told = (because: readonly Statement[]): RolloutCheck =>
    answer({
      outcome: 'cannot-tell',
      confidence: undefined,
      summary: state('cannot-tell', named),
      reasoning: because,
      downtime,
    });

  const isCut = input.lacksClaims === true && forecast.ends !== 'complete';
  const cut = [run, ...others].find((each) => each.forecast.ends === 'too-large');
  if (cut !== undefined) return told([state('because-too-large', limitValues(cut.forecast.limit))]);
  if (isCut) return told([state('because-too-large', { limit: 'claims', most: maxClaims })]);
  const winners = new Set([run, ...others].flatMap((each) => (each.forecast.winners ?? []).map(nameOf)));
  const isContested = [run, ...others].some((each) => each.forecast.ends === 'contested');
  if (isContested) return told([state('because-contested', { workloads: [...winners] })]);
  if (!agrees) return told([state('because-node-choice')]);
  if (forecast.ends === 'unknown') return told([whyUnknown(forecast)]);
  if (forecast.ends === 'complete') {
    const hasSets = live !== undefined && hasReplicaSets(planned);
    const areSetsUnread =
      hasSets && isUnreadNearby({ unseen: input.unseen, workload: planned }, 'ReplicaSet');
    const unread = input.unseen.filter(
      ({ what }) => what === 'Pod' || what === 'Node' || (areSetsUnread && what === 'ReplicaSet'),
    );
    if (unread.length > 0) {
      return told(unread.map(({ what, because }) => state('because-unread', { what, because })));
    }
    if (!rolls && forecast.victims.length === 0 && forecast.placements.length === 0) {
      return answer({
        outcome: 'unchanged',
        summary: state('unchanged', named),
        reasoning: nextUpdate(rollout),
        downtime: undefined,
      });
    }
    const queue = queueNamedBy(planned);
    if (queue !== undefined) return told([state('because-queue', { queue })]);
    return answer({
      outcome: 'completes',
      confidence,
      summary: state(live === undefined ? 'starts' : 'completes', named),
      reasoning: completion(downtime, forecast.victims, confidence),
      downtime,
    });
  }

  // Which pods wait, and which are gone by then, a count does not say.
  if (forecast.isCounted) return told([state('because-counted', { stops: named.workload })]);
  const why = stuckReasonOf({
    snapshot: snapshotOf(rollout, input),
    forecast,
    simulator: run.simulator,
    old: oldPodsOf(rollout),
  });
  if (why.kind === 'unclear') return told(why.because);
  const deadlock = why.holders.length > 0;
  const { wayOut, reasoning: otherStrategies } = deadlock ? wayOutOf(rollout) : noWayOut;
  const doubts = [...why.doubts, ...(rolls && live !== undefined ? revisionDoubts(planned) : [])];
  return answer({
    outcome: deadlock ? 'deadlock' : 'stuck',
    confidence: doubts.length > 0 ? 'likely' : confidence,
    summary: summaryOf(why, named),
    reasoning: [
      ...why.reasoning,
      ...(deadlock ? boundsOf(planned) : []),
      ...(rolls ? [] : [state('stuck-already')]),
      ...(confidence === 'likely' ? [state('choice-does-not-matter')] : []),
      ...doubts,
      ...otherStrategies,
    ],
    resource: why.resource,
    nodes: why.kind === 'placement' ? why.nodes : [],
    holders: why.holders.map(refOf),
    message: why.message,
    downtime,
    wayOut,
  });
}

const nothing = {
  resource: undefined,
  nodes: [],
  holders: [],
  message: undefined,
  downtime: undefined,
  wayOut: undefined,
} as const;

type Run = { readonly forecast: Forecast; readonly simulator: ReturnType<typeof checkSimulator> };

/** One run, and a second with the opposite choice of nodes where there was a choice. */
function runs(rollout: Planned): readonly [Run, ...Run[]] {
  const run = (choice: 'first' | 'last'): Run => {
    const simulator = checkSimulator({ ...rollout, workload: rollout.planned }, choice);
    return { simulator, forecast: forecastOf(rollout, simulator) };
  };
  const first = run('first');
  return first.simulator.hadChoice() ? [first, run('last')] : [first];
}

/**
 * Pods of others that are leaving already have left by the time the update comes, but for those that are
 * still there long after their grace period.
 */
function withoutLeaving(
  placement: Placement,
  { index: { objects }, planned, now }: Pick<CheckInput, 'index' | 'planned' | 'now'>,
): Placement {
  const leaving = objects.Pod.filter(
    (pod) =>
      isTerminating(pod) &&
      !isOverdue(pod, now) &&
      !pod.metadata.ownerReferences.some(({ uid }) => uid === planned.metadata.uid),
  );
  const own = new Set(
    objects.ReplicaSet.filter(({ metadata }) =>
      metadata.ownerReferences.some(({ uid }) => uid === planned.metadata.uid),
    ).map(({ metadata }) => metadata.uid),
  );
  const others = leaving.filter((pod) => !pod.metadata.ownerReferences.some(({ uid }) => own.has(uid)));
  return others.length === 0 ? placement : placement.with({ remove: new Set(others.map(podKey)) });
}

/** The cluster before the update, as the rules of a diagnosis see it. */
function snapshotOf(
  { index, now, planned, live }: Planned,
  { cluster, unseen }: Pick<CheckInput, 'cluster' | 'unseen'>,
): Snapshot {
  return {
    takenAt: new Date(now).toISOString(),
    cluster,
    workload: live ?? planned,
    index,
    logs: [],
    unseen,
  };
}

const noWayOut: WayOutAnswer = { wayOut: undefined, reasoning: [] };

/** Kueue admits the pods by the quota of this queue, which is not played. */
function queueNamedBy({ metadata, spec }: Workload): string | undefined {
  return spec.template.metadata.labels[kueueMarks.queue] ?? metadata.labels[kueueMarks.queue];
}

function sameSelector(live: Workload, planned: Workload): boolean {
  const text = ({ spec: { selector } }: Workload): string =>
    JSON.stringify([Object.entries(selector.matchLabels).sort(), selector.matchExpressions]);
  return text(live) === text(planned);
}

/** Nothing rolls now. Whether the next change of the template would get through is worth a line. */
function nextUpdate(rollout: Planned): readonly Statement[] {
  if (isRevisioned(rollout.planned)) return [];
  const next = withTemplate(rollout);
  const [run, ...others] = runs(next);
  if ([run, ...others].some(({ forecast }) => forecast.ends !== 'stuck' || forecast.isCounted)) return [];
  const why = stuckReasonOf({
    snapshot: snapshotOf(next, { cluster: '', unseen: [] }),
    forecast: run.forecast,
    simulator: run.simulator,
    old: oldPodsOf(next),
  });
  if (why.kind === 'unclear' || why.holders.length === 0 || why.doubts.length > 0) return [];
  return [
    state('next-update-deadlocks', { resource: why.resource ?? (why.kind === 'quota' ? why.quota : '') }),
  ];
}

/**
 * The gentlest strategy under which the engines see the same update complete, and what is to be said of the
 * others.
 */
type WayOutAnswer = { readonly wayOut: WayOut | undefined; readonly reasoning: readonly Statement[] };

function wayOutOf(rollout: Planned): WayOutAnswer {
  const state = plannedState(rollout);
  const contested: Statement[] = [];
  if (!hasDeploymentStrategy(state)) return { wayOut: undefined, reasoning: [] };
  for (const { strategy, model, key } of candidates) {
    const simulator = checkSimulator({ ...rollout, workload: rollout.planned }, 'first');
    const {
      ends,
      downtime,
      winners = [],
    } = nextSteps(state, { kind: 'strategy', strategy: model }, simulator);
    // The harsher strategy is no answer where the gentle one was not tried to its end.
    if (ends === 'too-large') return { wayOut: undefined, reasoning: [say('way-out-too-large')] };
    if (ends === 'contested') {
      contested.push(say('way-out-contested', { strategy: strategy.type, workloads: winners.map(nameOf) }));
    }
    if (ends !== 'complete' || downtime === undefined) continue;
    const summary = say(key, impactValues(downtime));
    return { wayOut: { strategy, downtime, summary }, reasoning: [...contested, summary] };
  }
  return { wayOut: undefined, reasoning: contested };
}

const candidates: readonly {
  readonly strategy: WayOut['strategy'];
  readonly model: DeploymentStrategy;
  readonly key: 'way-out-in-place' | 'way-out-recreate';
}[] = [
  {
    strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 },
    model: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    key: 'way-out-in-place',
  },
  {
    strategy: { type: 'Recreate' },
    model: { type: 'Recreate', rollingUpdate: undefined },
    key: 'way-out-recreate',
  },
];

/** An update that nobody has applied, on a cluster as it is. */
interface Planned {
  readonly index: ClusterIndex;
  readonly placement: Placement;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly planned: Workload;
  readonly live: Workload | undefined;
}

/**
 * What the workload's controllers see right after the update: its old pods and revisions, and the new
 * template.
 */
function plannedState({ index, planned, now }: Planned): RolloutState {
  return rolloutStateIn(index, planned, now);
}

/** The update, played forward. */
function forecastOf(rollout: Planned, simulator: PodSimulator): Forecast {
  const state = plannedState(rollout);
  const isByTemplate = hasOrdinals(state) || hasPodPerNode(state);
  const { template } = rollout.planned.spec;
  return playChange(state, isByTemplate ? { kind: 'template', template } : { kind: 'none' }, simulator);
}

/** Observed pods that the update is to replace. */
function oldPodsOf(rollout: Planned): readonly Pod[] {
  const state = plannedState(rollout);
  if (!hasReplicaSets(state)) return state.pods;
  const newUid = newReplicaSetOf(state)?.metadata.uid;
  return state.pods.filter((pod) => controllerOf(pod)?.uid !== newUid);
}

/** The same with one more change of the template, as a restart makes it. */
function withTemplate(rollout: Planned): Planned {
  const { planned, now } = rollout;
  const template = restarted(planned.spec.template, now);
  // The spread keeps the kind and its spec together, which the compiler cannot see.
  return { ...rollout, planned: { ...planned, spec: { ...planned.spec, template } } as Workload };
}
