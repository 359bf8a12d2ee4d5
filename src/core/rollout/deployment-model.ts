import { conditionOf, controllerOf } from '../cluster/metadata.js';
import type { Pod } from '../cluster/pod.js';
import type { Deployment, ReplicaSet } from '../cluster/workload.js';
import { apiTime } from './creation-order.js';
import type { DeploymentAction } from './deployment-action.js';
import { revisionAnnotation } from './deployment-annotations.js';
import { isComplete } from './deployment-conditions.js';
import { syncDeployment } from './deployment-sync.js';
import { replicaSetStatus, syncReplicaSet } from './replica-set-sync.js';
import { podsOfReplicaSet } from './revisions.js';
import type { DeploymentState } from './rollout-state.js';
import { deletedPod, simulatedPod } from './simulated-pods.js';
import type { Acted, Admission } from './simulation.js';
import { podTemplateHashLabel } from './template-equality.js';

/** Enough for every revision to be resized and every size to be followed by its pods. */
const maxRounds = 100;

/** Runs the Deployment and ReplicaSet controllers until none of them has anything to do. */
export function actDeployment(start: DeploymentState, admits: Admission): Acted<DeploymentState> {
  let state = refreshed(start);
  const actions: DeploymentAction[] = [];
  const created: Pod[] = [];
  const deleted: Pod[] = [];
  const orElse: Pod[] = [];
  let refused: readonly Pod[] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    const sync = syncDeployment(state);
    // The status that it writes last brings the controller back once more: only then does it clean the history.
    const hasJustCompleted =
      isComplete(state.deployment, sync.status) && !isComplete(state.deployment, state.deployment.status);
    state = withStatus(sync.actions.reduce(applied, state), sync);
    const pods = manageReplicaSets(state, admits);
    state = refreshed(pods.state);
    actions.push(...sync.actions);
    created.push(...pods.created);
    deleted.push(...pods.deleted);
    orElse.push(...pods.orElse);
    refused = pods.refused;
    const acted = sync.actions.length + pods.created.length + pods.deleted.length > 0;
    if (!acted && !hasJustCompleted) break;
  }
  return { state, actions, created, deleted, orElse, refused };
}

/** All wanted replicas are of the new revision and available, and none of an old one is left. */
export function deploymentIsComplete(state: DeploymentState): boolean {
  const { status } = syncDeployment(state);
  return isComplete(state.deployment, status) && conditionOf(status, 'ReplicaFailure') === undefined;
}

/** The ReplicaSets with the counts that follow from their pods; a ReplicaFailure stays. */
export function refreshed(state: DeploymentState): DeploymentState {
  const replicaSets = state.replicaSets.map((replicaSet) => {
    const pods = podsOfReplicaSet(state, replicaSet);
    const { conditions } = replicaSet.status;
    return {
      ...replicaSet,
      status: { ...replicaSetStatus({ replicaSet, pods, now: state.now }), conditions },
    };
  });
  return { ...state, replicaSets };
}

function withStatus(
  state: DeploymentState,
  sync: { readonly status: Deployment['status']; readonly revision: string | undefined },
): DeploymentState {
  const { deployment } = state;
  const annotations =
    sync.revision === undefined
      ? deployment.metadata.annotations
      : { ...deployment.metadata.annotations, [revisionAnnotation]: sync.revision };
  return {
    ...state,
    deployment: { ...deployment, metadata: { ...deployment.metadata, annotations }, status: sync.status },
  };
}

/** The state after one write of the Deployment controller. */
function applied(state: DeploymentState, action: DeploymentAction): DeploymentState {
  switch (action.kind) {
    case 'create-replica-set':
      return { ...state, replicaSets: [...state.replicaSets, createdReplicaSet(state, action)] };
    case 'delete-replica-set':
      return {
        ...state,
        replicaSets: state.replicaSets.filter(({ metadata }) => metadata.name !== action.replicaSet),
      };
    case 'scale':
      return changed(state, action.replicaSet, ({ metadata, spec, ...rest }) => ({
        ...rest,
        metadata: {
          ...metadata,
          generation: (metadata.generation ?? 0) + (action.from === action.to ? 0 : 1),
          annotations: { ...metadata.annotations, ...action.annotations },
        },
        spec: { ...spec, replicas: action.to },
      }));
    case 'update-replica-set':
      return changed(state, action.replicaSet, ({ metadata, spec, ...rest }) => ({
        ...rest,
        metadata: { ...metadata, annotations: action.annotations },
        spec: { ...spec, minReadySeconds: action.minReadySeconds },
      }));
  }
}

