import * as z from 'zod';
import { fact } from '../../facts.js';

export const VolumeUnboundFacts = z.strictObject({
  pods: fact.names('Pods that wait for a volume'),
  claim: fact.text('Name of the claim; absent where claims could not be read').optional(),
  otherClaims: fact.names('Other claims that have no volume'),
  size: fact.quantity('Storage that the claim requests').optional(),
  isConfirmed: fact.flag('The scheduler or the volume binder reports the same'),
  trouble: z
    .strictObject({
      kind: fact.oneOf(
        [
          'missing',
          'deleting',
          'lost',
          'named',
          'class-missing',
          'no-class',
          'no-volume',
          'provisioning-failed',
          'silent',
          'said',
        ],
        'What keeps the claim from a volume; `said`: only the scheduler reports it',
      ),
      ephemeral: fact.flag('The claim belongs to the pod').optional(),
      quotas: fact.names('Quotas that allow no further claim of its namespace').optional(),
      since: fact.time('When the claim was deleted').optional(),
      volume: fact.text('The PersistentVolume that the claim names').optional(),
      lacks: fact.names('Why this volume is not bound; absent where it does not exist').optional(),
      className: fact.text('Name of the StorageClass').optional(),
      known: fact.names('StorageClasses that exist').optional(),
      near: z
        .array(
          z.strictObject({
            volume: fact.text('Name of the PersistentVolume'),
            lacks: fact.names('Why it is not bound'),
          }),
        )
        .describe('Volumes that come closest')
        .optional(),
      onNodes: fact.flag('There are such volumes, and none can be used where the pod may run').optional(),
      provisioner: fact.text('The provisioner of the class').optional(),
      message: fact.text('What the provisioner or the scheduler reports').optional(),
      seconds: fact.seconds('How long the provisioner has not answered').optional(),
    })
    .describe('The trouble of the first claim; which fields it has depends on `kind`'),
});
