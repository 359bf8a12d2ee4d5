import * as z from 'zod';
import { creationFacts, exceededFact } from '../../creation/facts.js';
import { fact } from '../../facts.js';

export const QuotaExceededFacts = z.strictObject({
  ...creationFacts,
  exceeded: exceededFact,
  hasRoomNow: fact.flag('The quota has room again since the refusal'),
  isTooLarge: fact.flag('One object requests more than the whole quota allows'),
  users: z
    .array(
      z.strictObject({
        owner: fact.text('`kind/name` in the namespace'),
        pods: fact.count('Number of its pods'),
        charged: fact.quantity('What they are charged of the first exceeded resource'),
      }),
    )
    .describe('Who uses the quota, most first'),
  areUsersComplete: fact.flag('They account for all that the quota counts'),
  ownPodsInVain: fact.names('Old pods of the workload whose end would not free enough'),
  movingNeighbours: fact.names(
    'Workloads, as `namespace/name`, whose rollout frees enough when it completes',
  ),
});
