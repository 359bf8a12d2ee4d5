import * as z from 'zod';
import type { Snapshot } from '../cluster/snapshot.js';
import type { Immutable } from '../cluster/wire.js';
import { fieldOf } from '../remediation/field-at.js';
import { isAfter } from '../remediation/holds.js';
import { lostFields } from '../remediation/lost-fields.js';
import { undoneObjectOf } from '../remediation/owner-target.js';
import type { UndoPlan } from '../remediation/plan.js';
import { templateChanges } from '../remediation/template-changes.js';
import { templateFrom } from '../remediation/template-source.js';
import { rolloutStateOf } from '../rollout/rollout-state.js';
import { isStillOurs, LastWriter, lastWriterOf } from '../survival/last-writer.js';

const maxPaths = 10;

/** Fields of a change that another client wrote after it. */
export const Reversal = z.object({
  paths: z.array(z.string()),
  /** Whether they have the values from before the change. */
  isFormer: z.boolean(),
  /** Absent where nobody owns the fields. */
  by: LastWriter.optional(),
});
export type Reversal = Immutable<z.output<typeof Reversal>>;

/** The part of a change that decides. */
interface MadeChange {
  readonly undoes: boolean;
  readonly appliedAt?: string | undefined;
  readonly undo?: UndoPlan | undefined;
}

/**
 * What another client wrote of a change's fields; `undefined` where they hold, or where the change keeps no
 * undo.
 */
export function reversalOf(
  { undoes, appliedAt, undo }: MadeChange,
  snapshot: Snapshot,
): Reversal | undefined {
  if (undoes || appliedAt === undefined || undo === undefined) return undefined;
  const object = undoneObjectOf(undo, snapshot);
  if (object === undefined) return undefined;
  const lost = lostFields(undo, snapshot).filter(
    ({ path }) => path !== 'spec.template' && !isStillOurs(object, path),
  );
  if (lost.length === 0) return undefined;
  const paths = lost.map(({ path }) => path);
  const by = lastWriterOf(object, paths, appliedAt);
  const fields = lost.every(({ path, before }) => isAfter({ path, after: before }, fieldOf(object, path)));
  return {
    paths: paths.slice(0, maxPaths),
    isFormer: undo.request.verb === 'restore-template' ? hasFormerTemplate(undo, snapshot) : fields,
    ...(by === undefined ? {} : { by }),
  };
}

function hasFormerTemplate({ request }: UndoPlan, snapshot: Snapshot): boolean {
  if (request.verb !== 'restore-template') return false;
  const former = templateFrom(rolloutStateOf(snapshot), request.from);
  if (former === undefined) return false;
  return templateChanges(former.raw, snapshot.workload.spec.template.raw).length === 0;
}
