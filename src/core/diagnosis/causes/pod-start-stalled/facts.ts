import * as z from 'zod';
import { crashFacts, sameFailureFact } from '../../crashes/facts.js';
import { fact } from '../../facts.js';

export const PodStartStalledFacts = z.strictObject({
  ...crashFacts,
  stuckSeconds: fact.seconds('Time since the pod that waits longest got its node'),
  since: fact.text('When that was, RFC3339'),
  initContainers: fact.count('Init containers of that pod'),
  initContainersDone: fact.count('Those of them that have finished'),
  volumes: fact.names('Volumes of that pod that the node prepares before it starts a container'),
  neighbours: sameFailureFact,
});
