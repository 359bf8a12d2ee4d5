import type { KnativeService } from '../cluster/knative-service.js';
import { groupLabels } from '../cluster/leader-worker-set.js';
import { controllerOf } from '../cluster/metadata.js';
import { isActive, type Pod } from '../cluster/pod.js';
import type { PodTemplate } from '../cluster/pod-spec.js';
import type { RayService } from '../cluster/ray-service.js';
import type { Snapshot } from '../cluster/snapshot.js';
import { partNameOf } from '../rollout/revisioned/part-name.js';
import { newRevisionPods } from '../rollout/revisioned/revision-pods.js';
import { type LeaderWorkerSetState, type RevisionedState, rolloutStateOf } from '../rollout/rollout-state.js';
import type { FailedCreation } from './failed-creation.js';
import { podOfTemplate } from './wanted-pod.js';

/** More of them are not asked about one by one. */
export const mostTogether = 300;

/**
 * The pods that have to exist before the controller stops an old one, the refused pod first: all that are
 * missing of its group, or of its revision where the service switches as a whole.
 */
export function podsTogether(snapshot: Snapshot, failed: FailedCreation, pod: Pod): readonly Pod[] {
  const state = rolloutStateOf(snapshot);
  if (state.kind === 'LeaderWorkerSet') return [pod, ...restOfGroup(snapshot, state, failed)];
  if (state.kind !== 'Revisioned') return [pod];
  const { service } = state;
  return service.kind === 'DynamoGraphDeployment'
    ? [pod]
    : [pod, ...restOfRevision(snapshot, state, service, failed)];
}

/** Without its leader a group has no worker. */
function restOfGroup(
  snapshot: Snapshot,
  { leaderWorkerSet, statefulSets }: LeaderWorkerSetState,
  { uid, missing }: FailedCreation,
): readonly Pod[] {
  const { size, workerTemplate } = leaderWorkerSet.spec.leaderWorkerTemplate;
  const creator = statefulSets.find(({ metadata }) => metadata.uid === uid);
  const isOfLeaders = creator !== undefined && controllerOf(creator)?.uid === leaderWorkerSet.metadata.uid;
  const labels = { [groupLabels.name]: leaderWorkerSet.metadata.name };
  return copies(snapshot, workerTemplate, isOfLeaders ? size - 1 : missing - 1, { name: 'worker', labels });
}

function restOfRevision(
  snapshot: Snapshot,
  state: RevisionedState,
  { parts, revisions }: KnativeService | RayService,
  { missing, part }: FailedCreation,
): readonly Pod[] {
  const existing = newRevisionPods(state).filter(isActive);
  const labels = { [revisions.label]: revisions.next ?? '' };
  if (state.service.kind === 'KnativeService') {
    return part === undefined ? [] : copies(snapshot, part.template, missing - 1, { name: 'user', labels });
  }
  return parts.flatMap(({ name, count, template }) => {
    const present = existing.filter((pod) => partNameOf(pod) === name).length + (name === part?.name ? 1 : 0);
    return copies(snapshot, template, count - present, { name, labels });
  });
}

function copies(
  { index, workload }: Snapshot,
  template: PodTemplate,
  count: number,
  { name, labels }: { readonly name: string; readonly labels: Readonly<Record<string, string>> },
): readonly Pod[] {
  const { namespace } = workload.metadata;
  return Array.from({ length: Math.min(mostTogether, Math.max(0, count)) }, (_, number) => {
    const pod = podOfTemplate(index, template, '', { namespace, name: `${name}-next-${number + 2}` });
    return { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...labels } } };
  });
}
