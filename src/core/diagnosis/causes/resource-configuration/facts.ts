import * as z from 'zod';
import { fact } from '../../facts.js';

const container = fact.text('Name of the container');

export const ResourceConfigurationFacts = z.strictObject({
  problems: z
    .array(
      z.discriminatedUnion('problem', [
        z.strictObject({ problem: z.literal('no-memory-request'), container }),
        z.strictObject({
          problem: z.literal('memory-overcommitted'),
          container,
          request: fact.quantity('Memory request'),
          limit: fact.quantity('Memory limit'),
        }),
        z.strictObject({
          problem: z.literal('cpu-throttled'),
          container,
          limit: fact.quantity('CPU limit'),
        }),
        z.strictObject({
          problem: z.literal('jvm-fills'),
          container,
          flag: fact.text('The flag that sets the heap'),
          heap: fact.quantity('The heap that it allows'),
          limit: fact.quantity('Memory limit'),
        }),
      ]),
    )
    .describe('Risky settings'),
});
