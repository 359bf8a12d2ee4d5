import * as z from 'zod';
import { code, say } from '../../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../../engine/language/statement.js';
import { duration, names } from '../../../engine/language/words.js';
import { isReplicaSet, namesOf } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import type { Immutable } from '../../../engine/objects/wire.js';
import { hasDeploymentStrategy, type ReplicaSet } from '../../../engine/objects/workload.js';
import { type Forecast, nextSteps } from '../../../engine/workloads/forecast.js';
import type { PodSimulator } from '../../../engine/workloads/pod-simulator.js';
import { oldReplicaSetsOf, revisionsOf } from '../../../engine/workloads/revisions.js';
import type { DeploymentChange } from '../../../engine/workloads/rollout-change.js';
import { type DeploymentState, rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { startToReady } from '../../../engine/workloads/start-to-ready.js';
import { effect, type FreedPlace, freedPlace, type StepBetween } from '../effects-text.js';
import { impactOf, longestGrace, predictionOf } from '../forecast-change.js';
import type { Kind } from '../kind.js';
import { notRecommended, type Offer, offered, offeredFields } from '../offered-fields.js';
import { targetOf } from '../owner-target.js';
import type { Plan, Refusal } from '../plan.js';
import { isSame, type PlanSubject, targetsApps } from '../plan.js';
import { refusal, tooLarge } from '../refusals.js';

const en = {
  /** What the kind is called where no remediation of it is at hand. */
  name: () => say`scale down the old ReplicaSet`,
  title: () => say`Scale down the old ReplicaSet once`,
  stops: (values: {
    replicaSet: string;
    from: number;
    to: number;
    pods: readonly string[];
    graceSeconds: number;
  }) =>
    say`The old ReplicaSet ${code(values.replicaSet)} is scaled from ${values.from} to ${values.to}, which stops ${names('en', values.pods)} (up to ${duration('en', values.graceSeconds)}).`,
  /** No rule of the ReplicaSet controller tells these apart from the one named. */
  'or-else': ({ pods }: { pods: readonly string[] }) =>
    say`The controller may stop ${names('en', pods)} instead, since no rule prefers one of them.`,
  'stays-down': ({ replicaSet, to }: { replicaSet: string; to: number }) =>
    say`The Deployment controller keeps ${code(replicaSet)} at ${to}. During a rolling update it only scales old ReplicaSets down.`,
  'no-drift': ({ workload }: { workload: string }) =>
    say`${code(workload)} itself stays as declared. Its next update can deadlock again while the strategy stays the same.`,
  'no-undo': () =>
    say`This cannot be undone: a stopped pod does not come back. To go back, roll back the Deployment.`,
  'withheld-paused': ({ replicaSet }: { replicaSet: string }) =>
    say`While the Deployment is paused, its controller scales ${code(replicaSet)} up again at once.`,
  'withheld-no-old': () => say`No old ReplicaSet has pods to stop.`,
  'withheld-scaled-back': ({ replicaSet, to }: { replicaSet: string; to: number }) =>
    say`The Deployment controller would scale ${code(replicaSet)} up from ${to} again before the new pod is placed.`,
  'withheld-wrong-pod': ({ pods }: { pods: readonly string[] }) =>
    say`The controller would stop ${names('en', pods)}, and the new pod would still be waiting.`,
  'withheld-waits-again': ({ replicas }: { replicas: number }) =>
    say`With ${replicas} replicas it frees the capacity for one pod only, and the next new pod would be pending again.`,
};

const ko: typeof en = {
  name: () => say`이전 ReplicaSet 축소`,
  title: () => say`이전 ReplicaSet을 한 번 줄이기`,
  stops: ({ replicaSet, from, to, pods, graceSeconds }) =>
    say`이전 ReplicaSet(${code(replicaSet)})의 복제본을 ${from}개에서 ${to}개로 줄여 ${names('ko', pods)} 파드를 내립니다(최대 ${duration('ko', graceSeconds)}).`,
  'or-else': ({ pods }) =>
    say`컨트롤러가 대신 ${names('ko', pods)} 파드를 내릴 수도 있습니다. 이 파드들 사이에 정해진 순서는 없습니다.`,
  'stays-down': ({ replicaSet, to }) =>
    say`Deployment 컨트롤러는 이 ReplicaSet(${code(replicaSet)})을 ${to}개로 유지합니다. 롤링 업데이트 중에는 이전 ReplicaSet을 줄이기만 합니다.`,
  'no-drift': ({ workload }) =>
    say`${code(workload)} 설정은 선언된 그대로 유지됩니다. 배포 전략을 변경하지 않으면 다음 업데이트 때 다시 교착될 수 있습니다.`,
  'no-undo': () =>
    say`되돌릴 수 없습니다. 내려간 파드는 복구되지 않으며, 이전 버전으로 가려면 Deployment를 롤백해야 합니다.`,
  'withheld-paused': ({ replicaSet }) =>
    say`Deployment가 일시 중지된 동안에는 컨트롤러가 이 ReplicaSet(${code(replicaSet)})을 곧바로 다시 늘립니다.`,
  'withheld-no-old': () => say`내릴 파드가 있는 이전 ReplicaSet이 없습니다.`,
  'withheld-scaled-back': ({ replicaSet, to }) =>
    say`새 파드가 배치되기 전에 Deployment 컨트롤러가 이 ReplicaSet(${code(replicaSet)})을 ${to}개에서 다시 늘립니다.`,
  'withheld-wrong-pod': ({ pods }) =>
    say`컨트롤러가 ${names('ko', pods)} 파드를 내리게 되며, 그래도 새 파드는 계속 대기합니다.`,
  'withheld-waits-again': ({ replicas }) =>
    say`복제본이 ${replicas}개인데 파드 하나의 용량만 확보되어, 다음 새 파드가 다시 Pending 상태가 됩니다.`,
};

export const text = { en, ko };

const sentence = statementsOf<typeof en>('scale-down-old');

/** The record of one remediation of this kind. */
export const ScaleDownOld = z.object({
  kind: z.literal('scale-down-old'),
  ...offeredFields,
  replicaSet: z.string(),
  uid: z.string(),
  from: z.number(),
  to: z.number(),
});
export type ScaleDownOld = Immutable<z.output<typeof ScaleDownOld>>;

/**
 * A merge patch of the old ReplicaSet's `scale` subresource, under the ReplicaSet's own uid and generation.
 * The Deployment is not written. There is no undo: the controller would scale an old ReplicaSet down again at
 * once.
 *
 * @returns a refusal when the Deployment is paused, or the ReplicaSet is gone, scaled since, or the current
 *   one
 */
function planScaleDownOld(
  { id, kind, uid, replicaSet: name, from, to }: ScaleDownOld,
  snapshot: Snapshot,
): Plan | Refusal {
  const state = rolloutStateOf(snapshot);
  const { metadata } = snapshot.workload;
  const workload = `${metadata.namespace}/${metadata.name}`;
  if (!hasDeploymentStrategy(state)) return refusal('not-applicable', 'not-applicable', { workload, kind });
  if (state.deployment.spec.paused) return refusal('paused', 'paused', { workload });
  const replicaSet = state.replicaSets.find((each) => each.metadata.uid === uid);
  if (replicaSet === undefined) return refusal('gone', 'replica-set-gone', { replicaSet: name });
  if (revisionsOf(state).newReplicaSet === replicaSet) {
    return refusal('not-applicable', 'revision-current', { workload, replicaSet: name });
  }
  if (replicaSet.spec.replicas !== from) {
    const { replicas } = replicaSet.spec;
    return refusal('already-applied', 'scaled-already', { replicaSet: name, replicas });
  }
  return {
    type: 'plan',
    remediationId: id,
    target: targetOf(replicaSet),
    request: { verb: 'patch', patchType: 'merge', subresource: 'scale', body: { spec: { replicas: to } } },
    changes: [{ path: 'spec.replicas', before: from, after: to }],
  };
}

/** Scales an old ReplicaSet of a Deployment down once. */
export const scaleDownOld = {
  kind: 'scale-down-old',
  schema: ScaleDownOld,
  text,
  plan: planScaleDownOld,
  isPlan: isScaleDownOldPlan,
} as const satisfies Kind<ScaleDownOld>;

/** A merge patch of the `scale` subresource of the named ReplicaSet, to fewer replicas. It has no undo. */
function isScaleDownOldPlan({ workload, remediation, plan }: PlanSubject<ScaleDownOld>): boolean {
  const { replicaSet, uid, from, to } = remediation;
  const { target, request, changes, undo } = plan;
  const body = { spec: { replicas: to } };
  return (
    hasDeploymentStrategy(workload) &&
    isReplicaSet(target) &&
    target.name === replicaSet &&
    target.uid === uid &&
    targetsApps(target) &&
    Number.isInteger(to) &&
    to >= 0 &&
    to < from &&
    isSame(request, { verb: 'patch', patchType: 'merge', subresource: 'scale', body }) &&
    isSame(changes, [{ path: 'spec.replicas', before: from, after: to }]) &&
    undo === undefined
  );
}

interface ScaleDownOldInput {
  readonly state: DeploymentState;
  readonly simulator: PodSimulator;
  /** The new pods that wait. */
  readonly waiting: readonly Pod[];
  /** What follows from a change; left out: what the engines see for this workload alone. */
  readonly forecast?: (change: DeploymentChange) => Forecast;
  readonly between?: (forecast: Forecast) => StepBetween | undefined;
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
  if (first === undefined) return notRecommended(kind, sentence('withheld-no-old'));
  if (state.deployment.spec.paused) {
    return notRecommended(kind, sentence('withheld-paused', { replicaSet: first.metadata.name }));
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
  return notRecommended(kind, trial === undefined ? sentence('withheld-no-old') : whyNot(input, trial));
}

/** The change that the remediation makes, as the engines know it. */
export function oneLess({ metadata, spec }: ReplicaSet): DeploymentChange {
  return { kind: 'scale-replica-set', replicaSet: metadata.name, replicas: spec.replicas - 1 };
}

type Trial = { readonly replicaSet: ReplicaSet; readonly to: number; readonly forecast: Forecast };

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
    return sentence('withheld-scaled-back', { replicaSet: replicaSet.metadata.name, to });
  }
  const waited = new Set(waiting.map(({ metadata }) => metadata.uid));
  if (!forecast.placements.some(({ pod }) => waited.has(pod.metadata.uid))) {
    return sentence('withheld-wrong-pod', { pods: namesOf(forecast.victims) });
  }
  return sentence('withheld-waits-again', { replicas: state.deployment.spec.replicas });
}

