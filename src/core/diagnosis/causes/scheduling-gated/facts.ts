import * as z from 'zod';
import { fact } from '../../facts.js';
import { queueFacts, shortagesFact } from '../../queue/facts.js';

export const SchedulingGatedFacts = z.strictObject({
  pods: fact.names('Pods that have scheduling gates'),
  gates: fact.names('Names of the gates'),
  gatesOfTemplate: fact.names('Those that the pod template sets'),
  gatesAdded: fact.names('Those that something adds when a pod is created'),
  gatedSeconds: fact.seconds('How long the pod that waits longest has waited').optional(),
  queue: z
    .strictObject({
      ...queueFacts,
      waitsFor: fact.oneOf(
        [
          'no-workload',
          'no-local-queue',
          'no-cluster-queue',
          'stopped',
          'inactive',
          'namespace',
          'deactivated',
          'held-by',
          'checks',
          'admitted',
          'pods-ready',
          'topology',
          'no-flavor',
          'uncovered',
          'beyond-maximum',
          'preemption',
          'quota',
          'turn',
        ],
        'What keeps Kueue from admitting it',
      ),
      short: shortagesFact,
      usedBy: fact.names('Workloads, as `namespace/name`, that use what is missing'),
      ahead: fact.names('Workloads, as `namespace/name`, before it in the queue'),
      checks: fact.names('AdmissionChecks that are not ready'),
    })
    .describe("State of the first pod in Kueue's queue; absent where no object of Kueue was read")
    .optional(),
});
