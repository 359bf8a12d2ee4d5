import { failingForSeconds } from '../../../creation/failed-creation.js';
import { longestRetrySeconds } from '../../../creation/retry.js';
import type { Remediation } from '../../../remediation/remediation.js';
import { fixesOfKind } from '../../deadlock/fixes-of-kind.js';
import { notRecommendedPatches } from '../../deadlock/strategy.js';
import type { Fixes } from '../../finding.js';
import { quotaSimulator } from '../../quota-oracle.js';
import { rollBackOf } from '../../roll-back.js';
import type { Examination } from '../../rule.js';
import type { QuotaProof } from './proof.js';
import { state } from './text.js';

/**
 * What frees the rollout as the engines see it, best first. The same proof as for a place on a node: the pods
 * that the controller would stop must free the quota, and the new pod must then find a node.
 */
export function remediesFor(examination: Examination, { stalled, block }: QuotaProof): Fixes {
  const { snapshot, placement } = examination;
  const simulator = quotaSimulator(snapshot, placement, block.quotas, block.pod);
  const waiting = [...stalled.blocked, block.pod];
  const { patches, further } = fixesOfKind(examination, stalled.state, simulator, waiting);
  const undo = rollBackOf(examination, { origin: 'rollout', simulator });
  const pause = Math.min(
    longestRetrySeconds,
    failingForSeconds(snapshot, block.failed) ?? longestRetrySeconds,
  );
  const { name } = stalled.failed.owner;
  const isRollout = stalled.state.kind === 'Rollout';
  return {
    remediations: [
      ...[...patches.remediations, ...further.remediations].map((each) =>
        each.kind === 'abort-rollout' ? each : withPause(each, name, pause),
      ),
      ...undo.remediations,
    ],
    withheld: [
      {
        kind: 'restart-rollout',
        because: state(isRollout ? 'restart-withheld-rollout' : 'restart-withheld'),
      },
      ...notRecommendedPatches(patches),
      ...further.withheld,
      ...undo.withheld,
    ],
  };
}

/**
 * Once there is room, the creator still sits out its pause, which is by then about as long as it has failed:
 * nobody wakes a ReplicaSet when an old pod of another one goes, and a DaemonSet or StatefulSet that is woken
 * asks before the quota is counted anew.
 */
function withPause(remediation: Remediation, creator: string, seconds: number): Remediation {
  const { price, effects } = remediation;
  const { downtime } = price;
  return {
    ...remediation,
    effects: [...effects, state('pause-first', { creator, withinSeconds: seconds })],
    price:
      downtime.seconds === undefined
        ? price
        : { ...price, downtime: { ...downtime, seconds: Math.round(downtime.seconds + seconds) } },
  };
}
