import * as z from 'zod';
import type { Statement } from '../../engine/language/statement.js';
import { isResourceKind } from '../../engine/objects/cluster-objects.js';
import { PodTemplate } from '../../engine/objects/pod-spec.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import type { JsonObject } from '../../engine/objects/wire.js';
import { isObject } from '../../engine/objects/wire.js';
import { createWorkBudget } from '../../engine/objects/work-budget.js';
import {
  DeploymentStrategy,
  hasDeploymentStrategy,
  hasPodPerNode,
  hasSteps,
} from '../../engine/objects/workload.js';
import { ownerFieldsOf } from '../../engine/parents/parent-resource.js';
import { createPlacement } from '../../engine/scheduler/placement.js';
import { nextArgoRolloutSteps } from '../../engine/workloads/argo-rollout/forecast.js';
import { type Forecast, nextSteps } from '../../engine/workloads/forecast.js';
import type { PodSimulator } from '../../engine/workloads/pod-simulator.js';
import { nextDaemonSetSteps } from '../../engine/workloads/revision-forecast.js';
import { type RolloutState, rolloutStateOf, workloadIn } from '../../engine/workloads/rollout-state.js';
import { effect } from '../fixes/effects-text.js';
import {
  forecastChange,
  impactOf,
  longestGrace,
  predictionOf,
  withoutFailedStarts,
} from '../fixes/forecast-change.js';
import { valueAt } from '../fixes/owner-target.js';
import type { UndoPlan } from '../fixes/plan.js';
import { kindOf, type Remediation } from '../fixes/remediation.js';
import { checkSimulator } from '../forecasts/check-simulator.js';

/** What an undo would do, in the fields of the remediation that it undoes. */
export type UndoForecast = Pick<Remediation, 'effects' | 'price' | 'prediction'>;

/**
 * Plays an undo forward on the cluster as it was read. Where the scheduler has a choice of nodes, two
 * opposite choices are tried, and the one that does not complete is reported. Names of other workloads are
 * left out: the diagnosis, by which readers may see names, does not have them.
 *
 * @returns `undefined` where the engines do not know the change or see no end
 */
export function forecastUndo(
  remediation: Remediation,
  undo: UndoPlan,
  snapshot: Snapshot,
): UndoForecast | undefined {
  const state = rolloutStateOf(snapshot);
  const forecast = worstForecast(undo, snapshot, state);
  if (forecast === undefined || forecast.ends === 'unknown' || forecast.ends === 'too-large')
    return undefined;
  return {
    effects: effectsOf(remediation, undo, forecast),
    price: impactOf(forecast, 'none'),
    prediction: { ...predictionOf(forecast), competitors: [] },
  };
}

function worstForecast(undo: UndoPlan, snapshot: Snapshot, state: RolloutState): Forecast | undefined {
  const { index, unseen, workload } = snapshot;
  const placement = createPlacement(index, {
    unseen: unseen.flatMap(({ what, because }) =>
      isResourceKind(what) && because !== 'not-served' ? [what] : [],
    ),
    work: createWorkBudget(),
  });
  const cluster = { index, placement, now: nowOf(snapshot), workload };
  const first = checkSimulator(cluster, 'first');
  const forecast = forecastWith(undo, state, first);
  if (forecast?.ends !== 'complete' || !first.hadChoice()) return forecast;
  const other = forecastWith(undo, state, checkSimulator(cluster, 'last'));
  return other?.ends === 'complete' ? forecast : other;
}

/** The fields of a workload that undo plans write. */
const UndoBody = z.object({
  spec: z
    .object({
      paused: z.literal(true).optional(),
      strategy: z.unknown().optional(),
      updateStrategy: z.unknown().optional(),
      template: z.record(z.string(), z.unknown()).optional(),
    })
    .prefault({}),
  status: z.object({ abort: z.boolean() }).optional(),
});

