import * as z from 'zod';
import type { Immutable } from '../../../../engine/objects/wire.js';
import { offeredFields } from '../../offered-fields.js';

/** The record of one remediation of this kind. */
export const PatchStrategy = z.object({
  kind: z.literal('patch-strategy'),
  ...offeredFields,
  strategy: z.union([
    z.object({
      type: z.literal('RollingUpdate'),
      maxSurge: z.union([z.number(), z.string()]),
      maxUnavailable: z.union([z.number(), z.string()]),
    }),
    z.object({ type: z.literal('Recreate') }),
  ]),
  /** What would put the former strategy back replaces all pods once more. */
  hasNoUndo: z.literal(true).optional(),
});
export type PatchStrategy = Immutable<z.output<typeof PatchStrategy>>;
