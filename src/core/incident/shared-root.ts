import { z } from 'zod';
import type { Immutable } from '../cluster/wire.js';
import type { Diagnosis } from '../diagnosis/diagnosis.js';
import { mainFindingOf } from '../diagnosis/main-finding.js';

/** The one object outside a workload that is to blame for its trouble, and may be for that of other workloads. */
export const SharedRoot = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('Node'), cluster: z.string(), name: z.string() }),
  z.object({
    kind: z.literal('ResourceQuota'),
    cluster: z.string(),
    namespace: z.string(),
    name: z.string(),
  }),
]);
export type SharedRoot = Immutable<z.output<typeof SharedRoot>>;

/** The node or quota that the main finding of the diagnosis blames; `undefined` where the finding is merely possible. */
export function sharedRootOf(diagnosis: Pick<Diagnosis, 'findings' | 'workload'>): SharedRoot | undefined {
  const { main } = mainFindingOf(diagnosis);
  if (main?.blames === undefined || main.confidence === 'possible') return undefined;
  return { ...main.blames, cluster: diagnosis.workload.cluster };
}

export function isSameRoot(left: SharedRoot | undefined, right: SharedRoot | undefined): boolean {
  return left !== undefined && right !== undefined && rootKey(left) === rootKey(right);
}

/** Equal for equal roots. */
export function rootKey(root: SharedRoot): string {
  const { kind, cluster, name } = root;
  return JSON.stringify([kind, cluster, root.kind === 'ResourceQuota' ? root.namespace : '', name]);
}
