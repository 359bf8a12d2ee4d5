import * as z from 'zod';
import { fact } from '../../facts.js';

export const RolloutAbortedFacts = z.strictObject({
  revision: fact.text('The revision whose update was aborted'),
  stable: fact.text('The stable revision, which the controller keeps').optional(),
  abortedAt: fact.time('When it was aborted').optional(),
  abortedSeconds: fact.seconds('Time since the abort').optional(),
  failedAnalysis: fact
    .oneOf(
      ['step', 'background', 'pre-promotion', 'post-promotion'],
      'The analysis of the update that failed; absent where none did',
    )
    .optional(),
});