function forecastWith(undo: UndoPlan, state: RolloutState, simulator: PodSimulator): Forecast | undefined {
  const { request } = inWorkload(undo, state);
  if (request.verb === 'restore-template') {
    return forecastChange(state, { kind: 'undo', revision: request.from.name }, simulator);
  }
  const body = request.verb === 'patch' ? UndoBody.safeParse(request.body).data : undefined;
  if (body === undefined) return undefined;
  const { paused, strategy, updateStrategy, template } = body.spec;
  if (template !== undefined) {
    const restored = PodTemplate.parse(merged(workloadIn(state).spec.template.raw, template));
    return forecastChange(state, { kind: 'template', template: restored }, simulator);
  }
  const cautious = withoutFailedStarts(state, simulator);
  if (hasSteps(state)) {
    const { status } = body;
    if (status !== undefined) {
      return nextArgoRolloutSteps(state, { kind: status.abort ? 'abort' : 'retry' }, cautious);
    }
    return paused === undefined ? undefined : nextArgoRolloutSteps(state, { kind: 'pause' }, cautious);
  }
  if (hasDeploymentStrategy(state)) {
    if (strategy !== undefined) {
      return nextSteps(state, { kind: 'strategy', strategy: DeploymentStrategy.parse(strategy) }, cautious);
    }
    return paused === undefined ? undefined : nextSteps(pausedState(state), { kind: 'none' }, cautious);
  }
  const { rollingUpdate: rolling } = DeploymentStrategy.parse(updateStrategy);
  return hasPodPerNode(state) && updateStrategy !== undefined && rolling !== undefined
    ? nextDaemonSetSteps(state, { kind: 'rolling-update', ...rolling }, cautious)
    : undefined;
}

/** What the owner's controller writes into the workload once the owner has its former fields. */
function inWorkload(undo: UndoPlan, state: RolloutState): UndoPlan {
  const { of, request } = undo;
  if (of === undefined || request.verb !== 'patch' || !hasDeploymentStrategy(state)) return undo;
  const { name } = state.deployment.metadata;
  const fields = ownerFieldsOf(of, { kind: state.kind, name });
  if (fields === undefined) return undo;
  const strategy = valueAt(request.body, fields.strategy);
  const affinity = valueAt(request.body, fields.affinity);
  const isBounds = fields.isBounds && isObject(strategy);
  const spec = {
    ...(strategy === undefined ? {} : { strategy: isBounds ? { rollingUpdate: strategy } : strategy }),
    ...(affinity === undefined ? {} : { template: { spec: { affinity } } }),
  };
  return { ...undo, request: { ...request, body: { spec } } };
}

function pausedState(state: Extract<RolloutState, { readonly kind: 'Deployment' }>): typeof state {
  const { deployment } = state;
  return { ...state, deployment: { ...deployment, spec: { ...deployment.spec, paused: true } } };
}

/** RFC 7386: null removes, objects merge, everything else replaces. */
function merged(target: JsonObject, patch: JsonObject): JsonObject {
  const result: Record<string, unknown> = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    const before = result[key];
    if (value === null) delete result[key];
    else result[key] = isObject(value) ? merged(isObject(before) ? before : {}, value) : value;
  }
  return result;
}

function effectsOf(
  remediation: Remediation,
  { request, expects }: UndoPlan,
  { victims, steps, isCounted }: Forecast,
): readonly Statement[] {
  const startsRollout =
    request.verb === 'restore-template' ||
    expects.some(({ path }) => path.startsWith('spec.template.') || path.includes('.affinity.'));
  const own = kindOf(remediation)?.undoEffects?.(remediation) ?? [];
  const created = isCounted ? victims.length : steps.flatMap((step) => step.created).length;
  return [
    ...(startsRollout ? [effect('undo-rolls-out')] : []),
    ...own,
    ...(victims.length === 0
      ? []
      : [effect('undo-stops', { pods: victims.length, graceSeconds: longestGrace(victims) })]),
    ...(created === 0 ? [] : [effect('undo-starts', { pods: created })]),
    ...(victims.length === 0 && created === 0 ? [effect('undo-moves-no-pod')] : []),
    ...(startsRollout || own.length > 0 ? [] : [effect('undo-next-update')]),
  ];
}
