import * as z from 'zod';
import { fact } from '../../facts.js';

export const ScaledToZeroFacts = z.strictObject({
  scaledBy: fact.text('Who wrote spec.replicas last, as the API server recorded the writer').optional(),
  since: fact.time('When it was written, or an event reported it').optional(),
  zeroSeconds: fact.seconds('How long it has been scaled to 0').optional(),
  replicasBefore: fact.count('Replicas before, by the event of the controller').optional(),
  scaler: z
    .strictObject({
      kind: fact.oneOf(['HorizontalPodAutoscaler', 'ScaledObject'], 'What scales the workload'),
      name: fact.text('Its name'),
      isMeant: fact.flag('It may scale to 0, and start pods again by itself'),
    })
    .describe('The autoscaler of the workload')
    .optional(),
});
