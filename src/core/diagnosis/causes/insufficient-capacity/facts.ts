import * as z from 'zod';
import { fact } from '../../facts.js';
import { Holder, waitingFacts } from '../../waiting/facts.js';

export const InsufficientCapacityFacts = z.strictObject({
  ...waitingFacts,
  nearestNode: fact.text('The node that lacks least, or needs the fewest pods to leave').optional(),
  largestHolders: fact.list(Holder, 'Other workloads that use most of what is missing there'),
  fitsWithoutOwnRevision: fact.flag('Without pods of its own revision a waiting pod would fit'),
});
