import * as z from 'zod';
import { crashFacts, missingObjectFacts, timesFact } from '../../crashes/facts.js';
import { fact } from '../../facts.js';

export const MountFailureFacts = z.strictObject({
  ...crashFacts,
  volume: fact.text('Name of the volume in the pod, where it is known').optional(),
  missing: z
    .strictObject({
      ...missingObjectFacts,
    })
    .describe('What the volume is made of and does not exist; absent for other failures')
    .optional(),
  sinceSeconds: fact.seconds('Time since the first failure').optional(),
  times: timesFact,
});
