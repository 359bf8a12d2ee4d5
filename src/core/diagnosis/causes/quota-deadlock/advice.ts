import type { Snapshot } from '../../../cluster/snapshot.js';
import { addQuantities, parseQuantity } from '../../../placement/quantity.js';
import { canonicalQuantity } from '../../../placement/quantity-format.js';
import { rollingBounds } from '../../../rollout/fenceposts.js';
import type { Exceeded } from '../../creation/quota-block.js';
import { longestRetrySeconds } from '../../creation/retry.js';
import type { Advice } from '../../finding.js';
import { workloadName } from '../../stuck-rollout.js';
import type { QuotaProof } from './proof.js';
import { state } from './statements.js';

const strategySnippet = `spec:
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 0
      maxUnavailable: 1
`;

/** What lasts beyond the click, the way that costs no gap, and how not to wait for the controller's pause. */
export function adviceFor(snapshot: Snapshot, { rollout, exceeded, block }: QuotaProof): readonly Advice[] {
  const { namespace } = snapshot.workload.metadata;
  const { name } = rollout.newReplicaSet.metadata;
  const surge = Math.max(1, Math.min(rollingBounds(rollout.deployment).maxSurge, block.failed.missing));
  return [
    {
      title: state('advice-lasting-title', {}),
      text: state('advice-lasting', { workload: workloadName(snapshot) }),
      snippet: strategySnippet,
    },
    ...exceeded.map(
      (each): Advice => ({
        title: state('advice-raise-title', { quota: each.quota }),
        text: state('advice-raise', { surge }),
        snippet: raised(each, namespace, surge),
      }),
    ),
    {
      title: state('advice-nudge-title', {}),
      text: state('advice-nudge', { replicaSet: name, withinSeconds: longestRetrySeconds }),
      snippet: `kubectl -n ${namespace} annotate replicaset ${name} example.com/try-again="$(date +%s)" --overwrite\n`,
    },
  ];
}

/** The quota with as much as `pods` more pods of that size need. */
function raised({ quota, resources }: Exceeded, namespace: string, pods: number): string {
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
  let total = parseQuantity(used);
  if (one === undefined || total === undefined) return used;
  for (let count = 0; count < times; count += 1) total = addQuantities(total, one);
  return canonicalQuantity(total);
}
