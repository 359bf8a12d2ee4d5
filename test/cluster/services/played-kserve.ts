import { setTimeout as delay } from 'node:timers/promises';
import type {
  KubernetesObject,
  V1Container,
  V1Deployment,
  V1DeploymentStrategy,
  V1PodTemplateSpec,
} from '@kubernetes/client-node';
import { canonicalJson } from '#src/doctor/fixes/plan.js';
import { isGone } from './is-gone.js';
import { controlledBy, type Scene } from './played-controllers.js';
import { type Groups, groupsWish } from './played-kserve-sets.js';

const apiVersion = 'serving.kserve.io/v1beta1';
const llmVersion = 'serving.kserve.io/v1alpha2';

interface Component {
  readonly minReplicas?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly affinity?: object;
  readonly containers?: V1Container[];
  readonly deploymentStrategy?: V1DeploymentStrategy;
  readonly workerSpec?: { readonly containers?: V1Container[]; readonly affinity?: object };
}
type InferenceService = KubernetesObject & {
  readonly spec?: { readonly [name in 'predictor' | 'transformer' | 'explainer']?: Component };
};

interface Workers extends Groups {
  readonly rolloutStrategy?: NonNullable<V1DeploymentStrategy['rollingUpdate']>;
}
type LlmInferenceService = KubernetesObject & {
  readonly spec?: Workers & { readonly prefill?: Workers };
};

/**
 * `compares`: whether the controller finds a difference between its wish, with defaults, and what there is.
 */
interface Wish {
  readonly object: KubernetesObject;
  readonly compares: (wish: KubernetesObject, live: KubernetesObject) => boolean;
}

export interface PlayedKserve {
  stop(): Promise<void>;
}

/**
 * Plays KServe's controllers, where the real ones cannot run: every tenth of a second they make the
 * Deployments of all InferenceServices and LLMInferenceServices of the namespace as they wish them. Of an
 * InferenceService, they compare the whole spec but the replicas, and all annotations are copied into the
 * pods (kserve `deployment_reconciler.go`, `predictor.go`). The real managers of 0.20.0 put back the strategy
 * of an LLMInferenceService, too, as their wish has the defaults of the API server. Its workers on
 * several nodes are a LeaderWorkerSet, whose controller is real.
 */
