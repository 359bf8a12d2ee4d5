import * as z from 'zod';
import { restartedAtAnnotation } from '../../../../engine/objects/metadata.js';
import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import type { Immutable } from '../../../../engine/objects/wire.js';
import type { WorkloadKind } from '../../../../engine/objects/workload.js';
import { hasSteps, isPaused, isRevisioned, kindNamed } from '../../../../engine/objects/workload.js';
import type { OwnerFields } from '../../../../engine/parents/parent-resource-kinds.js';
import type { PodSimulator } from '../../../../engine/workloads/pod-simulator.js';
import type { RolloutState } from '../../../../engine/workloads/rollout-state.js';
import { knownNames } from '../../../../engine/workloads/simulated-pods.js';
import { type Considered, considered, impossible } from '../../considered.js';
import { effect } from '../../effects-text.js';
import { fieldOf } from '../../field-at.js';
import { forecastChange, replacesOnlyDeleted } from '../../forecast-change.js';
import type { Kind } from '../../kind.js';
import { notRecommended, type Offer, offered, offeredFields } from '../../offered-fields.js';
import { ownerTargetOf, targetedFields, targetOf } from '../../owner-target.js';
import type { Plan, Refusal } from '../../plan.js';
import { type PlanSubject, targetsWorkload } from '../../plan.js';
import { refusal, tooLarge } from '../../refusals.js';
import { state as say, text } from './text.js';

/** The record of one remediation of this kind. */
export const RestartRollout = z.object({ kind: z.literal('restart-rollout'), ...offeredFields });
export type RestartRollout = Immutable<z.output<typeof RestartRollout>>;

/** The field that a restart sets among the annotations that an owner's controller gives the pods. */
export function ownerPath({ annotations }: OwnerFields): string {
  return `${annotations.join('.')}${restartedAtAnnotation}`;
}

/** What `kubectl rollout restart` sets; a Rollout has a field of its own, which makes no new revision. */
export function restartedAtPath(kind: WorkloadKind): string {
  return kindNamed(kind).restartedAt ?? '';
}

/**
 * Sets the annotation that `kubectl rollout restart` sets, to the moment of the change; the plan cannot know
 * it and shows `<now>`. A paused Deployment is refused, as kubectl does (`objectrestarter.go`). There is no
 * undo.
 */
function planRestartRollout({ id, kind }: RestartRollout, snapshot: Snapshot): Plan | Refusal {
  const { workload } = snapshot;
  if (isPaused(workload)) {
    const { namespace, name } = workload.metadata;
    return refusal('paused', 'paused', { workload: `${namespace}/${name}` });
  }
  if (isRevisioned(workload)) {
    const { namespace, name } = workload.metadata;
    return refusal('not-applicable', 'not-applicable', { workload: `${namespace}/${name}`, kind });
  }
  const owner = ownerTargetOf(snapshot);
  if (owner !== undefined && 'type' in owner) return owner;
  const object = owner?.object ?? workload;
  const path = owner === undefined ? restartedAtPath(workload.kind) : ownerPath(owner.fields);
  return {
    type: 'plan',
    remediationId: id,
    target: targetOf(object),
    request: { verb: 'restart' },
    changes: [{ path, before: fieldOf(object, path), after: '<now>' }],
  };
}

/** Does what `kubectl rollout restart` does. */
export const restartRollout = {
  kind: 'restart-rollout',
  schema: RestartRollout,
  text,
  plan: planRestartRollout,
  isPlan: isRestartRolloutPlan,
} as const satisfies Kind<RestartRollout>;

/** A restart, whose one field the patcher sets at the moment of the change. It has no undo. */
function isRestartRolloutPlan({ workload, plan }: PlanSubject<RestartRollout>): boolean {
  const [change, ...others] = plan.changes;
  const fields = targetedFields(plan, workload);
  return (
    kindNamed(workload.kind).restartedAt !== undefined &&
    (fields !== undefined || targetsWorkload({ plan, workload })) &&
    plan.request.verb === 'restart' &&
    change?.path === (fields === undefined ? restartedAtPath(workload.kind) : ownerPath(fields)) &&
    change.after === '<now>' &&
    others.length === 0 &&
    plan.undo === undefined
  );
}

interface RestartRolloutInput {
  readonly snapshot: Snapshot;
  readonly state: RolloutState;
  readonly simulator: PodSimulator;
}

const kind = 'restart-rollout';

/**
 * What `kubectl rollout restart` does. Offered where the engines see the restarted rollout end; in a deadlock
 * it only swaps one waiting pod for another.
 */
export function proposeRestartRollout(input: RestartRolloutInput): Offer<RestartRollout> {
  const answer = considerRestartRollout(input);
  if (answer.type === 'impossible') return notRecommended(kind, answer.because);
  const { forecast, remediation } = answer;
  switch (forecast.ends) {
    case 'complete':
    case 'contested':
      return offered(remediation);
    case 'stuck':
      return notRecommended(kind, say('withheld-deadlock', { pods: knownNames(forecast.waiting) }));
    case 'too-large':
      return notRecommended(kind, tooLarge(input.snapshot.workload.metadata, forecast));
    case 'unknown':
      return notRecommended(kind, effect('withheld-unknown'));
  }
}

/** The restart and its forecast, however that ends; impossible where no controller would act on it. */
export function considerRestartRollout({
  snapshot,
  state,
  simulator,
}: RestartRolloutInput): Considered<RestartRollout> {
  const { metadata } = snapshot.workload;
  const workload = `${metadata.namespace}/${metadata.name}`;
  if (isPaused(snapshot.workload)) {
    return impossible(say('withheld-paused', { workload }));
  }
  if (isRevisioned(snapshot.workload)) return impossible(effect('withheld-revisions', { workload }));
  if (replacesOnlyDeleted(snapshot.workload)) return impossible(say('withheld-on-delete', { workload }));
  const forecast = forecastChange(state, { kind: 'restart' }, simulator);
  const pods = forecast.victims.length;
  return considered(kind, forecast, {
    title: say('title'),
    effects: [
      ...(hasSteps(state)
        ? [say('evicts', { pods })]
        : [say('new-revision', { workload }), ...(pods === 0 ? [] : [say('replaces', { pods })])]),
      say('same-otherwise'),
      say(hasSteps(state) ? 'no-undo-of-evictions' : 'no-undo'),
    ],
    // `spec.restartAt` of a Rollout changes no template.
    drift: hasSteps(state) ? 'none' : 'template',
  });
}
