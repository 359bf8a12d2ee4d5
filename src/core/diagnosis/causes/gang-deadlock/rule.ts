import { conditionOf } from '../../../cluster/metadata.js';
import type { Pod } from '../../../cluster/pod.js';
import { podNames } from '../../../cluster/pod-key.js';
import type { Snapshot } from '../../../cluster/snapshot.js';
import { unreadOf } from '../../../cluster/unread.js';
import { inRole, type Statement } from '../../../language/statement.js';
import { type Gang, gangOf } from '../../../neighbours/pod-gang.js';
import { proposePatchStrategy } from '../../../remediation/kinds/patch-strategy/propose.js';
import { refOf } from '../../../remediation/price-of.js';
import { revisionOf } from '../../../rollout/revisions.js';
import { strategyFactsOf } from '../../deadlock/facts.js';
import { lastingAdvice } from '../../deadlock/lasting-strategy.js';
import { ownShrinkStatements } from '../../deadlock/shrink-statements.js';
import {
  notRecommendedPatches,
  servedStatement,
  strategyEvidence,
  strategyStatement,
} from '../../deadlock/strategy.js';
import { deadlock } from '../../deadlock/text.js';
import type { Evidence, Fixes } from '../../finding.js';
import { waitingNeeds } from '../../needs.js';
import { podSimulatorOf } from '../../pod-oracle-of.js';
import { rollBackOf } from '../../roll-back.js';
import type { Detected, Examination, Rule } from '../../rule.js';
import {
  isUnschedulable,
  longestRefusedSeconds,
  type StuckRollout,
  stuckRolloutOf,
  workloadName,
} from '../../stuck-rollout.js';
import { keptUntilReady, partyOf, waitForGroup } from '../../wait-cycle.js';
import { GangDeadlockFacts } from './facts.js';
import { gangSimulator } from './gang-oracle.js';
import { state, text } from './text.js';

/**
 * The new pods belong to a PodGroup of which fewer pods exist than its minimum, and the controller creates no
 * further one before the old pods are gone, which it keeps until new pods are ready. Volcano makes a PodGroup
 * for each ReplicaSet, so that a new revision begins with a group of its own (volcano
 * `pkg/controllers/podgroup/pg_controller_handler.go`).
 */
export const gangDeadlock: Rule<typeof GangDeadlockFacts> = {
  id: 'gang-deadlock',
  facts: GangDeadlockFacts,
  text,
  origin: 'rollout',
  appliesTo: ['Deployment'],
  needs: waitingNeeds,
  supersedes: [
    'surge-deadlock',
    'scheduler-refusal',
    'insufficient-capacity',
    'progress-deadline-exceeded',
    'fragile-strategy',
  ],
  detect(examination) {
    const { snapshot } = examination;
    const rollout = stuckRolloutOf(snapshot);
    const [first, ...more] = rollout?.blocked ?? [];
    if (rollout === undefined || first === undefined) return undefined;
    if (!rollout.blocked.every(isUnschedulable)) return undefined;
    const gang = gangOf(snapshot.index, first);
    // The group that a label or annotation of the template names has the old pods as well.
    if (gang === undefined || gang.members.length >= gang.minMember) return undefined;
    if (rollout.deployment.spec.replicas < gang.minMember) return undefined;
    return findingOf(examination, rollout, gang, [first, ...more]);
  },
};

