import type { ObjectRef } from '../../../cluster/metadata.js';
import type { Pod } from '../../../cluster/pod.js';
import type { Statement } from '../../../language/statement.js';
import { patchStrategyForms } from '../../../remediation/kinds/patch-strategy/forms.js';
import { strategyChange } from '../../../remediation/kinds/patch-strategy/propose.js';
import { inPlaceUpdate } from '../../../remediation/kinds/patch-strategy/propose-daemon-set.js';
import type { NotRecommended, Remediation } from '../../../remediation/remediation.js';
import type { JointForecast, MemberChange } from '../../../rollout/joint-forecast.js';
import type { RolloutState } from '../../../rollout/rollout-state.js';
import { strategySnippet } from '../../deadlock/lasting-strategy.js';
import type { Advice } from '../../finding.js';
import type { Examination } from '../../rule.js';
import type { CycleMember, RolloutCycle } from '../../waiting/rollout-cycle.js';
import { type CycleFix, compareHarm, fixesElsewhere, ownFixes } from './cycle-fixes.js';
import { type CyclePlay, cyclePlayOf, memberForecasts, workloadOf } from './cycle-play.js';
import { state } from './text.js';

/** What can be done about a cycle of rollouts, and what follows for each of them. */
export interface CycleAnswer {
  readonly remediations: readonly Remediation[];
  readonly withheld: readonly NotRecommended[];
  readonly reasoning: readonly Statement[];
  readonly advice: readonly Advice[];
  /** What a rollback of the workload itself, to that ReplicaSet's template, means for the members. */
  readonly afterUndo: (replicaSet: string) => AfterUndo;
}

interface AfterUndo {
  readonly reasoning: readonly Statement[];
  readonly effects: readonly Statement[];
}

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
  const [own] = members;
  if (play === undefined || own.state === undefined) return unreadAnswer(members);
  const { remediations, withheld } = ownFixes(examination, own.state, play, waiting);
  const elsewhere = fixesElsewhere(members, play);
  const ownState = own.state;
  const here = remediations.map((remediation) => ({
    remediation,
    joint: play(0, changeOf(remediation, ownState)),
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
    withheld: [...(ownBest === undefined ? inVain(members, play, own.state, best) : []), ...withheld],
    reasoning: reasoningOf(members, ownBest, elsewhere, safer !== undefined),
    advice: best === undefined ? [] : [adviceFor(members, best)],
    afterUndo: (replicaSet) => {
      const joint = play(0, { of: 'Deployment', change: { kind: 'undo', replicaSet } });
      const stuck = stuckIn(members, joint).filter((name) => name !== workloadOf(own));
      return {
        reasoning: stuck.length === 0 ? [] : [state('undo-leaves', { workload: workloadOf(own), stuck })],
        effects: memberStatements(members, joint),
      };
    },
  };
}

/** The change of a fix of the workload itself, as it was played. */
function changeOf(remediation: Remediation, own: RolloutState): MemberChange {
  if (remediation.kind === 'scale-down-old') {
    const { replicaSet, to } = remediation;
    return { of: 'Deployment', change: { kind: 'scale-replica-set', replicaSet, replicas: to } };
  }
  if (own.kind === 'DaemonSet') return { of: 'DaemonSet', change: inPlaceUpdate };
  const strategy = remediation.kind === 'patch-strategy' ? remediation.strategy : patchStrategyForms.inPlace;
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
      : [
          state('fix-here', {
            workload: nameAt(members, 0),
            forecasts: memberForecasts(members, own.joint),
          }),
        ];
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
  const changed = rollout?.kind === 'DaemonSet' ? rollout.daemonSet : undefined;
  const target = rollout?.kind === 'Deployment' ? rollout.deployment : changed;
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
  if (own.kind === 'StatefulSet') return [];
  const joint = play(
    0,
    own.kind === 'DaemonSet'
      ? { of: 'DaemonSet', change: inPlaceUpdate }
      : { of: 'Deployment', change: strategyChange(patchStrategyForms.inPlace) },
  );
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
