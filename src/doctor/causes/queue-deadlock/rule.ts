import * as z from 'zod';
import { leastOf } from '../../../engine/collections/collections.js';
import { inRole, type Statement } from '../../../engine/language/statement.js';
import { podKey, podNames, refOf } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnread, isUnrecorded, unreadOf } from '../../../engine/objects/unread.js';
import { queueSimulator } from '../../../engine/queues/queue-simulator.js';
import { isHeldByKueue, nameOfQueued, queuedWorkloadOf } from '../../../engine/queues/queued-workload.js';
import { asText, flavorKey, requestsOfPod, usageOf } from '../../../engine/queues/quota-assignment.js';
import { revisionOf } from '../../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { deadlockFacts, strategyFactsOf } from '../../findings/deadlock/facts.js';
import { lastingAdvice } from '../../findings/deadlock/lasting-strategy.js';
import {
  notRecommendedPatches,
  servedStatement,
  strategyEvidence,
  strategyStatement,
} from '../../findings/deadlock/strategy.js';
import { deadlock } from '../../findings/deadlock/text.js';
import {
  answersAbout,
  becomesFree,
  doubtsIn,
  proofFactsOf,
  statusLineOf,
} from '../../findings/escapes/index.js';
import { workloadsOf } from '../../findings/escapes/queue-quota.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, Evidence, Fixes, RuledOut } from '../../findings/finding.js';
import { podSimulatorWithoutQueue } from '../../findings/pod-simulator-of.js';
import { alikeStatements, queueFacts, shortagesFact, shortagesOf } from '../../findings/queue-facts.js';
import { rollBackOf } from '../../findings/roll-back.js';
import type { Detected, Examination, Rule } from '../../findings/rule.js';
import { waitingNeeds } from '../../findings/rule.js';
import { isUnschedulable, workloadName } from '../../findings/stuck-rollout.js';
import { keptUntilReady, partyOf, waitForQuota } from '../../findings/wait-cycle.js';
import { proposePatchStrategy } from '../../fixes/kinds/patch-strategy/propose.js';
import { proposeScaleDownOld } from '../../fixes/kinds/scale-down-old.js';
import { type QueueProof, queueProof, usageOfPods } from './proof.js';
import { state, text } from './text.js';

const QueueDeadlockFacts = z.strictObject({
  ...deadlockFacts,
  ...queueFacts,
  pods: fact.names('New pods that Kueue keeps from the scheduler'),
  short: shortagesFact,
  charged: fact.quantity('What the Workloads of the old pods use of the first of these'),
  holdingWorkloads: fact.names("Kueue's Workloads of the old pods that use it, in the namespace of the pods"),
  admittedWithout: fact.names('The fewest old pods without which Kueue admits the new pod'),
  fitsNowhere: fact.flag('Admitted, the new pod would find no node'),
  ahead: fact.names('Workloads, as `namespace/name`, that Kueue admits first once these old pods are gone'),
  waitingPods: fact.names('New pods that Kueue admitted and that wait for a node'),
});

/**
 * The new pod waits at Kueue's gate for quota of its ClusterQueue, the Workloads of the rollout's own old
 * pods use enough of it, and the controller is at a fixed point, so they will never go.
 */
export const queueDeadlock: Rule<typeof QueueDeadlockFacts> = {
  id: 'queue-deadlock',
  facts: QueueDeadlockFacts,
  text,
  origin: 'rollout',
  appliesTo: ['Deployment'],
  needs: waitingNeeds,
  supersedes: ['scheduling-gated', 'progress-deadline-exceeded', 'fragile-strategy'],
  undecidedBy: (snapshot) =>
    isUnrecorded(snapshot, 'Pod', 'spec.schedulingGates') &&
    isUnread(snapshot, 'Workload') &&
    rolloutStateOf(snapshot).pods.some(isHeldByKueue)
      ? ['Workload', 'ClusterQueue']
      : [],
  detect(examination) {
    const proof = queueProof(examination.snapshot);
    return proof === undefined || becomesFree(examination, proof.place)
      ? undefined
      : findingOf(examination, proof);
  },
};

type Facts = FactsOf<typeof QueueDeadlockFacts>;

function findingOf(examination: Examination, proof: QueueProof): Detected<typeof QueueDeadlockFacts> {
  const { snapshot } = examination;
  const { queue, shortages, holders, gated } = proof;
  const { resource } = shortages[0];
  const answers = answersAbout(examination, proof.place);
  const facts = { ...factsOf(examination, proof), ...proofFactsOf('queue', gated, answers) };
  const fixes = remediesFor(examination, proof);
  const weakenedBy = [...doubtsIn(answers), ...weakeningOf(snapshot, proof, facts)];
  return {
    confidence: weakenedBy.length === 0 ? 'proven' : 'likely',
    severity: 'critical',
    resource,
    holders: holders.map(refOf),
    facts,
    blames: { kind: 'ClusterQueue', name: queue.metadata.name },
    waitCycle: [
      { who: partyOf('new-pod', podNames(gated)), waits: waitForQuota(queue.metadata.name, resource) },
      keptUntilReady(podNames(holders)),
    ],
    summary: state('summary', { workload: workloadName(snapshot), queue: queue.metadata.name }),
    standing: statusLineOf(answers, { revision: facts.revision, stillForSeconds: facts.stuckSeconds }),
    reasoning: reasoningOf(snapshot, proof, facts),
    evidence: evidenceOf(snapshot, proof),
    ruledOut: ruledOutOf(proof),
    nextAttempt: { what: state('next-attempt', { queue: queue.metadata.name }) },
    ...fixes,
    advice: adviceFor(snapshot, proof, fixes.remediations),
    weakenedBy,
  };
}

