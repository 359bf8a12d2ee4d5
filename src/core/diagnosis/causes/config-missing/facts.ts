import * as z from 'zod';
import { crashFacts, missingObjectFacts } from '../../crashes/facts.js';
import { fact } from '../../facts.js';

export const ConfigMissingFacts = z.strictObject({
  ...crashFacts,
  missing: z
    .strictObject({
      ...missingObjectFacts,
      variable: fact.text('The environment variable that is set from it').optional(),
    })
    .describe('What the container needs; absent where the message names no object that it references')
    .optional(),
  healthyPods: fact.names('Ready pods of former revisions, which do not need it'),
});
