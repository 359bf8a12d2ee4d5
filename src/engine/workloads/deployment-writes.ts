import type { Deployment, ReplicaSet } from '../objects/workload.js';
import { apiTime } from './creation-order.js';
import { type Annotations, revisionAnnotation } from './deployment-annotations.js';
import type { DeploymentState } from './rollout-state.js';
import { podTemplateHashLabel } from './template-equality.js';

/** The state with the status and revision that a sync wrote. */
export function withStatus(
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

/** The state after the writes of one sync. It reads the ReplicaSets once, however many the sync writes. */
export function applied(state: DeploymentState, actions: readonly DeploymentAction[]): DeploymentState {
  if (actions.length === 0) return state;
  const writes = new Map<string, DeploymentAction[]>();
  const created: ReplicaSet[] = [];
  for (const action of actions) {
    if (action.kind === 'create-replica-set') created.push(createdReplicaSet(state, action));
    else writes.set(action.replicaSet, [...(writes.get(action.replicaSet) ?? []), action]);
  }
  const replicaSets = [...state.replicaSets, ...created].flatMap((replicaSet) => {
    const own = writes.get(replicaSet.metadata.name) ?? [];
    if (own.some(({ kind }) => kind === 'delete-replica-set')) return [];
    return [own.reduce(written, replicaSet)];
  });
  return { ...state, replicaSets };
}

function written(replicaSet: ReplicaSet, action: DeploymentAction): ReplicaSet {
  const { metadata, spec } = replicaSet;
  switch (action.kind) {
    case 'scale': {
      const generation = (metadata.generation ?? 0) + (action.from === action.to ? 0 : 1);
      const annotations = { ...metadata.annotations, ...action.annotations };
      return {
        ...replicaSet,
        metadata: { ...metadata, generation, annotations },
        spec: { ...spec, replicas: action.to },
      };
    }
    case 'update-replica-set': {
      const { annotations, minReadySeconds } = action;
      return { ...replicaSet, metadata: { ...metadata, annotations }, spec: { ...spec, minReadySeconds } };
    }
    case 'create-replica-set':
    case 'delete-replica-set':
      return replicaSet;
  }
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

/**
 * ReplicaSets that create what they want lose their ReplicaFailure (`replica_set_utils.go: calculateStatus`).
 */
export function withoutFailures<State extends { readonly replicaSets: readonly ReplicaSet[] }>(
  state: State,
  served: ReadonlySet<ReplicaSet>,
): State {
  if (served.size === 0) return state;
  const replicaSets = state.replicaSets.map((replicaSet) => {
    if (!served.has(replicaSet)) return replicaSet;
    const conditions = replicaSet.status.conditions.filter(({ type }) => type !== 'ReplicaFailure');
    return { ...replicaSet, status: { ...replicaSet.status, conditions } };
  });
  return { ...state, replicaSets };
}

export type ScaleReason =
  | 'only-active'
  | 'new-is-saturated'
  | 'proportion'
  | 'new-up'
  | 'new-down'
  | 'unhealthy-old'
  | 'old-down'
  | 'recreate-down'
  | 'recreate-up';

/** One write of the Deployment controller to a ReplicaSet. */
export type DeploymentAction =
  | {
      readonly kind: 'create-replica-set';
      /** Its `spec.replicas`. Name, uid, hash and creation time are the caller's to choose. */
      readonly replicas: number;
      readonly revision: number;
      readonly annotations: Annotations;
    }
  | {
      readonly kind: 'scale';
      readonly replicaSet: string;
      readonly from: number;
      /** Equal to `from` where only the annotations are brought up to date. */
      readonly to: number;
      readonly because: ScaleReason;
      /** To be merged into those it has. */
      readonly annotations: Annotations;
    }
  | {
      readonly kind: 'update-replica-set';
      readonly replicaSet: string;
      /** The complete new set. */
      readonly annotations: Annotations;
      readonly minReadySeconds: number;
    }
  | {
      readonly kind: 'delete-replica-set';
      readonly replicaSet: string;
      readonly because: 'revision-history';
    };

/**
 * True when it changes how many pods there should be, or makes a ReplicaSet, be it an empty one, to go on
 * with.
 */
export function changesPods(action: DeploymentAction): boolean {
  return action.kind === 'create-replica-set' || (action.kind === 'scale' && action.from !== action.to);
}
