import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject, V1Deployment } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { condition, controlledBy, define, patchObject, type Scene, untilPods } from './played-controllers.js';

const apiVersion = 'nvidia.com/v1beta1';
const graphLabel = 'nvidia.com/dynamo-graph-deployment-name';
const componentLabel = 'nvidia.com/dynamo-component';
const hashLabel = 'nvidia.com/dynamo-worker-hash';

export const defineDynamo = (cluster: Cluster): Promise<void> =>
  define(cluster, [
    {
      group: 'nvidia.com',
      kind: 'DynamoGraphDeployment',
      plural: 'dynamographdeployments',
      version: 'v1beta1',
    },
    {
      group: 'nvidia.com',
      kind: 'DynamoComponentDeployment',
      plural: 'dynamocomponentdeployments',
      version: 'v1beta1',
    },
  ]);

export interface ComponentOptions {
  readonly name: string;
  readonly type?: 'worker' | 'prefill' | 'decode' | 'frontend';
  readonly replicas?: number;
  readonly requests?: Readonly<Record<string, string>>;
  /** Of the pod template. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Its pods never become ready. */
  readonly isSlow?: boolean;
  readonly isScaled?: boolean;
}

const hashes = ['', '1f0c9a3e', '7b2d4e60'] as const;
type Generation = 1 | 2;

/** The bounds and the type of the strategy, as the operator reads them from the annotations. */
function boundsOf({ annotations = {}, replicas = 1 }: ComponentOptions) {
  const read = (name: string, round: (value: number) => number): number => {
    const text = annotations[`nvidia.com/deployment-rolling-update-${name}`] ?? '25%';
    return text.endsWith('%') ? round((Number.parseInt(text, 10) / 100) * replicas) : Number(text);
  };
  const surge = read('max-surge', Math.ceil);
  const unavailable = read('max-unavailable', Math.floor);
  return { surge: surge + unavailable === 0 ? 1 : surge, unavailable };
}

/**
 * Plays the Dynamo operator, where the real one cannot run: a DynamoComponentDeployment and a Deployment for
 * each component and, of workers, for each generation; the replicas of both generations until they no longer
 * change; and the status of the graph (dynamo `dgd_worker_rollout_reconciler.go: buildRollingUpdateContext`,
 * `dynamocomponentdeployment_controller.go`).
 */
