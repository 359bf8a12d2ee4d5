import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject, V1Container, V1PodTemplateSpec } from '@kubernetes/client-node';
import { canonicalJson } from '#src/doctor/fixes/plan.js';
import type { Cluster } from '../harness/cluster.js';
import { collectionPath } from '../harness/resources.js';
import { createDefinitions } from '../owners/harness/custom-objects.js';
import { isGone } from './is-gone.js';
import { controlledBy, untilListed } from './played-controllers.js';

type Role = '' | '-prefill';

interface Pods {
  readonly containers?: V1Container[];
  readonly affinity?: object;
}
interface Workers {
  readonly replicas?: number;
  readonly parallelism?: { readonly data?: number; readonly dataLocal?: number };
  readonly annotations?: Readonly<Record<string, string>>;
  readonly template?: Pods;
  /** The others of a group on several nodes, whose leader is the template. */
  readonly worker?: Pods;
  readonly rolloutStrategy?: { readonly maxSurge?: unknown; readonly maxUnavailable?: unknown };
}
type LlmInferenceService = KubernetesObject & {
  readonly spec?: Workers & { readonly prefill?: Workers };
};
/** A predictor of a head and workers. */
type InferenceService = KubernetesObject & {
  readonly spec?: {
    readonly predictor?: Workers & {
      readonly containers?: V1Container[];
      readonly workerSpec?: Pods;
      readonly deploymentStrategy?: { readonly type?: string };
    };
  };
};
type Made = KubernetesObject & {
  readonly spec?: { readonly rolloutStrategy?: object; readonly [field: string]: unknown };
};

const wishes = {
  LLMInferenceService: { version: 'serving.kserve.io/v1alpha2', of: wishesOf },
  InferenceService: { version: 'serving.kserve.io/v1beta1', of: partsOf },
} as const;

/**
 * Plays what only kserve/kserve after 0.20 does (aaac4e294), which no Go module proxy serves: its managers
 * honour `rolloutStrategy` of an LLMInferenceService, and keep the workers of a predictor on several nodes,
 * which 0.20.0 deletes again and again. Every tenth of a second they make the Deployments and
 * LeaderWorkerSets as they wish them (`workload_single_node.go`, `workload_multi_node.go:
 * expectedMainMultiNodeLWS, rollingUpdateConfigFromWorkloadSpec, semanticLWSIsEqual`,
 * `deployment_reconciler.go`). A strategy of a LeaderWorkerSet that is not declared is left alone.
 */
export async function playNewerKserve(cluster: Cluster) {
  await defineNewerKserve(cluster);
  let isOver = false;
  async function reconcile(): Promise<void> {
    for (const [kind, { version, of }] of Object.entries(wishes)) {
      const { items } = await cluster.objects.list(version, kind);
      for (const each of items)
        for (const wish of of({ ...each, apiVersion: version, kind })) await make(wish);
    }
  }

  async function make(object: Made): Promise<void> {
    const { apiVersion = '', kind = '', metadata: { namespace = '', name = '' } = {} } = object;
    const live = await cluster.objects
      .read<Made>({ apiVersion, kind, metadata: { namespace, name } })
      .catch((error: unknown) => {
        if (isGone(error)) return undefined;
        throw error;
      });
    if (live === undefined) {
      await cluster.objects.create(object, undefined, undefined, 'manager');
      return;
    }
    const { resourceVersion } = live.metadata ?? {};
    const wish = { ...object, metadata: { ...object.metadata, resourceVersion } } as Made;
    const tried: Made = await cluster.objects.replace(wish, undefined, 'All', 'manager');
    if (compared(tried, object) !== compared(live, object))
      await cluster.objects.replace(wish, undefined, undefined, 'manager');
  }

  const played = (async () => {
    while (!isOver) {
      // Another client wrote or deleted between a read and a write, or the namespace ends: the next round reads
      // again.
      await reconcile().catch((error: unknown) => {
        if (!isGone(error) && !/Conflict|409|403/.test(String(error))) throw error;
      });
      await delay(100);
    }
  })();
  played.catch(() => undefined);
  return {
    logs: (): string => '',
    async stop(): Promise<void> {
      isOver = true;
      await played;
    },
  };
}

function wishesOf(service: LlmInferenceService): readonly Made[] {
  const { spec = {} } = service;
  const { prefill } = spec;
  const wish = (workers: Workers, role: Role): Made =>
    (workers.worker === undefined ? deploymentOf : groupsOf)(service, role, workers);
  return [wish(spec, ''), ...(prefill === undefined ? [] : [wish(prefill, '-prefill')])];
}

/** With workers, its pods have the generation as a label: each change replaces all of them (`predictor.go`). */
function partsOf(owner: InferenceService): readonly Made[] {
  const { predictor = {} } = owner.spec ?? {};
  const { name = '', generation } = owner.metadata ?? {};
  const declared = predictor.deploymentStrategy ?? { type: 'RollingUpdate' };
  const ofWorkers = {
    type: 'RollingUpdate',
    rollingUpdate: { maxUnavailable: '0%', maxSurge: '100%' },
  };
  const part = (suffix: string, pods: Pods, strategy: object): Made => {
    const labels = {
      ...{ 'serving.kserve.io/inferenceservice': name, component: 'predictor' },
      ...(predictor.workerSpec === undefined ? {} : { 'isvc.generation': String(generation) }),
    };
    const app = `isvc.${name}${suffix}`;
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { ...metadataOf(owner, '', labels), name: `${name}${suffix}` },
      spec: {
        ...{ replicas: 1, selector: { matchLabels: { app } }, strategy },
        template: templateOf({ ...labels, app }, predictor, pods),
      },
    } as Made;
  };
  return [
    part('-predictor', predictor, declared),
    ...(predictor.workerSpec === undefined
      ? []
      : [
          part(
            '-predictor-worker',
            predictor.workerSpec,
            declared.type === 'RollingUpdate' ? ofWorkers : declared,
          ),
        ]),
  ];
}

