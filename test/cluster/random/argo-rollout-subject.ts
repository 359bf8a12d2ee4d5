import type { KubernetesObject, V1ReplicaSet } from '@kubernetes/client-node';
import type { ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { Rollout } from '#src/engine/objects/argo-rollout.js';
import { Pod } from '#src/engine/objects/pod.js';
import { Service } from '#src/engine/objects/service.js';
import { ReplicaSet } from '#src/engine/objects/workload.js';
import { actArgoRollout } from '#src/engine/workloads/argo-rollout/forecast.js';
import { hashOf } from '#src/engine/workloads/argo-rollout/replica-set-roles.js';
import { serviceTargets } from '#src/engine/workloads/argo-rollout/service-targets.js';
import { rolloutChange } from './argo-rollout-changes.js';
import { rolloutStrategy, type StrategyName } from './argo-rollout-strategies.js';
import { createdIn, deletedIn } from './engine-outcome.js';
import {
  appLabels,
  createdSince,
  deletedSince,
  imageOf,
  images,
  type RolloutView,
  type Subject,
  subjectName,
  template,
} from './rollout-subject.js';

const port = { port: 80, targetPort: 80 };
const serviceNames = ['stable', 'canary', 'active', 'preview'] as const;

function prerequisites(namespace: string): readonly KubernetesObject[] {
  const services = serviceNames.map((name) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { selector: appLabels, ports: [port] },
  }));
  const backend = { service: { name: 'stable', port: { number: 80 } } };
  const ingress = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'ingress', namespace },
    spec: { rules: [{ host: 'a.example', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
  };
  return [...services, ingress];
}

/** A Rollout with one of the strategies, beside the controllers of Argo Rollouts. */
export const argoRolloutSubject = (strategy: StrategyName): Subject => ({
  kind: 'Rollout',
  prerequisites,
  manifest: (draw, namespace) =>
    Object.assign(
      { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', metadata: { name: subjectName, namespace } },
      {
        spec: {
          replicas: 1 + draw.below(6),
          revisionHistoryLimit: draw.pick([1, 2, 10]),
          selector: { matchLabels: appLabels },
          strategy: rolloutStrategy(draw, strategy),
          template: template(images[0]),
        },
      },
    ),
  change: (draw, { workload }): ApiRequest => rolloutChange(draw, workload, strategy),
  predict(view, now) {
    const before = view.pods.map((pod) => Pod.parse(pod));
    const rollout = Rollout.parse(view.workload);
    const replicaSets = view.replicaSets.map((one) => ReplicaSet.parse(one));
    const services = serviceTargets(
      rollout,
      (view.services ?? []).map((one) => Service.parse(one)),
    );
    const start = { kind: 'Rollout' as const, rollout, replicaSets, pods: before, services, now };
    const { state, orElse, isAtRest } = actArgoRollout(start, () => true);
    return {
      sizes: sizesOf(state.replicaSets),
      created: createdIn({ before, after: state.pods }).map(imageOf).sort(),
      deleted: deletedIn({ before, after: state.pods }),
      status: countsOf(state.rollout, state.replicaSets),
      orElse: orElse.map(({ metadata }) => metadata.name),
      anyNode: false,
      isAtRest,
    };
  },
  seen(before: RolloutView, after: RolloutView) {
    const replicaSets = (after.replicaSets as V1ReplicaSet[]).map((one) => ReplicaSet.parse(one));
    return {
      sizes: sizesOf(replicaSets),
      created: createdSince(before, after).map(imageOf).sort(),
      deleted: deletedSince(before, after),
      // Not mirrored yet.
      status:
        after.workload.metadata === undefined ? {} : countsOf(Rollout.parse(after.workload), replicaSets),
    };
  },
});

const imageOfSet = ({ spec }: ReplicaSet): string => spec.template.spec.containers[0]?.image ?? '';

const sizesOf = (sets: readonly ReplicaSet[]): Record<string, number> =>
  Object.fromEntries(
    sets
      .map((set): [string, number] => [imageOfSet(set), set.spec.replicas])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/**
 * Counts, steps, pauses, and revisions by the number of their image: hashes of simulated ReplicaSets are made
 * up.
 */
function countsOf({ status }: Rollout, sets: readonly ReplicaSet[]): Record<string, number> {
  const imageNumber = (hash: string): number => {
    const set = sets.find((each) => hashOf(each) === hash);
    return set === undefined
      ? hash === ''
        ? -1
        : -2
      : (images as readonly string[]).indexOf(imageOfSet(set));
  };
  return {
    replicas: status.replicas,
    updated: status.updatedReplicas,
    ready: status.readyReplicas,
    available: status.availableReplicas,
    hpa: status.HPAReplicas,
    step: status.currentStepIndex ?? -1,
    abort: Number(status.abort),
    promoteFull: Number(status.promoteFull),
    controllerPause: Number(status.controllerPause),
    pauses: status.pauseConditions.length,
    checkPoint: Number(status.blueGreen.scaleUpPreviewCheckPoint),
    weight: status.canary.weights?.canary.weight ?? -1,
    new: imageNumber(status.currentPodHash),
    stable: imageNumber(status.stableRS),
    active: imageNumber(status.blueGreen.activeSelector),
    preview: imageNumber(status.blueGreen.previewSelector),
  };
}
