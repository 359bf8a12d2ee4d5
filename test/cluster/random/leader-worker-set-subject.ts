import type { KubernetesObject } from '@kubernetes/client-node';
import { groupIndexOf, LeaderWorkerSet } from '#src/engine/objects/leader-worker-set.js';
import { Pod } from '#src/engine/objects/pod.js';
import { ControllerRevision, StatefulSet } from '#src/engine/objects/workload.js';
import { leaderSetIn } from '#src/engine/workloads/leader-worker-set/leader-set.js';
import { actLeaderWorkerSet } from '#src/engine/workloads/leader-worker-set/model.js';
import type { LeaderWorkerSetState, MaxUnavailable } from '#src/engine/workloads/rollout-state.js';
import { collectionPath } from '../harness/resources.js';
import type { Draw } from './draw.js';
import { createdIn, deletedIn } from './engine-outcome.js';
import {
  createdSince,
  deletedSince,
  imageOf,
  images,
  type RolloutView,
  type Subject,
  subjectName,
} from './rollout-subject.js';

/** No scheduler takes these pods: the trial places them itself. */
const template = (image: string): object => ({
  spec: { schedulerName: 'the-trial', containers: [{ name: 'app', image }] },
});

const bounds: readonly [number | string, ...(number | string)[]] = [0, 0, 1, 2, '50%', '34%'];

function rollingUpdate(draw: Draw): object {
  const maxSurge = draw.pick(bounds);
  const maxUnavailable = maxSurge === 0 ? draw.pick([1, 1, 2]) : draw.pick(bounds);
  return { maxSurge, maxUnavailable, partition: draw.pick([0, 0, 0, 0, 1]) };
}

function change(draw: Draw, workload: KubernetesObject): object {
  const { leaderTemplate } = LeaderWorkerSet.parse(workload).spec.leaderWorkerTemplate;
  const kind = draw.below(100);
  if (kind < 45) {
    const both = leaderTemplate !== undefined && draw.chance(60);
    return {
      leaderWorkerTemplate: {
        workerTemplate: template(draw.pick(images)),
        ...(both ? { leaderTemplate: template(draw.pick(images)) } : {}),
      },
    };
  }
  if (kind < 75) return { replicas: draw.below(5) };
  if (kind < 80)
    return { replicas: draw.below(5), leaderWorkerTemplate: { workerTemplate: template(draw.pick(images)) } };
  return { rolloutStrategy: { rollingUpdateConfiguration: rollingUpdate(draw) } };
}

const conditionTypes = ['Available', 'Progressing', 'UpdateInProgress'] as const;

/** Of the LeaderWorkerSet. */
function countsOf({ status }: LeaderWorkerSet): Record<string, number> {
  const { replicas, readyReplicas, updatedReplicas, conditions } = status;
  const isTrue = (type: string): number =>
    Number(conditions.some((each) => each.type === type && each.status === 'True'));
  return {
    replicas,
    readyReplicas,
    updatedReplicas,
    ...Object.fromEntries(conditionTypes.map((type) => [type, isTrue(type)])),
  };
}

/**
 * Size and partition of the leader StatefulSet, and the numbers of the groups that have a StatefulSet of
 * workers.
 */
function sizesOf(leaderWorkerSet: LeaderWorkerSet, sets: readonly StatefulSet[]): Record<string, number> {
  const leaders = leaderSetIn(leaderWorkerSet, sets);
  const workers = sets.filter((set) => set !== leaders && set.metadata.deletionTimestamp === undefined);
  return {
    leaders: leaders?.spec.replicas ?? -1,
    partition: leaders?.spec.updateStrategy.rollingUpdate?.partition ?? -1,
    ...Object.fromEntries(workers.map((set) => [`workers-${groupIndexOf(set)}`, set.spec.replicas]).sort()),
  };
}

/** A LeaderWorkerSet beside its controller, its webhooks and the StatefulSet controller. */
export const leaderWorkerSetSubject = (maxUnavailable: MaxUnavailable): Subject => ({
  kind: 'LeaderWorkerSet',
  manifest: (draw, namespace) =>
    Object.assign(
      {
        apiVersion: 'leaderworkerset.x-k8s.io/v1',
        kind: 'LeaderWorkerSet',
        metadata: { name: subjectName, namespace },
      },
      {
        spec: {
          replicas: 1 + draw.below(4),
          startupPolicy: draw.pick(['LeaderCreated', 'LeaderCreated', 'LeaderReady']),
          rolloutStrategy: { type: 'RollingUpdate', rollingUpdateConfiguration: rollingUpdate(draw) },
          leaderWorkerTemplate: {
            size: draw.pick([1, 2, 2, 3]),
            restartPolicy: draw.pick(['RecreateGroupOnPodRestart', 'None']),
            ...draw.maybe(40, () => ({ leaderTemplate: template(images[0]) })),
            workerTemplate: template(images[0]),
          },
        },
      },
    ),
  change: (draw, { workload }) => ({
    method: 'PATCH',
    path: `${collectionPath('LeaderWorkerSet', workload.metadata?.namespace)}/${subjectName}`,
    contentType: 'application/merge-patch+json',
    body: { spec: change(draw, workload) },
  }),
  predict(view, now) {
    const before = view.pods.map((pod) => Pod.parse(pod));
    const start: LeaderWorkerSetState = {
      kind: 'LeaderWorkerSet',
      leaderWorkerSet: LeaderWorkerSet.parse(view.workload),
      statefulSets: (view.statefulSets ?? []).map((one) => StatefulSet.parse(one)),
      controllerRevisions: view.controllerRevisions.map((one) => ControllerRevision.parse(one)),
      pods: before,
      maxUnavailable,
      now,
    };
    const { state, isAtRest } = actLeaderWorkerSet(start, () => true);
    return {
      sizes: sizesOf(state.leaderWorkerSet, state.statefulSets),
      created: createdIn({ before, after: state.pods })
        .map((pod) => `${pod.metadata.name} ${pod.spec.containers[0]?.image}`)
        .sort(),
      deleted: deletedIn({ before, after: state.pods }),
      status: countsOf(state.leaderWorkerSet),
      orElse: [],
      anyNode: false,
      isAtRest,
    };
  },
  seen: (before: RolloutView, after: RolloutView) => ({
    sizes: sizesIn(after),
    created: createdSince(before, after)
      .map((pod) => `${pod.metadata?.name} ${imageOf(pod)}`)
      .sort(),
    deleted: deletedSince(before, after),
    // Not mirrored yet.
    status: after.workload.metadata === undefined ? {} : countsOf(LeaderWorkerSet.parse(after.workload)),
  }),
});

function sizesIn({ workload, statefulSets = [] }: RolloutView): Record<string, number> {
  if (workload.metadata === undefined) return {};
  return sizesOf(
    LeaderWorkerSet.parse(workload),
    statefulSets.map((one) => StatefulSet.parse(one)),
  );
}
