import { proposePatchStrategy } from '../../../remediation/kinds/patch-strategy/propose.js';
import { proposeScaleDownOld } from '../../../remediation/kinds/scale-down-old/propose.js';
import { proposeUndoRollout } from '../../../remediation/kinds/undo-rollout/propose.js';
import type { Remediation, Withheld } from '../../../remediation/remediation.js';
import { failingForSeconds } from '../../creation/failed-creation.js';
import { quotaOracle } from '../../creation/quota-oracle.js';
import { longestRetrySeconds } from '../../creation/retry.js';
import type { Examination } from '../../rule.js';
import type { QuotaProof } from './proof.js';
import { state } from './statements.js';

/**
 * What frees the rollout as the engines see it, best first. The same proof as for a place on a node: the pods that the
 * controller would stop must free the quota, and the new pod must then find a node.
 */
export function remediesFor(
  { snapshot, placement }: Examination,
  { rollout, block }: QuotaProof,
): { readonly remediations: readonly Remediation[]; readonly withheld: readonly Withheld[] } {
  const oracle = quotaOracle(snapshot, placement, block.quotas, block.pod);
  const waiting = [...rollout.blocked, block.pod];
  const input = { snapshot, state: rollout.state, placement, oracle, waiting };
  const patches = proposePatchStrategy(input);
  const scaleDown = proposeScaleDownOld(input);
  const undo = proposeUndoRollout(input);
  const pause = Math.min(
    longestRetrySeconds,
    failingForSeconds(snapshot, block.failed) ?? longestRetrySeconds,
  );
  const name = rollout.newReplicaSet.metadata.name;
  return {
    remediations: [
      ...[...patches, ...scaleDown.remediations].map((each) => withPause(each, name, pause)),
      ...undo.remediations,
    ],
    withheld: [
      { kind: 'restart-rollout', because: state('restart-withheld', {}) },
      ...(patches.length === 0
        ? [{ kind: 'patch-strategy' as const, because: state('patch-withheld', {}) }]
        : []),
      ...scaleDown.withheld,
      ...undo.withheld,
    ],
  };
}

/**
 * Once there is room, the ReplicaSet still sits out its pause, which is by then about as long as it has failed: nobody
 * wakes it when an old pod of another ReplicaSet goes.
 */
function withPause(remediation: Remediation, replicaSet: string, seconds: number): Remediation {
  const { price, effects } = remediation;
  const { downtime } = price;
  return {
    ...remediation,
    effects: [...effects, state('pause-first', { replicaSet, withinSeconds: seconds })],
    price:
      downtime.seconds === undefined
        ? price
        : { ...price, downtime: { ...downtime, seconds: Math.round(downtime.seconds + seconds) } },
  };
}
