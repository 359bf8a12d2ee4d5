import { addOnAbove } from '../../core/cluster/add-on-above.js';
import type { UnreadOwner } from '../../core/cluster/snapshot.js';
import type { Workload } from '../../core/cluster/workload.js';
import type { ApiCall } from './api-call.js';
import type { Gathering } from './gathering.js';
import { readNamedOwner } from './read-named-owner.js';
import { readOwnerObjects } from './read-owner-objects.js';
import { workloadNames } from './workload-names.js';

/** The object that people own above the workload, and those of the tools that write either. */
export async function readOwners(
  call: ApiCall,
  gathering: Gathering,
  workload: Workload,
  signal: AbortSignal,
): Promise<readonly UnreadOwner[]> {
  const owner = await readNamedOwner(call, gathering, workload, signal);
  const object = 'kind' in owner ? owner : workload;
  const unread = await readOwnerObjects(call, gathering, object, signal);
  return 'kind' in owner ? unread : [...owner, ...unread];
}

/**
 * Whether workloads of the add-on above this one may be read: then people ask about those, and else the
 * answer lacks them.
 */
export async function readAddOnAbove(
  call: ApiCall,
  gathering: Gathering,
  workload: Workload,
  signal: AbortSignal,
): Promise<void> {
  const kind = addOnAbove(workload);
  if (kind === undefined) return;
  const { namespace } = workload.metadata;
  const names = await workloadNames(call, [kind], namespace, signal, () => true);
  if ('type' in names) gathering.miss(kind, namespace, names);
}
