import * as z from 'zod';
import { fact } from '../../facts.js';

export const SchedulingGatedFacts = z.strictObject({
  pods: fact.names('Pods that have scheduling gates'),
  gates: fact.names('Names of the gates'),
  gatesOfTemplate: fact.names('Those that the pod template sets'),
  gatesAdded: fact.names('Those that something adds when a pod is created'),
  gatedSeconds: fact.seconds('How long the pod that waits longest has waited').optional(),
});
