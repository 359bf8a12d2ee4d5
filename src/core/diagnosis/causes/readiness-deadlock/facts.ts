import * as z from 'zod';
import { deadlockFacts } from '../../deadlock/facts.js';
import { fact } from '../../facts.js';

export const ReadinessDeadlockFacts = z.strictObject({
  ...deadlockFacts,
  waitingPod: fact.text('Name of the new pod'),
  container: fact.text('Its container that is not ready'),
  lease: z
    .strictObject({
      name: fact.text('`namespace/name`'),
      holder: fact.text('The old pod that holds it'),
      renewedAt: fact.time('When it was renewed last').optional(),
      durationSeconds: fact.seconds('Time without a renewal after which it is free').optional(),
    })
    .describe('The Lease that an old pod holds; absent where only the new pod reports a lock')
    .optional(),
  hold: z
    .strictObject({
      by: fact.oneOf(
        ['claim', 'host-path', 'device-memory', 'port', 'lock'],
        'What the old pod holds in place of a Lease',
      ),
      claim: fact.text('The claim that both pods mount').optional(),
      resource: fact.text('The resource by which both pods use the device').optional(),
      node: fact.text('The node whose directory, device or port both pods use').optional(),
      configMap: fact.text('`namespace/name` of the ConfigMap that the old pod owns').optional(),
    })
    .describe('What the old pod holds and the new pod keeps failing for; absent where it waits for a Lease')
    .optional(),
  reportedBy: fact.oneOf(['log', 'probe'], 'Where the new pod reports that it waits for a lock').optional(),
  probeMessage: fact.text('What the kubelet reports of the last readiness check').optional(),
});