const labelsOf = (owner: KubernetesObject, component: string) => ({
  'app.kubernetes.io/name': owner.metadata?.name ?? '',
  'app.kubernetes.io/part-of': 'llminferenceservice',
  'app.kubernetes.io/component': `llminferenceservice-workload${component}`,
});

const metadataOf = (owner: KubernetesObject, suffix: string, labels: object) => ({
  ...{ namespace: owner.metadata?.namespace, name: `${owner.metadata?.name}-kserve${suffix}`, labels },
  ownerReferences: [controlledBy(owner)],
});

const templateOf = (
  labels: Readonly<Record<string, string>>,
  { annotations = {} }: Workers,
  { containers = [], affinity }: Pods = {},
): V1PodTemplateSpec => ({
  metadata: { labels, annotations },
  spec: { containers, ...(affinity === undefined ? {} : { affinity }) },
});

function deploymentOf(owner: KubernetesObject, role: Role, workers: Workers): Made {
  const { replicas = 1, template, rolloutStrategy } = workers;
  const labels = labelsOf(owner, role);
  const strategy = { type: 'RollingUpdate', rollingUpdate: rolloutStrategy };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(owner, role, labels),
    spec: {
      replicas,
      selector: { matchLabels: labels },
      ...(rolloutStrategy === undefined ? {} : { strategy }),
      template: templateOf(labels, workers, template),
    },
  } as Made;
}

function groupsOf(owner: KubernetesObject, role: Role, workers: Workers): Made {
  const { replicas = 1, parallelism = {}, template, worker, rolloutStrategy } = workers;
  const labels = (part: string) => labelsOf(owner, `-${part}${role}`);
  const rollingUpdateConfiguration = { maxSurge: 0, maxUnavailable: 1, ...rolloutStrategy };
  return {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: metadataOf(owner, `-mn${role}`, labels('worker')),
    spec: {
      replicas,
      leaderWorkerTemplate: {
        size: (parallelism.data ?? 1) / (parallelism.dataLocal ?? 1),
        ...(template === undefined
          ? {}
          : { leaderTemplate: templateOf(labels('leader'), workers, template) }),
        workerTemplate: templateOf(labels('worker'), workers, worker),
        restartPolicy: 'RecreateGroupOnPodRestart',
      },
      rolloutStrategy: {
        type: 'RollingUpdate',
        ...(rolloutStrategy === undefined ? {} : { rollingUpdateConfiguration }),
      },
      startupPolicy: 'LeaderCreated',
    },
  } as Made;
}

/** All but what it leaves to others: the replicas, and a strategy of groups that it does not wish. */
const compared = ({ spec = {} }: Made, { spec: wished = {} }: Made): string =>
  canonicalJson({
    ...spec,
    replicas: 0,
    ...(wished.rolloutStrategy !== undefined && !('rollingUpdateConfiguration' in wished.rolloutStrategy)
      ? { rolloutStrategy: {} }
      : {}),
  });

const object = (properties: object): object => ({ type: 'object', properties });
const map = { type: 'object', additionalProperties: { type: 'string' } };
const any = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const amount = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };
const workersSchema = {
  replicas: { type: 'integer' },
  annotations: map,
  labels: map,
  template: any,
  parallelism: object({ data: { type: 'integer' }, dataLocal: { type: 'integer' } }),
  worker: any,
  rolloutStrategy: object({ maxSurge: amount, maxUnavailable: amount }),
};

const specs = {
  LLMInferenceService: {
    model: object({ uri: { type: 'string' } }),
    ...workersSchema,
    prefill: object(workersSchema),
  },
  InferenceService: {
    predictor: {
      ...any,
      properties: {
        deploymentStrategy: object({
          type: { type: 'string' },
          rollingUpdate: object({ maxSurge: amount, maxUnavailable: amount }),
        }),
      },
    },
  },
};

/** A structural schema of the fields that this program and the player read. */
const definitionOf = (kind: keyof typeof specs, shortName: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.serving.kserve.io` },
  spec: {
    group: 'serving.kserve.io',
    scope: 'Namespaced',
    names: {
      ...{ kind, listKind: `${kind}List`, shortNames: [shortName] },
      ...{ plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase() },
    },
    versions: [
      {
        ...{ name: wishes[kind].version.split('/')[1], served: true, storage: true },
        subresources: { status: {} },
        schema: { openAPIV3Schema: object({ spec: object(specs[kind]), status: any }) },
      },
    ],
  },
});

async function defineNewerKserve(cluster: Cluster): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-kserve-'));
  const items = [definitionOf('LLMInferenceService', 'llmisvc'), definitionOf('InferenceService', 'isvc')];
  try {
    const file = join(folder, 'definitions.json');
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    await createDefinitions(cluster, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  for (const kind of ['LLMInferenceService', 'InferenceService'] as const)
    await untilListed(cluster, collectionPath(kind));
}
