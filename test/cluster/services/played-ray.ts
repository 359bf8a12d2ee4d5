import type { CoreV1Event, KubernetesObject, V1Pod } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import {
  condition,
  controlledBy,
  define,
  patchObject,
  refusalOf,
  type Scene,
  untilPods,
} from './played-controllers.js';

const apiVersion = 'ray.io/v1';
const clusterLabel = 'ray.io/cluster';

export const defineRay = (cluster: Cluster): Promise<void> =>
  define(cluster, [
    { group: 'ray.io', kind: 'RayService', plural: 'rayservices' },
    { group: 'ray.io', kind: 'RayCluster', plural: 'rayclusters' },
  ]);

type Requests = Readonly<Record<string, string>>;

export interface ClusterOptions {
  readonly head?: Requests;
  readonly worker?: Requests;
  readonly workers?: number;
  readonly minWorkers?: number;
  readonly isAutoscaled?: boolean;
  /** `spec.upgradeStrategy.type`; absent: the default of the operator. */
  readonly upgrade?: string;
  /** Its pods never become ready. */
  readonly isSlow?: boolean;
}

/** The random part of the names of RayClusters. */
const suffixes = ['', 'x7k2p', 'm4q9d'] as const;

/**
 * Plays KubeRay, where the real operator cannot run: a RayCluster with its head and worker pods for each
 * changed spec, and the status of the RayService (kuberay `rayservice_controller.go: calculateStatus`,
 * `raycluster_controller.go: buildHeadPod`).
 */
