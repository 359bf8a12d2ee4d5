import * as z from 'zod';
import { crashFacts, programFacts } from '../../crashes/facts.js';
import { fact } from '../../facts.js';

export const InitContainerStuckFacts = z.strictObject({
  ...crashFacts,
  runningSeconds: fact.seconds('How long the container has been running, in the pod where it runs longest'),
  command: programFacts.command,
  containersWaiting: fact.names('Containers of the pod that start after it'),
  unreadyServices: z
    .array(
      z.strictObject({
        name: fact.text('Name of the workload'),
        ready: fact.count('Its ready pods'),
        wanted: fact.count('Pods that it should have'),
      }),
    )
    .describe('Workloads of the namespace that the command names and that have too few ready pods'),
});
