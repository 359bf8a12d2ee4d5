import * as z from 'zod';
import { fact } from '../../facts.js';
import { waitingFacts } from '../../waiting/facts.js';

export const UnsatisfiablePlacementFacts = z.strictObject({
  ...waitingFacts,
  missingNodes: z
    .array(
      z.strictObject({
        names: fact.names('Names of the nodes'),
        field: fact.text('Where the pod, or its volume, names them'),
        volume: z
          .strictObject({ name: fact.text('Name of the volume'), claim: fact.text('Name of its claim') })
          .describe('The PersistentVolume that names them; absent where the pod does')
          .optional(),
      }),
    )
    .describe('Nodes that are asked for by name and do not exist'),
});
