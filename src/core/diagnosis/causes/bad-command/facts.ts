import * as z from 'zod';
import { crashFacts, programFacts } from '../../crashes/facts.js';
import { fact } from '../../facts.js';

export const BadCommandFacts = z.strictObject({
  ...crashFacts,
  ...programFacts,
  architectures: fact
    .names('Architectures of the nodes, where the image is built for another one')
    .optional(),
});
