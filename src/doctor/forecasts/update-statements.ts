import type { Statement } from '../../engine/language/statement.js';
import { isActive } from '../../engine/objects/pod.js';
import type { Workload } from '../../engine/objects/workload.js';
import { rollingBounds } from '../../engine/workloads/fenceposts.js';
import type { Forecast } from '../../engine/workloads/forecast.js';
import type { StuckReason } from './stuck-reason.js';
import { impactValues, state } from './text.js';

/** Strategies under which an update replaces nothing by itself. */
export function standsStill(planned: Workload): Statement | undefined {
  switch (planned.kind) {
    case 'Deployment':
      if (planned.spec.replicas === 0) return state('no-pods');
      return planned.spec.paused ? state('paused') : undefined;
    case 'StatefulSet':
      if (planned.spec.replicas === 0) return state('no-pods');
      return planned.spec.updateStrategy.type === 'OnDelete' ? state('on-delete') : undefined;
    case 'DaemonSet':
      return planned.spec.updateStrategy.type === 'OnDelete' ? state('on-delete') : undefined;
    case 'Rollout':
      if (planned.spec.replicas === 0) return state('no-pods');
      return planned.spec.paused ? state('paused') : undefined;
    case 'LeaderWorkerSet':
    case 'KnativeService':
    case 'RayService':
    case 'DynamoGraphDeployment':
      return planned.spec.replicas === 0 ? state('no-pods') : undefined;
  }
}

export function summaryOf(
  why: Exclude<StuckReason, { kind: 'unclear' }>,
  named: { readonly workload: string },
): Statement {
  const deadlock = why.holders.length > 0;
  if (why.kind === 'quota') {
    return state(deadlock ? 'quota-deadlock' : 'stuck-by-quota', { ...named, quota: why.quota });
  }
  return deadlock ? state('deadlock', { ...named, resource: why.resource ?? '' }) : state('stuck', named);
}

export function boundsOf(planned: Workload): readonly Statement[] {
  if (planned.kind === 'KnativeService') return [state('rule-knative')];
  if (planned.kind === 'RayService') return [state('rule-ray')];
  if (planned.kind === 'DynamoGraphDeployment') return [state('rule-dynamo')];
  if (planned.kind !== 'Deployment' || planned.spec.strategy.type !== 'RollingUpdate') return [];
  const { maxSurge, maxUnavailable } = rollingBounds(planned);
  const { replicas, strategy } = planned.spec;
  return [
    state('rule-forbids', {
      maxSurge: String(strategy.rollingUpdate?.maxSurge ?? ''),
      maxUnavailable: String(strategy.rollingUpdate?.maxUnavailable ?? ''),
      replicas,
      surge: maxSurge,
      unavailable: maxUnavailable,
    }),
  ];
}

export function completion(
  downtime: Forecast['downtime'],
  victims: Forecast['victims'],
  confidence: 'proven' | 'likely',
): readonly Statement[] {
  return [
    ...(downtime === undefined
      ? []
      : [state('price-in-full', { ...impactValues(downtime), stops: victims.filter(isActive).length })]),
    ...(confidence === 'likely' ? [state('choice-does-not-matter')] : []),
    state('assumes-ready'),
  ];
}

/** Why the end of a forecast is not known. */
export function whyUnknown({ dependsOnRule }: Pick<Forecast, 'dependsOnRule'>): Statement {
  return state(dependsOnRule === true ? 'because-rule' : 'because-pods-unseen');
}
