import * as z from 'zod';
import { fact } from '../../facts.js';

export const ProgressDeadlineExceededFacts = z.strictObject({
  revision: fact.text('The revision that made no progress'),
  deadlineSeconds: fact.seconds('The progress deadline of the Deployment'),
  exceededSeconds: fact.seconds('Time since it passed').optional(),
  updated: fact.count('Pods of the present revision'),
  available: fact.count('Available pods'),
  old: fact.count('Pods of former revisions'),
  wanted: fact.count('Pods wanted'),
  notReady: z
    .array(
      z.strictObject({
        pod: fact.text('Name of the pod'),
        reason: fact.text('Why it is not ready, as Kubernetes reports it'),
        container: fact.text('Its container that is not ready').optional(),
      }),
    )
    .describe('Pods of the present revision that are not ready'),
});
