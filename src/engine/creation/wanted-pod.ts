import type { ClusterIndex } from '../objects/cluster-index.js';
import { controllerOf } from '../objects/metadata.js';
import { isActive, type Pod } from '../objects/pod.js';
import type { Container, PodTemplate } from '../objects/pod-spec.js';
import type { Snapshot } from '../objects/snapshot.js';
import { hasReplicaSets } from '../objects/workload.js';
import { podFromTemplate } from '../scheduler/pod-from-template.js';
import { withLimitRangeDefaults } from '../workloads/limit-range-defaults.js';
import { partNameOf } from '../workloads/revisioned/pods.js';
import type { RefusedPods } from '../workloads/revisioned/service-kind.js';
import { podsOfNewRevision } from '../workloads/revisions.js';
import { type RolloutState, rolloutStateOf } from '../workloads/rollout-state.js';

/**
 * The pod that a controller wants, as it would reach the quota check: API defaults, LimitRange defaults, and
 * the containers that webhooks have put into the workload's other pods.
 *
 * @param template of the ReplicaSet, or of the workload itself
 * @param creator of the pod, and the part of a revision that it belongs to
 * @param name shown to nobody but the engines
 */
export function wantedPod(
  snapshot: Snapshot,
  template: PodTemplate,
  { uid: ownerUid, part }: { uid: string; part?: RefusedPods['part'] },
  name: string,
): Pod {
  const { index, workload } = snapshot;
  const { namespace } = workload.metadata;
  const state = rolloutStateOf(snapshot);
  const { pods } = state;
  const sibling = pods.find(
    (pod) =>
      isActive(pod) &&
      controllerOf(pod)?.uid === ownerUid &&
      (part === undefined || partNameOf(pod) === part.name) &&
      isOfTemplate(state, pod),
  );
  if (sibling !== undefined) return renamed(sibling, name);
  return podOfTemplate(index, withInjected(snapshot, template, pods), ownerUid, { namespace, name });
}

/**
 * A pod of the template as its controller would create it: with API defaults and LimitRange defaults, without
 * a node.
 */
export function podOfTemplate(
  { objects: { LimitRange, PriorityClass } }: ClusterIndex,
  template: PodTemplate,
  ownerUid: string,
  named: { readonly namespace: string; readonly name: string },
): Pod {
  const made = podFromTemplate(template, { ...named, priorityClasses: PriorityClass });
  const metadata = { ...made.metadata, uid: uidOf(named.name), ownerReferences: ownersAs(ownerUid) };
  return withLimitRangeDefaults({ ...made, metadata }, LimitRange);
}

/** Pods of all revisions of a StatefulSet or DaemonSet have the same owner. */
function isOfTemplate(state: RolloutState, pod: Pod): boolean {
  return hasReplicaSets(state) || podsOfNewRevision(state).includes(pod);
}

function renamed(sibling: Pod, name: string): Pod {
  return {
    ...sibling,
    metadata: { ...sibling.metadata, name, uid: uidOf(name) },
    spec: { ...sibling.spec, nodeName: undefined },
    status: { ...sibling.status, phase: 'Pending', conditions: [], containerStatuses: [] },
  };
}

/** As the rollout engine names the pods it makes up. */
function uidOf(name: string): string {
  return `simulated:${name}`;
}

function ownersAs(uid: string): Pod['metadata']['ownerReferences'] {
  return [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: '', uid, controller: true }];
}

/** Containers that an active pod has and its own template lacks: a mesh's proxy, an agent. */
function withInjected(snapshot: Snapshot, template: PodTemplate, pods: readonly Pod[]): PodTemplate {
  const like = pods.find(isActive);
  if (like === undefined) return template;
  const owner = controllerOf(like)?.uid;
  const own = snapshot.index.replicaSets.get(owner ?? '')?.spec.template;
  const known = new Set(
    [own ?? snapshot.workload.spec.template, template].flatMap(({ spec }) => namesOf(spec)),
  );
  const isNew = ({ name }: Container) => !known.has(name);
  const { spec } = template;
  return {
    ...template,
    spec: {
      ...spec,
      containers: [...spec.containers, ...like.spec.containers.filter(isNew)],
      initContainers: [...spec.initContainers, ...like.spec.initContainers.filter(isNew)],
    },
  };
}

function namesOf({ containers, initContainers }: Pod['spec']): readonly string[] {
  return [...containers, ...initContainers].map(({ name }) => name);
}
