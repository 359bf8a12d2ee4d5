import * as z from 'zod';
import { deadlockFacts } from '../../deadlock/facts.js';
import { fact } from '../../facts.js';

export const VolumeAttachDeadlockFacts = z.strictObject({
  ...deadlockFacts,
  volume: fact.text('Name of the PersistentVolume'),
  claim: fact.text('Name of its claim, where it could be read').optional(),
  accessModes: fact.names('Access modes of the claim'),
  waitingPod: fact.text('Name of the new pod'),
  waitingNode: fact.text('Its node, to which the volume cannot be attached'),
  alsoUsedBy: fact.names('Pods of others, as `namespace/name`, that use the volume on the same node'),
  isAttachmentSeen: fact.flag('A VolumeAttachment shows where the volume is attached'),
});