export function playRay(scene: Scene) {
  const { cluster, shop } = scene;
  const name = 'llm';
  const nameOf = (generation: 1 | 2) => `${name}-${suffixes[generation]}`;

  function specOf(generation: number, options: ClusterOptions) {
    const { head = { cpu: '1' }, worker = {}, workers = 0, minWorkers = workers, upgrade } = options;
    const template = (part: string, requests: Requests) => {
      const limits = Object.fromEntries(Object.entries(requests).filter(([key]) => key.includes('/')));
      const image = `registry.example/ray:${generation}`;
      return { spec: { containers: [{ name: `ray-${part}`, image, resources: { requests, limits } }] } };
    };
    return {
      ...(upgrade === undefined ? {} : { upgradeStrategy: { type: upgrade } }),
      serveConfigV2: 'applications: []',
      rayClusterConfig: {
        rayVersion: '2.46.0',
        enableInTreeAutoscaling: options.isAutoscaled ?? false,
        headGroupSpec: { rayStartParams: {}, template: template('head', head) },
        workerGroupSpecs:
          workers === 0
            ? []
            : [
                {
                  groupName: 'gpu',
                  replicas: workers,
                  minReplicas: minWorkers,
                  maxReplicas: workers,
                  rayStartParams: {},
                  template: template('worker', worker),
                },
              ],
      },
    };
  }

  async function makeCluster(
    generation: 1 | 2,
    options: ClusterOptions,
    owner: KubernetesObject,
  ): Promise<void> {
    const { rayClusterConfig } = specOf(generation, options);
    const origin = { 'ray.io/originated-from-cr-name': name, 'ray.io/originated-from-crd': 'RayService' };
    const made = await cluster.create({
      apiVersion,
      kind: 'RayCluster',
      metadata: {
        namespace: shop,
        name: nameOf(generation),
        labels: origin,
        ownerReferences: [controlledBy({ apiVersion, kind: 'RayService', metadata: owner.metadata ?? {} })],
      },
      spec: rayClusterConfig,
    } as KubernetesObject);
    const podOf = (type: 'head' | 'worker', group: string, podName: string, spec: V1Pod['spec']): V1Pod => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        namespace: shop,
        name: podName,
        labels: {
          [clusterLabel]: nameOf(generation),
          'ray.io/node-type': type,
          'ray.io/group': group,
          'ray.io/is-ray-node': 'yes',
          'app.kubernetes.io/created-by': 'kuberay-operator',
        },
        ...(options.isSlow ? { annotations: { [kubeletAnnotation.start]: 'not-ready' } } : {}),
        ownerReferences: [controlledBy({ apiVersion, kind: 'RayCluster', metadata: made.metadata ?? {} })],
      },
      ...(spec === undefined ? {} : { spec }),
    });
    const { headGroupSpec, workerGroupSpecs } = rayClusterConfig;
    const head = podOf('head', 'headgroup', `${nameOf(generation)}-head`, headGroupSpec.template.spec);
    const workers = workerGroupSpecs.flatMap(({ groupName, replicas, template }) =>
      Array.from({ length: replicas }, (_, at) =>
        podOf(
          'worker',
          groupName,
          `${nameOf(generation)}-${groupName}-worker-${'bcdfg'[at]}4z8w`,
          template.spec,
        ),
      ),
    );
    // The operator ends its reconciliation at the first pod that is refused.
    for (const pod of [head, ...workers]) {
      const refusal = await refusalOf(() => cluster.create(pod));
      if (refusal === undefined) continue;
      await reportRefusal(made, pod === head ? 'Head' : 'Worker', refusal);
      return;
    }
  }

  /** As the operator's recorder writes it (kuberay `raycluster_controller.go: createWorkerPod`). */
  async function reportRefusal(
    { metadata }: KubernetesObject,
    role: 'Head' | 'Worker',
    refusal: string,
  ): Promise<void> {
    const { name: owner = '', uid = '' } = metadata ?? {};
    const time = new Date().toISOString().replace(/\.\d+Z$/, 'Z') as unknown as Date;
    await cluster.create<CoreV1Event>({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace: shop, name: `${owner}.refused` },
      involvedObject: { apiVersion, kind: 'RayCluster', namespace: shop, name: owner, uid },
      type: 'Warning',
      reason: `FailedToCreate${role}Pod`,
      message: `Failed to create ${role.toLowerCase()} Pod for the cluster ${shop}/${owner}, ${refusal}`,
      count: 9,
      source: { component: 'raycluster-controller' },
      firstTimestamp: time,
      lastTimestamp: time,
    });
  }

  const running = { llm: { status: 'RUNNING' } };

  async function writeStatus(
    generation: number,
    active: 1 | 2 | undefined,
    pending: 1 | 2 | undefined,
    applications: object = {},
  ): Promise<void> {
    const upgrading = active !== undefined && pending !== undefined;
    await patchObject(
      scene,
      'RayService',
      name,
      {
        status: {
          observedGeneration: generation,
          serviceStatus: active === undefined ? '' : 'Running',
          activeServiceStatus:
            active === undefined ? {} : { rayClusterName: nameOf(active), applicationStatuses: running },
          // A merge patch keeps what it does not name.
          pendingServiceStatus:
            pending === undefined
              ? null
              : { rayClusterName: nameOf(pending), applicationStatuses: applications },
          conditions: [
            condition('Ready', active === undefined ? 'False' : 'True', 'NonZeroServeEndpoints'),
            condition(
              'UpgradeInProgress',
              upgrading ? 'True' : 'False',
              upgrading ? 'BothActivePendingClustersExist' : 'NoPendingCluster',
            ),
          ],
        },
      },
      '/status',
    );
  }

  async function create(options: ClusterOptions): Promise<KubernetesObject> {
    return cluster.create({
      apiVersion,
      kind: 'RayService',
      metadata: { namespace: shop, name },
      spec: specOf(1, options),
    } as KubernetesObject);
  }
  const podsOf = (generation: 1 | 2, wanted: Parameters<typeof untilPods>[2]) =>
    untilPods(scene, { [clusterLabel]: nameOf(generation) }, wanted);

  return {
    podsOf,
    running,
    /** The first RayCluster serves. Returns its pods. */
    async start(options: ClusterOptions): Promise<readonly string[]> {
      const service = await create(options);
      await makeCluster(1, options, service);
      const names = await podsOf(1, { ready: 1 + (options.workers ?? 0) });
      await writeStatus(1, 1, undefined);
      return names;
    },
    /** The first RayCluster is being prepared. */
    async prepare(options: ClusterOptions): Promise<void> {
      const service = await create(options);
      await makeCluster(1, options, service);
      await writeStatus(1, undefined, 1);
    },
    /**
     * A changed spec, for which KubeRay prepares a second RayCluster unless the upgrade strategy says
     * otherwise.
     */
    async update(options: ClusterOptions, applications: object = {}): Promise<void> {
      const service = await patchObject(scene, 'RayService', name, { spec: specOf(2, options) });
      if (options.upgrade === 'None') return writeStatus(2, 1, undefined);
      await makeCluster(2, options, service);
      await writeStatus(2, 1, 2, applications);
    },
    /** What the Serve applications of the second RayCluster report. */
    report: (applications: object) => writeStatus(2, 1, 2, applications),
    /** The second RayCluster serves; the first one is deleted a minute later. */
    promote: () => writeStatus(2, 2, undefined),
  };
}
