import * as z from 'zod';
import { creationFacts, exceededFact } from '../../creation/facts.js';
import { deadlockFacts } from '../../deadlock/facts.js';
import { fact } from '../../facts.js';

export const QuotaDeadlockFacts = z.strictObject({
  ...deadlockFacts,
  ...creationFacts,
  exceeded: exceededFact,
  charged: fact.quantity('What the old pods are charged of the first of these'),
  admittedWithout: fact.names('The fewest old pods without which a new pod is admitted'),
  fitsNowhere: fact.flag('Admitted, the new pod would find no node'),
  waitingPods: fact.names('New pods that exist and wait for a node'),
  finishingPods: fact.names('Pods that run to completion and free enough of the quota then'),
  isQuotaUnread: fact.flag('The quota could not be read; its numbers are those of the message'),
  leavingTogether: fact.names(
    'Pods, as `namespace/name`, that may leave for different reasons and free enough of it together',
  ),
  shrinkingAutoscalers: fact.names(
    'HorizontalPodAutoscalers that may reduce the replicas, which stops old pods',
  ),
  shrinkingNeighbours: fact.names(
    'Workloads, as `namespace/name`, whose HorizontalPodAutoscaler may reduce the replicas and free some of it',
  ),
  departingNeighbours: fact.names(
    'Workloads, as `namespace/name`, that stop pods without replacing them and free some of it',
  ),
  replacingNeighbours: fact.names(
    'Workloads, as `namespace/name`, that stop their pods one after the other, and whose part of the quota this pod may take first',
  ),
  stalledNeighbours: fact.names(
    'Workloads, as `namespace/name`, whose rollout is stuck at a failing pod and frees some of it if that pod becomes ready',
  ),
  unreadNeighbours: fact.names(
    'Workloads, as `namespace/name`, that could not be read whole and may free some of it',
  ),
});
