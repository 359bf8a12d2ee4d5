import { Rollout } from '#src/engine/objects/argo-rollout.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { ReplicaSet } from '#src/engine/objects/workload.js';
import { stepHashOf } from '#src/engine/workloads/argo-rollout/canary-sync.js';
import type { ArgoRolloutState } from '#src/engine/workloads/rollout-state.js';
import { ago, buildPods, buildTemplate, now } from './rollout-builders.js';

export interface ArgoRolloutFields {
  readonly replicas?: number;
  readonly canary?: object;
  readonly blueGreen?: object;
  readonly image?: string;
  readonly spec?: object;
  readonly status?: object;
  readonly generation?: number;
}

/** A Rollout on the way from revision `stable` to revision `new`, whose controller has seen the template. */
export function buildArgoRollout(fields: ArgoRolloutFields = {}): Rollout {
  const generation = fields.generation ?? 2;
  const rollout = Rollout.parse({
    metadata: { name: 'web', namespace: 'shop', uid: 'web-uid', generation },
    spec: {
      replicas: fields.replicas ?? 1,
      selector: { matchLabels: { app: 'web' } },
      template: buildTemplate(fields.image ?? 'web:new'),
      strategy:
        fields.blueGreen === undefined
          ? { canary: fields.canary ?? {} }
          : { blueGreen: { activeService: 'web', ...fields.blueGreen } },
      ...fields.spec,
    },
    status: { observedGeneration: '2', stableRS: 'stable', currentPodHash: 'new', ...fields.status },
  });
  return {
    ...rollout,
    status: { ...rollout.status, currentStepHash: stepHashOf(rollout) ?? 'unknown' },
  };
}

export interface SetFields {
  /** Also its image. */
  readonly hash: string;
  readonly replicas: number;
  readonly available?: number;
  readonly exist?: number;
  readonly revision?: number;
  readonly desired?: number;
  readonly deadline?: string;
  readonly age?: number;
}

export function buildArgoReplicaSet(fields: SetFields): ReplicaSet {
  const labels = { app: 'web', 'rollouts-pod-template-hash': fields.hash };
  return ReplicaSet.parse({
    metadata: {
      name: `web-${fields.hash}`,
      namespace: 'shop',
      uid: `web-${fields.hash}-uid`,
      generation: 1,
      creationTimestamp: ago(fields.age ?? (fields.hash === 'new' ? 600 : 6_000)),
      labels,
      annotations: {
        'rollout.argoproj.io/revision': String(fields.revision ?? (fields.hash === 'new' ? 9 : 1)),
        'rollout.argoproj.io/desired-replicas': String(fields.desired ?? fields.replicas),
        ...(fields.deadline === undefined ? {} : { 'scale-down-deadline': fields.deadline }),
      },
      ownerReferences: [{ kind: 'Rollout', name: 'web', uid: 'web-uid', controller: true }],
    },
    spec: {
      replicas: fields.replicas,
      selector: { matchLabels: labels },
      template: { ...buildTemplate(`web:${fields.hash}`), metadata: { labels } },
    },
    status: {
      observedGeneration: 1,
      replicas: fields.exist ?? fields.replicas,
      readyReplicas: fields.available ?? fields.replicas,
      availableReplicas: fields.available ?? fields.replicas,
    },
  });
}

export function buildArgoState(
  rollout: Rollout,
  replicaSets: readonly ReplicaSet[],
  pods: readonly Pod[] = [],
  services: ArgoRolloutState['services'] = {},
): ArgoRolloutState {
  return { kind: 'Rollout', rollout, replicaSets, pods, services, now };
}

/** A Rollout with its ReplicaSets and their pods: the available ones ready, the others never scheduled. */
export function argoStateOf(
  fields: ArgoRolloutFields,
  sets: readonly SetFields[],
  services: ArgoRolloutState['services'] = {},
): ArgoRolloutState {
  const replicaSets = sets.map(buildArgoReplicaSet);
  const pods = replicaSets.flatMap((set) => {
    const { availableReplicas, replicas } = set.status;
    return buildPods(set, availableReplicas, replicas - availableReplicas);
  });
  return buildArgoState(buildArgoRollout(fields), replicaSets, pods, services);
}

/** Sizes of the ReplicaSets by their hash. */
export function sizesByHash({ replicaSets }: ArgoRolloutState): Readonly<Record<string, number>> {
  return Object.fromEntries(
    replicaSets.map(({ metadata, spec }) => [metadata.name.replace('web-', ''), spec.replicas]),
  );
}
