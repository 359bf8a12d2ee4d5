import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '@kubernetes/client-node';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { type CustomObject, untilCustom } from '../owners/harness/custom-objects.js';
import { patchObject, type Scene, untilPods } from '../services/played-controllers.js';
import { deployingAnnotation } from './start-operator.js';

const apiVersion = 'ray.io/v1';

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
  /** Its Serve applications never run. */
  readonly isDeploying?: boolean;
  /** Of the image; the number of the change when left out. */
  readonly version?: number;
}

interface Status {
  readonly activeServiceStatus?: { readonly rayClusterName?: string };
  readonly pendingServiceStatus?: { readonly rayClusterName?: string };
}

/** A RayService `llm` beside the real operator, and what people do with it. */
export function openRay(scene: Scene) {
  const { cluster, shop } = scene;
  const name = 'llm';
  const target = { apiVersion, kind: 'RayService', metadata: { namespace: shop, name } };
  let changes = 0;
  let active = '';
  let pending = '';

  function specOf(options: ClusterOptions): object {
    changes += 1;
    const { head = { cpu: '1' }, worker = {}, workers = 0, minWorkers = workers, upgrade } = options;
    const { isSlow = false, isDeploying = false, version = changes } = options;
    const annotations = {
      ...(isSlow ? { [kubeletAnnotation.start]: 'not-ready' } : {}),
      ...(isDeploying ? { [deployingAnnotation]: 'yes' } : {}),
    };
    const template = (part: string, requests: Requests) => {
      const limits = Object.fromEntries(Object.entries(requests).filter(([key]) => key.includes('/')));
      const image = `registry.example/ray:${version}`;
      const containers = [{ name: `ray-${part}`, image, resources: { requests, limits } }];
      return { metadata: { annotations }, spec: { containers } };
    };
    const group = {
      groupName: 'gpu',
      replicas: workers,
      minReplicas: minWorkers,
      maxReplicas: workers,
      rayStartParams: {},
      template: template('worker', worker),
    };
    return {
      ...(upgrade === undefined ? {} : { upgradeStrategy: { type: upgrade } }),
      serveConfigV2: 'applications: []',
      rayClusterConfig: {
        rayVersion: '2.46.0',
        enableInTreeAutoscaling: options.isAutoscaled ?? false,
        headGroupSpec: { rayStartParams: {}, template: template('head', head) },
        workerGroupSpecs: workers === 0 ? [] : [group],
      },
    };
  }

  const statusOf = ({ status = {} }: CustomObject): Status => status;
  const create = (options: ClusterOptions): Promise<KubernetesObject> =>
    cluster.create({ ...target, spec: specOf(options) } as KubernetesObject);
  const podsOf = (rayCluster: string, wanted: Parameters<typeof untilPods>[2]): Promise<string[]> =>
    untilPods(scene, { 'ray.io/cluster': rayCluster }, wanted);

  async function untilPending(former = ''): Promise<void> {
    const found = await untilCustom(cluster, target, (object) => {
      const { rayClusterName = '' } = statusOf(object).pendingServiceStatus ?? {};
      return rayClusterName !== '' && rayClusterName !== former;
    });
    pending = statusOf(found).pendingServiceStatus?.rayClusterName ?? '';
  }

  return {
    /** Names of the RayClusters, which end with characters that the operator draws. */
    names: () => ({ active, pending }),
    pending: (wanted: Parameters<typeof untilPods>[2]) => podsOf(pending, wanted),
    /** The first RayCluster serves. Returns its pods. */
    async start(options: ClusterOptions): Promise<readonly string[]> {
      await create(options);
      const found = await untilCustom(
        cluster,
        target,
        (object) => statusOf(object).activeServiceStatus?.rayClusterName !== undefined,
      );
      active = statusOf(found).activeServiceStatus?.rayClusterName ?? '';
      return podsOf(active, { ready: 1 + (options.workers ?? 0) });
    },
    /** The first RayCluster is being prepared. */
    async prepare(options: ClusterOptions): Promise<void> {
      await create(options);
      await untilPending();
    },
    /** A changed spec, for which KubeRay prepares another RayCluster. */
    async update(options: ClusterOptions): Promise<void> {
      const former = pending;
      await patchObject(scene, 'RayService', name, { spec: specOf(options) });
      await untilPending(former);
    },
    /** A changed spec, for which it prepares none. */
    async change(options: ClusterOptions, ends: 'observed' | 'unobserved' = 'observed'): Promise<void> {
      const { metadata } = await patchObject(scene, 'RayService', name, { spec: specOf(options) });
      if (ends === 'unobserved') return delay(10_000);
      await untilCustom(cluster, target, ({ status }) => status?.observedGeneration === metadata?.generation);
    },
    /** The RayCluster that was prepared serves; the former one is deleted a minute later. */
    async promoted(): Promise<void> {
      await untilCustom(
        cluster,
        target,
        (object) => statusOf(object).activeServiceStatus?.rayClusterName === pending,
      );
    },
  };
}
