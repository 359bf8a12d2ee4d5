import * as z from 'zod';
import { fact } from '../../facts.js';

const container = fact.text('Name of the container');
const probe = fact.text('`livenessProbe`, `readinessProbe` or `startupProbe`');

export const ProbeConfigurationFacts = z.strictObject({
  problems: z
    .array(
      z.discriminatedUnion('problem', [
        z.strictObject({
          problem: z.literal('readiness-slower'),
          container,
          livenessSeconds: fact.seconds('Silence after which the liveness probe kills the container'),
          readinessSeconds: fact.seconds('Silence after which the readiness probe takes it out of traffic'),
        }),
        z.strictObject({
          problem: z.literal('liveness-strict'),
          container,
          seconds: fact.seconds('Silence after which the liveness probe kills the container'),
        }),
        z.strictObject({
          problem: z.literal('named-port-missing'),
          container,
          probe,
          port: fact.text('Name of the port that the container does not declare'),
        }),
        z.strictObject({
          problem: z.literal('timeout-over-period'),
          container,
          probe,
          timeoutSeconds: fact.seconds('Its timeout'),
          periodSeconds: fact.seconds('Its period'),
        }),
      ]),
    )
    .describe('Risky settings'),
});