export function playDynamo(scene: Scene) {
  const { cluster, shop } = scene;
  const name = 'llm';
  let graph: KubernetesObject;
  let components: readonly ComponentOptions[] = [];

  const isWorker = ({ type = 'worker' }: ComponentOptions) => type !== 'frontend';
  const nameOf = (component: ComponentOptions, generation: Generation) => {
    const base = `${name}-${component.name.toLowerCase()}`;
    return isWorker(component) ? `${base}-${hashes[generation]}` : base;
  };

  function templateOf(
    { requests = {}, annotations = {}, isSlow = false }: ComponentOptions,
    generation: number,
  ) {
    const limits = Object.fromEntries(Object.entries(requests).filter(([key]) => key.includes('/')));
    const image = `registry.example/dynamo:${generation}`;
    const marks = isSlow ? { [kubeletAnnotation.start]: 'not-ready' } : {};
    return {
      metadata: { annotations: { ...annotations, ...marks } },
      spec: { containers: [{ name: 'main', image, resources: { requests, limits } }] },
    };
  }

  const specOf = (all: readonly ComponentOptions[], generation: Generation) => ({
    backendFramework: 'vllm',
    components: all.map((each) => ({
      name: each.name,
      type: each.type ?? 'worker',
      replicas: each.replicas ?? 1,
      ...(each.isScaled ? { scalingAdapter: {} } : {}),
      podTemplate: templateOf(each, isWorker(each) ? generation : 1),
    })),
  });

  async function makeComponent(component: ComponentOptions, generation: Generation, replicas: number) {
    const own = nameOf(component, generation);
    const labels = {
      [graphLabel]: name,
      [componentLabel]: component.name,
      ...(isWorker(component) ? { [hashLabel]: hashes[generation] } : {}),
    };
    const made = await cluster.create({
      apiVersion,
      kind: 'DynamoComponentDeployment',
      metadata: {
        namespace: shop,
        name: own,
        labels,
        ownerReferences: [
          controlledBy({ apiVersion, kind: 'DynamoGraphDeployment', metadata: graph.metadata ?? {} }),
        ],
      },
      spec: { name: component.name, type: component.type ?? 'worker', replicas },
    } as KubernetesObject);
    const template = templateOf(component, generation);
    const { surge, unavailable } = boundsOf(component);
    await cluster.create<V1Deployment>({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        namespace: shop,
        name: own,
        labels,
        annotations: { 'nvidia.com/last-applied-hash': own, 'nvidia.com/last-applied-generation': '1' },
        ownerReferences: [
          controlledBy({ apiVersion, kind: 'DynamoComponentDeployment', metadata: made.metadata ?? {} }),
        ],
      },
      spec: {
        replicas,
        selector: { matchLabels: { 'nvidia.com/selector': own } },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } },
        template: {
          metadata: {
            annotations: template.metadata.annotations,
            labels: { ...labels, 'nvidia.com/selector': own },
          },
          spec: template.spec,
        },
      },
    });
  }

  async function writeStatus(phase: string | undefined, generations: readonly Generation[]): Promise<void> {
    const read = await patchObject(scene, 'DynamoGraphDeployment', name, {});
    await patchObject(
      scene,
      'DynamoGraphDeployment',
      name,
      {
        status: {
          observedGeneration: read.metadata?.generation ?? 1,
          state: phase === 'InProgress' ? 'pending' : 'successful',
          components: Object.fromEntries(
            components.map((each) => [
              each.name,
              {
                componentKind: 'Deployment',
                componentNames: isWorker(each)
                  ? generations.map((generation) => nameOf(each, generation)).sort()
                  : [nameOf(each, 1)],
              },
            ]),
          ),
          ...(phase === undefined ? {} : { rollingUpdate: { phase } }),
          conditions: [condition('Ready', phase === 'InProgress' ? 'False' : 'True')],
        },
      },
      '/status',
    );
  }

  interface Counts {
    readonly spec: number;
    readonly available: number;
  }

  async function countsOf(component: ComponentOptions, generation: Generation): Promise<Counts> {
    const own = nameOf(component, generation);
    return cluster.until<V1Deployment, Counts>({
      what: `the status of ${own}`,
      selection: {
        kind: 'Deployment',
        namespace: shop,
        labels: { [componentLabel]: component.name, [hashLabel]: hashes[generation] },
      },
      check: ([deployment]) => {
        const { metadata, spec, status } = deployment ?? {};
        if ((status?.observedGeneration ?? 0) < (metadata?.generation ?? 1)) return undefined;
        const isRefused = status?.conditions?.some(
          ({ type, status: value }) => type === 'ReplicaFailure' && value === 'True',
        );
        if ((status?.replicas ?? 0) !== spec?.replicas && !isRefused) return undefined;
        return { spec: spec?.replicas ?? 0, available: status?.availableReplicas ?? 0 };
      },
      deadlineMilliseconds: 60_000,
    });
  }

  async function scale(component: ComponentOptions, generation: Generation, replicas: number): Promise<void> {
    const own = { namespace: shop, name: nameOf(component, generation) };
    await cluster.patch({ kind: 'Deployment', ...own }, { spec: { replicas } });
  }

  /** One reconciliation. Returns whether it changed something. */
  async function reconcile(component: ComponentOptions): Promise<boolean> {
    const desired = component.replicas ?? 1;
    const before = await countsOf(component, 1);
    const next = await countsOf(component, 2);
    const { surge, unavailable } = boundsOf(component);
    const isRecreate = component.annotations?.['nvidia.com/deployment-strategy'] === 'Recreate';
    const least = desired - unavailable;
    const mayGo = Math.max(0, before.spec + next.spec - least - Math.max(0, next.spec - next.available));
    const surplus = Math.max(0, before.available + next.available - least);
    const former = isRecreate
      ? 0
      : Math.max(0, before.spec - Math.min(mayGo, before.spec - before.available + surplus));
    const budget = Math.max(0, desired + surge - before.spec - next.spec);
    const wanted = isRecreate ? (before.spec === 0 ? desired : 0) : Math.min(desired, next.spec + budget);
    if (former !== before.spec) await scale(component, 1, former);
    if (wanted !== next.spec) await scale(component, 2, wanted);
    return former !== before.spec || wanted !== next.spec;
  }

  return {
    name,
    /** The first generation serves. Returns the pods of its workers. */
    async start(all: readonly ComponentOptions[], isServing = true): Promise<readonly string[]> {
      components = all;
      graph = await cluster.create({
        apiVersion,
        kind: 'DynamoGraphDeployment',
        metadata: { namespace: shop, name, annotations: { 'nvidia.com/current-worker-hash-v2': hashes[1] } },
        spec: specOf(all, 1),
      } as KubernetesObject);
      for (const each of all) await makeComponent(each, 1, each.replicas ?? 1);
      await writeStatus(undefined, [1]);
      if (!isServing) return [];
      const count = all.filter(isWorker).reduce((sum, { replicas = 1 }) => sum + replicas, 0);
      return untilPods(scene, { [hashLabel]: hashes[1] }, { ready: count });
    },
    /** A changed spec: the operator makes a second generation and scales both until it has nothing to do. */
    async update(all: readonly ComponentOptions[]): Promise<void> {
      components = all;
      await patchObject(scene, 'DynamoGraphDeployment', name, { spec: specOf(all, 2) });
      const workers = all.filter(isWorker);
      for (const each of workers) await makeComponent(each, 2, 0);
      await writeStatus('InProgress', [1, 2]);
      // Pods become ready within a second, so that a few rounds without a change show that none follows.
      for (let quiet = 0; quiet < 4; ) {
        const changed = [];
        for (const each of workers) changed.push(await reconcile(each));
        quiet = changed.includes(true) ? 0 : quiet + 1;
        await delay(1_000);
      }
    },
    /** The first generation is gone. */
    async complete(): Promise<void> {
      for (const each of components.filter(isWorker)) {
        await cluster.remove({ kind: 'Deployment', namespace: shop, name: nameOf(each, 1) });
      }
      await patchObject(scene, 'DynamoGraphDeployment', name, {
        metadata: { annotations: { 'nvidia.com/current-worker-hash-v2': hashes[2] } },
      });
      await writeStatus('Completed', [2]);
    },
    /** A changed image of the frontend, whose Deployment rolls by itself. */
    async updateFrontend(frontend: ComponentOptions): Promise<void> {
      const { spec } = templateOf(frontend, 2);
      await cluster.patch(
        { kind: 'Deployment', namespace: shop, name: nameOf(frontend, 1) },
        {
          metadata: { annotations: { 'nvidia.com/last-applied-generation': '2' } },
          spec: { template: { spec } },
        },
      );
    },
    podsOf: (generation: Generation, wanted: Parameters<typeof untilPods>[2]) =>
      untilPods(scene, { [hashLabel]: hashes[generation] }, wanted),
    podsOfComponent: (component: string, wanted: Parameters<typeof untilPods>[2]) =>
      untilPods(scene, { [componentLabel]: component }, wanted),
  };
}
