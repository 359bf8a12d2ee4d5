import type { Pod } from '../objects/pod.js';
import { PodTemplate } from '../objects/pod-spec.js';
import type { IntOrString, JsonObject } from '../objects/wire.js';
import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  DeploymentStrategy,
  StatefulSet,
} from '../objects/workload.js';
import {
  annotationsOfNextTemplate,
  controllerRevisionHashLabel,
  revisionOfTemplate,
  storedTemplate,
} from './controller-revisions.js';
import { apiTime } from './creation-order.js';
import type { DaemonSetState, DeploymentState, StatefulSetState } from './rollout-state.js';
import { deletedPod } from './simulated-pods.js';
import { podTemplateHashLabel, sameTemplate } from './template-equality.js';

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

function withoutPod<State extends DeploymentState | DaemonSetState | StatefulSetState>(
  state: State,
  name: string,
): State | undefined {
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

/** A change somebody might make to a StatefulSet or DaemonSet, or to one of its pods. */
type RevisionedChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'template'; readonly template: PodTemplate }
  /** Back to the template of that ControllerRevision. */
  | { readonly kind: 'undo'; readonly controllerRevision: string }
  | { readonly kind: 'restart' }
  | { readonly kind: 'delete-pod'; readonly pod: string };

export type DaemonSetChange =
  | RevisionedChange
  | { readonly kind: 'rolling-update'; readonly maxSurge: IntOrString; readonly maxUnavailable: IntOrString };

export type StatefulSetChange =
  | RevisionedChange
  | { readonly kind: 'partition'; readonly partition: number }
  /** Back to the template of that ControllerRevision, and the pods of these names are deleted. */
  | {
      readonly kind: 'undo-and-delete';
      readonly controllerRevision: string;
      readonly pods: readonly string[];
    };

/** The state right after the change; `undefined` when it names something that is not there. */
export function changedDaemonSet(state: DaemonSetState, change: DaemonSetChange): DaemonSetState | undefined {
  const { daemonSet } = state;
  if (change.kind === 'rolling-update') {
    const { maxSurge, maxUnavailable } = change;
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
    return { ...state, daemonSet: { ...daemonSet, spec: { ...daemonSet.spec, updateStrategy } } };
  }
  if (change.kind === 'delete-pod') return withoutPod(state, change.pod);
  const template = templateAfter(daemonSet, state, change);
  if (template === undefined) return undefined;
  const isSame = sameTemplate(daemonSet.spec.template, template);
  const { metadata } = daemonSet;
  const annotations = isSame ? metadata.annotations : annotationsOfNextTemplate(metadata.annotations);
  const changed = {
    ...daemonSet,
    metadata: { ...metadata, annotations },
    spec: { ...daemonSet.spec, template },
  };
  return { ...state, daemonSet: changed, controllerRevisions: withRevision(changed, state) };
}

/** The state right after the change; `undefined` when it names something that is not there. */
export function changedStatefulSet(
  state: StatefulSetState,
  change: StatefulSetChange,
): StatefulSetState | undefined {
  const { statefulSet } = state;
  if (change.kind === 'partition') {
    const { type, rollingUpdate } = statefulSet.spec.updateStrategy;
    const partitioned = { maxUnavailable: rollingUpdate?.maxUnavailable, partition: change.partition };
    const updateStrategy = { type, rollingUpdate: partitioned };
    return { ...state, statefulSet: { ...statefulSet, spec: { ...statefulSet.spec, updateStrategy } } };
  }
  if (change.kind === 'delete-pod') return withoutPod(state, change.pod);
  if (change.kind === 'undo-and-delete') {
    const undone = changedStatefulSet(state, { ...change, kind: 'undo' });
    const pods = change.pods.reduce((left, name) => podsWithout(left, name, state.now), state.pods);
    return undone && { ...undone, pods };
  }
  const template = templateAfter(statefulSet, state, change);
  if (template === undefined) return undefined;
  const changed = { ...statefulSet, spec: { ...statefulSet.spec, template } };
  return { ...state, statefulSet: changed, controllerRevisions: withRevision(changed, state) };
}

type Revisioned = { readonly controllerRevisions: readonly ControllerRevision[]; readonly now: number };

function templateAfter(
  workload: DaemonSet | StatefulSet,
  { controllerRevisions, now }: Revisioned,
  change: Exclude<RevisionedChange, { kind: 'delete-pod' }>,
): PodTemplate | undefined {
  switch (change.kind) {
    case 'none':
      return workload.spec.template;
    case 'template':
      return change.template;
    case 'restart':
      return restarted(workload.spec.template, now);
    case 'undo': {
      const target = controllerRevisions.find(({ metadata }) => metadata.name === change.controllerRevision);
      return target && templateOf(target);
    }
  }
}

/** The template a ControllerRevision holds. */
export function templateOf(revision: ControllerRevision): PodTemplate | undefined {
  const stored = storedTemplate(revision);
  const parsed = stored === undefined ? undefined : PodTemplate.safeParse(stored);
  return parsed?.success ? parsed.data : undefined;
}

/** As the controller would: the revision of the template made, or brought to the front again. */
function withRevision(
  workload: DaemonSet | StatefulSet,
  { controllerRevisions, now }: Revisioned,
): readonly ControllerRevision[] {
  const revision = controllerRevisions.reduce((highest, one) => Math.max(highest, one.revision), 0) + 1;
  const existing = revisionOfTemplate(workload, controllerRevisions);
  if (existing !== undefined) {
    return existing.revision === revision - 1
      ? controllerRevisions
      : controllerRevisions.map((one) => (one === existing ? { ...one, revision } : one));
  }
  const name = `${workload.metadata.name}-revision-${revision}`;
  const made: ControllerRevision = {
    kind: 'ControllerRevision',
    metadata: {
      ...workload.metadata,
      name,
      uid: `simulated:${name}`,
      creationTimestamp: apiTime(now),
      labels: { [controllerRevisionHashLabel]: name },
    },
    revision,
    data: { spec: { template: workload.spec.template.raw } },
  };
  return [...controllerRevisions, made];
}
