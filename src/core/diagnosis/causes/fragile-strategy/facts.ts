import * as z from 'zod';
import { Strategy } from '../../deadlock/facts.js';
import { fact } from '../../facts.js';

export const FragileStrategyFacts = z.strictObject({
  kind: fact.oneOf(
    ['place', 'quota', 'volume'],
    'What the next update will lack: a node, quota, or the volume',
  ),
  lacking: fact.text('The resource, or the name of the volume'),
  message: fact.text('What the scheduler or the API server will report').optional(),
  strategy: Strategy.describe('The strategy as it is'),
  fix: z
    .strictObject({
      type: fact.text('Type of the strategy'),
      downtimeSeconds: fact.seconds('Time without a ready pod').optional(),
      hasDowntime: fact.flag('No pod is ready for this time'),
    })
    .describe('A strategy with which the update completes')
    .optional(),
});
