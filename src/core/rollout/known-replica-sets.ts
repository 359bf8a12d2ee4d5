import { type Condition, conditionOf } from '../cluster/metadata.js';
import type { Deployment, ReplicaSet } from '../cluster/workload.js';
import type { DeploymentAction } from './deployment-action.js';
import {
  type Annotations,
  differIn,
  hasProgressDeadline,
  maxRevision,
  newReplicaSetAnnotations,
  revisionAnnotation,
} from './deployment-annotations.js';
import { newCondition, withCondition } from './deployment-conditions.js';
import { revisionsOf } from './revisions.js';
import { newReplicaSetSize } from './rolling-steps.js';
import type { DeploymentState } from './rollout-state.js';

/** The ReplicaSets as this sync knows them, and what it has written so far. */
export interface Known {
  readonly state: DeploymentState;
  readonly newReplicaSet: ReplicaSet | undefined;
  readonly oldReplicaSets: readonly ReplicaSet[];
  readonly conditions: readonly Condition[];
  readonly actions: readonly DeploymentAction[];
  readonly revision: string | undefined;
}

/** `getAllReplicaSetsAndSyncRevision` and `getNewReplicaSet`. */
export function identify(
  state: DeploymentState,
  conditions: readonly Condition[],
  mayCreate: boolean,
): Known {
  const { deployment, now } = state;
  const { newReplicaSet, oldReplicaSets } = revisionsOf(state);
  const revision = maxRevision(oldReplicaSets) + 1;
  const known: Known = {
    state,
    newReplicaSet,
    oldReplicaSets,
    conditions,
    actions: [],
    revision: undefined,
  };
  if (newReplicaSet === undefined) return mayCreate ? withCreated(known, revision) : known;
  const annotations = newReplicaSetAnnotations(deployment, newReplicaSet.metadata.annotations, revision);
  const { minReadySeconds } = deployment.spec;
  if (
    differIn(newReplicaSet.metadata.annotations, annotations) ||
    newReplicaSet.spec.minReadySeconds !== minReadySeconds
  ) {
    const updated: ReplicaSet = {
      ...newReplicaSet,
      metadata: { ...newReplicaSet.metadata, annotations },
      spec: { ...newReplicaSet.spec, minReadySeconds },
    };
    const replicaSet = newReplicaSet.metadata.name;
    const action = { kind: 'update-replica-set', replicaSet, annotations, minReadySeconds } as const;
    return { ...known, newReplicaSet: updated, actions: [action] };
  }
  const found = `Found new replica set "${newReplicaSet.metadata.name}"`;
  const noted =
    hasProgressDeadline(deployment) && conditionOf({ conditions }, 'Progressing') === undefined
      ? withCondition(conditions, newCondition('Progressing', 'True', 'FoundNewReplicaSet', found, now))
      : conditions;
  return { ...known, conditions: noted, revision: newReplicaSet.metadata.annotations[revisionAnnotation] };
}

function withCreated(known: Known, revision: number): Known {
  const { deployment, now } = known.state;
  const replicas = newReplicaSetSize(deployment, known.oldReplicaSets, undefined);
  const annotations = newReplicaSetAnnotations(deployment, undefined, revision);
  const created = unbornReplicaSet(deployment, replicas, annotations);
  const message = `Created new replica set "${created.metadata.name}"`;
  const conditions = hasProgressDeadline(deployment)
    ? withCondition(
        known.conditions,
        newCondition('Progressing', 'True', 'NewReplicaSetCreated', message, now),
      )
    : known.conditions;
  return {
    ...known,
    newReplicaSet: created,
    conditions,
    actions: [...known.actions, { kind: 'create-replica-set', replicas, revision, annotations }],
    revision: String(revision),
  };
}

/** Stands for the ReplicaSet until the caller has named it; no pods yet. */
function unbornReplicaSet(deployment: Deployment, replicas: number, annotations: Annotations): ReplicaSet {
  const { metadata, spec } = deployment;
  return {
    kind: 'ReplicaSet',
    metadata: { ...metadata, uid: '', annotations, ownerReferences: [], creationTimestamp: undefined },
    spec: {
      replicas,
      minReadySeconds: spec.minReadySeconds,
      selector: spec.selector,
      template: spec.template,
    },
    status: {
      observedGeneration: 0,
      replicas: 0,
      fullyLabeledReplicas: 0,
      readyReplicas: 0,
      availableReplicas: 0,
      terminatingReplicas: undefined,
      conditions: [],
    },
  };
}
