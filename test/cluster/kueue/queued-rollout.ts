import { setTimeout as delay } from 'node:timers/promises';
import type { CoreV1Event, KubernetesObject, V1Deployment, V1Pod } from '@kubernetes/client-node';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { collectionPath, type Kind } from '../harness/resources.js';
import { type DeploymentOptions, deploymentManifest } from '../incidents/deployment-manifest.js';
import { isRolledOut, update } from '../incidents/rolling.js';
import type { Recorded } from '../recorded-state.js';

export const gpu = 'nvidia.com/gpu';
export const queueLabel = 'kueue.x-k8s.io/queue-name';

/** A Workload of Kueue, as far as the tests read it. */
export type Queued = KubernetesObject & {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly admission?: object;
    readonly admissionChecks?: readonly { readonly name: string; readonly state: string }[];
  };
};

export interface Scene {
  readonly cluster: Cluster;
  readonly shop: string;
  /** The namespace of another team. */
  readonly research: string;
}

/** A Deployment `web` in a queue, in a state that is recorded. */
export interface RecordedQueue extends Recorded<[Scene]> {
  /** Fields of the configuration of Kueue. */
  readonly configuration?: object;
}

const flavorName = 'a100';
const version = 'kueue.x-k8s.io/v1beta2';

const make = (cluster: Cluster, kind: string, metadata: object, spec: object): Promise<unknown> =>
  cluster.create({ apiVersion: version, kind, metadata, spec } as KubernetesObject);

export async function makeFlavor(cluster: Cluster, name = flavorName, spec: object = {}): Promise<void> {
  await make(cluster, 'ResourceFlavor', { name }, spec);
}

export async function makeClusterQueue(
  cluster: Cluster,
  name: string,
  gpus: number,
  { quota = {}, ...spec }: { readonly quota?: object; readonly [field: string]: unknown } = {},
): Promise<void> {
  await make(
    cluster,
    'ClusterQueue',
    { name },
    {
      namespaceSelector: {},
      queueingStrategy: 'BestEffortFIFO',
      stopPolicy: 'None',
      preemption: { withinClusterQueue: 'Never', reclaimWithinCohort: 'Never' },
      resourceGroups: [
        {
          coveredResources: [gpu],
          flavors: [{ name: flavorName, resources: [{ name: gpu, nominalQuota: String(gpus), ...quota }] }],
        },
      ],
      ...spec,
    },
  );
}

export async function makeLocalQueue(
  cluster: Cluster,
  namespace: string,
  clusterQueue: string,
  name = 'gpus',
): Promise<void> {
  await make(cluster, 'LocalQueue', { namespace, name }, { clusterQueue, stopPolicy: 'None' });
}

/**
 * A ClusterQueue with so many GPUs for the shop and the other team, and a node with as many and some to
 * spare.
 *
 * @param nodeLabels of the flavor and of the node
 */
export async function prepare(
  { cluster, shop, research }: Scene,
  gpus: number,
  spec: object = {},
  nodeLabels: Readonly<Record<string, string>> = {},
): Promise<void> {
  await cluster.createNodes({
    name: 'gpu-a',
    allocatable: { [gpu]: String(gpus + 2) },
    labels: nodeLabels,
  });
  await makeFlavor(cluster, flavorName, { nodeLabels });
  await makeClusterQueue(cluster, 'team', gpus, { ...spec });
  for (const namespace of [shop, research]) await makeLocalQueue(cluster, namespace, 'team');
}

/** A Job of the other team in a queue. Once admitted, its pod never ends, and is never ready. */
export async function createJob(
  { cluster, research }: Scene,
  name: string,
  gpus: number,
  localQueue = 'gpus',
): Promise<void> {
  const resources = { requests: { [gpu]: String(gpus) }, limits: { [gpu]: String(gpus) } };
  const containers = [{ name: 'train', image: 'registry.example/train:1', resources }];
  await cluster.objects.create({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { namespace: research, name, labels: { [queueLabel]: localQueue } },
    spec: {
      template: {
        metadata: { annotations: { [kubeletAnnotation.start]: 'container-creating' } },
        spec: { restartPolicy: 'Never', containers },
      },
    },
  } as KubernetesObject);
  await untilWorkloads(cluster, research, `an answer about Job ${name}`, (all) =>
    all.some((each) => each.status?.conditions?.some(({ type }) => type === 'QuotaReserved') === true),
  );
}

/** Waits until Kueue has brought the Workloads of the namespace into a state. */
export const untilWorkloads = (
  cluster: Cluster,
  namespace: string,
  what: string,
  check: (workloads: readonly Queued[]) => boolean,
): Promise<true> =>
  cluster.until<Queued, true>({
    what,
    selection: { kind: 'Workload', namespace },
    check: (all) => check(all) || undefined,
    deadlineMilliseconds: 60_000,
  });

/** Sets fields of an object of Kueue, in place of an administrator or of the controller of a check. */
export async function patchQueueObject(
  cluster: Cluster,
  kind: Kind,
  { namespace, name }: { readonly namespace?: string; readonly name: string },
  body: object,
  subresource: '' | '/status' = '',
): Promise<void> {
  const path = `${collectionPath(kind, namespace)}/${name}${subresource}`;
  const contentType = 'application/merge-patch+json';
  const answer = await createApiCall(cluster.config)({ method: 'PATCH', path, contentType, body });
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
}

