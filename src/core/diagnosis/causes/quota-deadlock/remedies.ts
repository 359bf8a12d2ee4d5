import { failingForSeconds } from '../../../creation/failed-creation.js';
import { longestRetrySeconds } from '../../../creation/retry.js';
import { proposePatchStrategy } from '../../../remediation/kinds/patch-strategy/propose.js';
import { proposePatchDaemonSet } from '../../../remediation/kinds/patch-strategy/propose-daemon-set.js';
import { proposeScaleDownOld } from '../../../remediation/kinds/scale-down-old/propose.js';
import type { Remediation, Withheld } from '../../../remediation/remediation.js';
import { withheldPatches } from '../../deadlock/strategy.js';
import { quotaOracle } from '../../quota-oracle.js';
import { rollBackOf } from '../../roll-back.js';
import type { Examination } from '../../rule.js';
import type { QuotaProof } from './proof.js';
import { state } from './text.js';

/**
 * What frees the rollout as the engines see it, best first. The same proof as for a place on a node: the pods that the
 * controller would stop must free the quota, and the new pod must then find a node.
 */
export function remediesFor(
  examination: Examination,
  { stalled, block }: QuotaProof,
): { readonly remediations: readonly Remediation[]; readonly withheld: readonly Withheld[] } {
  const { snapshot, placement } = examination;
  const oracle = quotaOracle(snapshot, placement, block.quotas, block.pod);
  const waiting = [...stalled.blocked, block.pod];
  const input = { snapshot, placement, oracle, waiting };
  const { state: rollout } = stalled;
  const patches =
    rollout.kind === 'Deployment'
      ? proposePatchStrategy({ ...input, state: rollout })
      : proposePatchDaemonSet({ ...input, state: rollout });
  const scaleDown =
    rollout.kind === 'Deployment'
      ? proposeScaleDownOld({ ...input, state: rollout })
      : { remediations: [], withheld: [] };
  const undo = rollBackOf(examination, { origin: 'rollout', oracle });
  const pause = Math.min(
    longestRetrySeconds,
    failingForSeconds(snapshot, block.failed) ?? longestRetrySeconds,
  );
  const { name } = stalled.creator;
  return {
    remediations: [
      ...[...patches.remediations, ...scaleDown.remediations].map((each) => withPause(each, name, pause)),
      ...undo.remediations,
    ],
    withheld: [
      { kind: 'restart-rollout', because: state('restart-withheld') },
      ...withheldPatches(patches),
      ...scaleDown.withheld,
      ...undo.withheld,
    ],
  };
}

/**
 * Once there is room, the creator still sits out its pause, which is by then about as long as it has failed: nobody
 * wakes a ReplicaSet when an old pod of another one goes, and a DaemonSet that is woken asks before the quota is
 * counted anew.
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
