import { kueueKinds, kueueMarks } from '../../../cluster/kueue.js';
import { conditionOf } from '../../../cluster/metadata.js';
import { hasNode, isActive, type Pod } from '../../../cluster/pod.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { unreadOf } from '../../../cluster/unread.js';
import { workloadKinds } from '../../../cluster/workload.js';
import { greatestOf } from '../../../collections/collections.js';
import { isHeldByKueue } from '../../../kueue/queued-workload.js';
import type { Statement } from '../../../language/statement.js';
import { refOf } from '../../../remediation/price-of.js';
import type { NotRecommended } from '../../../remediation/remediation.js';
import { rolloutStateOf } from '../../../rollout/rollout-state.js';
import type { FactsOf } from '../../facts.js';
import type { Advice, Evidence } from '../../finding.js';
import { readinessOf } from '../../readiness-of.js';
import type { Detected, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { SchedulingGatedFacts } from './facts.js';
import { queueEvidence, queueStatements, queueStateOf } from './queue.js';
import { state, text } from './text.js';

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
  detect({ snapshot }) {
    const [first, ...more] = rolloutStateOf(snapshot).pods.filter((pod) => isHeldBack(snapshot, pod));
    return first === undefined ? undefined : findingOf(snapshot, [first, ...more]);
  },
};

const patienceSeconds = 60;
const { prefix: kueuePrefix } = kueueMarks;

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
    gatesAdded: gates.filter((gate) => !declared.has(gate)),
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
      ...reasoningOf(pods[0], facts),
      ...(queue === undefined ? unreadQueues(snapshot, gates) : queueStatements(queue.queued, queue.facts)),
    ],
    evidence: [
      ...pods.slice(0, shownPods).flatMap(evidenceOf),
      ...(queue === undefined ? [] : queueEvidence(queue.queued)),
    ],
    ruledOut: [
      {
        cause: 'insufficient-capacity',
        because: state('because-not-tried', { pod: pods[0].metadata.name }),
      },
      { cause: 'surge-deadlock', because: state('because-not-room') },
      { cause: 'crash-loop-after-rollout', because: state('because-never-started') },
    ],
    nextAttempt: { what: state('next-attempt') },
    withheld: notRecommendedOf(kind === 'Deployment' && ready.pods > 0, queue?.facts.waitsFor === 'topology'),
    advice: adviceOf(snapshot, gates),
  };
}

const shownPods = 10;

function gatesOf(pod: Pod): readonly string[] {
  return pod.spec.schedulingGates.map(({ name }) => name);
}

function reasoningOf(
  first: Pod,
  { pods, gates, gatesOfTemplate, gatesAdded, queue }: FactsOf<typeof SchedulingGatedFacts>,
): readonly Statement[] {
  return [
    state('gated', { pods, gates }),
    ...(gatesOfTemplate.length === 0 ? [] : [state('from-template', { gates: gatesOfTemplate })]),
    ...(gatesAdded.length === 0 ? [] : [state('from-webhook', { gates: gatesAdded })]),
    ...gates
      .filter((gate) => queue === undefined || !gate.startsWith(kueuePrefix))
      .map((gate) => lifterOf(gate, first)),
  ];
}

/** The objects of Kueue exist, and RBAC or an error keeps them from being read. */
function unreadQueues(snapshot: Snapshot, gates: readonly string[]): readonly Statement[] {
  if (!gates.some((gate) => gate.startsWith(kueuePrefix))) return [];
  const unread = unreadOf(snapshot, ...kueueKinds);
  return unread === undefined ? [] : [state('queue-unread', { because: unread.because })];
}

/** Gates are named like labels: before the slash stands whose they are. */
function lifterOf(gate: string, { metadata }: Pod): Statement {
  if (gate.startsWith(kueuePrefix))
    return state('kueue', { queue: metadata.labels[`${kueuePrefix}queue-name`] });
  const [domain, name] = gate.split('/');
  return domain === undefined || name === undefined
    ? state('own-gate', { gate })
    : state('removed-by', { gate, domain });
}

function evidenceOf(pod: Pod): readonly Evidence[] {
  const object = refOf(pod);
  const scheduled = conditionOf(pod.status, 'PodScheduled');
  const at = scheduled?.lastTransitionTime ?? pod.metadata.creationTimestamp;
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

/** @param isPlaced Kueue looks for nodes itself, among which may be those of the old pods */
function notRecommendedOf(couldSpare: boolean, isPlaced: boolean): readonly NotRecommended[] {
  const because = state(isPlaced ? 'patch-not-simulated' : 'patch-withheld');
  return [
    { kind: 'restart-rollout', because: state('restart-withheld') },
    ...(couldSpare ? [{ kind: 'patch-strategy' as const, because }] : []),
  ];
}

function adviceOf({ workload }: Snapshot, gates: readonly string[]): readonly Advice[] {
  const { namespace } = workload.metadata;
  const declared = workload.spec.template.spec.schedulingGates.length > 0;
  const others = gates.filter((gate) => !gate.startsWith(kueuePrefix));
  return [
    ...(others.length === gates.length
      ? []
      : [
          {
            title: state('advice-kueue-title'),
            text: state('advice-kueue'),
            snippet: `kubectl -n ${namespace} get workloads.kueue.x-k8s.io\n`,
          },
        ]),
    ...(others.length === 0
      ? []
      : [{ title: state('advice-owner-title'), text: state('advice-owner', { gates: others }) }]),
    ...(declared ? [{ title: state('advice-template-title'), text: state('advice-template') }] : []),
  ];
}
