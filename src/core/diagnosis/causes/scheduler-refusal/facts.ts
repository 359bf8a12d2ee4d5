import * as z from 'zod';
import { fact } from '../../facts.js';

export const SchedulerRefusalFacts = z.strictObject({
  scheduler: fact.text('Name of the scheduler'),
  pods: fact.names('Pods that it refuses'),
  waitingSeconds: fact.seconds('Time since it refused the pod that waits longest').optional(),
  reports: fact.names('What it reports, without what the filters of kube-scheduler explain'),
  gang: z
    .strictObject({
      podGroup: fact.text('Its name, in the namespace of the pods'),
      minMember: fact.count('Pods that the scheduler starts together at least'),
      members: fact.count('Pods of the group that exist'),
      scheduled: fact.count('Those of them that have a node'),
    })
    .describe('The PodGroup of the first pod; absent where it has none, or where its minimum is not known')
    .optional(),
  fittingNodes: fact.names('Nodes on which the filters of kube-scheduler find room'),
});
