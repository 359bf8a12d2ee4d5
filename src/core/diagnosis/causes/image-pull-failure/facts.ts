import * as z from 'zod';
import { crashFacts } from '../../crashes/facts.js';
import { fact } from '../../facts.js';
import { pullRefusals } from './refusal.js';

export const ImagePullFailureFacts = z.strictObject({
  ...crashFacts,
  image: fact.text('The image that cannot be pulled'),
  refusal: fact.oneOf(pullRefusals, 'Why, by the messages'),
  imagePullSecrets: fact.names('Names of the imagePullSecrets of the pod'),
  serviceAccount: fact.text('Name of the service account of the pod').optional(),
  podsWithImage: fact.names('Pods of the revision that do not fail'),
  imageBefore: fact.text('Image of the container in the former revision that runs').optional(),
});
