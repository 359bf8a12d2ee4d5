import { addQuantities, parseQuantity } from '../scheduler/quantity.js';
import { canonicalQuantity } from '../scheduler/quantity-format.js';
import type { Exceeded } from './quota-block.js';

/** The quota as YAML, with as much as `pods` more pods of the refused size need beside what is used. */
export function raisedQuota({ quota, resources }: Exceeded, namespace: string, pods: number): string {
  const hard = resources.map(
    ({ resource, used, requested }) => `    ${resource}: ${JSON.stringify(sum(used, requested, pods))}\n`,
  );
  return `apiVersion: v1
kind: ResourceQuota
metadata:
  name: ${quota}
  namespace: ${namespace}
spec:
  hard:
${hard.join('')}`;
}

function sum(used: string, requested: string, times: number): string {
  const one = parseQuantity(requested);
  const before = parseQuantity(used);
  if (one === undefined || before === undefined) return used;
  return canonicalQuantity(addQuantities(before, { ...one, nano: one.nano * BigInt(times) }));
}
