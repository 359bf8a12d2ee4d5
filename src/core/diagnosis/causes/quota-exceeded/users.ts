import type { Pod } from '../../../cluster/pod.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { chargedFor, chargeOf, type QuotaBlock } from '../../../creation/quota-block.js';
import { byOwner } from '../../../neighbours/pod-owner.js';
import { compareQuantities, parseQuantity } from '../../../placement/quantity.js';

/** Who is charged for what is short, most first. */
export interface QuotaUsers {
  readonly pods: readonly Pod[];
  readonly users: readonly { readonly owner: string; readonly pods: number; readonly charged: string }[];
  /** False: the quota counts more than the pods that were seen. */
  readonly complete: boolean;
}

/** The pods of the namespace that the first short quota charges, by the workload they belong to. */
export function usersOf(snapshot: Snapshot, block: QuotaBlock): QuotaUsers {
  const now = nowOf(snapshot);
  const [short] = block.refusals[0]?.resources ?? [];
  if (short === undefined) return { pods: [], users: [], complete: true };
  const { index } = snapshot;
  const pods = chargedFor(block, index.objects.Pod, now);
  const users = byOwner(index, pods).map(({ owner, pods: members }) => ({
    owner: `${owner.kind.toLowerCase()}/${owner.name}`,
    pods: members.length,
    charged: chargeOf(block, members, short.resource, now),
  }));
  return {
    pods,
    users: users.sort((a, b) => compareAmounts(b.charged, a.charged)),
    complete: compareAmounts(chargeOf(block, pods, short.resource, now), short.used) >= 0,
  };
}

function compareAmounts(a: string, b: string): number {
  const left = parseQuantity(a);
  const right = parseQuantity(b);
  return left === undefined || right === undefined ? 0 : compareQuantities(left, right);
}
