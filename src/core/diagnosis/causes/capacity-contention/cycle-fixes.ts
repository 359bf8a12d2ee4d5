import type { Pod } from '../../../cluster/pod.js';
import { patchStrategyForms } from '../../../remediation/kinds/patch-strategy/forms.js';
import { proposePatchStrategy, strategyChange } from '../../../remediation/kinds/patch-strategy/propose.js';
import {
  inPlaceUpdate,
  proposePatchDaemonSet,
} from '../../../remediation/kinds/patch-strategy/propose-daemon-set.js';
import { oneLess, proposeScaleDownOld } from '../../../remediation/kinds/scale-down-old/propose.js';
import type { JointForecast, MemberChange } from '../../../rollout/joint-forecast.js';
import { oldReplicaSetsOf } from '../../../rollout/revisions.js';
import type { RolloutState } from '../../../rollout/rollout-state.js';
import type { Fixes } from '../../finding.js';
import { podSimulatorOf } from '../../pod-oracle-of.js';
import type { Examination } from '../../rule.js';
import type { CycleMember } from '../../waiting/rollout-cycle.js';
import { type CyclePlay, partOf } from './cycle-play.js';
import type { CycleFixName } from './cycle-text.js';

/** A change of one member, and what follows for all. */
export interface CycleFix {
  /** Its place in the cycle; 0 is the workload itself. */
  readonly member: number;
  readonly name: CycleFixName;
  readonly joint: JointForecast;
}

/** The fixes of the workload itself after which every rollout of the cycle completes, gentlest first. */
export function ownFixes(
  examination: Examination,
  own: RolloutState,
  play: CyclePlay,
  waiting: readonly Pod[],
): Fixes {
  const simulator = podSimulatorOf(examination);
  switch (own.kind) {
    case 'Deployment': {
      const input = {
        state: own,
        simulator,
        waiting,
        forecast: (change: Extract<MemberChange, { of: 'Deployment' }>['change']) =>
          partOf(play(0, { of: 'Deployment', change }), 0),
      };
      const patches = proposePatchStrategy(input);
      const scaleDown = proposeScaleDownOld(input);
      return {
        remediations: [...patches.remediations, ...scaleDown.remediations],
        withheld: [...patches.withheld, ...scaleDown.withheld],
      };
    }
    case 'DaemonSet':
      return proposePatchDaemonSet({
        state: own,
        simulator,
        forecast: (change) => partOf(play(0, { of: 'DaemonSet', change }), 0),
      });
    case 'StatefulSet':
    // Its controller stops an old pod before it creates the new one, so no strategy helps it.
    case 'Rollout':
    case 'LeaderWorkerSet':
    case 'Revisioned':
      // Not simulated together with others.
      return { remediations: [], withheld: [] };
  }
}

/** For each other member the gentlest change after which every rollout completes, the safest member first. */
export function fixesElsewhere(members: readonly CycleMember[], play: CyclePlay): readonly CycleFix[] {
  return members
    .flatMap(({ state }, member) =>
      member === 0 || state === undefined ? [] : (bestFix(state, member, play) ?? []),
    )
    .sort((a, b) => compareHarm(a.joint, b.joint));
}

function bestFix(state: RolloutState, member: number, play: CyclePlay): CycleFix | undefined {
  const fixes: CycleFix[] = [];
  for (const { name, change } of changesOf(state)) {
    // The harsher strategy is tried where the gentle one does not open the cycle.
    if (name === 'recreate' && fixes.length > 0) continue;
    const joint = play(member, change);
    if (joint.ends === 'complete' || joint.ends === 'contested') fixes.push({ member, name, joint });
  }
  return fixes.sort((a, b) => compareHarm(a.joint, b.joint))[0];
}

function changesOf(
  state: RolloutState,
): readonly { readonly name: CycleFixName; readonly change: MemberChange }[] {
  switch (state.kind) {
    case 'Deployment':
      return [
        {
          name: 'in-place',
          change: { of: 'Deployment', change: strategyChange(patchStrategyForms.inPlace) },
        },
        {
          name: 'recreate',
          change: { of: 'Deployment', change: strategyChange(patchStrategyForms.recreate) },
        },
        ...oldReplicaSetsOf(state)
          .filter(({ spec }) => spec.replicas > 0)
          .map((replicaSet) => ({
            name: 'scale-down' as const,
            change: { of: 'Deployment' as const, change: oneLess(replicaSet) },
          })),
      ];
    case 'DaemonSet':
      return [{ name: 'in-place', change: { of: 'DaemonSet', change: inPlaceUpdate } }];
    case 'StatefulSet':
    case 'Rollout':
    case 'LeaderWorkerSet':
    case 'Revisioned':
      return [];
  }
}

/**
 * Which change costs users less: one that nobody else can spoil, then the fewest workloads without any ready
 * pod, then the fewest with fewer than before. 0 where these do not differ: lengths are estimates.
 */
export function compareHarm(a: JointForecast, b: JointForecast): number {
  return (
    Number(a.ends === 'contested') - Number(b.ends === 'contested') ||
    countOf(a, 'gap') - countOf(b, 'gap') ||
    countOf(a, 'reduced') - countOf(b, 'reduced')
  );
}

function countOf({ members }: JointForecast, kind: 'gap' | 'reduced'): number {
  return members.filter(({ downtime }) => downtime?.kind === kind).length;
}
