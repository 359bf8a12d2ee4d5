import * as z from 'zod';
import type { Immutable } from '../../../../engine/objects/wire.js';
import type { Deployment } from '../../../../engine/objects/workload.js';
import { refusesRecreate } from '../../../../engine/owners/declaration.js';
import { namedOwnerOf, parentResourceOf } from '../../../../engine/parents/parent-resource.js';
import { offeredFields } from '../../offered-fields.js';

type Strategy = PatchStrategy['strategy'];

export const patchStrategyForms = {
  /** One old pod at a time, before its new pod. */
  inPlace: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 },
  /** All old pods at once; the new ones do not wait until the old ones are gone. */
  allAtOnce: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: '100%' },
  /** All old pods before the first new pod. */
  recreate: { type: 'Recreate' },
} as const satisfies Readonly<Record<string, Strategy>>;

const { inPlace, allAtOnce, recreate } = patchStrategyForms;

/**
 * The strategies to try, the gentlest first: before Recreate one that every owner can apply, where this one
 * cannot. Where the change is made in an object above the Deployment, those that its field has.
 */
export function strategiesFor(deployment: Deployment): readonly Strategy[] {
  const honours = namedOwnerOf(deployment) && parentResourceOf(deployment)?.strategyField?.honours;
  if (honours === 'recreate') return [recreate];
  if (honours === 'rolling-update') return [inPlace, allAtOnce];
  return refusesRecreate(deployment) ? [inPlace, allAtOnce, recreate] : [inPlace, recreate];
}

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
