import type { V1Deployment, V1ReplicaSet } from '@kubernetes/client-node';
import { Pod } from '#src/engine/objects/pod.js';
import { Deployment, ReplicaSet } from '#src/engine/objects/workload.js';
import { actDeployment } from '#src/engine/workloads/deployment-model.js';
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

const bounds: readonly [number | string, ...(number | string)[]] = [0, 1, 2, '25%', '50%', '10%'];
const counted = ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas'];

function strategy(draw: Draw): object {
  if (draw.chance(12)) return { type: 'Recreate', rollingUpdate: null };
  const maxSurge = draw.pick(bounds);
  const maxUnavailable = maxSurge === 0 ? draw.pick<number | string>([1, 2, '50%']) : draw.pick(bounds);
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
}

function change(draw: Draw, workload: V1Deployment): object {
  const kind = draw.below(100);
  if (kind < 45) return { template: template(draw.pick(images)) };
  if (kind < 70) return { replicas: draw.below(9) };
  if (kind < 90) return { strategy: strategy(draw) };
  return { paused: !workload.spec?.paused };
}

const sizesOf = (
  sets: readonly {
    spec?: { replicas?: number; template?: { spec?: { containers: { image?: string }[] } } };
  }[],
): Record<string, number> =>
  Object.fromEntries(
    sets
      .map(({ spec }): [string, number] => [
        spec?.template?.spec?.containers[0]?.image ?? '',
        spec?.replicas ?? 0,
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

export const deploymentSubject: Subject = {
  kind: 'Deployment',
  manifest: (draw, namespace) =>
    Object.assign(
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: subjectName, namespace } },
      {
        spec: {
          replicas: 1 + draw.below(8),
          revisionHistoryLimit: draw.pick([0, 1, 2, 10]),
          selector: { matchLabels: appLabels },
          strategy: strategy(draw),
          template: template(images[0]),
        },
      },
    ),
  change: (draw, { workload }) => ({
    method: 'PATCH',
    path: `/apis/apps/v1/namespaces/${workload.metadata?.namespace}/deployments/${subjectName}`,
    contentType: 'application/merge-patch+json',
    body: { spec: change(draw, workload) },
  }),
  predict(view, now) {
    const before = view.pods.map((pod) => Pod.parse(pod));
    const deployment = Deployment.parse(view.workload);
    const replicaSets = view.replicaSets.map((one) => ReplicaSet.parse(one));
    const start = { kind: 'Deployment' as const, deployment, replicaSets, pods: before, now };
    const { state, orElse, isAtRest } = actDeployment(start, () => true);
    return {
      sizes: sizesOf(
        state.replicaSets.map(({ spec }) => ({ spec: { replicas: spec.replicas, template: raw(spec) } })),
      ),
      created: createdIn({ before, after: state.pods }).map(imageOf).sort(),
      deleted: deletedIn({ before, after: state.pods }),
      status: counts(state.deployment.status, counted),
      orElse: orElse.map(({ metadata }) => metadata.name),
      anyNode: false,
      isAtRest,
    };
  },
  seen: (before: RolloutView, after: RolloutView) => ({
    sizes: sizesOf(after.replicaSets as V1ReplicaSet[]),
    created: createdSince(before, after).map(imageOf).sort(),
    deleted: deletedSince(before, after),
    status: counts((after.workload as V1Deployment).status, counted),
  }),
};

const raw = ({ template: { spec } }: ReplicaSet['spec']) => ({
  spec: { containers: spec.containers.map(({ image }) => ({ image: image ?? '' })) },
});
