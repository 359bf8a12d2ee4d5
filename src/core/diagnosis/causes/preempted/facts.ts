import * as z from 'zod';
import { fact } from '../../facts.js';
import { waitingFacts } from '../../waiting/facts.js';

export const PreemptedFacts = z.strictObject({
  ...waitingFacts,
  preempted: z
    .array(
      z.strictObject({
        pod: fact.text('Name of the pod'),
        node: fact.text('Its node').optional(),
        at: fact.time('When it was preempted'),
      }),
    )
    .describe('Pods that the scheduler preempted in the last hour'),
  preemptors: z
    .array(
      z.strictObject({
        pod: fact.text('Name of the pod'),
        workload: fact.text('Its workload, as `namespace/name`'),
        kind: fact.text('Kind of the workload'),
        priority: fact.number('Its priority'),
      }),
    )
    .describe('Pods that took their place, as far as they are known'),
  priority: fact.number('Priority of the waiting pods'),
  fitsWithout: z
    .strictObject({
      node: fact.text('Name of the node'),
      pods: fact.names('The preemptors, as `namespace/name`'),
    })
    .describe('Where a waiting pod fits without preemptors')
    .optional(),
});
