import * as z from 'zod';
import { fact } from '../../facts.js';

export const ControlPlaneNotActingFacts = z.strictObject({
  component: fact.text('`kube-controller-manager`, or the name of the scheduler'),
  inactions: z
    .array(
      z.strictObject({
        kind: fact.oneOf(
          ['not-observed', 'not-counted', 'not-scheduled'],
          'A controller did not observe a change, or did not count pods, or no scheduler tried a pod',
        ),
        object: fact.text('The object that the controller keeps, as `Kind/name`').optional(),
        generation: fact.count('Its generation').optional(),
        observed: fact.count('The generation that its status is about').optional(),
        what: fact.oneOf(['pods', 'ready-pods'], 'What was not counted').optional(),
        counted: fact.count('The number in its status').optional(),
        actual: fact.count('The number of pods').optional(),
        scheduler: fact.text('The scheduler that the pods name').optional(),
        pods: fact.names('The pods that were not tried').optional(),
        hasPlaced: fact.flag('This scheduler has placed other pods').optional(),
        since: fact.time('Since when').optional(),
      }),
    )
    .describe('What was not done'),
  longestSeconds: fact.seconds('The longest of these times').optional(),
});
