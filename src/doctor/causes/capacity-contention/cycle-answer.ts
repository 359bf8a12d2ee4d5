import type { Statement } from '../../../engine/language/statement.js';
import type { ObjectRef } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { hasDeploymentStrategy, hasOrdinals, hasPodPerNode } from '../../../engine/objects/workload.js';
import { type Forecast, unknownForecast } from '../../../engine/workloads/forecast.js';
import type { JointForecast, MemberChange } from '../../../engine/workloads/joint-forecast.js';
import { forecastJointly } from '../../../engine/workloads/joint-forecast.js';
import type { PodSimulator } from '../../../engine/workloads/pod-simulator.js';
import { oldReplicaSetsOf } from '../../../engine/workloads/revisions.js';
import type { RolloutState } from '../../../engine/workloads/rollout-state.js';
import { strategySnippet } from '../../findings/deadlock/lasting-strategy.js';
import type { Advice, Fixes } from '../../findings/finding.js';
import { podSimulatorOf } from '../../findings/pod-simulator-of.js';
import type { Examination } from '../../findings/rule.js';
import type { CycleMember, RolloutCycle } from '../../findings/waiting/rollout-cycle.js';
import type { StepBetween } from '../../fixes/effects-text.js';
import { withoutFailedStarts } from '../../fixes/forecast-change.js';
import { patchStrategyForms } from '../../fixes/kinds/patch-strategy/forms.js';
import {
  inPlaceUpdate,
  proposePatchDaemonSet,
  proposePatchStrategy,
  strategyChange,
} from '../../fixes/kinds/patch-strategy/propose.js';
import { oneLess, proposeScaleDownOld } from '../../fixes/kinds/scale-down-old.js';
import type { Offer } from '../../fixes/offered-fields.js';
import type { NotRecommended, Remediation } from '../../fixes/remediation.js';
import type { CycleFixName, MemberForecast } from './cycle-text.js';
import { state } from './text.js';

/** What can be done about a cycle of rollouts, and what follows for each of them. */
export interface CycleAnswer extends Offer<Remediation> {
  readonly reasoning: readonly Statement[];
  readonly advice: readonly Advice[];
  /** What a rollback of the workload itself, to that ReplicaSet's template, means for the members. */
  readonly afterUndo: (replicaSet: string) => AfterUndo;
}

type AfterUndo = { readonly reasoning: readonly Statement[]; readonly effects: readonly Statement[] };

/**
 * The workload's own fixes after which every rollout of the cycle completes, with the forecast for all of
 * them. A fix of another member is named with the command that leads to its button: a remediation of one
 * workload is never approved in the name of another one.
 *
 * @param waiting the workload's new pods that wait
 */
export function answerCycle(
  examination: Examination,
  cycle: RolloutCycle,
  waiting: readonly Pod[],
): CycleAnswer {
  const { members } = cycle;
  const play = cyclePlayOf(examination, cycle);
  const [{ state: own }] = members;
  if (play === undefined || own === undefined) return unreadAnswer(members);
  const others = members.slice(1).map(workloadOf);
  const { remediations, withheld } = ownFixes(examination, own, play, waiting, others);
  const elsewhere = fixesElsewhere(members, play);
  const here = remediations.map((remediation) => ({
    remediation,
    joint: play(0, changeOf(remediation, own)),
  }));
  const [ownBest] = here;
  const [best] = elsewhere;
  const safer =
    best !== undefined && ownBest !== undefined && compareHarm(best.joint, ownBest.joint) < 0
      ? best
      : undefined;
  return {
    remediations: here.map(({ remediation, joint }) =>
      withMembers(remediation, members, joint, safer && saferStatement(members, safer)),
    ),
    withheld: [...(ownBest === undefined ? inVain(members, play, own, best) : []), ...withheld],
    reasoning: reasoningOf(members, ownBest, elsewhere, safer !== undefined),
    advice: best === undefined ? [] : [adviceFor(members, best)],
    afterUndo: (replicaSet) => {
      const joint = play(0, { of: 'Deployment', change: { kind: 'undo', replicaSet } });
      const stuck = stuckIn(members, joint).filter((name) => name !== workloadOf(members[0]));
      return {
        reasoning:
          stuck.length === 0 ? [] : [state('undo-leaves', { workload: workloadOf(members[0]), stuck })],
        effects: memberStatements(members, joint),
      };
    },
  };
}

