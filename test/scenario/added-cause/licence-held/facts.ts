import { z } from 'zod';
import { fact } from '#src/doctor/findings/facts.js';

export const LicenceHeldFacts = z.strictObject({
  node: fact.text('The node that has the licence'),
  licences: fact.count('Number of licences there'),
});
