import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';
import { CauseId } from '../findings/cause-id.js';
import type { Diagnosis } from '../findings/diagnosis.js';
import { mainFindingOf } from '../findings/main-finding.js';

/**
 * What incidents of several workloads have in common. A node, quota or registry is to blame itself, whatever
 * it causes. Where nothing outside the workload is to blame, equal causes in one cluster count as one kind of
 * failure.
 */
export const SharedRoot = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('Node'), cluster: z.string(), name: z.string() }),
  z.object({
    kind: z.literal('ResourceQuota'),
    cluster: z.string(),
    namespace: z.string(),
    name: z.string(),
  }),
  z.object({ kind: z.literal('ClusterQueue'), cluster: z.string(), name: z.string() }),
  z.object({ kind: z.literal('Registry'), cluster: z.string(), name: z.string() }),
  z.object({ kind: z.literal('Cause'), cluster: z.string(), cause: CauseId }),
  /** No diagnosis could be made. */
  z.object({ kind: z.literal('Unread'), cluster: z.string() }),
]);
export type SharedRoot = Immutable<z.output<typeof SharedRoot>>;

/** What the main finding of the diagnosis shares with others; `undefined` where nothing was found. */
export function sharedRootOf(diagnosis: Pick<Diagnosis, 'findings' | 'workload'>): SharedRoot | undefined {
  const { main } = mainFindingOf(diagnosis);
  if (main === undefined) return undefined;
  const { cluster } = diagnosis.workload;
  if (main.blames === undefined || main.confidence === 'possible') {
    return { kind: 'Cause', cluster, cause: main.cause };
  }
  return { ...main.blames, cluster };
}

/** How long after its last member a group of a mere coincidence takes another one. */
export const coincidenceMs = 15 * 60_000;

/**
 * Equal failures may have nothing to do with each other: only those that come close together are a group. A
 * node and a quota are one object, for as long as it is to blame.
 */
export function isCoincidence({ kind }: SharedRoot): boolean {
  return kind === 'Cause' || kind === 'Registry' || kind === 'Unread';
}

export function isSameRoot(left: SharedRoot | undefined, right: SharedRoot | undefined): boolean {
  return left !== undefined && right !== undefined && rootKey(left) === rootKey(right);
}

/** Equal for equal roots. */
export function rootKey(root: SharedRoot): string {
  const { kind, cluster } = root;
  switch (root.kind) {
    case 'ResourceQuota':
      return JSON.stringify([kind, cluster, root.namespace, root.name]);
    case 'Node':
    case 'ClusterQueue':
    case 'Registry':
      return JSON.stringify([kind, cluster, '', root.name]);
    case 'Cause':
      return JSON.stringify([kind, cluster, '', root.cause]);
    case 'Unread':
      return JSON.stringify([kind, cluster, '', '']);
  }
}
