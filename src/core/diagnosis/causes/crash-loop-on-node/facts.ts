import * as z from 'zod';
import { fact } from '../../facts.js';

export const CrashLoopOnNodeFacts = z.strictObject({
  verdict: fact.oneOf(
    ['concentrated', 'cannot-tell'],
    '`cannot-tell`: the pods are too few, or another difference explains it as well',
  ),
  cannotTell: fact
    .oneOf(
      ['one-pod-per-node', 'confounded-with-revision', 'too-few', 'unequal-exposure'],
      'Why it cannot be told',
    )
    .optional(),
  crashedThere: fact.count('Pods that crashed on the nodes'),
  podsThere: fact.count('Pods that ran there'),
  crashedElsewhere: fact.count('Pods that crashed on other nodes'),
  podsElsewhere: fact.count('Pods that ran there'),
  nodesElsewhere: fact.count('Number of these other nodes'),
  pValue: fact.number('Probability of this by chance, corrected for testing every node'),
  tooYoung: fact.count('Pods that have not run long enough to count'),
  otherWorkloads: fact.names('Other workloads, as `namespace/name`, that crash on these nodes only'),
  differences: z
    .array(
      z.strictObject({
        name: fact.text('Name of the attribute'),
        value: fact.text('Its value on these nodes'),
        elsewhere: fact.text('Its value on the other nodes, where all have the same').optional(),
      }),
    )
    .describe('Attributes of the nodes and of no other node that runs the workload without crashes'),
  experimentNodes: fact.names('Nodes on which one of the pods would show whether the node is the cause'),
  history: z
    .strictObject({
      since: fact.time('Start of the crash history'),
      deletedThere: fact.count('Counted pods of these nodes that were deleted since'),
      deletedElsewhere: fact.count('Counted pods of other nodes that were deleted since'),
      recalled: fact.count('Pods that run there and whose crash only the history has'),
      gaps: fact.count('Interruptions of the history'),
      missedSeconds: fact.seconds('Their length'),
      dropped: fact.count('Older pods that the history dropped'),
      runTimePercent: fact.number('Share of these nodes in the run time of all pods').optional(),
    })
    .describe('What the crash history adds; absent where it took no part')
    .optional(),
});
