import * as z from 'zod';
import { creationFacts } from '../../creation/facts.js';
import { fact } from '../../facts.js';
import { refuserKinds } from './refuser-words.js';

export const AdmissionDeniedFacts = z.strictObject({
  ...creationFacts,
  refusal: z
    .strictObject({
      kind: fact.oneOf(refuserKinds, 'What refuses'),
      level: fact.text('Level of Pod Security').optional(),
      violations: fact.names('What violates the level or the bounds').optional(),
      policy: fact.text('Name of the policy').optional(),
      binding: fact.text('Name of its binding').optional(),
      webhook: fact.text('Name of the webhook').optional(),
      said: fact.text('What the webhook, policy or API server reports').optional(),
      namespace: fact.text('Namespace of the object that is named').optional(),
      name: fact.text('Name of the object that does not exist').optional(),
      scopes: fact.text('Scopes for which the namespace has no quota').optional(),
      quota: fact.text('Name of the ResourceQuota').optional(),
      missing: z
        .array(
          z.strictObject({
            resource: fact.text('Name of the resource'),
            containers: fact.names('Names of the containers'),
          }),
        )
        .describe('Resources that containers must specify')
        .optional(),
      fields: fact.names('Fields that are invalid').optional(),
    })
    .describe('What refuses the pods, read from the message; which fields it has depends on `kind`'),
  confirmedBy: fact.names('Objects that confirm it, as `Kind/name`'),
  limitRanges: fact.names('LimitRanges with the bound that is named'),
});
