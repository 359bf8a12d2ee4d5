import * as z from 'zod';
import { crashFacts, endingFact } from '../../crashes/facts.js';
import { fact } from '../../facts.js';

export const CrashLoopAfterRolloutFacts = z.strictObject({
  ...crashFacts,
  ending: endingFact,
  healthyPods: fact.names('Ready pods of former revisions'),
  healthySeconds: fact.seconds('How long all of these have been ready').optional(),
  crashedAfterSeconds: fact
    .seconds(
      'From the making of the revision to its first crash; only where no pod of a former revision is left',
    )
    .optional(),
  changes: z
    .array(
      z.strictObject({
        path: fact.text('Path in the pod template'),
        before: fact.text('Value in the former revision; absent where the field is new').optional(),
        after: fact.text('Value in the present revision; absent where the field was removed').optional(),
      }),
    )
    .describe('The first fields in which the pod template differs; values are cut to 120 characters'),
  changesInAll: fact
    .count('Number of fields in which it differs; absent where the former template is not kept')
    .optional(),
});
