import type { Deployment } from '../../../../engine/objects/workload.js';
import { refusesRecreate } from '../../../../engine/owners/refuses-recreate.js';
import { namedOwnerOf, parentResourceOf } from '../../../../engine/parents/parent-resource.js';
import type { PatchStrategy } from './record.js';

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
