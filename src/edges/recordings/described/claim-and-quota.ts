import { type DescribedKind, textUid } from './described-kind.js';
import { eventsOf, rowsOf } from './events.js';
import { annotationsOf, fieldOf, labelsOf, statedIn } from './fields.js';
import { deletedForOf } from './pod.js';

const accessModes: Readonly<Record<string, string>> = {
  RWO: 'ReadWriteOnce',
  ROX: 'ReadOnlyMany',
  RWX: 'ReadWriteMany',
  RWOP: 'ReadWriteOncePod',
};

/** `describePersistentVolumeClaim` of kubectl's `describe.go`. */
export const claim: DescribedKind = {
  kind: 'PersistentVolumeClaim',
  fields: [
    'Name',
    'Namespace',
    'StorageClass',
    'Status',
    'Volume',
    'Labels',
    'Annotations',
    'Finalizers',
    'Capacity',
    'Access Modes',
    'VolumeMode',
    'DataSource',
    'Used By',
    'Mounted By',
    'Conditions',
    'Events',
  ],
  isDescribed: (fields) => fields.has('StorageClass') && fields.has('Access Modes') && fields.has('Volume'),
  notStated: [
    'metadata.creationTimestamp',
    'spec.accessModes',
    'spec.resources.requests',
    'spec.selector',
    'spec.volumeAttributesClassName',
  ],
  read(fields) {
    const [namespace, name] = [statedIn(fields, 'Namespace') ?? '', statedIn(fields, 'Name') ?? ''];
    const uid = textUid('PersistentVolumeClaim', namespace, name);
    const storageClassName = statedIn(fields, 'StorageClass');
    const status = statedIn(fields, 'Status');
    const deletedFor = deletedForOf(status);
    const volumeName = statedIn(fields, 'Volume');
    const volumeMode = statedIn(fields, 'VolumeMode');
    const storage = statedIn(fields, 'Capacity');
    return {
      object: {
        kind: 'PersistentVolumeClaim',
        metadata: {
          name,
          namespace,
          uid,
          labels: labelsOf(fieldOf(fields, 'Labels')),
          annotations: annotationsOf(fieldOf(fields, 'Annotations')),
          finalizers: (statedIn(fields, 'Finalizers') ?? '')
            .replace(/^\[|\]$/gu, '')
            .split(' ')
            .filter((each) => each !== ''),
        },
        spec: {
          accessModes: (statedIn(fields, 'Access Modes') ?? '')
            .split(',')
            .flatMap((mode) => accessModes[mode.trim()] ?? []),
          ...(storageClassName !== undefined && { storageClassName }),
          ...(volumeName !== undefined && { volumeName }),
          ...(volumeMode !== undefined && { volumeMode }),
          ...(storage !== undefined && { resources: { requests: { storage } } }),
        },
        // A claim with a volume was bound before its deletion began.
        status: {
          phase:
            deletedFor === undefined ? (status ?? 'Pending') : volumeName === undefined ? 'Pending' : 'Bound',
        },
      },
      others: eventsOf(fields, { kind: 'PersistentVolumeClaim', namespace, name, uid }),
      ...(deletedFor !== undefined && { deletedFor }),
    };
  },
};

/** `describeQuota`: a table of amounts at the left margin. */
export const quota: DescribedKind = {
  kind: 'ResourceQuota',
  fields: ['Name', 'Namespace', 'Scopes', 'Resource'],
  isDescribed: (fields) => /^Resource\s+Used\s+Hard$/u.test(tableOf(fields)[0] ?? ''),
  notStated: ['spec.scopeSelector'],
  read(fields) {
    const [namespace, name] = [statedIn(fields, 'Namespace') ?? '', statedIn(fields, 'Name') ?? ''];
    const [hard, used]: Record<string, string>[] = [{}, {}];
    for (const row of rowsOf(tableOf(fields))) {
      const resource = row.get('Resource') ?? '';
      if (!/^\S+$/u.test(resource) || !/^\d\S*$/u.test(row.get('Hard') ?? '')) continue;
      if (hard !== undefined) hard[resource] = row.get('Hard') ?? '';
      if (used !== undefined) used[resource] = row.get('Used') ?? '';
    }
    const scopes = (statedIn(fields, 'Scopes') ?? '').split(',').map((scope) => scope.trim());
    return {
      object: {
        kind: 'ResourceQuota',
        metadata: { name, namespace, uid: textUid('ResourceQuota', namespace, name) },
        spec: { hard, scopes: scopes.filter((scope) => scope !== '') },
        status: { hard, used },
      },
    };
  },
};

/** The titles have no colon: they and the rows stand below the field before them. */
function tableOf(fields: Parameters<DescribedKind['read']>[0]): readonly string[] {
  const lines = [fieldOf(fields, 'Scopes'), fieldOf(fields, 'Namespace')].flatMap((field) =>
    (field?.lines ?? []).map((line) => line.trim()),
  );
  const start = lines.findIndex((line) => /^Resource\s/u.test(line));
  return start < 0 ? [] : lines.slice(start);
}