function factsOf({ snapshot, placement }: Examination, proof: QueueProof): Omit<Facts, 'place' | 'escapes'> {
  const { queue, localQueue, workload, condition, shortages, holders, release, rollout, gated } = proof;
  const [first] = shortages;
  const key = flavorKey(first.flavor, first.resource);
  const charged = usageOfPods(snapshot, holders).get(key) ?? 0n;
  const ungated = { ...gated[0], spec: { ...gated[0].spec, schedulingGates: [] } };
  const evaluation = placement.evaluate(ungated, { without: new Set(release.map(podKey)) });
  const since = gated
    .map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? ''))
    .filter((time) => !Number.isNaN(time));
  return {
    revision: revisionOf(snapshot),
    ...(since.length === 0 ? {} : { stuckSeconds: Math.max(0, (nowOf(snapshot) - leastOf(since)) / 1000) }),
    strategy: strategyFactsOf(rollout.deployment),
    localQueue,
    clusterQueue: queue.metadata.name,
    queuedWorkload: workload.metadata.name,
    ...(condition === undefined || condition.message === '' ? {} : { kueueReports: condition.message }),
    pods: podNames(gated),
    short: shortagesOf(shortages),
    charged: asText(first.resource, charged),
    holdingWorkloads: workloadsOf(snapshot, holders).map(({ metadata }) => metadata.name),
    admittedWithout: podNames(release),
    fitsNowhere: evaluation.outcome === 'refused' && evaluation.nodes.length > 0,
    ahead: proof.ahead.map(nameOfQueued),
    waitingPods: podNames(rollout.blocked.filter(isUnschedulable)),
  };
}

/** Kueue's words for a Workload that waits for quota (kueue `flavorassigner.go: fitsResourceQuota`). */
const quotaWords = 'insufficient unused quota';

/** What was not seen, or speaks against the quota as the whole story. */
function weakeningOf(snapshot: Snapshot, proof: QueueProof, facts: Facts): readonly Statement[] {
  const { ahead, waitingPods } = facts;
  const { condition, queue, shortages } = proof;
  const isAgreed = condition?.status === 'False' && condition.message.includes(quotaWords);
  const { ResourceFlavor } = snapshot.index.objects;
  const unreadFlavors = [...new Set(shortages.map(({ flavor }) => flavor))].filter(
    (flavor) => !ResourceFlavor.some(({ metadata }) => metadata.name === flavor),
  );
  const unread = unreadOf(snapshot, 'Workload', 'LocalQueue', 'ClusterQueue');
  const unreadCohort = queue.spec.cohort === undefined ? undefined : unreadOf(snapshot, 'Cohort');
  return [
    ...(isAgreed
      ? []
      : condition === undefined || condition.message === ''
        ? silenceOf(snapshot, proof)
        : [state('kueue-differs', { said: condition.message })]),
    ...(ahead.length === 0 ? [] : [state('others-first', { workloads: ahead })]),
    ...(waitingPods.length === 0 ? [] : [state('others-wait', { pods: waitingPods })]),
    ...(unreadFlavors.length === 0 ? [] : [state('flavors-unread', { flavors: unreadFlavors })]),
    ...(unread === undefined ? [] : [deadlock('unread', { what: unread.what, because: unread.because })]),
    ...(unreadCohort === undefined
      ? []
      : [deadlock('unread', { what: unreadCohort.what, because: unreadCohort.because })]),
  ];
}

/** In strict order Kueue evaluates the first Workload only, and those before this one are named. */
function silenceOf({ index }: Snapshot, { queue, workload, ahead }: QueueProof): readonly Statement[] {
  if (queue.spec.queueingStrategy === 'StrictFIFO' && ahead.length > 0) return [];
  const created = Date.parse(workload.metadata.creationTimestamp ?? '');
  const isActive = index.objects.Workload.some(({ status }) =>
    status.conditions.some((each) => Date.parse(each.lastTransitionTime ?? '') >= created),
  );
  return [state('kueue-silent', { isActive })];
}

