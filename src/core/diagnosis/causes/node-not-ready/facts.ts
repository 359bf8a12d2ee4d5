import * as z from 'zod';
import { fact } from '../../facts.js';
import { waitingFacts } from '../../waiting/facts.js';

export const NodeNotReadyFacts = z.strictObject({
  troubles: z
    .array(
      z.strictObject({
        node: fact.text('Name of the node'),
        status: fact
          .text('Status of its condition Ready; absent where only taints show the trouble')
          .optional(),
        reason: fact.text('Reason of the condition').optional(),
        message: fact.text('Message of the condition').optional(),
        since: fact.time('Since when the condition has this status').optional(),
        isCordoned: fact.flag('It is cordoned as well').optional(),
        taints: fact.names('Taints of the node, as `key:effect`').optional(),
      }),
    )
    .describe('The nodes that are not ready'),
  lostPods: z
    .array(
      z.strictObject({
        pod: fact.text('Name of the pod'),
        node: fact.text('Its node'),
        fate: fact.oneOf(
          ['stuck', 'evicted', 'stays', 'unknown'],
          '`evicted`: deleted at `at`; `stays`: tolerated without limit; `stuck`: deleted, and nothing confirms its end',
        ),
        at: fact.time('When it is evicted').optional(),
      }),
    )
    .describe('Pods of the workload on these nodes'),
  waiting: z
    .strictObject(waitingFacts)
    .describe('The pods that wait for a node, where the cause was found by them')
    .optional(),
  fitsWhenReady: fact.flag('A waiting pod fits on these nodes once they are ready').optional(),
});
