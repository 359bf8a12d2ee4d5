import { isKserveKind, type KserveService } from '../../core/cluster/inference-service.js';
import type { UnreadOwner } from '../../core/cluster/snapshot.js';
import type { Workload } from '../../core/cluster/workload.js';
import { namedOwnerOf } from '../../core/top-owner/top-owner.js';
import type { ApiCall } from './api-call.js';
import type { Gathering } from './gathering.js';
import { readObject } from './read-objects.js';

/**
 * Reads the object that people own above the workload, in which its changes are made. The right to do so is
 * optional (deploy/rbac/kserve). What could not be read is returned.
 */
export async function readNamedOwner(
  call: ApiCall,
  gathering: Pick<Gathering, 'keep'>,
  workload: Workload,
  signal: AbortSignal,
): Promise<KserveService | readonly UnreadOwner[]> {
  const ref = namedOwnerOf(workload);
  if (ref === undefined || !isKserveKind(ref.kind)) return [];
  const { kind, namespace, name } = ref;
  const read = await readObject(call, kind, { namespace, name }, signal);
  if (read.type !== 'read') return [{ kind, because: read.type === 'missing' ? 'missing' : read.because }];
  gathering.keep(kind, [read.value]);
  return read.value;
}
