import type { Statement } from '../../../engine/language/statement.js';
import { hasCanaryBounds } from '../../../engine/objects/argo-rollout.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { RevisionedService } from '../../../engine/objects/workload.js';
import { currentSetWeight, maxWeightOf } from '../../../engine/workloads/argo-rollout/canary-steps.js';
import type { PodSimulator } from '../../../engine/workloads/pod-simulator.js';
import type { ArgoRolloutState, DaemonSetState } from '../../../engine/workloads/rollout-state.js';
import type { StepBetween } from '../../fixes/effects-text.js';
import type { AbortRollout } from '../../fixes/kinds/abort-rollout.js';
import { proposeAbortRollout } from '../../fixes/kinds/abort-rollout.js';
import type { PatchStrategy } from '../../fixes/kinds/patch-strategy/forms.js';
import {
  proposePatchCanary,
  proposePatchDaemonSet,
  proposePatchGroups,
  proposePatchStrategy,
} from '../../fixes/kinds/patch-strategy/propose.js';
import type { ScaleDownOld } from '../../fixes/kinds/scale-down-old.js';
import { proposeScaleDownOld } from '../../fixes/kinds/scale-down-old.js';
import { nothingOffered, notRecommended, type Offer } from '../../fixes/offered-fields.js';
import type { Fixes } from '../finding.js';
import type { Examination } from '../rule.js';
import type { StableRollout } from './stable.js';
import { adviceOn } from './stable-revisions.js';
import { strategies } from './strategies-text.js';

/**
 * What the workload's kind has against a deadlock with itself, as far as its engine sees the rollout go on.
 */
interface KindFixes {
  /** Not recommended, with a reason, only where the kind has one of its own. */
  readonly patches: Offer<PatchStrategy>;
  readonly further: Offer<ScaleDownOld | AbortRollout>;
}

/**
 * @param simulator what becomes of pods, by what the cause knows
 * @param waiting new pods that wait, existing or not
 * @param between what happens between the stop of an old pod and the start of the new one
 */
export function fixesOfKind(
  { snapshot, placement }: Examination,
  state: StableRollout['state'] | DaemonSetState,
  simulator: PodSimulator,
  waiting: readonly Pod[],
  between?: StepBetween,
): KindFixes {
  const step = { between: () => between };
  switch (state.kind) {
    case 'Deployment': {
      const input = { snapshot, state, placement, simulator, waiting, ...step };
      return { patches: proposePatchStrategy(input), further: proposeScaleDownOld(input) };
    }
    case 'DaemonSet':
      return { patches: proposePatchDaemonSet({ state, simulator, ...step }), further: nothingOffered };
    case 'Rollout':
      return { patches: canaryPatches({ state, simulator, ...step }), further: abortAlone(state, simulator) };
    case 'LeaderWorkerSet':
      return { patches: proposePatchGroups({ state, simulator, ...step }), further: nothingOffered };
    case 'Revisioned':
      return { patches: notRecommendedOf(state.service), further: nothingOffered };
  }
}

/** Why other bounds do not help: they are not used, or they remove the waiting pod. */
function canaryPatches(input: Parameters<typeof proposePatchCanary>[0]): Offer<PatchStrategy> {
  const patches = proposePatchCanary(input);
  if (patches.remediations.length + patches.withheld.length > 0) return patches;
  const { rollout } = input.state;
  const { replicas } = rollout.spec;
  if (!hasCanaryBounds(rollout)) {
    return notRecommended('patch-strategy', strategies('patch-withheld-unused'));
  }
  const weight = currentSetWeight(rollout);
  return weight < maxWeightOf(rollout)
    ? notRecommended('patch-strategy', strategies('patch-withheld-canary', { weight, replicas }))
    : nothingOffered;
}

/** Its controller sets the sizes of its ReplicaSets again in every reconciliation. */
function abortAlone(state: ArgoRolloutState, simulator: PodSimulator): KindFixes['further'] {
  const abort = proposeAbortRollout({ state, simulator });
  return {
    remediations: abort.remediations,
    withheld: [
      ...abort.withheld,
      { kind: 'scale-down-old', because: strategies('scale-down-withheld-rollout') },
    ],
  };
}

function notRecommendedOf(service: RevisionedService): Offer<PatchStrategy> {
  return notRecommended('patch-strategy', adviceOn(service).whyNoStrategy);
}

/**
 * These fixes where the old pods have to be gone before a new one can start, so that stopping one alone is
 * not enough: without a strategy that completes, no old ReplicaSet is scaled down either.
 *
 * @param reason why no strategy is offered, where the kind has no reason of its own
 */
export function oldPodFirstFixes(
  patches: KindFixes['patches'],
  further: KindFixes['further'],
  reason: Statement,
): Fixes {
  if (patches.remediations.length > 0) {
    return { remediations: [...patches.remediations, ...further.remediations], withheld: further.withheld };
  }
  const [because = reason] = patches.withheld.map((each) => each.because);
  return {
    remediations: further.remediations.filter(({ kind }) => kind !== 'scale-down-old'),
    withheld: [{ kind: 'patch-strategy', because }, ...further.withheld],
  };
}
