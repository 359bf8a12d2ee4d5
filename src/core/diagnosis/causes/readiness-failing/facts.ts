import * as z from 'zod';
import { crashFacts, probeFacts } from '../../crashes/facts.js';
import { fact } from '../../facts.js';

export const ReadinessFailingFacts = z.strictObject({
  ...crashFacts,
  /** Absent where the containers are ready and a gate is closed. */
  probe: probeFacts.probe.optional(),
  answer: probeFacts.answer,
  answerTimes: probeFacts.answerTimes,
  declaredPorts: probeFacts.declaredPorts,
  passingPods: fact.names('Ready pods of the same revision'),
  gates: z
    .array(
      z.strictObject({
        type: fact.text('Type of the condition'),
        status: fact.text('Its status; absent where no controller has set it').optional(),
      }),
    )
    .describe('Readiness gates that are closed although all containers are ready'),
});
