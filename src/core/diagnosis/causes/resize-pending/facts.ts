import * as z from 'zod';
import { fact } from '../../facts.js';

export const ResizePendingFacts = z.strictObject({
  outcome: fact.oneOf(
    ['never', 'refused', 'fails', 'waits'],
    'What becomes of the first resize; `never`: the node is too small',
  ),
  resizes: z
    .array(
      z.strictObject({
        pod: fact.text('Name of the pod'),
        node: fact.text('Its node'),
        verdict: fact.oneOf(['deferred', 'infeasible', 'failed'], 'Answer of the kubelet'),
        message: fact.text('Message of the kubelet'),
        since: fact.time('Since when').optional(),
        changes: z
          .array(
            z.strictObject({
              resource: fact.text('Name of the resource'),
              from: fact.quantity('The request that the pod has'),
              to: fact.quantity('The request that it should have'),
            }),
          )
          .describe('The changes that are asked for'),
        room: fact.oneOf(
          ['unknown', 'never', 'used', 'free'],
          'Room on the node; `used`: other pods use it, `never`: the node is too small',
        ),
        short: z
          .array(
            z.strictObject({
              resource: fact.text('Name of the resource'),
              requested: fact.quantity('What the pod would request'),
              free: fact.quantity('What is free'),
              allocatable: fact.quantity('What the node has for pods'),
            }),
          )
          .describe('What the node is short of'),
        usedBy: fact.names('Workloads, as `namespace/name`, that use it'),
      }),
    )
    .describe('The pods whose resize was not made'),
});