export function playKserve({ cluster, shop }: Scene): PlayedKserve {
  let isOver = false;
  const list = async (version: string, kind: string): Promise<readonly KubernetesObject[]> => {
    const { items } = await cluster.objects.list(version, kind, shop);
    return items.map((each) => ({ ...each, apiVersion: version, kind }));
  };

  async function reconcile(): Promise<void> {
    const services = await list(apiVersion, 'InferenceService');
    const llms = await list(llmVersion, 'LLMInferenceService');
    const wishes = [
      ...services.flatMap((each) => wishesOf(each as InferenceService)),
      ...llms.flatMap((each) => llmWishesOf(each as LlmInferenceService)),
    ];
    for (const wish of wishes) await make(wish);
  }

  async function make({ object, compares }: Wish): Promise<void> {
    const { apiVersion: version, kind, metadata } = object;
    const live = await cluster.objects
      .read<KubernetesObject>({
        ...{ apiVersion: version ?? '', kind: kind ?? '' },
        metadata: { namespace: shop, name: metadata?.name ?? '' },
      })
      .catch((error: unknown) => {
        if (isGone(error)) return undefined;
        throw error;
      });
    if (live === undefined) {
      await cluster.objects.create(object, undefined, undefined, 'manager');
      return;
    }
    const { resourceVersion } = live.metadata ?? {};
    const wish = { ...object, metadata: { ...metadata, resourceVersion } } as KubernetesObject;
    const tried = await cluster.objects.replace(wish, undefined, 'All', 'manager');
    if (compares(tried, live)) await cluster.objects.replace(wish, undefined, undefined, 'manager');
  }

  const played = (async () => {
    while (!isOver) {
      // Another client wrote between a read and a write: the next round reads again.
      await reconcile().catch((error: unknown) => {
        if (!String(error).includes('Conflict') && !String(error).includes('409')) throw error;
      });
      await delay(100);
    }
  })();
  played.catch(() => undefined);

  return {
    async stop() {
      isOver = true;
      await played;
    },
  };

  function wishesOf(service: InferenceService): readonly Wish[] {
    const { predictor, transformer, explainer } = service.spec ?? {};
    const all = { predictor, transformer, explainer };
    return Object.entries(all).flatMap(([component, spec]) =>
      spec === undefined ? [] : ofComponent(service, component, spec),
    );
  }

  function ofComponent(service: InferenceService, component: string, spec: Component): readonly Wish[] {
    const { metadata = {} } = service;
    const name = `${metadata.name}-${component}`;
    const isOnSeveralNodes = spec.workerSpec !== undefined;
    const labels = {
      'serving.kserve.io/inferenceservice': metadata.name ?? '',
      component,
      ...(isOnSeveralNodes ? { 'isvc.generation': String(metadata.generation) } : {}),
    };
    const annotations = { ...metadata.annotations, ...spec.annotations };
    delete annotations['kubectl.kubernetes.io/last-applied-configuration'];
    const part = (own: string, pods: Pick<Component, 'containers' | 'affinity'>, strategy: object): Wish => {
      const podLabels = { ...labels, app: `isvc.${own}` };
      return {
        object: deploymentOf(service, own, labels, {
          replicas: spec.minReplicas ?? 1,
          selector: { matchLabels: { app: `isvc.${own}` } },
          strategy,
          template: templateOf(podLabels, annotations, pods),
        }),
        compares: differs,
      };
    };
    const declared = spec.deploymentStrategy ?? { type: 'RollingUpdate' };
    const ofWorkers =
      declared.type === 'RollingUpdate'
        ? { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '0%', maxSurge: '100%' } }
        : declared;
    return [
      part(name, spec, declared),
      ...(spec.workerSpec === undefined ? [] : [part(`${name}-worker`, spec.workerSpec, ofWorkers)]),
    ];
  }

  function llmWishesOf(service: LlmInferenceService): readonly Wish[] {
    const { spec = {} } = service;
    const { prefill } = spec;
    const wish = (workers: Workers, role: '' | '-prefill'): Wish =>
      workers.worker === undefined ? ofWorkers(service, role, workers) : groupsWish(service, role, workers);
    return [wish(spec, ''), ...(prefill === undefined ? [] : [wish(prefill, '-prefill')])];
  }

  function ofWorkers(service: LlmInferenceService, role: '' | '-prefill', spec: Workers): Wish {
    const { replicas = 1, annotations = {}, template = {}, rolloutStrategy } = spec;
    const labels = {
      'app.kubernetes.io/name': service.metadata?.name ?? '',
      'app.kubernetes.io/part-of': 'llminferenceservice',
      'app.kubernetes.io/component': `llminferenceservice-workload${role}`,
    };
    const strategy =
      rolloutStrategy === undefined
        ? {}
        : { strategy: { type: 'RollingUpdate', rollingUpdate: rolloutStrategy } };
    return {
      object: deploymentOf(service, `${service.metadata?.name}-kserve${role}`, labels, {
        replicas,
        selector: { matchLabels: labels },
        ...strategy,
        template: templateOf(labels, annotations, template),
      }),
      compares: differs,
    };
  }

  function deploymentOf(
    owner: KubernetesObject,
    name: string,
    labels: Readonly<Record<string, string>>,
    spec: V1Deployment['spec'],
  ): V1Deployment {
    const ownerReferences = [controlledBy(owner)];
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace: shop, name, labels, ownerReferences },
      spec,
    } as V1Deployment;
  }
}

function templateOf(
  labels: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>>,
  { containers = [], affinity }: Pick<Component, 'containers' | 'affinity'>,
): V1PodTemplateSpec {
  return {
    metadata: { labels, annotations },
    spec: { containers, ...(affinity === undefined ? {} : { affinity }) },
  };
}

function differs({ spec: wish }: V1Deployment, { spec: live }: V1Deployment): boolean {
  return canonicalJson({ ...wish, replicas: 0 }) !== canonicalJson({ ...live, replicas: 0 });
}