function findingOf(
  examination: Examination,
  rollout: StuckRollout,
  gang: Gang,
  pods: readonly [Pod, ...Pod[]],
): Detected<typeof GangDeadlockFacts> {
  const { snapshot } = examination;
  const { name, minMember, members, scheduled } = gang;
  const fixes = fixesFor(examination, rollout, gang);
  const kept = podNames(rollout.holding);
  const stuckSeconds = longestRefusedSeconds(snapshot, pods);
  const counts = { group: name, minMember, members: members.length, scheduled };
  const lasting = lastingAdvice(rollout.deployment, fixes.remediations);
  return {
    // The arithmetic is that of the sources; no scheduler of gangs is simulated.
    confidence: 'likely',
    severity: 'critical',
    holders: rollout.holding.map(refOf),
    facts: {
      revision: revisionOf(snapshot),
      ...(stuckSeconds === undefined ? {} : { stuckSeconds }),
      strategy: strategyFactsOf(rollout.deployment),
      scheduler: pods[0].spec.schedulerName,
      podGroup: name,
      minMember,
      members: members.length,
      scheduled,
      pods: podNames(pods),
      keptPods: kept,
      isGroupUnread: gang.group === undefined,
    },
    waitCycle: [
      { who: partyOf('new-pod', podNames(pods)), waits: waitForGroup(name, minMember - members.length) },
      keptUntilReady(kept),
    ],
    summary: state('summary', { workload: workloadName(snapshot), minMember, members: members.length }),
    standing: deadlock('standing', { revision: revisionOf(snapshot), stillForSeconds: stuckSeconds }),
    reasoning: [
      state('group', counts),
      strategyStatement(rollout),
      inRole('conclusion', state('conclusion', { missing: minMember - members.length, pods: kept })),
      servedStatement(snapshot),
    ],
    evidence: evidenceOf(pods[0], gang, rollout),
    ruledOut: [
      { cause: 'surge-deadlock', because: state('because-group', { group: name }) },
      { cause: 'rollout-paused', because: deadlock('because-not-paused') },
      { cause: 'slow rollout', because: deadlock('because-fixed-point') },
    ],
    nextAttempt: { what: state('next-attempt', { group: name }) },
    ...fixes,
    advice: [
      ...(lasting === undefined ? [] : [lasting]),
      {
        title: state('advice-surge-title'),
        text: state('advice-surge', { minMember }),
        snippet: `spec:\n  strategy:\n    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: ${minMember}\n`,
      },
    ],
    weakenedBy: [...weakeningOf(snapshot, gang, pods[0]), ...ownShrinkStatements(snapshot)],
  };
}

function weakeningOf(snapshot: Snapshot, { group }: Gang, pod: Pod): readonly Statement[] {
  const unread = unreadOf(snapshot, 'Pod');
  return [
    state('not-simulated', { scheduler: pod.spec.schedulerName }),
    ...(group === undefined ? [state('group-unread')] : []),
    ...(unread === undefined ? [] : [deadlock('unread', { what: unread.what, because: unread.because })]),
  ];
}

function fixesFor(examination: Examination, rollout: StuckRollout, gang: Gang): Fixes {
  const simulator = gangSimulator(
    podSimulatorOf(examination),
    rollout.newReplicaSet.metadata.uid,
    gang.minMember,
    gang.members,
  );
  const patches = proposePatchStrategy({ state: rollout.state, simulator });
  const undo = rollBackOf(examination, { origin: 'rollout', simulator });
  return {
    remediations: [...patches.remediations, ...undo.remediations],
    withheld: [
      { kind: 'restart-rollout', because: state('restart-withheld') },
      ...notRecommendedPatches(patches),
      { kind: 'scale-down-old', because: state('scale-down-withheld') },
      ...undo.withheld,
    ],
  };
}

function evidenceOf(pod: Pod, gang: Gang, rollout: StuckRollout): readonly Evidence[] {
  const { name, minMember, members, group } = gang;
  const condition = conditionOf(pod.status, 'PodScheduled');
  return [
    ...(group === undefined
      ? []
      : [
          {
            object: { kind: 'PodGroup', namespace: group.metadata.namespace, name },
            field: 'spec.minMember',
            value: String(minMember),
            says: state('ev-group', { members: members.length }),
          },
        ]),
    {
      object: refOf(pod),
      field: 'status.conditions[PodScheduled]',
      value: condition?.message ?? '',
      ...(condition?.lastTransitionTime === undefined ? {} : { at: condition.lastTransitionTime }),
      says: state('ev-refused', { scheduler: pod.spec.schedulerName }),
    },
    ...strategyEvidence(rollout),
  ];
}
