import * as z from 'zod';
import { greatestOf } from '../../../engine/collections/collections.js';
import type { Statement } from '../../../engine/language/statement.js';
import { kueueKinds, kueueMarks } from '../../../engine/objects/kueue.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { hasNode, isActive, type Pod, refOf } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnrecorded, unreadOf } from '../../../engine/objects/unread.js';
import { hasDeploymentStrategy, workloadKinds } from '../../../engine/objects/workload.js';
import { isHeldByKueue } from '../../../engine/queues/queued-workload.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, Evidence } from '../../findings/finding.js';
import { readinessOf } from '../../findings/readiness-of.js';
import type { Detected, Rule } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { sentenceOf } from '../../findings/waiting/sentence.js';
import type { NotRecommended } from '../../fixes/remediation.js';
import type { QueueState } from './queue.js';
import { QueueFacts, queueAdvice, queueEvidence, queueStatements, queueStateOf } from './queue.js';
import { state, text } from './text.js';

const SchedulingGatedFacts = z.strictObject({
  pods: fact.names('Pods that have scheduling gates'),
  gates: fact.names('Names of the gates'),
  gatesOfTemplate: fact.names('Those that the pod template sets'),
  gatesAdded: fact.names('Those that something adds when a pod is created'),
  gatedSeconds: fact.seconds('How long the pod that waits longest has waited').optional(),
  queue: QueueFacts.optional(),
});

/**
 * Pods that carry scheduling gates, so that the scheduler does not look at them (KEP-3521, condition
 * SchedulingGated). A queue admits in seconds; a gate that is younger than a minute is no finding.
 */
export const schedulingGated: Rule<typeof SchedulingGatedFacts> = {
  id: 'scheduling-gated',
  facts: SchedulingGatedFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: ['ReplicaSet', 'Pod', 'HorizontalPodAutoscaler'],
  supersedes: ['progress-deadline-exceeded'],
  // The API server gives a pod with gates the condition when it stores the pod.
  undecidedBy: (snapshot) =>
    rolloutStateOf(snapshot).pods.some(
      (pod) =>
        isActive(pod) &&
        !hasNode(pod) &&
        conditionOf(pod.status, 'PodScheduled') !== undefined &&
        sentenceOf(pod) === undefined,
    ) && isUnrecorded(snapshot, 'Pod', 'spec.schedulingGates')
      ? ['Pod spec.schedulingGates']
      : [],
  detect({ snapshot }) {
    const [first, ...more] = rolloutStateOf(snapshot).pods.filter((pod) => isHeldBack(snapshot, pod));
    return first === undefined ? undefined : findingOf(snapshot, [first, ...more]);
  },
};

const patienceSeconds = 60;
const isOfKueue = (gate: string): boolean => gate.startsWith(kueueMarks.prefix);

function isHeldBack(snapshot: Snapshot, pod: Pod): boolean {
  if (!isActive(pod) || hasNode(pod) || pod.spec.schedulingGates.length === 0) return false;
  return (gatedForSeconds(snapshot, pod) ?? patienceSeconds) >= patienceSeconds;
}

function gatedForSeconds(snapshot: Snapshot, pod: Pod): number | undefined {
  const since = Date.parse(pod.metadata.creationTimestamp ?? '');
  return Number.isNaN(since) ? undefined : Math.max(0, (nowOf(snapshot) - since) / 1000);
}

type Gated = readonly [Pod, ...Pod[]];

function findingOf(snapshot: Snapshot, pods: Gated): Detected<typeof SchedulingGatedFacts> {
  const { kind } = snapshot.workload;
  const gates = [...new Set(pods.flatMap(gatesOf))].sort();
  const ready = readinessOf(snapshot);
  const waits = pods.map((pod) => gatedForSeconds(snapshot, pod)).filter((each) => each !== undefined);
  const declared = new Set(snapshot.workload.spec.template.spec.schedulingGates.map(({ name }) => name));
  const atKueue = pods.find(isHeldByKueue);
  const queue = atKueue && queueStateOf(snapshot, atKueue);
  const facts = {
    pods: pods.map((pod) => pod.metadata.name),
    gates,
    gatesOfTemplate: gates.filter((gate) => declared.has(gate)),
    gatesAdded: areGatesAssumed(snapshot) ? [] : gates.filter((gate) => !declared.has(gate)),
    gatedSeconds: waits.length === 0 ? undefined : greatestOf(waits),
    ...(queue === undefined ? {} : { queue: queue.facts }),
  };
  return {
    confidence: 'proven',
    facts,
    summary: state('summary', { workload: workloadName(snapshot), pods: facts.pods.length, gates }),
    standing: state('standing', {
      waiting: facts.pods.length,
      forSeconds: facts.gatedSeconds,
      ready: ready.pods,
      wanted: ready.wanted,
    }),
    reasoning: [
      ...reasoningOf(snapshot, pods[0], facts),
      ...(queue === undefined ? unreadQueues(snapshot, gates) : queueStatements(queue.queued, queue.facts)),
    ],
    evidence: [
      ...pods.slice(0, shownPods).flatMap((pod) => evidenceOf(snapshot, pod)),
      ...(queue === undefined ? [] : queueEvidence(queue.queued)),
    ],
    ruledOut: [
      { cause: 'insufficient-capacity', because: state('because-not-tried', { pod: pods[0].metadata.name }) },
      { cause: 'surge-deadlock', because: state('because-not-room') },
      { cause: 'crash-loop-after-rollout', because: state('because-never-started') },
    ],
    nextAttempt: { what: state('next-attempt') },
    weakenedBy: areGatesAssumed(snapshot) ? [state('gate-assumed')] : [],
    withheld: notRecommendedOf(
      hasDeploymentStrategy({ kind }) && ready.pods > 0,
      queue?.facts.waitsFor === 'topology'
        ? 'patch-not-simulated'
        : unreadQueues(snapshot, gates).length > 0
          ? 'patch-unread'
          : 'patch-withheld',
    ),
    advice: adviceOf(snapshot, gates, queue),
  };
}

