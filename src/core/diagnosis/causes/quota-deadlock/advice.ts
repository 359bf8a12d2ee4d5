import type { Snapshot } from '../../../cluster/snapshot.js';
import { rollingBounds } from '../../../rollout/fenceposts.js';
import { raisedQuota } from '../../creation/raised-quota.js';
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
        snippet: raisedQuota(each, namespace, surge),
      }),
    ),
    {
      title: state('advice-nudge-title', {}),
      text: state('advice-nudge', { replicaSet: name, withinSeconds: longestRetrySeconds }),
      snippet: `kubectl -n ${namespace} annotate replicaset ${name} example.com/try-again="$(date +%s)" --overwrite\n`,
    },
  ];
}
