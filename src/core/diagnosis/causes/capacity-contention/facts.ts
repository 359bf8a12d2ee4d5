import * as z from 'zod';
import { fact } from '../../facts.js';
import { Holder, waitingFacts } from '../../waiting/facts.js';

export const CapacityContentionFacts = z.strictObject({
  ...waitingFacts,
  node: fact.text('The node that needs the fewest pods to leave').optional(),
  heldBy: fact.list(Holder, 'Workloads whose pods hold what is missing'),
  toLeave: fact.names(
    'The smallest set of pods, as `namespace/name`, without which a waiting pod fits there',
  ),
  priority: fact.number('Priority of the waiting pods'),
  neverPreempts: fact.flag('Their preemptionPolicy is Never'),
  cycle: z
    .array(
      z.strictObject({
        workload: fact.text('`namespace/name`'),
        waiting: fact.text('Its new pod, which waits for pods of the next one'),
        node: fact.text('The node on which that pod would fit'),
        holds: fact.names('Its old pods, for which the one before waits'),
      }),
    )
    .describe('Rollouts of which each waits for the next one, the last for the first')
    .optional(),
  cycleUnread: fact.names('Workloads of the cycle, or beside it, that could not be read whole'),
  cycleStalled: fact.names(
    'Workloads whose rollout is stuck at a new pod that is not ready, and opens the cycle if that pod becomes ready',
  ),
  cycleShrinking: fact.names(
    'Workloads whose HorizontalPodAutoscaler may reduce the replicas, which opens the cycle',
  ),
  cycleLeaving: fact.names(
    'Pods, as `namespace/name`, beside the cycle that may leave, which opens the cycle',
  ),
  movingNeighbours: z
    .array(
      z.strictObject({
        workload: fact.text('`namespace/name`'),
        leaving: fact.names('Its old pods that will be stopped'),
        starting: fact.names('Its new pods that are starting'),
        waiting: fact.names('Its new pods that wait for a node, which another rollout frees'),
        departs: fact.flag('It stops these pods without replacing them'),
      }),
    )
    .describe('Rollouts in progress that free what the pods wait for'),
});
