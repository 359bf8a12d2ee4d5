import type { ResourceKind } from '../../../cluster/cluster-objects.js';
import type { ClusterQueue } from '../../../cluster/kueue.js';
import type { Pod } from '../../../cluster/pod.js';
import type { Snapshot } from '../../../cluster/snapshot.js';
import { isUnread } from '../../../cluster/unread.js';
import { queuesOfCohort } from '../../../kueue/cohort-quota.js';
import { flavorKey, usageOf } from '../../../kueue/flavor-amounts.js';
import { type Queued, queuedOf } from '../../../kueue/queue-state.js';
import { nameOfQueued, reservingIn } from '../../../kueue/queued-workload.js';
import type { Shortage } from '../../../kueue/quota-assignment.js';
import type { Statement } from '../../../language/statement.js';
import type { FactsOf } from '../../facts.js';
import type { Evidence } from '../../finding.js';
import { queueFactsOf, shortagesOf } from '../../queue/facts.js';
import type { SchedulingGatedFacts } from './facts.js';
import { state } from './text.js';

type QueueFacts = NonNullable<FactsOf<typeof SchedulingGatedFacts>['queue']>;

/** What does not exist, unless it could not be read. */
const absentKinds: ReadonlyMap<string, ResourceKind> = new Map([
  ['no-workload', 'Workload'],
  ['no-local-queue', 'LocalQueue'],
  ['no-cluster-queue', 'ClusterQueue'],
]);

/** Where the first pod at Kueue's gate stands; `undefined` where no object of Kueue was read. */
export function queueStateOf(
  snapshot: Snapshot,
  pod: Pod,
): { readonly queued: Queued; readonly facts: QueueFacts } | undefined {
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

/** Kueue answered for another Workload. */
function alikeStatements({ workload, reporter }: Queued): readonly Statement[] {
  return reporter === undefined || reporter === workload
    ? []
    : [state('queue-alike', { workload: nameOfQueued(reporter) })];
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
    case 'pods-ready':
      return wait.isReported
        ? [state('queue-pods-ready')]
        : [state('queue-may-block', { clusterQueue, workloads: wait.workloads.map(nameOfQueued) })];
    case 'topology':
      return [state('queue-topology', { clusterQueue, flavors: wait.flavors })];
    case 'no-flavor':
      return [state('queue-no-flavor', { clusterQueue, flavors: wait.flavors })];
    case 'uncovered':
      return [state('queue-uncovered', { clusterQueue, resources: wait.resources })];
    case 'beyond-maximum':
      return short.map((each) => state('queue-beyond-maximum', { clusterQueue, ...each }));
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
