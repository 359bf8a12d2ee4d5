import * as z from 'zod';
import { deadlockFacts } from '../../deadlock/facts.js';
import { fact } from '../../facts.js';
import { queueFacts, shortagesFact } from '../../queue/facts.js';

export const QueueDeadlockFacts = z.strictObject({
  ...deadlockFacts,
  ...queueFacts,
  pods: fact.names('New pods that Kueue keeps from the scheduler'),
  short: shortagesFact,
  charged: fact.quantity('What the Workloads of the old pods use of the first of these'),
  holdingWorkloads: fact.names("Kueue's Workloads of the old pods that use it, in the namespace of the pods"),
  admittedWithout: fact.names('The fewest old pods without which Kueue admits the new pod'),
  fitsNowhere: fact.flag('Admitted, the new pod would find no node'),
  ahead: fact.names('Workloads, as `namespace/name`, that Kueue admits first once these old pods are gone'),
  waitingPods: fact.names('New pods that Kueue admitted and that wait for a node'),
  finishingWorkloads: fact.names(
    'Workloads, as `namespace/name`, that run to completion and give back enough together with those that may stop',
  ),
  stoppingWorkloads: fact.names(
    'Workloads, as `namespace/name`, of rollouts in progress, of autoscaled workloads, or of namespaces that were not read',
  ),
  isUsageUnread: fact.flag('Workloads that were not read use enough of the quota'),
  lendingQueues: fact.names('ClusterQueues of the cohort that use quota which it could lend'),
  shrinkingAutoscalers: fact.names(
    'HorizontalPodAutoscalers that may reduce the replicas, which stops old pods',
  ),
});
