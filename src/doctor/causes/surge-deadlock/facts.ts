import * as z from 'zod';
import { deadlockFacts } from '../../findings/deadlock/facts.js';
import { fact } from '../../findings/facts.js';

export const SurgeDeadlockFacts = z.strictObject({
  ...deadlockFacts,
  waitingPods: fact.names('New pods that wait for a node'),
  amount: fact.text('How much of the resource a new pod needs, or which port, label or claim'),
  nodesInAll: fact.count('Number of nodes in the cluster'),
  fitsWithout: z
    .strictObject({
      node: fact.text('Name of the node'),
      pods: fact.names('Names of the old pods'),
    })
    .describe('Where a new pod fits without which old pods'),
  alsoHeldBy: fact.names('Pods of others, as `namespace/name`, that use the resource there as well'),
  cordonedNodes: fact.names('Nodes with room that are cordoned'),
  taintRules: fact.names('DeviceTaintRules that keep the new pod off devices'),
  driverlessNodes: fact.names('Nodes with room that lack the CSI driver of its volume'),
  notReadyNodes: fact.names('Nodes with room that are not ready'),
  joiningNodes: fact.names('Nodes that joined minutes ago'),
  detachingNodes: fact.names('Nodes with room once volumes that no pod there uses are detached'),
  finishingPods: fact.names('Pods, as `namespace/name`, that run to completion and free a place then'),
  evictedPods: fact.names('Pods, as `namespace/name`, that a taint evicts and that free a place then'),
  leavingTogether: fact.names(
    'Pods, as `namespace/name`, that may leave for different reasons and free a place together',
  ),
  unreadNeighbours: fact.names(
    'Workloads, as `namespace/name`, that could not be read whole and may free a place',
  ),
  shrinkingAutoscalers: fact.names(
    'HorizontalPodAutoscalers that may reduce the replicas, which stops old pods',
  ),
  shrinkingNeighbours: fact.names(
    'Workloads, as `namespace/name`, whose HorizontalPodAutoscaler may reduce the replicas and free a place',
  ),
  stalledNeighbours: fact.names(
    'Workloads, as `namespace/name`, whose rollout is stuck at a failing pod and frees a place if that pod becomes ready',
  ),
  replacingNeighbours: fact.names(
    'Workloads, as `namespace/name`, that stop their pods one after the other, and whose places this pod may take first',
  ),
});
