import type { ManagedFieldsEntry, ObjectMeta } from './metadata.js';

/** When data of a ConfigMap or Secret may have changed last, and who wrote it then. */
export interface DataChange {
  /** RFC3339. */
  readonly at: string;
  /** The field manager; '' for the creation of the object. */
  readonly manager: string;
}

/**
 * The last write by a field manager that owns data, or the creation of the object, whichever is later. The
 * API server keeps one time for all fields of a manager and sets it when a write changes any of them, so that
 * the data itself may be older (apimachinery `managedfieldsupdater.go: Update`). A manager that owns no data
 * does not count. `undefined` where neither is recorded.
 *
 * @param key the one key that is asked about; all of them when left out
 */
export function lastDataChange(
  { managedFields, creationTimestamp }: Pick<ObjectMeta, 'managedFields' | 'creationTimestamp'>,
  key?: string,
): DataChange | undefined {
  const writes = managedFields.flatMap((entry) =>
    entry.time !== undefined && ownsData(entry, key) ? [{ at: entry.time, manager: entry.manager }] : [],
  );
  const creation = creationTimestamp === undefined ? [] : [{ at: creationTimestamp, manager: '' }];
  return [...creation, ...writes].reduce<DataChange | undefined>(
    (latest, each) => (latest === undefined || Date.parse(each.at) > Date.parse(latest.at) ? each : latest),
    undefined,
  );
}

const dataFields = ['f:data', 'f:binaryData', 'f:stringData'];

function ownsData({ fieldsV1 = {} }: ManagedFieldsEntry, key: string | undefined): boolean {
  return dataFields.some((field) => {
    const owned = fieldsV1[field];
    if (typeof owned !== 'object' || owned === null) return false;
    return key === undefined || Object.hasOwn(owned, `f:${key}`);
  });
}
