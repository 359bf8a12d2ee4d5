import { isActive, isAvailable, type Pod } from '../cluster/pod.js';
import { Volume } from '../cluster/pod-spec.js';
import {
  controllerRevisionHashLabel,
  podRevisionName,
  statefulSetRevisions,
} from './controller-revisions.js';
import { templateOf } from './revision-change.js';
import type { StatefulSetState } from './rollout-state.js';
import { deletedPod, simulatedPod } from './simulated-pods.js';
import type { Acted, Admission } from './simulation.js';
import { ordinalOf } from './stateful-set-status.js';
import { type StatefulSetFeatures, syncStatefulSet } from './stateful-set-sync.js';

const maxRounds = 100;

/** Runs the StatefulSet controller until it waits for a pod or has nothing to do. */
export function actStatefulSet(
  start: StatefulSetState,
  admits: Admission,
  features: StatefulSetFeatures,
): Acted<StatefulSetState> {
  let state = start;
  const created: Pod[] = [];
  const deleted: Pod[] = [];
  let refused: Pod[] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    const sync = syncStatefulSet(state, features);
    const leaving = new Set(sync.actions.flatMap((action) => (action.kind === 'delete' ? action.pod : [])));
    let pods = state.pods.flatMap((pod) => (leaving.has(pod) ? deletedPod(pod, state.now) : pod));
    refused = [];
    let made = 0;
    for (const action of sync.actions) {
      if (action.kind !== 'create') continue;
      const pod = memberPod(state, action.pod, action.revision);
      if (!admits(pod, pods)) {
        refused.push(pod);
        continue;
      }
      pods = [...pods, pod];
      created.push(pod);
      made += 1;
    }
    deleted.push(...leaving);
    state = { ...state, pods, statefulSet: { ...state.statefulSet, status: sync.status } };
    if (made === 0 && leaving.size === 0) break;
  }
  return { state, actions: [], created, deleted, orElse: [], refused };
}

/** Every ordinal has an available pod, those from the partition on of the new revision, and no pod is beyond. */
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
