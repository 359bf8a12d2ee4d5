import * as z from 'zod';
import { crashFacts, sameFailureFact, timesFact } from '../../crashes/facts.js';
import { fact } from '../../facts.js';
import { sandboxParts } from './text.js';

export const SandboxFailureFacts = z.strictObject({
  ...crashFacts,
  part: fact.oneOf(sandboxParts, 'What fails on the node, by the message'),
  times: timesFact,
  neighbours: sameFailureFact,
  nodesNotReady: fact.names('Which of the nodes are not ready'),
});
