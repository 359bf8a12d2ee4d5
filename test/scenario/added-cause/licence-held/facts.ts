import { z } from 'zod';
import { fact } from '#src/core/diagnosis/facts.js';

export const LicenceHeldFacts = z.strictObject({
  node: fact.text('The node that has the licence'),
  licences: fact.count('Number of licences there'),
});
