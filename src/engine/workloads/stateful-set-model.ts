import { isActive, isAvailable, type Pod } from '../objects/pod.js';
import { Volume } from '../objects/pod-spec.js';
import { actUntilRest, type PodController } from './act-until-rest.js';
import {
  controllerRevisionHashLabel,
  podRevisionName,
  statefulSetRevisions,
} from './controller-revisions.js';
import { createPodSet, type PodSet } from './pod-set.js';
import { templateOf } from './revision-change.js';
import type { StatefulSetState } from './rollout-state.js';
import { simulatedPod } from './simulated-pods.js';
import type { Acted, Admission } from './simulation.js';
import { neverExhausted, type WorkMeter } from './simulation-budget.js';
import { ordinalOf } from './stateful-set-status.js';
import { type StatefulSetAction, syncStatefulSet } from './stateful-set-sync.js';

/** Enough for a pod of each ordinal to follow, at `maxCreations` in a sync. */
const maxRounds = 400;

type Creation = Extract<StatefulSetAction, { readonly kind: 'create' }>;

/** Runs the StatefulSet controller until it waits for a pod or has nothing to do. */
export function actStatefulSet(start: StatefulSetState, admits: Admission): Acted<StatefulSetState> {
  const podSet = createPodSet(start.pods);
  const admitsBeside = (pod: Pod): boolean => admits(pod, podSet.all());
  const acted = actStatefulSetOn(podSet, start, admitsBeside, neverExhausted);
  return { ...acted, state: { ...acted.state, pods: podSet.all() } };
}

/** How a StatefulSet differs whose pods are not all of the pod set. */
export interface Membership {
  readonly members: () => readonly Pod[];
  /** The pod as webhooks change it. */
  readonly dressed: (pod: Pod) => Pod;
}

/**
 * The same on a pod set, which it changes. All pods of the pod set are members where `membership` is left
 * out.
 */
export function actStatefulSetOn(
  podSet: PodSet,
  start: StatefulSetState,
  admits: (pod: Pod) => boolean,
  meter: WorkMeter,
  { members, dressed }: Membership = { members: podSet.all, dressed: (pod) => pod },
): Acted<StatefulSetState> {
  const controller: PodController<StatefulSetState, Creation> = {
    maxRounds,
    members,
    workOf: ({ pods }) => pods.length,
    sync(state) {
      const { actions, status } = syncStatefulSet(state);
      return { actions, orElse: [], next: { ...state, statefulSet: { ...state.statefulSet, status } } };
    },
    podFor: (state, { pod, revision }) => dressed(memberPod(state, pod, revision)),
  };
  return actUntilRest(controller, podSet, start, admits, meter);
}

/**
 * Every ordinal has an available pod, those from the partition on of the new revision, and no pod is beyond.
 */
export function statefulSetIsComplete(state: StatefulSetState): boolean {
  const { spec } = state.statefulSet;
  const update = statefulSetRevisions(state)?.update ?? '';
  const partition = spec.updateStrategy.rollingUpdate?.partition ?? 0;
  const start = spec.ordinals?.start ?? 0;
  const settled = state.pods.filter(
    (pod) => isActive(pod) && isAvailable(pod, spec.minReadySeconds, state.now),
  );
  const updated = settled.filter(
    (pod) => ordinalOf(pod) - start < partition || podRevisionName(pod) === update,
  );
  return state.pods.length === spec.replicas && updated.length === spec.replicas;
}

/** The pod keeps its name, so its predecessor must be gone; the uid tells them apart. */
function memberPod(state: StatefulSetState, name: string, revision: string): Pod {
  const { statefulSet, now } = state;
  const stored = state.controllerRevisions.find(({ metadata }) => metadata.name === revision);
  const isUpdate = revision === statefulSetRevisions(state)?.update;
  const template = isUpdate
    ? statefulSet.spec.template
    : (stored && templateOf(stored)) || statefulSet.spec.template;
  const pod = simulatedPod(statefulSet, template, name, now, undefined);
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      uid: `simulated:${name}:${now}`,
      labels: {
        ...pod.metadata.labels,
        'statefulset.kubernetes.io/pod-name': name,
        [controllerRevisionHashLabel]: revision,
      },
    },
    spec: { ...pod.spec, volumes: withClaims(state, pod.spec.volumes, name) },
  };
}

/** The ordinal's own claims in place of volumes of the same name (`stateful_set_utils.go: updateStorage`). */
function withClaims(
  { statefulSet }: StatefulSetState,
  volumes: readonly Volume[],
  pod: string,
): readonly Volume[] {
  const names = statefulSet.spec.volumeClaimTemplates.map(({ metadata }) => metadata.name);
  const claims = names.map((name) =>
    Volume.parse({ name, persistentVolumeClaim: { claimName: `${name}-${pod}` } }),
  );
  return [...claims, ...volumes.filter(({ name }) => !names.includes(name))];
}
