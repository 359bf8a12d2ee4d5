import * as z from 'zod';
import { crashFacts, memoryFacts } from '../../crashes/facts.js';
import { fact } from '../../facts.js';

export const OutOfMemoryFacts = z.strictObject({
  ...crashFacts,
  limit: fact.quantity('The memory limit that was met first'),
  isPodLimit: fact.flag('It is the limit of the whole pod'),
  podLimit: fact
    .quantity(
      'Memory limit of the whole pod, where the container has a limit of its own and others share the pod',
    )
    .optional(),
  ...memoryFacts,
  limitCut: z
    .strictObject({
      before: fact.quantity('Memory limit of that revision; absent where it had none').optional(),
      revision: fact.count('Number of the former revision'),
    })
    .describe('The present revision lowered the limit')
    .optional(),
  memoryVolumes: fact
    .names('Volumes of the container that lie in memory and count against the limit')
    .optional(),
  jvmHeap: z
    .strictObject({
      flag: fact.text('The flag that sets the heap'),
      from: fact.text('The variable that holds the flag, or `args`'),
      heap: fact.quantity('The heap that the flag allows'),
    })
    .describe('Heap of a Java program, where its flags show it')
    .optional(),
});
