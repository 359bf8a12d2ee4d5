import * as z from 'zod';
import { fact } from '../../facts.js';
import { waitingFacts } from '../../waiting/facts.js';

export const ScaleUpPendingFacts = z.strictObject({
  ...waitingFacts,
  replicasBefore: fact.count('Replicas before; absent where nothing shows them').optional(),
  replicas: fact.count('Replicas wanted now'),
  scaledAt: fact.time('When the first of the waiting pods was created'),
  autoscaledBy: z
    .strictObject({ name: fact.text('Its name'), maxReplicas: fact.count('Its maximum') })
    .describe('The HorizontalPodAutoscaler of the workload')
    .optional(),
  ownPods: fact.names('Pods of the same revision that have a node'),
});
