import type { Statement } from '../../../../engine/language/statement.js';
import { namesOf } from '../../../../engine/objects/metadata.js';
import type { Pod } from '../../../../engine/objects/pod.js';
import type { ReplicaSet } from '../../../../engine/objects/workload.js';
import { type Forecast, nextSteps } from '../../../../engine/workloads/forecast.js';
import type { PodSimulator } from '../../../../engine/workloads/pod-simulator.js';
import { oldReplicaSetsOf } from '../../../../engine/workloads/revisions.js';
import type { DeploymentChange } from '../../../../engine/workloads/rollout-change.js';
import type { DeploymentState } from '../../../../engine/workloads/rollout-state.js';
import { startToReady } from '../../../../engine/workloads/start-to-ready.js';
import { effect } from '../../effects-text.js';
import { impactOf, longestGrace, predictionOf } from '../../impact-of.js';
import { notRecommended, type Offer, offered } from '../../offer.js';
import { tooLarge } from '../../refusals.js';
import type { ScaleDownOld } from './plan.js';
import { state as say } from './text.js';

export interface ScaleDownOldInput {
  readonly state: DeploymentState;
  readonly simulator: PodSimulator;
  /** The new pods that wait. */
  readonly waiting: readonly Pod[];
  /** What follows from a change; left out: what the engines see for this workload alone. */
  readonly forecast?: (change: DeploymentChange) => Forecast;
}

const kind = 'scale-down-old';

/**
 * One replica less of an old ReplicaSet, where the engines see that alone end the deadlock. In a rolling
 * update the Deployment controller scales old ReplicaSets down only (kubernetes `deployment/rolling.go`);
 * while paused, or when the Deployment was scaled, it scales them up as well (`deployment/sync.go: scale`),
 * which the simulation shows.
 */
export function proposeScaleDownOld(input: ScaleDownOldInput): Offer<ScaleDownOld> {
  const { state, simulator } = input;
  const old = oldReplicaSetsOf(state).filter(({ spec }) => spec.replicas > 0);
  const [first] = old;
  if (first === undefined) return notRecommended(kind, say('withheld-no-old'));
  if (state.deployment.spec.paused) {
    return notRecommended(kind, say('withheld-paused', { replicaSet: first.metadata.name }));
  }
  const play = input.forecast ?? ((change) => nextSteps(state, change, simulator));
  const tried = old.map((replicaSet) => {
    const to = replicaSet.spec.replicas - 1;
    return { replicaSet, to, forecast: play(oneLess(replicaSet)) };
  });
  const lasting = tried.filter(({ replicaSet, to, forecast }) => !isScaledBack(replicaSet, to, forecast));
  const helps =
    lasting.find(({ forecast }) => forecast.ends === 'complete') ??
    lasting.find(({ forecast }) => forecast.ends === 'contested');
  if (helps !== undefined) return offered(remediation(input, helps));
  const [trial] = tried;
  return notRecommended(kind, trial === undefined ? say('withheld-no-old') : whyNot(input, trial));
}

/** The change that the remediation makes, as the engines know it. */
export function oneLess({ metadata, spec }: ReplicaSet): DeploymentChange {
  return { kind: 'scale-replica-set', replicaSet: metadata.name, replicas: spec.replicas - 1 };
}

interface Trial {
  readonly replicaSet: ReplicaSet;
  readonly to: number;
  readonly forecast: Forecast;
}

/** The controller scales the ReplicaSet up again at any time after the change. */
function isScaledBack({ metadata }: ReplicaSet, to: number, { steps }: Forecast): boolean {
  return steps
    .flatMap(({ actions }) => actions)
    .some((action) => action.kind === 'scale' && action.replicaSet === metadata.name && action.to > to);
}

function whyNot({ state, waiting }: ScaleDownOldInput, { replicaSet, to, forecast }: Trial): Statement {
  if (forecast.ends === 'too-large') return tooLarge(state.deployment.metadata, forecast);
  if (forecast.ends === 'unknown') return effect('withheld-unknown');
  if (isScaledBack(replicaSet, to, forecast)) {
    return say('withheld-scaled-back', { replicaSet: replicaSet.metadata.name, to });
  }
  const waited = new Set(waiting.map(({ metadata }) => metadata.uid));
  if (!forecast.placements.some(({ pod }) => waited.has(pod.metadata.uid))) {
    return say('withheld-wrong-pod', { pods: namesOf(forecast.victims) });
  }
  return say('withheld-waits-again', { replicas: state.deployment.spec.replicas });
}

function remediation({ state }: ScaleDownOldInput, { replicaSet, to, forecast }: Trial): ScaleDownOld {
  const stopping = forecast.steps.find(({ deleted }) => deleted.length > 0);
  const stopped = stopping?.deleted ?? [];
  const orElse = stopping?.orElse ?? [];
  const { name, uid } = replicaSet.metadata;
  return {
    kind,
    id: `${kind}-${name}`,
    title: say('title'),
    effects: effectsOf(state, { replicaSet, to, forecast }, { stopped, orElse }),
    price: impactOf(forecast, 'none'),
    prediction: predictionOf(forecast),
    replicaSet: name,
    uid,
    from: replicaSet.spec.replicas,
    to,
  };
}

interface Concerned {
  readonly stopped: readonly Pod[];
  /** Pods that may be stopped in their place. */
  readonly orElse: readonly Pod[];
}

function effectsOf(
  { deployment, pods }: DeploymentState,
  { replicaSet, to, forecast }: Trial,
  { stopped, orElse }: Concerned,
): readonly Statement[] {
  const { namespace, name } = deployment.metadata;
  const { placements, winners = [] } = forecast;
  const [first] = winners.length > 0 ? [] : placements;
  const started = startToReady({ deployment, pods });
  const qualified = winners.map(({ namespace, name }) => `${namespace}/${name}`);
  return [
    say('stops', {
      replicaSet: replicaSet.metadata.name,
      from: replicaSet.spec.replicas,
      to,
      pods: namesOf(stopped),
      graceSeconds: longestGrace(stopped),
    }),
    ...(orElse.length > 0 ? [say('or-else', { pods: namesOf(orElse) })] : []),
    say('stays-down', { replicaSet: replicaSet.metadata.name, to }),
    ...(first === undefined
      ? []
      : [effect('then-placed', { pod: first.pod.metadata.name, node: first.node })]),
    ...(started === undefined || started.median < 1
      ? []
      : [effect('ready-last-time', { seconds: started.median })]),
    qualified.length > 0 ? effect('competitors', { pods: qualified }) : effect('no-competitors'),
    say('no-drift', { workload: `${namespace}/${name}` }),
    say('no-undo'),
  ];
}
