import * as z from 'zod';
import { fact } from '../../facts.js';

export const WorkloadBeingDeletedFacts = z.strictObject({
  deleted: z
    .array(
      z.strictObject({
        kind: fact.text('Its kind'),
        name: fact.text('Its name'),
        since: fact.time('When it was deleted'),
        finalizers: fact.names('Finalizers that remain'),
        conditions: z
          .array(z.strictObject({ type: fact.text('Type'), message: fact.text('Message') }))
          .describe('Conditions in which a Namespace reports what remains'),
      }),
    )
    .describe('The namespace or the workload, or both'),
  deletingSeconds: fact.seconds('Time since the deletion of the first'),
  podsLeft: fact.names('Pods that remain'),
});
