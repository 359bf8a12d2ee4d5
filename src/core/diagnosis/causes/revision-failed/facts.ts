import * as z from 'zod';
import { fact } from '../../facts.js';

export const RevisionFailedFacts = z.strictObject({
  revision: fact.text('The revision that Knative has marked as failed'),
  serving: fact.names('Revisions that serve in its place; none where no revision was ever ready'),
  failedSeconds: fact.seconds('Time since Knative marked it as failed').optional(),
});