/** The change of a fix of the workload itself, as it was played; without one, the gentlest. */
function changeOf(remediation: Remediation | undefined, own: RolloutState): MemberChange {
  if (remediation?.kind === 'scale-down-old') {
    const { replicaSet, to } = remediation;
    return { of: 'Deployment', change: { kind: 'scale-replica-set', replicaSet, replicas: to } };
  }
  if (hasPodPerNode(own)) return { of: 'DaemonSet', change: inPlaceUpdate };
  return onDeployment(
    remediation?.kind === 'patch-strategy' ? remediation.strategy : patchStrategyForms.inPlace,
  );
}

function onDeployment(strategy: Parameters<typeof strategyChange>[0]): MemberChange {
  return { of: 'Deployment', change: strategyChange(strategy) };
}

function withMembers(
  remediation: Remediation,
  members: readonly CycleMember[],
  joint: JointForecast,
  safer: Statement | undefined,
): Remediation {
  const { price, effects } = remediation;
  const others = members.slice(1).map(({ owner }): ObjectRef => ({ ...owner }));
  return {
    ...remediation,
    effects: [...(safer === undefined ? [] : [safer]), ...effects, ...memberStatements(members, joint)],
    price: { ...price, blastRadius: { ...price.blastRadius, others } },
  };
}

function memberStatements(members: readonly CycleMember[], joint: JointForecast): readonly Statement[] {
  return memberForecasts(members, joint).map((forecast) => state('member-forecast', { forecast }));
}

function reasoningOf(
  members: readonly CycleMember[],
  own: { readonly joint: JointForecast } | undefined,
  elsewhere: readonly CycleFix[],
  isSafer: boolean,
): readonly Statement[] {
  const here =
    own === undefined
      ? []
      : [state('fix-here', { workload: nameAt(members, 0), forecasts: memberForecasts(members, own.joint) })];
  const [best, ...more] = elsewhere;
  if (best === undefined) {
    return here.length > 0 ? here : [state('fix-nowhere', { members: members.map(workloadOf) })];
  }
  const there = state('fix-elsewhere', {
    workload: nameAt(members, best.member),
    command: commandFor(members, best.member),
    fix: best.name,
    isSafer,
    forecasts: memberForecasts(members, best.joint),
    also: more.map(({ member }) => nameAt(members, member)),
  });
  return isSafer ? [there, ...here] : [...here, there];
}

function saferStatement(members: readonly CycleMember[], { member }: CycleFix): Statement {
  return state('fix-safer', { workload: nameAt(members, member), command: commandFor(members, member) });
}

function adviceFor(members: readonly CycleMember[], { member, name }: CycleFix): Advice {
  const workload = nameAt(members, member);
  const rollout = members[member]?.state;
  const changed = hasPodPerNode(rollout) ? rollout.daemonSet : undefined;
  const target = hasDeploymentStrategy(rollout) ? rollout.deployment : changed;
  const { inPlace, recreate } = patchStrategyForms;
  return {
    title: state('advice-fix-title', { workload }),
    text: state('advice-fix', { workload, command: commandFor(members, member) }),
    ...(name === 'scale-down' || target === undefined
      ? {}
      : { snippet: strategySnippet(target, name === 'in-place' ? inPlace : recreate) }),
  };
}

