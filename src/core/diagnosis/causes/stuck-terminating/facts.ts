import * as z from 'zod';
import { fact } from '../../facts.js';

export const StuckTerminatingFacts = z.strictObject({
  stuck: z
    .array(
      z.strictObject({
        pod: fact.text('Name of the pod; with its namespace where the pod is of another workload'),
        deadline: fact.time('End of its grace period'),
        graceSeconds: fact.seconds('Its grace period'),
        overdueSeconds: fact.seconds('Time since the end of the grace period'),
        finalizers: fact.names('Finalizers that remain'),
        hasStopped: fact.flag('All of its containers have ended'),
        node: fact.text('Its node').optional(),
        nodeState: fact.oneOf(
          ['ready', 'not-ready', 'gone', 'unknown', 'none'],
          'State of this node; `none`: the pod has none',
        ),
        nodeReason: fact.text('Why the node is not ready').optional(),
        nodeSince: fact.time('Since when it is not ready').optional(),
      }),
    )
    .describe('Deleted pods that do not go'),
  overdueSeconds: fact.seconds('The longest of these times'),
  blocks: z
    .strictObject({
      kind: fact.oneOf(
        ['recreate', 'set', 'waiting'],
        '`recreate`: the strategy Recreate waits for it; `set`: the StatefulSet does; `waiting`: a pod has no place',
      ),
      pods: fact.names('The pods that block'),
      waiting: fact.text('The pod that has no place').optional(),
    })
    .describe('Who waits for them')
    .optional(),
});
