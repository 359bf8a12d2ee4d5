import type { KubernetesObject, V1Pod } from '@kubernetes/client-node';
import { Pod } from '#src/engine/objects/pod.js';
import { ResourceQuota } from '#src/engine/objects/policy.js';
import { compareQuantities, parseQuantity } from '#src/engine/scheduler/quantity.js';
import { admission, quotaMessage, quotaUsage } from '#src/engine/workloads/quota-admission.js';

/** One pod that was sent beside ResourceQuotas, and the API server's answer. */
export interface QuotaStep {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly from: number;
  /** As they were stored a moment before, while `pods` were there. */
  readonly quotas: readonly KubernetesObject[];
  readonly pods: readonly V1Pod[];
  /** Created and removed between that moment and the request. */
  readonly added: readonly V1Pod[];
  readonly removed: readonly V1Pod[];
  /** With the defaults of the API server, which it shows in a dry run elsewhere. */
  readonly pod: V1Pod;
  /** `undefined`: it was created. */
  readonly refusal?: string;
}

interface QuotaOutcome {
  readonly refusal: string | undefined;
  /** Resources of quotas whose use the engine counts in another way than the quota controller did. */
  readonly countedOtherwise: readonly string[];
}

/** The API server's answer where the engine gives just that, else the engine's. */
export function quotaOutcome({ from, quotas, pods, added, removed, pod, refusal }: QuotaStep): QuotaOutcome {
  const parsed = quotas.map((one) => ResourceQuota.parse(one));
  const there = pods.map((one) => Pod.parse(one));
  const supposed = {
    added: added.map((one) => Pod.parse(one)),
    removed: removed.map((one) => Pod.parse(one)),
  };
  const answer = admission(Pod.parse(pod), parsed, from, supposed);
  // The API server names one of the quotas that refuse.
  const possible: readonly (string | undefined)[] =
    answer.kind === 'admitted' ? [undefined] : answer.refusals.map(quotaMessage);
  return {
    refusal: possible.includes(refusal) ? refusal : possible[0],
    countedOtherwise: parsed.flatMap((quota) => countedOtherwise(quota, there, from)),
  };
}

function countedOtherwise(quota: ResourceQuota, pods: readonly Pod[], now: number): readonly string[] {
  const usage = quotaUsage(quota, pods, now);
  return Object.entries(quota.status.used).flatMap(([resource, text]) => {
    const used = parseQuantity(text);
    const counted = usage.get(resource) ?? parseQuantity('0');
    const isSame = used !== undefined && counted !== undefined && compareQuantities(used, counted) === 0;
    return isSame ? [] : [`${quota.metadata.name} ${resource}: ${text}`];
  });
}
