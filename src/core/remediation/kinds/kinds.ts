import type { ResourceKind } from '../../cluster/cluster-objects.js';
import type { Snapshot } from '../../cluster/snapshot.js';
import type { AnyCatalogue } from '../../language/catalogue.js';
import type { Plan, Refusal } from '../plan.js';
import type { PlanSubject, UndoSubject } from '../plan-shape.js';
import { refusal } from '../refusals.js';
import type { Remediation, RemediationKind, RemediationOf } from '../remediation.js';
import { planDeletePod } from './delete-pod/plan.js';
import { isDeletePodPlan } from './delete-pod/shape.js';
import { text as deletePodText } from './delete-pod/text.js';
import { planExcludeNodes } from './exclude-nodes/plan.js';
import { isExcludeNodesPlan, isExcludeNodesUndo } from './exclude-nodes/shape.js';
import { text as excludeNodesText } from './exclude-nodes/text.js';
import { planPatchStrategy } from './patch-strategy/plan.js';
import { isPatchStrategyPlan, isPatchStrategyUndo } from './patch-strategy/shape.js';
import { text as patchStrategyText } from './patch-strategy/text.js';
import { planRestartRollout } from './restart-rollout/plan.js';
import { isRestartRolloutPlan } from './restart-rollout/shape.js';
import { text as restartRolloutText } from './restart-rollout/text.js';
import { planResumeRollout } from './resume-rollout/plan.js';
import { isResumeRolloutPlan, isResumeRolloutUndo } from './resume-rollout/shape.js';
import { text as resumeRolloutText } from './resume-rollout/text.js';
import { planScaleDownOld } from './scale-down-old/plan.js';
import { isScaleDownOldPlan } from './scale-down-old/shape.js';
import { text as scaleDownOldText } from './scale-down-old/text.js';
import { planUndoRollout } from './undo-rollout/plan.js';
import { isUndoRolloutPlan, isUndoRolloutUndo } from './undo-rollout/shape.js';
import { text as undoRolloutText } from './undo-rollout/text.js';

/** How one kind is planned, which plans it can make, and its words. */
export interface Kind<Name extends RemediationKind> {
  readonly plan: (remediation: RemediationOf<Name>, snapshot: Snapshot) => Plan | Refusal;
  /** Whether the kind can make this plan, leaving its undo aside. */
  readonly isPlan: (subject: PlanSubject<Name>) => boolean;
  /** Whether the kind can make this way back; absent where there is none. */
  readonly isUndo?: (subject: UndoSubject<Name>) => boolean;
  readonly text: AnyCatalogue;
  /** Kinds it must see besides those that the rules which offer it need. */
  readonly needs?: readonly ResourceKind[];
}

/** Every kind that can be carried out; a test compares this list with the folders beside it. */
export const kinds: { readonly [Name in RemediationKind]?: Kind<Name> } = {
  'patch-strategy': {
    plan: planPatchStrategy,
    isPlan: isPatchStrategyPlan,
    isUndo: isPatchStrategyUndo,
    text: patchStrategyText,
  },
  'scale-down-old': { plan: planScaleDownOld, isPlan: isScaleDownOldPlan, text: scaleDownOldText },
  'undo-rollout': {
    plan: planUndoRollout,
    isPlan: isUndoRolloutPlan,
    isUndo: isUndoRolloutUndo,
    text: undoRolloutText,
    needs: ['ReplicaSet', 'ControllerRevision', 'PodDisruptionBudget'],
  },
  'exclude-nodes': {
    plan: planExcludeNodes,
    isPlan: isExcludeNodesPlan,
    isUndo: isExcludeNodesUndo,
    text: excludeNodesText,
    needs: ['Node'],
  },
  'restart-rollout': { plan: planRestartRollout, isPlan: isRestartRolloutPlan, text: restartRolloutText },
  'resume-rollout': {
    plan: planResumeRollout,
    isPlan: isResumeRolloutPlan,
    isUndo: isResumeRolloutUndo,
    text: resumeRolloutText,
  },
  'delete-pod': {
    plan: planDeletePod,
    isPlan: isDeletePodPlan,
    text: deletePodText,
    needs: ['PodDisruptionBudget'],
  },
};

/** What planning needs to see, over all kinds. */
export const planningNeeds: readonly ResourceKind[] = Object.values(kinds).flatMap(({ needs = [] }) => needs);

/** Works a remediation out against the object as it is in the snapshot. */
export function planRemediation(remediation: Remediation, snapshot: Snapshot): Plan | Refusal {
  const kind = kinds[remediation.kind] as Kind<RemediationKind> | undefined;
  if (kind === undefined) {
    const { namespace, name } = snapshot.workload.metadata;
    const values = { workload: `${namespace}/${name}`, kind: remediation.kind };
    return refusal('not-applicable', 'not-applicable', values);
  }
  return kind.plan(remediation, snapshot);
}
