import * as z from 'zod';
import type { ManagedFieldsEntry } from '../objects/metadata.js';
import type { Immutable } from '../objects/wire.js';
import { entriesOf, mergedManagers, ourManager, ownedBy } from './declaration.js';
import { Owner } from './field-drift.js';
import type { WrittenObject } from './writers.js';
import { writersOf } from './writers.js';

/** Who wrote fields last, as `managedFields` records it. */
export const LastWriter = z.object({
  manager: z.string(),
  operation: z.string(),
  /** RFC3339; absent where the entry has no time. */
  at: z.string().optional(),
  /** The tool or controller behind the manager; absent for one that is not known. */
  owner: Owner.optional(),
});
export type LastWriter = Immutable<z.output<typeof LastWriter>>;

/** Clocks of this program and of the API server may differ by so much; entries have whole seconds. */
const skewMilliseconds = 5_000;

/** Fields that we still own hold what an admission webhook made of our change: no other client wrote them. */
export function isStillOurs(workload: WrittenObject, path: string): boolean {
  return entriesOf(workload).some((entry) => entry.manager === ourManager && ownedBy(entry, path) !== 'none');
}

/**
 * Who wrote one of the fields last since our change, which took them from every other manager. `undefined`
 * where nobody owns them: a server-side apply that withdraws a field leaves the default of the API server to
 * nobody.
 */
export function lastWriterOf(
  workload: WrittenObject,
  paths: readonly string[],
  since: string,
): LastWriter | undefined {
  const from = Date.parse(since) - skewMilliseconds;
  const [entry] = entriesOf(workload)
    .filter(
      (each) =>
        each.manager !== ourManager &&
        !mergedManagers.has(each.manager) &&
        !(timeOf(each) < from) &&
        paths.some((path) => ownedBy(each, path) !== 'none'),
    )
    .sort((a, b) => (timeOf(b) || 0) - (timeOf(a) || 0));
  if (entry === undefined) return undefined;
  const { manager, operation, time } = entry;
  const owner = ownerBehind(manager, workload);
  return {
    manager,
    operation,
    ...(time === undefined ? {} : { at: time }),
    ...(owner === undefined ? {} : { owner }),
  };
}

/**
 * Operators sign with names of their own: any manager but kubectl may be the controller above the workload.
 */
function ownerBehind(manager: string, workload: WrittenObject): Owner | undefined {
  const writers = writersOf(workload);
  const named = writers.find((writer) => writer.manager === manager);
  if (named !== undefined || manager.startsWith('kubectl')) return named?.owner;
  return writers.find(({ type }) => type === 'operator')?.owner;
}

/** NaN where the entry has no time. */
function timeOf({ time }: ManagedFieldsEntry): number {
  return Date.parse(time ?? '');
}
