import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject, V1Deployment, V1Job, V1Pod } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { type DeploymentOptions, deploymentManifest } from '../incidents/deployment-manifest.js';
import { isRolledOut, update } from '../incidents/rolling.js';
import type { Expected } from '../recorded-state.js';
import { gpu, type PlayedKueue, queueLabel } from './played-kueue.js';

export interface Scene {
  readonly cluster: Cluster;
  readonly kueue: PlayedKueue;
  readonly shop: string;
  /** The namespace of another team. */
  readonly research: string;
}

/** A Deployment `web` in a queue, in a state that is recorded. */
export interface RecordedQueue {
  readonly id: string;
  readonly title: string;
  readonly expected: Expected;
  /** How many seconds after the recording the diagnosis is made; 120 when left out. */
  readonly diagnoseAfterSeconds?: number;
  /** Brings the state about. Returns the names of the pods that hold what is waited for. */
  readonly reproduce: (scene: Scene) => Promise<readonly string[]>;
}

const flavorName = 'a100';
const version = 'kueue.x-k8s.io/v1beta2';

const make = (cluster: Cluster, kind: string, metadata: object, spec: object): Promise<unknown> =>
  cluster.create({ apiVersion: version, kind, metadata, spec } as KubernetesObject);

async function makeFlavor(cluster: Cluster, name = flavorName, spec: object = {}): Promise<void> {
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

async function makeLocalQueue(
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
 */
export async function prepare(
  { cluster, shop, research }: Scene,
  gpus: number,
  spec: object = {},
): Promise<void> {
  await cluster.createNodes({ name: 'gpu-a', allocatable: { [gpu]: String(gpus + 2) } });
  await makeQueues(cluster, shop, gpus, spec);
  await makeLocalQueue(cluster, research, 'team');
}

/** A ClusterQueue with so many GPUs, and the LocalQueue of one namespace. */
export async function makeQueues(
  cluster: Cluster,
  namespace: string,
  gpus: number,
  spec: object = {},
): Promise<void> {
  await makeFlavor(cluster);
  await makeClusterQueue(cluster, 'team', gpus, { ...spec });
  await makeLocalQueue(cluster, namespace, 'team');
}

/**
 * The Workload of a Job of the other team. The Job is suspended: without it, the garbage collector takes the
 * Workload.
 */
export async function makeJobWorkload(
  { cluster, research }: Scene,
  name: string,
  gpus: number,
  restartPolicy = 'Never',
): Promise<void> {
  const resources = { requests: { [gpu]: String(gpus) }, limits: { [gpu]: String(gpus) } };
  const spec = {
    restartPolicy,
    containers: [{ name: 'train', image: 'registry.example/train:1', resources }],
  };
  const job = await cluster.objects.create<V1Job>({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { namespace: research, name },
    spec: { suspend: true, template: { spec: { ...spec, restartPolicy: 'Never' } } },
  });
  await make(
    cluster,
    'Workload',
    {
      namespace: research,
      name: `job-${name}-1f2e3`,
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'Job',
          name,
          uid: job.metadata?.uid ?? '',
          controller: true,
        },
      ],
    },
    {
      queueName: 'gpus',
      priority: 0,
      active: true,
      podSets: [
        {
          name: 'main',
          count: 1,
          template: { metadata: {}, spec },
        },
      ],
    },
  );
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
  const metadata = manifest.spec?.template.metadata ?? {};
  Object.assign(metadata, {
    labels: { ...metadata.labels, [queueLabel]: 'gpus', 'kueue.x-k8s.io/managed': 'true', ...labels },
    annotations: { ...metadata.annotations, 'kueue.x-k8s.io/pod-suspending-parent': 'deployment' },
  });
  await cluster.create(manifest);
}

/** Creates it, plays Kueue until it is rolled out, and returns the names of its pods. */
export async function rollOutQueued(scene: Scene, options: QueuedOptions = {}): Promise<string[]> {
  await createQueued(scene, options);
  await playUntil(scene, 'to be rolled out', (deployment) => isRolledOut(deployment));
  return (await podsOf(scene)).map(({ metadata }) => metadata?.name ?? '');
}

export const updateQueued = ({ cluster, shop }: Scene, pod: object = {}): Promise<void> =>
  update(cluster, shop, 'web', pod);

async function podsOf({ cluster, shop }: Scene): Promise<V1Pod[]> {
  const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', shop);
  return items.filter(({ metadata }) => metadata?.labels?.app === 'web');
}

export const isGated = ({ spec }: V1Pod): boolean => (spec?.schedulingGates ?? []).length > 0;

export async function playUntil(
  scene: Scene,
  what: string,
  check: (deployment: V1Deployment, pods: readonly V1Pod[]) => boolean,
): Promise<void> {
  const { cluster, kueue, shop, research } = scene;
  const expiry = Date.now() + 60_000;
  for (;;) {
    await kueue.settle([shop, research]);
    const deployment = await cluster.read<V1Deployment>({ kind: 'Deployment', namespace: shop, name: 'web' });
    const pods = await podsOf(scene);
    if (check(deployment, pods)) return;
    if (Date.now() > expiry)
      throw new Error(`Deployment ${shop}/web was awaited ${what}: ${JSON.stringify(pods)}`);
    await delay(250);
  }
}

/**
 * Plays Kueue until a new pod waits at the gate, then a little longer for the last writes of the controllers.
 */
export async function untilGated(scene: Scene, before: readonly string[]): Promise<void> {
  await playUntil(scene, 'to have a gated pod', (_, pods) =>
    pods.some((pod) => isGated(pod) && !before.includes(pod.metadata?.name ?? '')),
  );
  await delay(1_500);
  await scene.kueue.settle([scene.shop, scene.research]);
}
