import type { Exceeded, QuotaBlock } from '../../../engine/creation/quota-block.js';
import { byOwner } from '../../../engine/neighbours/pod-owner.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { parseQuantity } from '../../../engine/scheduler/quantity.js';
import { canonicalQuantity } from '../../../engine/scheduler/quantity-format.js';
import { quotaUsage } from '../../../engine/workloads/quota-usage.js';
import type { Evidence } from '../finding.js';
import { maxUsers } from './node-arithmetic.js';
import { state } from './text.js';

/**
 * The API server's sum for each resource that a quota is short of: requested, used and by whom, the hard
 * limit, and what is missing (kubernetes `resourcequota/controller.go: CheckRequest`: used + requested may
 * not exceed hard).
 */
export function quotaArithmetic(
  snapshot: Snapshot,
  { quotas }: QuotaBlock,
  exceeded: readonly Exceeded[],
): readonly Evidence[] {
  const { index, workload } = snapshot;
  const { namespace } = workload.metadata;
  const now = nowOf(snapshot);
  const owners = byOwner(
    index,
    index.objects.Pod.filter(({ metadata }) => metadata.namespace === namespace),
  );
  return exceeded.flatMap(({ quota: name, resources }) => {
    const quota = quotas.find(({ metadata }) => metadata.name === name);
    return resources.map(({ resource, requested, used, limited }): Evidence => {
      const uses = owners
        .map(({ owner, pods }) => {
          const charged = pods.map((pod) => quota && quotaUsage(quota, [pod], now).get(resource));
          const users = charged.filter((each) => each !== undefined && each.nano > 0n);
          const nano = users.reduce((sum, each) => sum + (each?.nano ?? 0n), 0n);
          const format = users[0]?.format ?? 'DecimalSI';
          return { workload: `${namespace}/${owner.name}`, pods: users.length, nano, format };
        })
        .filter(({ nano }) => nano > 0n)
        .sort((a, b) => (a.nano === b.nano ? 0 : a.nano > b.nano ? -1 : 1));
      return {
        object: { kind: 'ResourceQuota', namespace, name },
        field: `status.used[${resource}]`,
        value: `${used} / ${limited}`,
        says: state('ev-quota', {
          requested,
          used,
          hard: limited,
          missing: missingFor(requested, used, limited),
          users: uses.slice(0, maxUsers).map(({ workload: user, pods, ...amount }) => ({
            workload: user,
            pods,
            amount: canonicalQuantity(amount),
          })),
          more: Math.max(0, uses.length - maxUsers),
        }),
      };
    });
  });
}

function missingFor(requested: string, used: string, hard: string): string | undefined {
  const [asked, taken, limit] = [parseQuantity(requested), parseQuantity(used), parseQuantity(hard)];
  if (asked === undefined || taken === undefined || limit === undefined) return undefined;
  const nano = asked.nano + taken.nano - limit.nano;
  return nano > 0n ? canonicalQuantity({ nano, format: limit.format }) : undefined;
}
