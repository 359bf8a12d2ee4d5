import type { Pod } from '../../../cluster/pod.js';
import type { PatchStrategy } from '../../../remediation/kinds/patch-strategy/plan.js';
import { proposePatchStrategy } from '../../../remediation/kinds/patch-strategy/propose.js';
import { proposePatchDaemonSet } from '../../../remediation/kinds/patch-strategy/propose-daemon-set.js';
import { proposeScaleDownOld } from '../../../remediation/kinds/scale-down-old/propose.js';
import type { Offer } from '../../../remediation/offer.js';
import type { Withheld } from '../../../remediation/remediation.js';
import type { DaemonSetState, DeploymentState } from '../../../rollout/rollout-state.js';
import type { Fixes } from '../../finding.js';
import { podOracleOf } from '../../pod-oracle-of.js';
import type { Examination } from '../../rule.js';
import { waiting as waitingStatement } from '../../waiting/text.js';
import { state } from './text.js';

/** The node that becomes free, and what of it. */
interface Freed {
  readonly node: string;
  readonly resource: string;
}

/** What frees a Deployment as the engines see it, best first, and what people would try in vain. */
export function deploymentRemedies(
  { snapshot, placement }: Examination,
  rollout: DeploymentState,
  waiting: readonly Pod[],
  freed: Freed,
): Fixes {
  const input = {
    snapshot,
    state: rollout,
    placement,
    oracle: podOracleOf({ snapshot, placement }),
    waiting,
  };
  const patches = proposePatchStrategy(input);
  const scaleDown = proposeScaleDownOld(input);
  return {
    remediations: [...patches.remediations, ...scaleDown.remediations],
    withheld: [...inVain(freed, patches), ...scaleDown.withheld],
  };
}

/** The same for a DaemonSet. */
export function daemonSetRemedies(
  { snapshot, placement }: Examination,
  rollout: DaemonSetState,
  waiting: readonly Pod[],
  freed: Freed,
): Fixes {
  const input = {
    snapshot,
    state: rollout,
    placement,
    oracle: podOracleOf({ snapshot, placement }),
    waiting,
  };
  const patches = proposePatchDaemonSet(input);
  return {
    remediations: [...patches.remediations],
    withheld: [...inVain(freed, patches)],
  };
}

function inVain({ node, resource }: Freed, patches: Offer<PatchStrategy>): readonly Withheld[] {
  return [
    { kind: 'restart-rollout', because: waitingStatement('restart-withheld') },
    { kind: 'exclude-nodes', because: state('exclude-withheld', { node }) },
    ...patches.withheld,
    ...(patches.remediations.length + patches.withheld.length > 0
      ? []
      : [{ kind: 'patch-strategy', because: state('patch-withheld', { resource }) } as const]),
  ];
}
