import type { ClusterIndex } from '../objects/cluster-index.js';
import type { ServerVersion } from '../objects/release-rules.js';
import { releaseRules } from '../objects/release-rules.js';
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

/** The rule by version, and that of the other state of the gate where a distribution may have switched it. */
export function ruleOfVersion(version: ServerVersion | undefined): MaxUnavailable {
  if (version === undefined) {
    return { rule: 'ignored', instead: ['as-in-1.35', 'as-in-1.37'], restsOn: 'nothing' };
  }
  const { maxUnavailableGate, deletesUnavailableFirst } = releaseRules(version);
  const whenOn: MaxUnavailableRule = deletesUnavailableFirst ? 'as-in-1.37' : 'as-in-1.35';
  const isOn = maxUnavailableGate === 'on';
  const rule = isOn ? whenOn : 'ignored';
  if (version.suffix === '' || maxUnavailableGate === undefined)
    return { rule, instead: [], restsOn: 'version' };
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
