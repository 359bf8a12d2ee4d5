import type { V1Pod, V1StatefulSet } from '@kubernetes/client-node';
import { Pod } from '#src/engine/objects/pod.js';
import { ControllerRevision, StatefulSet } from '#src/engine/objects/workload.js';
import type { MaxUnavailable } from '#src/engine/workloads/rollout-state.js';
import { actStatefulSet } from '#src/engine/workloads/stateful-set-model.js';
import type { Draw } from './draw.js';
import { createdIn, deletedIn } from './engine-outcome.js';
import {
  appLabels,
  counts,
  createdSince,
  deletedSince,
  imageOf,
  images,
  type RolloutView,
  type Subject,
  subjectName,
  template,
} from './rollout-subject.js';

const counted = ['replicas', 'readyReplicas', 'availableReplicas', 'currentReplicas', 'updatedReplicas'];

function updateStrategy(draw: Draw): object {
  if (draw.chance(15)) return { type: 'OnDelete', rollingUpdate: null };
  return { type: 'RollingUpdate', rollingUpdate: { partition: draw.pick([0, 0, 0, 1, 3]) } };
}

function change(draw: Draw, { pods }: RolloutView): object {
  const former = rollBackFrom(pods);
  if (former !== undefined && draw.chance(40)) return { template: template(former) };
  const kind = draw.below(100);
  if (kind < 50) return { template: template(draw.pick(images)) };
  if (kind < 80) return { replicas: draw.below(6) };
  return { updateStrategy: updateStrategy(draw) };
}

/** The image of another pod, where some pod is broken: the target of a roll back. */
function rollBackFrom(pods: readonly V1Pod[]): string | undefined {
  const broken = pods.find(({ metadata, status }) => {
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    return metadata?.deletionTimestamp === undefined && ready?.status !== 'True';
  });
  return broken && pods.map(imageOf).find((image) => image !== imageOf(broken));
}

const described = (pod: V1Pod): string => `${pod.metadata?.name} ${imageOf(pod)}`;

export const statefulSetSubject = (maxUnavailable: MaxUnavailable): Subject => ({
  kind: 'StatefulSet',
  manifest: (draw, namespace) =>
    Object.assign(
      { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: subjectName, namespace } },
      {
        spec: {
          replicas: 1 + draw.below(5),
          serviceName: subjectName,
          podManagementPolicy: draw.pick(['OrderedReady', 'OrderedReady', 'Parallel']),
          ...draw.maybe(30, () => ({ ordinals: { start: 2 } })),
          selector: { matchLabels: appLabels },
          updateStrategy: updateStrategy(draw),
          template: template(images[0]),
        },
      },
    ),
  change: (draw, view) => ({
    method: 'PATCH',
    path: `/apis/apps/v1/namespaces/${view.workload.metadata?.namespace}/statefulsets/${subjectName}`,
    contentType: 'application/merge-patch+json',
    body: { spec: change(draw, view) },
  }),
  predict(view, now) {
    const before = view.pods.map((pod) => Pod.parse(pod));
    const statefulSet = StatefulSet.parse(view.workload);
    const controllerRevisions = view.controllerRevisions.map((one) => ControllerRevision.parse(one));
    const start = {
      kind: 'StatefulSet' as const,
      statefulSet,
      controllerRevisions,
      pods: before,
      maxUnavailable,
      now,
    };
    const { state, isAtRest } = actStatefulSet(start, () => true);
    return {
      sizes: {},
      created: createdIn({ before, after: state.pods })
        .map((pod) => `${pod.metadata.name} ${pod.spec.containers[0]?.image}`)
        .sort(),
      deleted: deletedIn({ before, after: state.pods }),
      status: counts(state.statefulSet.status, counted),
      orElse: [],
      anyNode: false,
      isAtRest,
    };
  },
  seen: (before, after) => ({
    sizes: {},
    created: createdSince(before, after).map(described).sort(),
    deleted: deletedSince(before, after),
    status: counts((after.workload as V1StatefulSet).status, counted),
  }),
});
