import * as z from 'zod';
import { fact } from '../../facts.js';
import { waitingFacts } from '../../waiting/facts.js';

export const NodeCordonedFacts = z.strictObject({
  ...waitingFacts,
  cordons: z
    .array(
      z.strictObject({
        node: fact.text('Name of the node'),
        since: fact.time('When it was cordoned').optional(),
        by: fact.text('Who cordoned it, as the API server recorded the writer').optional(),
      }),
    )
    .describe('The cordoned nodes'),
  fitsUncordoned: fact.flag('A waiting pod fits on them once they are uncordoned'),
});
