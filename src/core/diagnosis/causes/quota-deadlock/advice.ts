import type { Snapshot } from '../../../cluster/snapshot.js';
import { isRevisioned } from '../../../cluster/workload.js';
import { raisedQuota } from '../../../creation/raised-quota.js';
import { longestRetrySeconds } from '../../../creation/retry.js';
import type { Remediation } from '../../../remediation/remediation.js';
import { creation } from '../../creation/text.js';
import { lastingAdvice } from '../../deadlock/lasting-strategy.js';
import { revisionsAdvice } from '../../deadlock/revisions-advice.js';
import type { Advice } from '../../finding.js';
import type { QuotaProof } from './proof.js';
import { state } from './text.js';

/** What lasts beyond the click, the way that costs no gap, and how not to wait for the controller's pause. */
export function adviceFor(
  snapshot: Snapshot,
  { stalled, exceeded, block }: QuotaProof,
  offered: readonly Remediation[],
  isNowhere: boolean,
): readonly Advice[] {
  const { namespace } = snapshot.workload.metadata;
  const { kind, name } = stalled.failed.owner;
  const surge = Math.max(
    1,
    block.together.length > 1 ? block.together.length : Math.min(stalled.surge, block.failed.missing),
  );
  const lasting = lastingAdvice(stalled.workload, offered);
  return [
    ...(lasting === undefined ? [] : [lasting]),
    ...(isRevisioned(stalled.workload)
      ? revisionsAdvice(snapshot.index, stalled.workload, stalled.failed.part?.name ?? '')
      : []),
    ...exceeded.map(
      (each): Advice => ({
        title: creation('advice-raise-title', { quota: each.quota }),
        text: isNowhere ? state('advice-raise-and-room', { surge }) : state('advice-raise', { surge }),
        snippet: raisedQuota(each, namespace, surge),
      }),
    ),
    {
      title: state('advice-nudge-title'),
      text: state('advice-nudge', { kind, creator: name, withinSeconds: longestRetrySeconds }),
      snippet: `kubectl -n ${namespace} annotate ${kind.toLowerCase()} ${name} example.com/try-again="$(date +%s)" --overwrite\n`,
    },
  ];
}
