import { withoutFailedStarts } from '../../../remediation/forecast-change.js';
import { type Forecast, unknownForecast } from '../../../rollout/forecast.js';
import { forecastJointly, type JointForecast, type MemberChange } from '../../../rollout/joint-forecast.js';
import type { PodSimulator } from '../../../rollout/pod-oracle.js';
import { podSimulatorOf } from '../../pod-oracle-of.js';
import type { Examination } from '../../rule.js';
import type { CycleMember, RolloutCycle } from '../../waiting/rollout-cycle.js';
import type { MemberForecast } from './cycle-text.js';

/** What follows for all members of a cycle when one of them is changed; equal questions are played once. */
export type CyclePlay = (member: number, change: MemberChange) => JointForecast;

/** @returns `undefined` where a member could not be read whole */
export function cyclePlayOf(examination: Examination, { members }: RolloutCycle): CyclePlay | undefined {
  const states = members.flatMap(({ state }) => state ?? []);
  if (states.length < members.length) return undefined;
  const simulator = states.reduce<PodSimulator>(
    (cautious, state) => withoutFailedStarts(state, cautious),
    podSimulatorOf(examination),
  );
  const known = new Map<string, JointForecast>();
  return (member, change) => {
    const key = `${member} ${JSON.stringify(change)}`;
    const joint = known.get(key) ?? forecastJointly(states, simulator, { member, ...change });
    known.set(key, joint);
    return joint;
  };
}

/** The part of one member, ending as the whole cycle does. */
export function partOf({ ends, members, winners }: JointForecast, member: number): Forecast {
  const part = members[member] ?? unknownForecast;
  return { ...part, ends, ...(winners === undefined ? {} : { winners }) };
}

/** How each member fares, as statements hold it. */
export function memberForecasts(
  members: readonly CycleMember[],
  { ends, members: forecasts }: JointForecast,
): readonly MemberForecast[] {
  return members.flatMap((member, at): readonly MemberForecast[] => {
    const forecast = forecasts[at];
    if (forecast?.downtime === undefined) return [];
    const { kind, readyMin, ofReplicas, seconds } = forecast.downtime;
    return [
      {
        workload: workloadOf(member),
        ends: forecast.ends !== 'complete' ? 'stuck' : ends === 'contested' ? 'contested' : 'complete',
        downtime: kind,
        readyMin,
        replicas: ofReplicas,
        ...(seconds === undefined ? {} : { seconds: Math.round(seconds) }),
      },
    ];
  });
}

/** `namespace/name`. */
export function workloadOf({ owner }: CycleMember): string {
  return `${owner.namespace}/${owner.name}`;
}
