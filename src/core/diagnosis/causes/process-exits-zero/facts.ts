import * as z from 'zod';
import { crashFacts, programFacts } from '../../crashes/facts.js';

export const ProcessExitsZeroFacts = z.strictObject({
  ...crashFacts,
  ...programFacts,
});
