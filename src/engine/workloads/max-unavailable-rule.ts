import type { ClusterIndex } from '../objects/cluster-index.js';
import { isAtLeast, type ServerVersion } from '../objects/server-version.js';
import type { StatefulSet } from '../objects/workload.js';
import { scaledValue } from './fenceposts.js';

/**
 * What the StatefulSet controller makes of `maxUnavailable` (`stateful_set_control.go`).
 *
 * - `ignored`: the gate MaxUnavailableStatefulSet is off. One pod at a time, the highest ordinal first.
 * - `as-in-1.35`: unavailable pods of the old revision use the budget up, also in parallel.
 * - `as-in-1.37`: in parallel, unavailable pods of the old revision are deleted first, whatever the budget.
 */
export type MaxUnavailableRule = 'ignored' | 'as-in-1.35' | 'as-in-1.37';

/** The rule that applies, and what it rests on. */
export interface MaxUnavailable {
  readonly rule: MaxUnavailableRule;
  /** Rules that may apply in its place; none where an object or the version decides. */
  readonly instead: readonly MaxUnavailableRule[];
  /**
   * `distribution`: the numbers of the version make the rule likely. `value`: the gate is off by default, and
   * the object has a value that a server with the gate off drops. `nothing`: the version was not read.
   */
  readonly restsOn: 'equal-rules' | 'object' | 'version' | 'distribution' | 'value' | 'nothing';
}

const equalRules: MaxUnavailable = { rule: 'ignored', instead: [], restsOn: 'equal-rules' };

/**
 * The rule for one StatefulSet. Where its pods are updated in order and one at a time, all rules give the
 * same. A stored `rollingUpdate` without `maxUnavailable` shows that the gate is off, since the API server
 * adds the default 1 whenever it is on (`apps/v1/defaults.go: SetDefaults_StatefulSet`). A value was stored
 * while the gate was on and is kept when the gate is switched off
 * (`statefulset/strategy.go: dropStatefulSetDisabledFields`): it may still be on.
 */
export function maxUnavailableOf(index: ClusterIndex, statefulSet: StatefulSet): MaxUnavailable {
  if (!dependsOnVersion(statefulSet)) return equalRules;
  if (index.objects.StatefulSet.some(showsGateOff)) {
    return { rule: 'ignored', instead: [], restsOn: 'object' };
  }
  const byVersion = ruleOfVersion(index.serverVersion);
  const isDoubtful =
    byVersion.restsOn === 'version' && byVersion.rule === 'ignored' && unavailableBudget(statefulSet) > 1;
  return isDoubtful ? { ...byVersion, instead: ['as-in-1.35'], restsOn: 'value' } : byVersion;
}

/** Whether the rules differ for this StatefulSet. */
export function dependsOnVersion(statefulSet: StatefulSet): boolean {
  return statefulSet.spec.podManagementPolicy === 'Parallel' || unavailableBudget(statefulSet) > 1;
}

function showsGateOff({ spec: { updateStrategy } }: StatefulSet): boolean {
  return (
    updateStrategy.type === 'RollingUpdate' &&
    updateStrategy.rollingUpdate !== undefined &&
    updateStrategy.rollingUpdate.maxUnavailable === undefined
  );
}

/**
 * The rule by version. Gate on by default in 1.35.0 to 1.35.3 and from 1.37, off before 1.35, from 1.35.4 and
 * in 1.36 (`pkg/features/kube_features.go` of each).
 */
export function ruleOfVersion(version: ServerVersion | undefined): MaxUnavailable {
  if (version === undefined) {
    return { rule: 'ignored', instead: ['as-in-1.35', 'as-in-1.37'], restsOn: 'nothing' };
  }
  const whenOn: MaxUnavailableRule = isAtLeast(version, 1, 37) ? 'as-in-1.37' : 'as-in-1.35';
  const isOn = isAtLeast(version, 1, 37) || (isAtLeast(version, 1, 35) && !isAtLeast(version, 1, 35, 4));
  const rule = isOn ? whenOn : 'ignored';
  // The gate exists since 1.24.
  if (version.suffix === '' || !isAtLeast(version, 1, 24)) return { rule, instead: [], restsOn: 'version' };
  return { rule, instead: [isOn ? 'ignored' : whenOn], restsOn: 'distribution' };
}

/**
 * Pods that may be unavailable: rounded down, at least 1; 1 where the value cannot be read
 * (`getStatefulSetMaxUnavailable`).
 */
export function unavailableBudget({ spec }: StatefulSet): number {
  const wanted = spec.updateStrategy.rollingUpdate?.maxUnavailable ?? 1;
  const scaled = scaledValue(wanted, spec.replicas, 'down');
  return scaled.kind === 'value' ? Math.max(1, scaled.value) : 1;
}
