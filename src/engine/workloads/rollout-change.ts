import type { Pod } from '../objects/pod.js';
import { PodTemplate } from '../objects/pod-spec.js';
import type { JsonObject } from '../objects/wire.js';
import type { Deployment, DeploymentStrategy } from '../objects/workload.js';
import { apiTime } from './creation-order.js';
import type { DeploymentState } from './rollout-state.js';
import { deletedPod } from './simulated-pods.js';
import { podTemplateHashLabel } from './template-equality.js';

/** A change somebody might make to a Deployment, its ReplicaSets or its pods. */
export type DeploymentChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'strategy'; readonly strategy: DeploymentStrategy }
  | { readonly kind: 'template'; readonly template: PodTemplate }
  /** Back to the template of that ReplicaSet. */
  | { readonly kind: 'undo'; readonly replicaSet: string }
  | { readonly kind: 'restart' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'replicas'; readonly replicas: number }
  | { readonly kind: 'scale-replica-set'; readonly replicaSet: string; readonly replicas: number }
  | { readonly kind: 'delete-pod'; readonly pod: string };

const restartedAtAnnotation = 'kubectl.kubernetes.io/restartedAt';

/**
 * The state right after the change, before any controller has seen it; `undefined` when the change names a
 * ReplicaSet or pod that is not there.
 */
export function changedState(state: DeploymentState, change: DeploymentChange): DeploymentState | undefined {
  switch (change.kind) {
    case 'none':
      return state;
    case 'strategy':
      return withSpec(state, { strategy: change.strategy });
    case 'template':
      return withSpec(state, { template: change.template });
    case 'undo': {
      const target = state.replicaSets.find(({ metadata }) => metadata.name === change.replicaSet);
      return target && withSpec(state, { template: withoutHash(target.spec.template) });
    }
    case 'restart':
      return withSpec(state, { template: restarted(state.deployment.spec.template, state.now) });
    case 'resume':
      return withSpec(state, { paused: false });
    case 'replicas':
      return withSpec(state, { replicas: change.replicas });
    case 'scale-replica-set':
      return withReplicas(state, change.replicaSet, change.replicas);
    case 'delete-pod':
      return withoutPod(state, change.pod);
  }
}

function withSpec(state: DeploymentState, fields: Partial<Deployment['spec']>): DeploymentState {
  const { deployment } = state;
  const generation = (deployment.metadata.generation ?? 0) + 1;
  return {
    ...state,
    deployment: {
      ...deployment,
      metadata: { ...deployment.metadata, generation },
      spec: { ...deployment.spec, ...fields },
    },
  };
}

function withReplicas(state: DeploymentState, name: string, replicas: number): DeploymentState | undefined {
  if (!state.replicaSets.some(({ metadata }) => metadata.name === name)) return undefined;
  const replicaSets = state.replicaSets.map((replicaSet) =>
    replicaSet.metadata.name === name
      ? { ...replicaSet, spec: { ...replicaSet.spec, replicas } }
      : replicaSet,
  );
  return { ...state, replicaSets };
}

function withoutPod(state: DeploymentState, name: string): DeploymentState | undefined {
  if (!state.pods.some(({ metadata }) => metadata.name === name)) return undefined;
  return { ...state, pods: podsWithout(state.pods, name, state.now) };
}

/** The pods after somebody has deleted the one of that name. */
export function podsWithout(pods: readonly Pod[], name: string, now: number): readonly Pod[] {
  return pods.flatMap((pod) => (pod.metadata.name === name ? deletedPod(pod, now) : pod));
}

/** The template as a Deployment holds it. */
function withoutHash(template: PodTemplate): PodTemplate {
  return withMetadata(template, (metadata) => {
    const { [podTemplateHashLabel]: _hash, ...labels } = fields(metadata.labels);
    return { ...metadata, labels };
  });
}

/** What `kubectl rollout restart` makes of a template; times have a resolution of one second. */
export function restarted(template: PodTemplate, now: number): PodTemplate {
  return withMetadata(template, (metadata) => ({
    ...metadata,
    annotations: { ...fields(metadata.annotations), [restartedAtAnnotation]: apiTime(now) },
  }));
}

function withMetadata(template: PodTemplate, change: (metadata: JsonObject) => JsonObject): PodTemplate {
  return PodTemplate.parse({ ...template.raw, metadata: change(fields(template.raw.metadata)) });
}

function fields(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
