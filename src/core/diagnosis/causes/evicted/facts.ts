import * as z from 'zod';
import { crashFacts, memoryFacts } from '../../crashes/facts.js';
import { fact } from '../../facts.js';

export const EvictedFacts = z.strictObject({
  ...crashFacts,
  isOwnLimit: fact.flag('The pods used more than their own limit; the node lacked nothing'),
  requests: fact.list(z.string(), 'Requests of the containers for that resource (Kubernetes quantities)'),
  qosClass: memoryFacts.qosClass,
  pressures: z
    .array(z.strictObject({ node: fact.text('Name of the node'), condition: fact.text('Its condition') }))
    .describe('Pressures that the nodes report now'),
  endedWell: fact.count(
    'Evicted pods that ended in good order: phase Succeeded, the eviction only in an event',
  ),
  endedWithoutReason: fact.count(
    'Further pods of the revision in phase Succeeded, of which neither status nor event gives the reason',
  ),
  storageCuts: z
    .array(
      z.strictObject({
        of: fact.oneOf(['container', 'volume'], 'Whose limit it is'),
        name: fact.text('Name of the container or volume'),
        limit: fact.quantity('The limit now'),
        before: fact.quantity('The limit of the former revision; absent where it had none').optional(),
        revision: fact.count('Number of the former revision'),
      }),
    )
    .describe('Limits of local storage that the present revision lowered'),
});
