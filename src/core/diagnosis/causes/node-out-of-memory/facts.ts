import * as z from 'zod';
import { crashFacts, memoryFacts, sameFailureFact } from '../../crashes/facts.js';
import { fact } from '../../facts.js';

export const NodeOutOfMemoryFacts = z.strictObject({
  ...crashFacts,
  limit: fact.quantity('Memory limit of the container or pod; absent where there is none').optional(),
  ...memoryFacts,
  allocatable: fact.quantity('Memory that the node of the first pod has for pods').optional(),
  nodesUnderPressure: fact.names('Nodes that report MemoryPressure'),
  neighbours: sameFailureFact,
});
