import * as z from 'zod';
import { greatestOf } from '../../../engine/collections/collections.js';
import type { Statement } from '../../../engine/language/statement.js';
import type { ResourceKind } from '../../../engine/objects/cluster-objects.js';
import { type ClusterQueue, kueueKinds, kueueMarks } from '../../../engine/objects/kueue.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { hasNode, isActive, type Pod, refOf } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnread, isUnrecorded, unreadOf } from '../../../engine/objects/unread.js';
import { hasDeploymentStrategy, workloadKinds } from '../../../engine/objects/workload.js';
import { queuesOfCohort } from '../../../engine/queues/cohort-quota.js';
import { flavorKey, usageOf } from '../../../engine/queues/flavor-amounts.js';
import { type Queued, queuedOf } from '../../../engine/queues/queue-state.js';
import { isHeldByKueue, nameOfQueued, reservingIn } from '../../../engine/queues/queued-workload.js';
import type { Shortage } from '../../../engine/queues/quota-assignment.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, Evidence } from '../../findings/finding.js';
import {
  alikeStatements,
  queueFacts,
  queueFactsOf,
  shortagesFact,
  shortagesOf,
} from '../../findings/queue-facts.js';
import { readinessOf } from '../../findings/readiness-of.js';
import type { Detected, Rule } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { sentenceOf } from '../../findings/waiting/sentence.js';
import type { NotRecommended } from '../../fixes/remediation.js';
import { state, text } from './text.js';

