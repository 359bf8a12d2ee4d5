import type { KubernetesObject, V1Container, V1PodTemplateSpec } from '@kubernetes/client-node';
import { canonicalJson } from '#src/doctor/fixes/plan.js';
import { controlledBy } from './played-controllers.js';

interface Pods {
  readonly containers?: V1Container[];
  readonly affinity?: object;
}

/** The fields of workers on several nodes, in an LLMInferenceService or its `prefill`. */
export interface Groups {
  readonly replicas?: number;
  readonly parallelism?: { readonly pipeline?: number };
  readonly annotations?: Readonly<Record<string, string>>;
  readonly template?: Pods;
  readonly worker?: Pods;
  readonly rolloutStrategy?: { readonly maxSurge?: unknown; readonly maxUnavailable?: unknown };
}

type SetObject = KubernetesObject & {
  readonly spec?: { readonly rolloutStrategy?: object; readonly [field: string]: unknown };
};

/**
 * The LeaderWorkerSet that KServe's controller wishes for workers on several nodes: `template` is the leader
 * and `worker` the others, both with the annotations. A strategy that is not declared is left alone (kserve
 * `workload_multi_node.go: expectedMainMultiNodeLWS, rollingUpdateConfigFromWorkloadSpec,
 * semanticLWSIsEqual`).
 */
export function groupsWish(owner: KubernetesObject, role: '' | '-prefill', groups: Groups) {
  const { replicas = 1, parallelism = {}, annotations = {}, rolloutStrategy } = groups;
  const labels = (part: string) => ({
    'app.kubernetes.io/name': owner.metadata?.name ?? '',
    'app.kubernetes.io/part-of': 'llminferenceservice',
    'app.kubernetes.io/component': `llminferenceservice-workload-${part}${role}`,
  });
  const template = (part: string, { containers = [], affinity }: Pods): V1PodTemplateSpec => ({
    metadata: { labels: labels(part), annotations },
    spec: { containers, ...(affinity === undefined ? {} : { affinity }) },
  });
  const object = {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: {
      ...{ namespace: owner.metadata?.namespace, name: `${owner.metadata?.name}-kserve-mn${role}` },
      labels: labels('worker'),
      ownerReferences: [controlledBy(owner)],
    },
    spec: {
      replicas,
      leaderWorkerTemplate: {
        size: parallelism.pipeline ?? 1,
        ...(groups.template === undefined ? {} : { leaderTemplate: template('leader', groups.template) }),
        workerTemplate: template('worker', groups.worker ?? {}),
        restartPolicy: 'RecreateGroupOnPodRestart',
      },
      rolloutStrategy: {
        type: 'RollingUpdate',
        ...(rolloutStrategy === undefined
          ? {}
          : { rollingUpdateConfiguration: { maxSurge: 0, maxUnavailable: 1, ...rolloutStrategy } }),
      },
      startupPolicy: 'LeaderCreated',
    },
  } as SetObject;
  const compared = ({ spec = {} }: SetObject) =>
    canonicalJson({
      ...spec,
      replicas: 0,
      ...(rolloutStrategy === undefined ? { rolloutStrategy: {} } : {}),
    });
  return { object, compares: (wish: SetObject, live: SetObject) => compared(wish) !== compared(live) };
}