export interface QueuedOptions extends Omit<DeploymentOptions, 'namespace' | 'name'> {
  readonly gpus?: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Creates the Deployment; its pods are in the queue. */
export async function createQueued({ cluster, shop }: Scene, options: QueuedOptions = {}): Promise<void> {
  const { gpus = 1, labels = {}, ...rest } = options;
  const requests = { [gpu]: String(gpus) };
  const manifest = deploymentManifest({ namespace: shop, name: 'web', requests, ...rest });
  await cluster.create({
    ...manifest,
    metadata: {
      ...manifest.metadata,
      labels: { ...manifest.metadata?.labels, [queueLabel]: 'gpus', ...labels },
    },
  });
}

/** Creates it, waits until it is rolled out, and returns the names of its pods. */
export async function rollOutQueued(scene: Scene, options: QueuedOptions = {}): Promise<string[]> {
  await createQueued(scene, options);
  await untilWeb(scene, 'to be rolled out', (deployment) => isRolledOut(deployment));
  return (await podsOf(scene)).map(({ metadata }) => metadata?.name ?? '');
}

export const updateQueued = ({ cluster, shop }: Scene, pod: object = {}): Promise<void> =>
  update(cluster, shop, 'web', pod);

async function podsOf({ cluster, shop }: Scene): Promise<V1Pod[]> {
  const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', shop);
  return items.filter(({ metadata }) => metadata?.labels?.app === 'web');
}

const isGated = ({ spec }: V1Pod): boolean => (spec?.schedulingGates ?? []).length > 0;

export async function untilWeb(
  scene: Scene,
  what: string,
  check: (deployment: V1Deployment, pods: readonly V1Pod[]) => boolean,
): Promise<void> {
  const { cluster, shop } = scene;
  const expiry = Date.now() + 60_000;
  for (;;) {
    const deployment = await cluster.read<V1Deployment>({ kind: 'Deployment', namespace: shop, name: 'web' });
    const pods = await podsOf(scene);
    if (check(deployment, pods)) return;
    if (Date.now() > expiry)
      throw new Error(`Deployment ${shop}/web was awaited ${what}: ${JSON.stringify(pods)}`);
    await delay(250);
  }
}

/**
 * Waits until a new pod is at the gate and Kueue has written about its Workload, then a little longer for the
 * last writes of the controllers.
 */
export async function untilGated(scene: Scene, before: readonly string[]): Promise<void> {
  const { cluster, shop } = scene;
  await untilWeb(scene, 'to have a gated pod', (_, pods) =>
    pods.some((pod) => isGated(pod) && !before.includes(pod.metadata?.name ?? '')),
  );
  await untilWorkloads(cluster, shop, 'an answer about the gated pod', (all) =>
    all.some(({ status }) =>
      ['QuotaReserved', 'Admitted'].some((wanted) =>
        status?.conditions?.some(({ type, status: is }) => type === wanted && is === 'False'),
      ),
    ),
  );
  await delay(1_500);
}

/** Waits until Kueue has evicted so many pods of the shop, and the next one runs. */
export async function untilEvicted(scene: Scene, count: number): Promise<void> {
  const { cluster, shop } = scene;
  const stopped = await cluster.until<CoreV1Event, ReadonlySet<string | undefined>>({
    what: `${count} evictions by Kueue`,
    selection: { kind: 'Event', namespace: shop },
    check: (events) => {
      const uids = events.filter(({ reason }) => reason === 'Stopped').map((each) => each.involvedObject.uid);
      return uids.length >= count ? new Set(uids) : undefined;
    },
    deadlineMilliseconds: 120_000,
  });
  await untilWeb(scene, 'to have a further pod', (_, pods) =>
    pods.some(
      ({ metadata, status }) =>
        !stopped.has(metadata?.uid) && status?.phase === 'Running' && !isReadyPod(status.conditions),
    ),
  );
}

const isReadyPod = (conditions: NonNullable<V1Pod['status']>['conditions'] = []): boolean =>
  conditions.some(({ type, status }) => type === 'Ready' && status === 'True');

/** The newest pod of the Deployment becomes ready, however its kubelet was told to act. */
export async function readyNow(scene: Scene, old: readonly string[]): Promise<void> {
  const { cluster, shop } = scene;
  const [pod] = (await podsOf(scene)).filter(({ metadata }) => !old.includes(metadata?.name ?? ''));
  const lastTransitionTime = new Date().toISOString();
  await cluster.patchPodStatus(shop, pod?.metadata?.name ?? '', {
    conditions: ['Ready', 'ContainersReady'].map((type) => ({ type, status: 'True', lastTransitionTime })),
    containerStatuses: (pod?.status?.containerStatuses ?? []).map((each) => ({ ...each, ready: true })),
  });
  await untilWeb(scene, 'to be updated', (deployment, pods) => isRolledOut(deployment) && pods.length === 1);
}