function reasoningOf(snapshot: Snapshot, proof: QueueProof, facts: Facts): readonly Statement[] {
  const { queue, rollout, holders, localQueue } = proof;
  const [first] = facts.short;
  return [
    ...(first === undefined
      ? []
      : [
          state('waits', { pods: facts.pods, queue: queue.metadata.name, localQueue, ...first }),
          state('held', { pods: podNames(holders), resource: first.resource, charged: facts.charged }),
        ]),
    strategyStatement(rollout),
    inRole(
      'conclusion',
      state('counterfactual', { without: facts.admittedWithout, queue: queue.metadata.name }),
    ),
    ...(facts.fitsNowhere ? [state('then-nowhere')] : []),
    ...alikeStatements(proof),
    ...(facts.ahead.length > 0 ? [] : [state('first-in-queue')]),
    servedStatement(snapshot),
  ];
}

function evidenceOf(snapshot: Snapshot, proof: QueueProof): readonly Evidence[] {
  const { queue, reporter, condition, shortages, holders, usage, gated, rollout } = proof;
  const [{ flavor, resource, atMost }] = shortages;
  const key = flavorKey(flavor, resource);
  const requested = requestsOfPod(gated[0]).get(resource) ?? 0n;
  return [
    {
      object: { kind: 'Workload', namespace: reporter.metadata.namespace, name: reporter.metadata.name },
      field: 'status.conditions[QuotaReserved]',
      value: condition === undefined ? '' : `${condition.status} ${condition.reason}: ${condition.message}`,
      ...(condition?.lastTransitionTime === undefined ? {} : { at: condition.lastTransitionTime }),
      says: state('ev-workload', {
        pod: gated[0].metadata.name,
        requested: asText(resource, requested),
        resource,
      }),
    },
    {
      object: { kind: 'ClusterQueue', namespace: '', name: queue.metadata.name },
      field: 'spec.resourceGroups',
      value: `${resource} in ${flavor}: ${asText(resource, usage.get(key) ?? 0n)} of ${asText(resource, atMost)}`,
      says: state('ev-queue'),
    },
    ...holders.flatMap((pod): readonly Evidence[] => {
      const held = queuedWorkloadOf(snapshot.index, pod);
      if (held === undefined) return [];
      const amount = asText(resource, usageOf(held).get(key) ?? 0n);
      return [
        {
          object: { kind: 'Workload', namespace: held.metadata.namespace, name: held.metadata.name },
          field: 'status.admission.podSetAssignments',
          value: `${resource}=${amount} in ${flavor}`,
          ...(held.metadata.creationTimestamp === undefined ? {} : { at: held.metadata.creationTimestamp }),
          says: state('ev-holder', { pod: pod.metadata.name, resource, amount }),
        },
      ];
    }),
    ...strategyEvidence(rollout),
  ];
}

function ruledOutOf({ gated, release }: QueueProof): readonly RuledOut[] {
  return [
    { cause: 'surge-deadlock', because: state('because-not-tried', { pod: gated[0].metadata.name }) },
    { cause: 'quota-deadlock', because: state('because-created', { pod: gated[0].metadata.name }) },
    { cause: 'scheduling-gated', because: state('because-own-pods', { pods: podNames(release) }) },
    { cause: 'rollout-paused', because: deadlock('because-not-paused') },
    { cause: 'slow rollout', because: deadlock('because-fixed-point') },
  ];
}

function adviceFor(
  { workload }: Snapshot,
  { queue, shortages }: QueueProof,
  offered: Parameters<typeof lastingAdvice>[1],
): readonly Advice[] {
  const lasting = lastingAdvice(workload, offered);
  const { namespace } = workload.metadata;
  return [
    ...(lasting === undefined ? [] : [lasting]),
    {
      title: state('advice-raise-title', { queue: queue.metadata.name }),
      text: state('advice-raise', {
        short: shortagesOf(shortages)
          .slice(0, 1)
          .map(({ resource, requested, flavor }) => ({ resource, requested, flavor })),
      }),
    },
    {
      title: state('advice-watch-title'),
      text: state('advice-watch'),
      snippet: `kubectl -n ${namespace} get workloads.kueue.x-k8s.io\n`,
    },
  ];
}

/**
 * What frees the rollout as the engines see it, best first: an old pod gives its quota back, and the new pod
 * finds a node.
 */
function remediesFor(examination: Examination, { rollout, queue, workload }: QueueProof): Fixes {
  const { snapshot, placement } = examination;
  const simulator = queueSimulator(snapshot.index, queue, podSimulatorWithoutQueue(examination), workload);
  const input = { snapshot, placement, state: rollout.state, simulator, waiting: rollout.blocked };
  const patches = proposePatchStrategy(input);
  const scaleDown = proposeScaleDownOld(input);
  const undo = rollBackOf(examination, { origin: 'rollout', simulator });
  return {
    remediations: [...patches.remediations, ...scaleDown.remediations, ...undo.remediations],
    withheld: [
      { kind: 'restart-rollout', because: state('restart-withheld') },
      ...notRecommendedPatches(patches),
      ...scaleDown.withheld,
      ...undo.withheld,
    ],
  };
}