/** Why no fix of the workload itself is offered. */
function inVain(
  members: readonly CycleMember[],
  play: CyclePlay,
  own: RolloutState,
  best: CycleFix | undefined,
): readonly NotRecommended[] {
  if (hasOrdinals(own)) return [];
  const joint = play(0, changeOf(undefined, own));
  if (joint.ends === 'too-large' || joint.ends === 'unknown') {
    return [{ kind: 'patch-strategy', because: state('fix-not-simulated') }];
  }
  const stuck = stuckIn(members, joint);
  return [
    {
      kind: 'patch-strategy',
      because: state('fix-in-vain', {
        stuck,
        ...(best === undefined ? {} : { instead: nameAt(members, best.member) }),
      }),
    },
  ];
}

function stuckIn(members: readonly CycleMember[], { members: forecasts }: JointForecast): readonly string[] {
  return members.flatMap((member, at) => (forecasts[at]?.ends === 'stuck' ? [workloadOf(member)] : []));
}

function unreadAnswer(members: readonly CycleMember[]): CycleAnswer {
  const unread = members.flatMap((member) => (member.state === undefined ? [workloadOf(member)] : []));
  return {
    remediations: [],
    withheld: [{ kind: 'patch-strategy', because: state('fix-unread', { unread }) }],
    reasoning: [],
    advice: [],
    afterUndo: () => ({ reasoning: [], effects: [] }),
  };
}

function nameAt(members: readonly CycleMember[], at: number): string {
  const member = members[at];
  return member === undefined ? '' : workloadOf(member);
}

/** What somebody types to have that member diagnosed, which offers its fix. */
function commandFor(members: readonly CycleMember[], at: number): string {
  const owner = members[at]?.owner;
  return owner === undefined
    ? ''
    : `/rollout-doctor ${owner.kind.toLowerCase()}/${owner.name} -n ${owner.namespace}`;
}

/** A change of one member, and what follows for all. */
interface CycleFix {
  /** Its place in the cycle; 0 is the workload itself. */
  readonly member: number;
  readonly name: CycleFixName;
  readonly joint: JointForecast;
}

/** The fixes of the workload itself after which every rollout of the cycle completes, gentlest first. */
function ownFixes(
  examination: Examination,
  own: RolloutState,
  play: CyclePlay,
  waiting: readonly Pod[],
  others: readonly string[],
): Fixes {
  const simulator = podSimulatorOf(examination);
  const between = ({ ends }: Forecast): StepBetween | undefined =>
    ends === 'complete'
      ? { step: state('in-turn', { workloads: others }), settlesCapacity: true }
      : undefined;
  switch (own.kind) {
    case 'Deployment': {
      const input = {
        state: own,
        simulator,
        waiting,
        forecast: (change: Extract<MemberChange, { of: 'Deployment' }>['change']) =>
          partOf(play(0, { of: 'Deployment', change }), 0),
        between,
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
        between,
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
function fixesElsewhere(members: readonly CycleMember[], play: CyclePlay): readonly CycleFix[] {
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
        { name: 'in-place', change: onDeployment(patchStrategyForms.inPlace) },
        { name: 'recreate', change: onDeployment(patchStrategyForms.recreate) },
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
function compareHarm(a: JointForecast, b: JointForecast): number {
  return (
    Number(a.ends === 'contested') - Number(b.ends === 'contested') ||
    countOf(a, 'gap') - countOf(b, 'gap') ||
    countOf(a, 'reduced') - countOf(b, 'reduced')
  );
}

function countOf({ members }: JointForecast, kind: 'gap' | 'reduced'): number {
  return members.filter(({ downtime }) => downtime?.kind === kind).length;
}

/** What follows for all members of a cycle when one of them is changed; equal questions are played once. */
type CyclePlay = (member: number, change: MemberChange) => JointForecast;

/** @returns `undefined` where a member could not be read whole */
function cyclePlayOf(examination: Examination, { members }: RolloutCycle): CyclePlay | undefined {
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
function partOf({ ends, members, winners }: JointForecast, member: number): Forecast {
  const part = members[member] ?? unknownForecast;
  return { ...part, ends, ...(winners === undefined ? {} : { winners }) };
}

/** How each member fares, as statements hold it. */
function memberForecasts(
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
