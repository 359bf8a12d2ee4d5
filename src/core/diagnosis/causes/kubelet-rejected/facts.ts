import * as z from 'zod';
import { crashFacts } from '../../crashes/facts.js';
import { fact } from '../../facts.js';

export const KubeletRejectedFacts = z.strictObject({
  ...crashFacts,
  isNodeFixed: fact.flag('The pod template names the node, so that no scheduler was asked'),
  schedulerReasons: fact.names('Why the filters of the scheduler refuse the pod there as well'),
});
