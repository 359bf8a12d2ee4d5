import { listAt, textAt, textsAt, valueAt } from '../json.js';
import { ageColumn, nameColumn } from './cells.js';
import { column, type TableColumn } from './table.js';

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

function modes(texts: readonly string[]): string {
  return texts.map((mode) => shortModes[mode] ?? mode).join(',');
}

export const claimColumns: readonly TableColumn[] = [
  nameColumn,
  column('Status', ({ metadata, ...claim }) =>
    metadata.deletionTimestamp === undefined ? (textAt(claim, 'status', 'phase') ?? '') : 'Terminating',
  ),
  column('Volume', (claim) => textAt(claim, 'spec', 'volumeName') ?? ''),
  column('Capacity', (claim) => textAt(claim, 'status', 'capacity', 'storage') ?? ''),
  column('Access Modes', (claim) => modes(textsAt(claim, 'status', 'accessModes'))),
  column('StorageClass', (claim) => textAt(claim, 'spec', 'storageClassName') ?? ''),
  ageColumn,
];

export const volumeColumns: readonly TableColumn[] = [
  nameColumn,
  column('Capacity', (volume) => textAt(volume, 'spec', 'capacity', 'storage') ?? ''),
  column('Access Modes', (volume) => modes(textsAt(volume, 'spec', 'accessModes'))),
  column('Reclaim Policy', (volume) => textAt(volume, 'spec', 'persistentVolumeReclaimPolicy') ?? ''),
  column('Status', (volume) => textAt(volume, 'status', 'phase') ?? ''),
  column('Claim', (volume) => {
    const name = textAt(volume, 'spec', 'claimRef', 'name');
    return name === undefined ? '' : `${textAt(volume, 'spec', 'claimRef', 'namespace')}/${name}`;
  }),
  column('StorageClass', (volume) => textAt(volume, 'spec', 'storageClassName') ?? ''),
  column('Reason', (volume) => textAt(volume, 'status', 'reason') ?? ''),
  ageColumn,
];

export const storageClassColumns: readonly TableColumn[] = [
  nameColumn,
  column('Provisioner', (object) => textAt(object, 'provisioner') ?? ''),
  column('ReclaimPolicy', (object) => textAt(object, 'reclaimPolicy') ?? 'Delete'),
  column('VolumeBindingMode', (object) => textAt(object, 'volumeBindingMode') ?? 'Immediate'),
  column('AllowVolumeExpansion', (object) => String(valueAt(object, 'allowVolumeExpansion') === true)),
  ageColumn,
];

export const attachmentColumns: readonly TableColumn[] = [
  nameColumn,
  column('Attacher', (object) => textAt(object, 'spec', 'attacher') ?? ''),
  column('PV', (object) => textAt(object, 'spec', 'source', 'persistentVolumeName') ?? ''),
  column('Node', (object) => textAt(object, 'spec', 'nodeName') ?? ''),
  column('Attached', (object) => String(valueAt(object, 'status', 'attached') === true)),
  ageColumn,
];

export const csiNodeColumns: readonly TableColumn[] = [
  nameColumn,
  column('Drivers', (object) => listAt(object, 'spec', 'drivers').length, 'integer'),
  ageColumn,
];