function remediation(
  { state, between }: ScaleDownOldInput,
  { replicaSet, to, forecast }: Trial,
): ScaleDownOld {
  const stopping = forecast.steps.find(({ deleted }) => deleted.length > 0);
  const stopped = stopping?.deleted ?? [];
  const orElse = stopping?.orElse ?? [];
  const { name, uid } = replicaSet.metadata;
  return {
    kind,
    id: `${kind}-${name}`,
    title: sentence('title'),
    effects: effectsOf(
      state,
      { replicaSet, to },
      { stopped, orElse, ...freedPlace(forecast, between?.(forecast)) },
    ),
    price: impactOf(forecast, 'none'),
    prediction: predictionOf(forecast),
    replicaSet: name,
    uid,
    from: replicaSet.spec.replicas,
    to,
  };
}

interface Following extends FreedPlace {
  readonly stopped: readonly Pod[];
  /** Pods that may be stopped in their place. */
  readonly orElse: readonly Pod[];
}

function effectsOf(
  { deployment, pods }: DeploymentState,
  { replicaSet, to }: Pick<Trial, 'replicaSet' | 'to'>,
  { stopped, orElse, next, others }: Following,
): readonly Statement[] {
  const { namespace, name } = deployment.metadata;
  const started = startToReady({ deployment, pods });
  return [
    sentence('stops', {
      replicaSet: replicaSet.metadata.name,
      from: replicaSet.spec.replicas,
      to,
      pods: namesOf(stopped),
      graceSeconds: longestGrace(stopped),
    }),
    ...(orElse.length > 0 ? [sentence('or-else', { pods: namesOf(orElse) })] : []),
    sentence('stays-down', { replicaSet: replicaSet.metadata.name, to }),
    ...next,
    ...(started === undefined || started.median < 1
      ? []
      : [effect('ready-last-time', { seconds: started.median })]),
    ...others,
    sentence('no-drift', { workload: `${namespace}/${name}` }),
    sentence('no-undo'),
  ];
}
