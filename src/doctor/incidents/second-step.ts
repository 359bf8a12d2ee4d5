import * as z from 'zod';
import { Statement } from '../../engine/language/statement.js';
import type { Immutable } from '../../engine/objects/wire.js';

/** A pod that the second step left as it was. */
export const SkippedPod = z.object({
  pod: z.string(),
  /** `gone`: deleted or replaced before. `updated`: it is of the restored revision. */
  because: z.enum(['ready', 'gone', 'updated']),
});
export type SkippedPod = Immutable<z.output<typeof SkippedPod>>;

/** How the second step of a plan ended. */
export const SecondStepEnd = z.object({
  type: z.literal('ended'),
  /** RFC3339. */
  at: z.string(),
  /** Names of the pods that the API server deleted. */
  deleted: z.array(z.string()),
  skipped: z.array(SkippedPod),
  /** Why the step was not carried out, or not for every pod; absent where it is done. */
  because: Statement.optional(),
});
export type SecondStepEnd = Immutable<z.output<typeof SecondStepEnd>>;

/**
 * How far the second step of an approval's plan came. Absent while the first step is not made or not
 * observed.
 */
export const SecondStep = z.discriminatedUnion('type', [
  /** A worker may have sent requests. From here on the step cannot be cancelled. */
  z.object({ type: z.literal('started'), at: z.string() }),
  SecondStepEnd,
]);
export type SecondStep = Immutable<z.output<typeof SecondStep>>;
