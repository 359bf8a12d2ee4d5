import * as z from 'zod';
import { deadlockFacts } from '../../deadlock/facts.js';
import { fact } from '../../facts.js';

export const GangDeadlockFacts = z.strictObject({
  ...deadlockFacts,
  scheduler: fact.text('Name of the scheduler'),
  podGroup: fact.text('Name of the PodGroup, in the namespace of the pods'),
  minMember: fact.count('Pods that the scheduler starts together at least'),
  members: fact.count('Pods of the group that exist'),
  scheduled: fact.count('Those of them that have a node'),
  pods: fact.names('New pods that wait'),
  keptPods: fact.names('Old pods that the controller keeps until new pods are ready'),
  isGroupUnread: fact.flag("The PodGroup could not be read; its minimum is that of the scheduler's message"),
});