const SchedulingGatedFacts = z.strictObject({
  pods: fact.names('Pods that have scheduling gates'),
  gates: fact.names('Names of the gates'),
  gatesOfTemplate: fact.names('Those that the pod template sets'),
  gatesAdded: fact.names('Those that something adds when a pod is created'),
  gatedSeconds: fact.seconds('How long the pod that waits longest has waited').optional(),
  queue: z
    .strictObject({
      ...queueFacts,
      waitsFor: fact.oneOf(
        [
          'no-workload',
          'no-local-queue',
          'no-cluster-queue',
          'stopped',
          'inactive',
          'namespace',
          'deactivated',
          'held-by',
          'checks',
          'admitted',
          'pods-ready',
          'topology',
          'no-flavor',
          'uncovered',
          'beyond-maximum',
          'preemption',
          'quota',
          'turn',
        ],
        'What keeps Kueue from admitting it',
      ),
      short: shortagesFact,
      usedBy: fact.names('Workloads, as `namespace/name`, that use what is missing'),
      ahead: fact.names('Workloads, as `namespace/name`, before it in the queue'),
      checks: fact.names('AdmissionChecks that are not ready'),
    })
    .describe("State of the first pod in Kueue's queue; absent where no object of Kueue was read")
    .optional(),
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
  undecidedBy: (snapshot) =>
    rolloutStateOf(snapshot).pods.some(
      (pod) => isActive(pod) && !hasNode(pod) && sentenceOf(pod) === undefined,
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
      { cause: 'insufficient-capacity', because: state('because-not-tried', { pod: pods[0].metadata.name }) },
      { cause: 'surge-deadlock', because: state('because-not-room') },
      { cause: 'crash-loop-after-rollout', because: state('because-never-started') },
    ],
    nextAttempt: { what: state('next-attempt') },
    withheld: notRecommendedOf(
      hasDeploymentStrategy({ kind }) && ready.pods > 0,
      queue?.facts.waitsFor === 'topology'
        ? 'patch-not-simulated'
        : unreadQueues(snapshot, gates).length > 0
          ? 'patch-unread'
          : 'patch-withheld',
    ),
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

function adviceOf({ workload }: Snapshot, gates: readonly string[]): readonly Advice[] {
  const { namespace } = workload.metadata;
  const declared = workload.spec.template.spec.schedulingGates.length > 0;
  const others = gates.filter((gate) => !isOfKueue(gate));
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

type QueueFacts = NonNullable<FactsOf<typeof SchedulingGatedFacts>['queue']>;
type QueueState = { readonly queued: Queued; readonly facts: QueueFacts };

/** What does not exist, unless it could not be read. */
const absentKinds: ReadonlyMap<string, ResourceKind> = new Map([
  ['no-workload', 'Workload'],
  ['no-local-queue', 'LocalQueue'],
  ['no-cluster-queue', 'ClusterQueue'],
]);

/** Where the first pod at Kueue's gate stands; `undefined` where no object of Kueue was read. */
function queueStateOf(snapshot: Snapshot, pod: Pod): QueueState | undefined {
  const { index } = snapshot;
  const queued = queuedOf(index, pod);
  if (queued === undefined) return undefined;
  const { wait, clusterQueue, ahead } = queued;
  const absent = absentKinds.get(wait.kind);
  if (absent !== undefined && isUnread(snapshot, absent)) return undefined;
  const shortages = 'shortages' in wait ? wait.shortages : [];
  const usersOf = (queues: readonly ClusterQueue[]) =>
    queues
      .flatMap((each) => reservingIn(index, each))
      .filter((each) => usesAny(usageOf(each), shortages))
      .map(nameOfQueued);
  const own = clusterQueue === undefined ? [] : usersOf([clusterQueue]);
  // What the cohort lent may have been taken back.
  const ofCohort =
    clusterQueue === undefined || own.length > 0 ? [] : usersOf(queuesOfCohort(index.objects, clusterQueue));
  return {
    queued,
    facts: {
      ...queueFactsOf(queued),
      waitsFor: wait.kind,
      short: shortagesOf(shortages),
      usedBy: own.length > 0 ? own : ofCohort,
      ahead: ahead.map(nameOfQueued),
      checks: wait.kind === 'checks' ? wait.checks.map(({ name }) => name) : [],
    },
  };
}

function usesAny(usage: ReadonlyMap<string, bigint>, shortages: readonly Shortage[]): boolean {
  return shortages.some(({ flavor, resource }) => (usage.get(flavorKey(flavor, resource)) ?? 0n) > 0n);
}

/** What the pod waits for, then what Kueue says where that adds something. */
function queueStatements(queued: Queued, facts: QueueFacts): readonly Statement[] {
  const said = queued.condition?.status === 'False' ? queued.condition.message : '';
  return [
    ...waitStatements(queued, facts),
    ...(facts.ahead.length === 0 ? [] : [state('queue-ahead', { workloads: facts.ahead })]),
    ...alikeStatements(queued),
    ...(said === '' ? [] : [state('queue-said', { said })]),
  ];
}

function waitStatements({ wait }: Queued, facts: QueueFacts): readonly Statement[] {
  const { localQueue: queue, clusterQueue = '', short, usedBy } = facts;
  switch (wait.kind) {
    case 'no-workload':
      return [
        wait.total === undefined || wait.found === undefined || wait.found >= wait.total
          ? state('queue-no-workload')
          : state('queue-group-incomplete', { found: wait.found, total: wait.total }),
      ];
    case 'no-local-queue':
      return [queue === '' ? state('kueue', { queue: undefined }) : state('queue-missing', { queue })];
    case 'no-cluster-queue':
      return [state('queue-cluster-queue-missing', { queue, clusterQueue })];
    case 'stopped':
      return [
        state('queue-stopped', {
          kind: wait.by,
          name: wait.by === 'LocalQueue' ? queue : clusterQueue,
          policy: wait.policy,
        }),
      ];
    case 'inactive':
      return [
        state('queue-inactive', {
          name: clusterQueue,
          reason: wait.condition.reason,
          said: wait.condition.message,
        }),
      ];
    case 'namespace':
      return [state('queue-namespace', { clusterQueue })];
    case 'deactivated':
      return [state('queue-deactivated')];
    case 'held-by':
      return [state('queue-held-by', { controllers: wait.controllers })];
    case 'checks':
      return wait.checks.length === 0
        ? [state('queue-checks-assigned')]
        : wait.checks.map(({ name, state: of, message }) =>
            state('queue-check', { name, state: of, said: message }),
          );
    case 'admitted':
      return [state('queue-admitted')];
    case 'pods-ready': {
      const workloads = wait.workloads.map(nameOfQueued);
      if (!wait.isReported) return [state('queue-may-block', { clusterQueue, workloads })];
      if (workloads.length === 0) return [state('queue-pods-ready')];
      return [state('queue-pods-ready-of', { workloads })];
    }
    case 'topology':
      return [state('queue-topology', { clusterQueue, flavors: wait.flavors })];
    case 'no-flavor':
      return [state('queue-no-flavor', { clusterQueue, flavors: wait.flavors })];
    case 'uncovered':
      return [state('queue-uncovered', { clusterQueue, resources: wait.resources })];
    case 'beyond-maximum':
      return short.length === 0
        ? [state('queue-said-to-exceed', { queue })]
        : short.map((each) => state('queue-beyond-maximum', { clusterQueue, ...each }));
    case 'preemption':
      return [
        ...short.map((each) => state('queue-short', { clusterQueue, ...each })),
        ...(wait.evicted.length === 0
          ? []
          : [state('queue-preemption', { workloads: wait.evicted.map(nameOfQueued) })]),
      ];
    case 'quota':
      return [
        ...short.map((each) => state('queue-short', { clusterQueue, ...each })),
        ...(usedBy.length === 0 ? [] : [state('queue-used-by', { workloads: usedBy })]),
      ];
    case 'turn':
      return [state('queue-turn', { clusterQueue })];
  }
}

function queueEvidence({ reporter, condition }: Queued): readonly Evidence[] {
  if (reporter === undefined || condition === undefined) return [];
  const { namespace, name } = reporter.metadata;
  return [
    {
      object: { kind: 'Workload', namespace, name },
      field: 'status.conditions[QuotaReserved]',
      value: `${condition.status} ${condition.reason}: ${condition.message}`,
      ...(condition.lastTransitionTime === undefined ? {} : { at: condition.lastTransitionTime }),
      says: state('ev-queue'),
    },
  ];
}
