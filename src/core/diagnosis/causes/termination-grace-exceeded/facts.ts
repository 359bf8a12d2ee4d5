import * as z from 'zod';
import { fact } from '../../facts.js';

export const TerminationGraceExceededFacts = z.strictObject({
  pod: fact.text('Name of the pod'),
  graceSeconds: fact.seconds('Its grace period'),
  overdueSeconds: fact.seconds('Time since the end of the grace period'),
  latePods: fact.names('All pods of the workload that are late'),
  preStop: z
    .array(
      z.strictObject({
        container: fact.text('Name of the container'),
        what: fact.text('What its hook does'),
      }),
    )
    .describe('Its preStop hooks'),
  message: fact.text('What the kubelet reports').optional(),
});
