import type { Pod } from '../../../cluster/pod.js';
import type { RevisionedService } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import { proposeAbortRollout } from '../../../remediation/kinds/abort-rollout/propose.js';
import type { PatchStrategy } from '../../../remediation/kinds/patch-strategy/plan.js';
import { proposePatchStrategy } from '../../../remediation/kinds/patch-strategy/propose.js';
import { proposePatchCanary } from '../../../remediation/kinds/patch-strategy/propose-canary.js';
import { proposePatchDaemonSet } from '../../../remediation/kinds/patch-strategy/propose-daemon-set.js';
import { proposePatchGroups } from '../../../remediation/kinds/patch-strategy/propose-groups.js';
import { proposeScaleDownOld } from '../../../remediation/kinds/scale-down-old/propose.js';
import type { Offer } from '../../../remediation/offer.js';
import type { Withheld } from '../../../remediation/remediation.js';
import { currentSetWeight, maxWeightOf } from '../../../rollout/argo-rollout/canary-steps.js';
import type {
  ArgoRolloutState,
  DaemonSetState,
  DeploymentState,
  LeaderWorkerSetState,
} from '../../../rollout/rollout-state.js';
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

/** Why other bounds do not help: they are not used, they remove the waiting pod, or the update does not complete. */
function patchWithheld({ rollout }: ArgoRolloutState, { resource }: Freed): Statement {
  const { canary } = rollout.spec.strategy;
  if (canary === undefined || canary.trafficRouting !== undefined) return state('patch-withheld-unused');
  return currentSetWeight(rollout) < maxWeightOf(rollout)
    ? state('patch-withheld-canary', { weight: currentSetWeight(rollout), replicas: rollout.spec.replicas })
    : state('patch-withheld', { resource });
}

/** The same for a Rollout, whose controller sets the sizes of its ReplicaSets again in every reconciliation. */
export function argoRolloutRemedies(
  { snapshot, placement }: Examination,
  rollout: ArgoRolloutState,
  freed: Freed,
): Fixes {
  const oracle = podOracleOf({ snapshot, placement });
  const patches = proposePatchCanary({ state: rollout, oracle });
  const abort = proposeAbortRollout({ state: rollout, oracle });
  const tried = inVain(freed, patches).filter(({ kind }) => kind !== 'patch-strategy');
  return {
    remediations: [...patches.remediations, ...abort.remediations],
    withheld: [
      ...tried,
      ...abort.withheld,
      ...(patches.remediations.length > 0
        ? []
        : [{ kind: 'patch-strategy', because: patchWithheld(rollout, freed) } as const]),
      { kind: 'scale-down-old', because: state('scale-down-withheld-rollout') },
    ],
  };
}

/** The same for a LeaderWorkerSet. */
export function leaderWorkerSetRemedies(
  { snapshot, placement }: Examination,
  leaderWorkerSet: LeaderWorkerSetState,
  freed: Freed,
): Fixes {
  const oracle = podOracleOf({ snapshot, placement });
  const patches = proposePatchGroups({ state: leaderWorkerSet, oracle });
  return {
    remediations: patches.remediations,
    withheld: inVain(freed, patches),
  };
}

/** Two of the kinds have no field that stops the former revision first; that of the third is part of its pod templates. */
const patchWithheldFor = {
  KnativeService: 'patch-withheld-knative',
  RayService: 'patch-withheld-ray',
  DynamoGraphDeployment: 'patch-withheld-dynamo',
} as const;

export function revisionedServiceRemedies({ kind }: RevisionedService, { node }: Freed): Fixes {
  const because = patchWithheldFor[kind];
  return {
    remediations: [],
    withheld: [
      { kind: 'patch-strategy', because: state(because) },
      { kind: 'restart-rollout', because: waitingStatement('restart-withheld') },
      { kind: 'exclude-nodes', because: state('exclude-withheld', { node }) },
    ],
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
