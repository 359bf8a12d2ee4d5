import * as z from 'zod';
import { code, say } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import type { Queued } from '../../engine/queues/queue-state.js';
import { nameOfQueued } from '../../engine/queues/queued-workload.js';
import { asText, type Shortage } from '../../engine/queues/quota-assignment.js';
import { fact } from './facts.js';

/** Facts of every cause about Kueue's queues. */
export const queueFacts = {
  localQueue: fact.text('Name of the LocalQueue in the namespace of the pods'),
  clusterQueue: fact.text('Name of the ClusterQueue').optional(),
  queuedWorkload: fact.text("Kueue's Workload of the first pod").optional(),
  kueueReports: fact.text("Kueue's message about the quota").optional(),
} as const;

export const shortagesFact = z
  .array(
    z.strictObject({
      resource: fact.text('Name of the resource'),
      flavor: fact.text('Name of the ResourceFlavor'),
      requested: fact.quantity('What the Workload requests'),
      available: fact.quantity('What is left of the quota, and of what the cohort lends'),
      atMost: fact.quantity('What the ClusterQueue can have at most'),
    }),
  )
  .describe('What the flavors that the pods may use have too little of');

export function queueFactsOf({ queue, clusterQueue, workload, condition, localQueue }: Queued) {
  const named = clusterQueue?.metadata.name ?? localQueue?.spec.clusterQueue;
  return {
    localQueue: queue,
    ...(named === undefined || named === '' ? {} : { clusterQueue: named }),
    ...(workload === undefined ? {} : { queuedWorkload: workload.metadata.name }),
    ...(condition === undefined || condition.message === '' ? {} : { kueueReports: condition.message }),
  };
}

export function shortagesOf(shortages: readonly Shortage[]) {
  return shortages.map(({ resource, flavor, requested, available, atMost }) => ({
    resource,
    flavor,
    requested: asText(resource, requested),
    available: asText(resource, available),
    atMost: asText(resource, atMost),
  }));
}

const en = {
  alike: ({ workload }: { workload: string }) =>
    say`Kueue evaluates one of several equal Workloads. Its answer stands in ${code(workload)}.`,
};

const ko: typeof en = {
  alike: ({ workload }) =>
    say`Kueue는 같은 Workload가 여럿이면 하나만 평가합니다. 그 결과는 ${code(workload)} 상태에 있습니다.`,
};

export const queueText = { en, ko };

const state = statementsOf<typeof en>('queue');

/** Where Kueue answered for another Workload that is equal to the one of the pod. */
export function alikeStatements({
  workload,
  reporter,
}: Pick<Queued, 'workload' | 'reporter'>): readonly Statement[] {
  return reporter === undefined || reporter === workload
    ? []
    : [state('alike', { workload: nameOfQueued(reporter) })];
}
