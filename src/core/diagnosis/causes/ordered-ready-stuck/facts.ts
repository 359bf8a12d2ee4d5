import * as z from 'zod';
import { fact } from '../../facts.js';

export const OrderedReadyStuckFacts = z.strictObject({
  pod: fact.text('The pod that the controller waits for'),
  revision: fact.text('Its revision, which is no longer wanted'),
  wantedRevision: fact.text('The revision that its replacement would have'),
  reason: fact.text('Why it is not ready, as Kubernetes reports it'),
  container: fact.text('Its container that is not ready').optional(),
  notReadySeconds: fact.seconds('How long the controller has waited').optional(),
  serverVersion: fact
    .text('The version of the API server, where only its controller waits for the pod')
    .optional(),
  completesOnDeletion: fact.flag('The rollout completes once the pod is deleted'),
  readyPods: fact.names('Ready pods that have the wanted revision'),
  alikePods: fact.names('Other pods of unwanted revisions that are not ready'),
});