function changed(
  state: DeploymentState,
  name: string,
  change: (replicaSet: ReplicaSet) => ReplicaSet,
): DeploymentState {
  return {
    ...state,
    replicaSets: state.replicaSets.map((replicaSet) =>
      replicaSet.metadata.name === name ? change(replicaSet) : replicaSet,
    ),
  };
}

function createdReplicaSet(
  { deployment, now }: DeploymentState,
  action: Extract<DeploymentAction, { kind: 'create-replica-set' }>,
): ReplicaSet {
  const { metadata, spec } = deployment;
  const hash = `revision-${action.revision}`;
  const name = `${metadata.name}-${hash}`;
  const labels = { ...spec.template.metadata.labels, [podTemplateHashLabel]: hash };
  return {
    kind: 'ReplicaSet',
    metadata: {
      ...metadata,
      name,
      uid: `simulated:${name}`,
      generation: 1,
      creationTimestamp: apiTime(now),
      labels,
      annotations: action.annotations,
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          name: metadata.name,
          uid: metadata.uid,
          controller: true,
        },
      ],
    },
    spec: {
      replicas: action.replicas,
      minReadySeconds: spec.minReadySeconds,
      selector: spec.selector,
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
    status: {
      observedGeneration: 0,
      replicas: 0,
      fullyLabeledReplicas: 0,
      readyReplicas: 0,
      availableReplicas: 0,
      terminatingReplicas: 0,
      conditions: [],
    },
  };
}

/** A ReplicaSet that creates what it wants loses its ReplicaFailure (`replica_set_utils.go: calculateStatus`). */
function withoutFailure(state: DeploymentState, { metadata, status }: ReplicaSet): DeploymentState {
  if (conditionOf(status, 'ReplicaFailure') === undefined) return state;
  return changed(state, metadata.name, (replicaSet) => ({
    ...replicaSet,
    status: {
      ...replicaSet.status,
      conditions: replicaSet.status.conditions.filter(({ type }) => type !== 'ReplicaFailure'),
    },
  }));
}

interface Managed {
  readonly state: DeploymentState;
  readonly created: readonly Pod[];
  readonly deleted: readonly Pod[];
  readonly orElse: readonly Pod[];
  readonly refused: readonly Pod[];
}

function manageReplicaSets(start: DeploymentState, admits: Admission): Managed {
  let state = start;
  const created: Pod[] = [];
  const deleted: Pod[] = [];
  const orElse: Pod[] = [];
  const refused: Pod[] = [];
  for (const replicaSet of start.replicaSets) {
    const pods = podsOfReplicaSet(state, replicaSet);
    const action = syncReplicaSet({ replicaSet, pods, relatedPods: state.pods, now: state.now });
    if (action.kind === 'delete') {
      const leaving = new Set(action.victims.pods);
      deleted.push(...action.victims.pods);
      orElse.push(...action.victims.orElse);
      state = {
        ...state,
        pods: state.pods.flatMap((pod) => (leaving.has(pod) ? deletedPod(pod, state.now) : pod)),
      };
    }
    const before = refused.length;
    if (action.kind === 'create') {
      const present = [...state.pods];
      for (const pod of nextPods(state, replicaSet, action.count)) {
        if (!admits(pod, present)) {
          refused.push(pod);
          break;
        }
        created.push(pod);
        present.push(pod);
      }
      state = { ...state, pods: present };
    }
    if (refused.length === before) state = withoutFailure(state, replicaSet);
  }
  return { state, created, deleted, orElse, refused };
}

/** As the ReplicaSet would create them; names go on where those that exist end. */
function nextPods(state: DeploymentState, replicaSet: ReplicaSet, count: number): readonly Pod[] {
  const taken = new Set(state.pods.map(({ metadata }) => metadata.name));
  const like = state.pods.find(
    (pod) => controllerOf(pod)?.uid === replicaSet.metadata.uid && !pod.metadata.uid.startsWith('simulated:'),
  );
  const pods: Pod[] = [];
  for (let number = 1; pods.length < count; number += 1) {
    const name = `${replicaSet.metadata.name}-next-${number}`;
    if (!taken.has(name)) {
      pods.push(simulatedPod(replicaSet, replicaSet.spec.template, name, state.now, like));
    }
  }
  return pods;
}