const shownPods = 10;

function gatesOf(pod: Pod): readonly string[] {
  return pod.spec.schedulingGates.map(({ name }) => name);
}

/** Text prints no gates: the reader of text takes pods of Kueue to have theirs. */
function areGatesAssumed(snapshot: Snapshot): boolean {
  return isUnrecorded(snapshot, 'Pod', 'spec.schedulingGates');
}

function reasoningOf(
  snapshot: Snapshot,
  first: Pod,
  { pods, gates, gatesOfTemplate, gatesAdded, queue }: FactsOf<typeof SchedulingGatedFacts>,
): readonly Statement[] {
  return [
    areGatesAssumed(snapshot) ? state('held-untried', { pods }) : state('gated', { pods, gates }),
    ...(gatesOfTemplate.length === 0 ? [] : [state('from-template', { gates: gatesOfTemplate })]),
    ...(gatesAdded.length === 0 ? [] : [state('from-webhook', { gates: gatesAdded })]),
    ...gates.filter((gate) => queue === undefined || !isOfKueue(gate)).map((gate) => lifterOf(gate, first)),
  ];
}

/** The objects of Kueue exist, and RBAC or an error keeps them from being read. */
function unreadQueues(snapshot: Snapshot, gates: readonly string[]): readonly Statement[] {
  const unread = gates.some(isOfKueue) ? unreadOf(snapshot, ...kueueKinds) : undefined;
  return unread === undefined ? [] : [state('queue-unread', { because: unread.because })];
}

/** Gates are named like labels: before the slash stands whose they are. */
function lifterOf(gate: string, { metadata }: Pod): Statement {
  if (isOfKueue(gate)) return state('kueue', { queue: metadata.labels[`${kueueMarks.prefix}queue-name`] });
  const [domain, name] = gate.split('/');
  return domain === undefined || name === undefined
    ? state('own-gate', { gate })
    : state('removed-by', { gate, domain });
}

function evidenceOf(snapshot: Snapshot, pod: Pod): readonly Evidence[] {
  const object = refOf(pod);
  const scheduled = conditionOf(pod.status, 'PodScheduled');
  const at = scheduled?.lastTransitionTime ?? pod.metadata.creationTimestamp;
  if (areGatesAssumed(snapshot)) {
    const field = 'status.conditions[PodScheduled]';
    return [{ object, field, value: scheduled?.status ?? '', says: state('ev-untried') }];
  }
  return [
    {
      object,
      field: 'spec.schedulingGates',
      value: gatesOf(pod).join(', '),
      ...(at === undefined ? {} : { at }),
      says: state('ev-gates'),
    },
    ...(scheduled?.reason === 'SchedulingGated'
      ? [
          {
            object,
            field: 'status.conditions[PodScheduled]',
            value: `${scheduled.reason}: ${scheduled.message}`,
            ...(at === undefined ? {} : { at }),
            says: state('ev-condition'),
          },
        ]
      : []),
  ];
}

function notRecommendedOf(
  couldSpare: boolean,
  reason: 'patch-not-simulated' | 'patch-unread' | 'patch-withheld',
): readonly NotRecommended[] {
  const because = state(reason);
  return [
    { kind: 'restart-rollout', because: state('restart-withheld') },
    ...(couldSpare ? [{ kind: 'patch-strategy' as const, because }] : []),
  ];
}

function adviceOf(
  { workload }: Snapshot,
  gates: readonly string[],
  queue: QueueState | undefined,
): readonly Advice[] {
  const { namespace } = workload.metadata;
  const declared = workload.spec.template.spec.schedulingGates.length > 0;
  const others = gates.filter((gate) => !isOfKueue(gate));
  return [
    ...(others.length === gates.length
      ? []
      : [
          queue === undefined
            ? {
                title: state('advice-kueue-title'),
                text: state('advice-kueue'),
                snippet: `kubectl -n ${namespace} get workloads.kueue.x-k8s.io\n`,
              }
            : queueAdvice(namespace, queue),
        ]),
    ...(others.length === 0
      ? []
      : [{ title: state('advice-owner-title'), text: state('advice-owner', { gates: others }) }]),
    ...(declared ? [{ title: state('advice-template-title'), text: state('advice-template') }] : []),
  ];
}
