import * as z from 'zod';
import type { Statement } from '../../../engine/language/statement.js';
import type { ResourceKind } from '../../../engine/objects/cluster-objects.js';
import type { ClusterQueue } from '../../../engine/objects/kueue.js';
import { isObjectName } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnread } from '../../../engine/objects/unread.js';
import { type Queued, queuedOf, type Wait } from '../../../engine/queues/queue-state.js';
import { nameOfQueued, reservingIn } from '../../../engine/queues/queued-workload.js';
import type { Shortage } from '../../../engine/queues/quota-assignment.js';
import { flavorKey, queuesOfCohort, usageOf } from '../../../engine/queues/quota-assignment.js';
import { fact } from '../../findings/facts.js';
import type { Advice, Evidence } from '../../findings/finding.js';
import {
  alikeStatements,
  queueFacts,
  queueFactsOf,
  shortagesFact,
  shortagesOf,
} from '../../findings/queue-facts.js';
import { state } from './text.js';

/** Where the first pod at Kueue's gate stands. */
export const QueueFacts = z
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
  .describe("State of the first pod in Kueue's queue; absent where no object of Kueue was read");
export type QueueFacts = z.output<typeof QueueFacts>;

export type QueueState = { readonly queued: Queued; readonly facts: QueueFacts };

/** What does not exist, unless it could not be read. */
const absentKinds: ReadonlyMap<string, ResourceKind> = new Map([
  ['no-workload', 'Workload'],
  ['no-local-queue', 'LocalQueue'],
  ['no-cluster-queue', 'ClusterQueue'],
]);

/** Where the first pod at Kueue's gate stands; `undefined` where no object of Kueue was read. */
export function queueStateOf(snapshot: Snapshot, pod: Pod): QueueState | undefined {
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
export function queueStatements(queued: Queued, facts: QueueFacts): readonly Statement[] {
  const said = queued.condition?.status === 'False' ? queued.condition.message : '';
  return [
    ...waitStatements(queued, facts),
    ...(facts.ahead.length === 0 ? [] : [state('queue-ahead', { workloads: facts.ahead })]),
    ...alikeStatements(queued),
    ...(said === '' ? [] : [state('queue-said', { said })]),
  ];
}

/** A group of pods, of which not all exist. */
function lacksPods(wait: Wait): wait is Wait & { readonly found: number; readonly total: number } {
  return (
    wait.kind === 'no-workload' &&
    wait.found !== undefined &&
    wait.total !== undefined &&
    wait.found < wait.total
  );
}

function waitStatements({ wait }: Queued, facts: QueueFacts): readonly Statement[] {
  const { localQueue: queue, clusterQueue = '', short, usedBy } = facts;
  switch (wait.kind) {
    case 'no-workload':
      return [
        lacksPods(wait)
          ? state('queue-group-incomplete', { found: wait.found, total: wait.total })
          : state('queue-no-workload'),
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

export function queueEvidence({ reporter, condition }: Queued): readonly Evidence[] {
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

/** What people can do about it, and the command that shows the object in question. */
export function queueAdvice(
  namespace: string,
  { queued, facts: { waitsFor, clusterQueue } }: QueueState,
): Advice {
  if (lacksPods(queued.wait)) return { title: state('do-group-title'), text: state('do-group') };
  // Kueue may evict others for the quota, and what helps is the same.
  const missing = waitsFor === 'preemption' ? 'quota' : waitsFor;
  return {
    title: state(`do-${missing}-title`),
    text: state(`do-${missing}`, { namespace, clusterQueue }),
    snippet: `kubectl ${shownBy(namespace, { waitsFor, clusterQueue })}\n`,
  };
}

function shownBy(
  namespace: string,
  { waitsFor, clusterQueue }: Pick<QueueFacts, 'waitsFor' | 'clusterQueue'>,
): string {
  switch (waitsFor) {
    case 'no-local-queue':
    case 'no-cluster-queue':
    case 'stopped':
      return `-n ${namespace} get localqueues.kueue.x-k8s.io,clusterqueues.kueue.x-k8s.io -o yaml`;
    case 'inactive':
    case 'namespace':
    case 'no-flavor':
    case 'uncovered':
    case 'beyond-maximum':
      return `get clusterqueues.kueue.x-k8s.io${clusterQueue !== undefined && isObjectName(clusterQueue) ? ` ${clusterQueue}` : ''} -o yaml`;
    default:
      return `-n ${namespace} get workloads.kueue.x-k8s.io`;
  }
}
