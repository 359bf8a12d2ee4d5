import type { KubernetesObject, V1Deployment } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { condition, controlledBy, define, patchObject, type Scene, untilPods } from './played-controllers.js';

const apiVersion = 'serving.knative.dev/v1';
export const revisionLabel = 'serving.knative.dev/revision';

export const defineKnative = (cluster: Cluster): Promise<void> =>
  define(cluster, [
    { group: 'serving.knative.dev', kind: 'Service', plural: 'services' },
    { group: 'serving.knative.dev', kind: 'Revision', plural: 'revisions' },
  ]);

export interface RevisionOptions {
  /** `autoscaling.knative.dev/min-scale`; absent: the autoscaler may go to zero. */
  readonly minScale?: number;
  /** Pods that the autoscaler wants at present. */
  readonly pods?: number;
  readonly requests?: Readonly<Record<string, string>>;
  /** The pod never becomes ready. */
  readonly isSlow?: boolean;
}

/**
 * Plays Knative's controllers, where the real ones cannot run: a Revision and its Deployment with
 * maxUnavailable 0 for each changed template (knative serving
 * `pkg/reconciler/revision/resources/deploy.go: MakeDeployment`), and the status of the Service. The
 * autoscaler is played by the number of pods that a recording asks for.
 */
export function playKnative(scene: Scene, traffic: readonly object[] = [], name = 'llm') {
  const { cluster, shop } = scene;
  const nameOf = (generation: number) => `${name}-${String(generation).padStart(5, '0')}`;

  function templateOf(generation: number, { minScale, requests = {}, isSlow = false }: RevisionOptions) {
    const limits = Object.fromEntries(Object.entries(requests).filter(([key]) => key.includes('/')));
    const annotations = {
      ...(minScale === undefined ? {} : { 'autoscaling.knative.dev/min-scale': String(minScale) }),
      ...(isSlow ? { [kubeletAnnotation.start]: 'not-ready' } : {}),
    };
    const image = `registry.example/llm:${generation}`;
    const containers = [{ name: 'user-container', image, resources: { requests, limits } }];
    return { metadata: { annotations }, spec: { containers } };
  }

  async function makeRevision(generation: number, options: RevisionOptions): Promise<void> {
    const { metadata, spec } = templateOf(generation, options);
    const labels = {
      'serving.knative.dev/service': name,
      'serving.knative.dev/configuration': name,
      [revisionLabel]: nameOf(generation),
      app: nameOf(generation),
    };
    const own = { namespace: shop, name: nameOf(generation), labels, annotations: metadata.annotations };
    const revision = await cluster.create({
      apiVersion,
      kind: 'Revision',
      metadata: own,
      spec,
    } as KubernetesObject);
    const sidecar = {
      name: 'queue-proxy',
      image: 'registry.example/queue:1',
      resources: { requests: { cpu: '25m' } },
    };
    await cluster.create<V1Deployment>({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        ...own,
        name: `${nameOf(generation)}-deployment`,
        ownerReferences: [controlledBy({ apiVersion, kind: 'Revision', metadata: revision.metadata ?? {} })],
      },
      spec: {
        replicas: options.pods ?? Math.max(1, options.minScale ?? 0),
        revisionHistoryLimit: 0,
        progressDeadlineSeconds: 600,
        selector: { matchLabels: { [revisionLabel]: nameOf(generation) } },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0 } },
        template: {
          metadata: { labels, annotations: metadata.annotations },
          spec: { containers: [...spec.containers, sidecar] },
        },
      },
    });
  }

  async function writeStatus(
    created: number,
    ready: number,
    routed: readonly object[],
    isFailed = false,
  ): Promise<void> {
    const isReady = created === ready;
    const configurations = isFailed
      ? condition('ConfigurationsReady', 'False', 'RevisionFailed')
      : condition('ConfigurationsReady', isReady ? 'True' : 'Unknown');
    await patchObject(
      scene,
      'KnativeService',
      name,
      {
        status: {
          observedGeneration: created,
          latestCreatedRevisionName: nameOf(created),
          latestReadyRevisionName: nameOf(ready),
          traffic: routed,
          conditions: [
            configurations,
            condition('Ready', isFailed ? 'False' : isReady ? 'True' : 'Unknown'),
            condition('RoutesReady', 'True'),
          ],
        },
      },
      '/status',
    );
  }

  const latest = (revision: number) => [
    { latestRevision: true, percent: 100, revisionName: nameOf(revision) },
  ];

  return {
    name,
    revision: nameOf,
    /** The first revision serves. Returns its pods. */
    async start(options: RevisionOptions): Promise<readonly string[]> {
      const template = templateOf(1, options);
      await cluster.create({
        apiVersion,
        kind: 'Service',
        metadata: { namespace: shop, name },
        spec: { template, ...(traffic.length === 0 ? {} : { traffic }) },
      } as KubernetesObject);
      await makeRevision(1, options);
      const { pods = Math.max(1, options.minScale ?? 0) } = options;
      const names = await untilPods(scene, { [revisionLabel]: nameOf(1) }, { ready: pods });
      await writeStatus(1, 1, traffic.length === 0 ? latest(1) : traffic);
      return names;
    },
    /** A second revision is made and does not serve yet. */
    async update(options: RevisionOptions): Promise<void> {
      const template = templateOf(2, options);
      await patchObject(scene, 'KnativeService', name, { spec: { template } });
      await makeRevision(2, options);
      await writeStatus(2, 1, traffic.length === 0 ? latest(1) : traffic);
    },
    /** The Route has moved the traffic to the second revision. */
    async moveTraffic(): Promise<void> {
      await writeStatus(2, 2, latest(2));
    },
    /** The second revision was not ready in time: Knative has marked it as failed. */
    giveUp: () => writeStatus(2, 1, latest(1), true),
    async scale(revision: number, replicas: number): Promise<void> {
      await cluster.patch(
        { kind: 'Deployment', namespace: shop, name: `${nameOf(revision)}-deployment` },
        { spec: { replicas } },
      );
    },
    refused: (pods = 1) => untilPods(scene, { [revisionLabel]: nameOf(2) }, { refused: pods }),
  };
}
