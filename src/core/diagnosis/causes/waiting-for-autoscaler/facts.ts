import * as z from 'zod';
import { fact } from '../../facts.js';
import { waitingFacts } from '../../waiting/facts.js';

export const WaitingForAutoscalerFacts = z.strictObject({
  ...waitingFacts,
  order: z
    .strictObject({
      by: fact.text('Name of the autoscaler'),
      since: fact.time('Time of the order'),
      until: fact.time('When it counts as failed'),
      message: fact
        .text('What the autoscaler reports; absent where only the NodeClaim shows the order')
        .optional(),
      nodeClaim: fact.text('Name of the NodeClaim').optional(),
      stagesDone: fact.names('Conditions of the NodeClaim that are true'),
      stagesMissing: fact.names('Those that are not'),
    })
    .describe('The order of a node'),
  oldPods: fact.names('Pods of the former revision'),
});
