import * as z from 'zod';
import { fact } from '../../facts.js';

export const SchedulerRefusalFacts = z.strictObject({
  scheduler: fact.text('Name of the scheduler'),
  pods: fact.names('Pods that it refuses'),
  waitingSeconds: fact.seconds('Time since it refused the pod that waits longest').optional(),
  reports: fact.names('What it reports, without what the filters of kube-scheduler explain'),
  fittingNodes: fact.names('Nodes on which the filters of kube-scheduler find room'),
});
