import { untilEvent } from '../incidents/rolling.js';
import { type ClusterOptions, openRay } from '../ray/service.js';
import {
  calm,
  elsewhere,
  gpu,
  likely,
  likelyByQuota,
  limitGpus,
  proven,
  provenByQuota,
  type RecordedService,
  type Scene,
  settled,
  takeGpus,
} from './played-controllers.js';

type Ray = ReturnType<typeof openRay>;

interface Update {
  readonly gpus: number;
  readonly first: ClusterOptions;
  /** Of the pending RayCluster; the same as of the first one when left out. */
  readonly second?: ClusterOptions;
  /** The pods of the second RayCluster that are waited for. */
  readonly until: Parameters<Ray['pending']>[0];
  readonly afterwards?: (ray: Ray) => Promise<unknown>;
  /** The pods of the first RayCluster that hold what the second one waits for; none when left out. */
  readonly holders?: (pod: string) => boolean;
}

const onHead = { head: { cpu: '1', [gpu]: '1' } };
const onWorker = { worker: { [gpu]: '1' }, workers: 1 };
const onTwoWorkers = { ...onWorker, workers: 2 };
const all = (): boolean => true;

const gpuNode = (gpus: number) => ({ name: 'gpu-1', allocatable: { [gpu]: String(gpus) } });

/** The first RayCluster serves, and the spec changes. */
const updated =
  ({
    gpus,
    first,
    second = first,
    until,
    afterwards,
    holders = () => false,
  }: Update): RecordedService['reproduce'] =>
  async (scene) => {
    await scene.cluster.createNodes(gpuNode(gpus));
    const ray = openRay(scene);
    const pods = await ray.start(first);
    await ray.update(second);
    await ray.pending(until);
    await afterwards?.(ray);
    // Pods that only run are recorded while they start.
    if (until.running === undefined) await settled();
    return pods.filter(holders);
  };

/** A quota on GPUs refuses a pod of the pending RayCluster, though GPUs are free. */
const refusedByQuota =
  ({
    limit,
    first,
    second = first,
    afterwards = async () => {},
  }: Pick<Update, 'first' | 'second' | 'afterwards'> & {
    readonly limit: number;
  }): RecordedService['reproduce'] =>
  async (scene) => {
    await scene.cluster.createNodes(gpuNode(8));
    await limitGpus(scene, limit);
    const ray = openRay(scene);
    const pods = await ray.start(first);
    await ray.update(second);
    await untilRefused(scene, second);
    await afterwards(ray);
    await settled();
    return pods;
  };

/** The operator has told of a pod that it cannot create. */
const untilRefused = ({ cluster, shop }: Scene, { workers = 0 }: ClusterOptions): Promise<string> =>
  untilEvent(cluster, shop, `FailedToCreate${workers > 0 ? 'Worker' : 'Head'}Pod`, 'exceeded quota');

/** One GPU of the quota is used by others, and two are wanted beside the one that serves. */
async function besideAnotherTeam(scene: Scene): Promise<void> {
  await scene.cluster.createNodes(gpuNode(8));
  await limitGpus(scene, 3);
  const ray = openRay(scene);
  await ray.start(onWorker);
  await takeGpus(scene, 1);
  const second = { ...onWorker, workers: 3, isDeploying: true };
  await ray.update(second);
  await untilRefused(scene, second);
  await settled();
}

/** Under a quota on GPUs that suffices. */
const fitting = (
  id: string,
  title: string,
  limit: number,
  second: ClusterOptions | undefined,
  first: ClusterOptions = onHead,
  afterwards: (ray: Ray) => Promise<unknown> = async () => {},
): RecordedService => ({
  id,
  title,
  expected: calm,
  diagnoseAfterSeconds: 20,
  reproduce: async (scene) => {
    await scene.cluster.createNodes(gpuNode(8));
    await limitGpus(scene, limit);
    const ray = openRay(scene);
    await ray.start(first);
    if (second !== undefined) await ray.update(second);
    if (second !== undefined) await ray.pending({ running: 1 });
    await afterwards(ray);
    await settled();
  },
});

const fittingQuotas: readonly RecordedService[] = [
  fitting(
    'quota-full-before-the-update',
    'one RayCluster serves and uses the whole quota, and none is pending',
    1,
    undefined,
  ),
  fitting(
    'quota-with-room-for-a-head',
    'both RayClusters use the whole quota, and the pending head is starting',
    2,
    { ...onHead, isSlow: true },
  ),
  fitting(
    'quota-with-room-for-the-workers',
    'the workers of both RayClusters use the whole quota, and the pending ones are starting',
    4,
    { ...onTwoWorkers, isSlow: true },
    onTwoWorkers,
  ),
  fitting(
    'quota-full-after-the-update',
    'the new RayCluster serves, and the quota is full until the old one goes within a minute',
    2,
    onHead,
    onHead,
    (ray) => ray.promoted(),
  ),
];

export const recordedRayServices: readonly RecordedService[] = [
  {
    id: 'deadlock-of-two-heads',
    title: 'the head of the pending RayCluster needs the only GPU, which the active one uses',
    expected: proven,
    reproduce: updated({ gpus: 1, first: onHead, until: { refused: 1 }, holders: all }),
  },
  {
    id: 'deadlock-of-heads-and-workers',
    title:
      'no pod of the pending RayCluster fits beside the active one: the heads need CPU, the workers GPUs',
    expected: { ...proven, detail: { resource: 'cpu' } },
    reproduce: updated({
      gpus: 1,
      first: { head: { cpu: '5' }, ...onWorker },
      until: { refused: 2 },
      holders: (name) => name.includes('-head-'),
    }),
  },
  {
    id: 'deadlock-of-two-workers',
    title: 'the pending head is ready, and its worker waits for the GPU of the active worker',
    expected: { ...likely, mustMention: ['Serve applications'] },
    reproduce: updated({
      gpus: 1,
      first: onWorker,
      second: { ...onWorker, isDeploying: true },
      until: { ready: 1, refused: 1 },
      holders: (name) => name.includes('-worker-'),
    }),
  },
  {
    id: 'deadlock-that-the-autoscaler-may-end',
    title: "Ray's autoscaler may remove the active worker that uses the GPU",
    expected: { ...likely, mustMention: ['autoscaler'] },
    reproduce: updated({
      gpus: 2,
      first: { ...onWorker, ...onHead, isAutoscaled: true, minWorkers: 0 },
      until: { refused: 2 },
    }),
  },
  {
    id: 'pending-cluster-is-slow',
    title: 'the pending RayCluster has its places and is starting',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: updated({
      gpus: 2,
      first: onWorker,
      second: { ...onWorker, isSlow: true },
      until: { running: 2 },
    }),
  },
  ...[
    ['upgrade-type-none', 'None', 'the spec has changed, and no second RayCluster is made'],
    [
      'incremental-upgrade-without-its-gate',
      'NewClusterWithIncrementalUpgrade',
      'the operator lacks the gate of incremental upgrades, and makes no second RayCluster',
    ],
  ].map(
    ([id = '', upgrade = '', title = '']): RecordedService => ({
      id,
      title,
      expected: upgrade === 'None' ? { ...calm, informational: ['update-held-back'] } : calm,
      reproduce: async (scene) => {
        await scene.cluster.createNodes(gpuNode(1));
        const ray = openRay(scene);
        await ray.start({ ...onHead, upgrade });
        await ray.change({ ...onHead, upgrade });
        await settled();
      },
    }),
  ),
  {
    id: 'more-workers-in-the-spec',
    title: 'the spec asks for two workers, and KubeRay leaves the RayCluster at one',
    expected: {
      ...calm,
      informational: ['update-held-back'],
      mustMention: ['2 workers', 'rayClusterConfig'],
    },
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(2));
      const ray = openRay(scene);
      await ray.start({ ...onWorker, version: 1 });
      await ray.change({ ...onTwoWorkers, version: 1 });
      await settled();
    },
  },
  {
    id: 'fewer-workers-with-a-new-image',
    title: 'the number of workers and the image changed together, and the new RayCluster serves',
    expected: calm,
    diagnoseAfterSeconds: 90,
    reproduce: updated({
      gpus: 3,
      first: onTwoWorkers,
      second: onWorker,
      until: { ready: 2 },
      afterwards: (ray) => ray.promoted(),
    }),
  },
  {
    id: 'old-cluster-retires',
    title:
      'the new RayCluster serves, and its second worker waits for the GPU of the old one, which is about to go',
    expected: calm,
    diagnoseAfterSeconds: 20,
    reproduce: updated({
      gpus: 3,
      first: onTwoWorkers,
      until: { ready: 2, refused: 1 },
      afterwards: (ray) => ray.promoted(),
    }),
  },
  {
    id: 'first-cluster-without-room',
    title: 'the first RayCluster waits for a GPU that another team uses',
    expected: elsewhere('capacity-contention'),
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(1));
      await takeGpus(scene, 1);
      const ray = openRay(scene);
      await ray.prepare(onHead);
      await ray.pending({ refused: 1 });
      await settled();
    },
  },
  {
    id: 'larger-than-every-node',
    title: 'the head of the pending RayCluster needs two GPUs, and the node has one',
    expected: elsewhere('unsatisfiable-placement'),
    reproduce: updated({
      gpus: 1,
      first: onHead,
      second: { head: { cpu: '1', [gpu]: '2' } },
      until: { refused: 1 },
    }),
  },
  {
    id: 'before-the-update',
    title: 'one RayCluster serves on the only GPU, and none is pending',
    expected: calm,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(1));
      await openRay(scene).start(onHead);
      await settled();
    },
  },
  {
    id: 'new-cluster-serves',
    title:
      'the new RayCluster serves beside the old one, which is about to go, and all pods have their places',
    expected: calm,
    diagnoseAfterSeconds: 20,
    reproduce: updated({ gpus: 2, first: onHead, until: { ready: 1 }, afterwards: (ray) => ray.promoted() }),
  },
  {
    id: 'pending-head-is-slow',
    title: 'the pending head has a GPU of its own and is starting',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: updated({
      gpus: 2,
      first: onHead,
      second: { ...onHead, isSlow: true },
      until: { running: 1 },
    }),
  },
  {
    id: 'quota-of-two-heads',
    title: 'the quota refuses the head of the pending RayCluster beside the active one',
    expected: provenByQuota,
    reproduce: refusedByQuota({ limit: 1, first: onHead }),
  },
  {
    id: 'quota-for-the-second-worker',
    title: 'the pending head and a worker exist, and the quota refuses the second worker',
    expected: { ...likelyByQuota, mustMention: ['Serve applications'] },
    reproduce: async (scene) => {
      const pods = await refusedByQuota({
        limit: 3,
        first: onTwoWorkers,
        second: { ...onTwoWorkers, isDeploying: true },
      })(scene);
      return pods?.filter((name) => name.includes('-worker-'));
    },
  },
  {
    id: 'quota-used-by-another-team',
    title: 'another team uses the quota that the workers of the pending RayCluster need',
    expected: elsewhere('quota-exceeded'),
    reproduce: async (scene) => {
      await besideAnotherTeam(scene);
    },
  },
  {
    id: 'spec-taken-back',
    title: 'the spec is again what the active RayCluster runs, and KubeRay prepares a third RayCluster',
    expected: proven,
    reproduce: updated({
      gpus: 1,
      first: onHead,
      until: { refused: 1 },
      afterwards: async (ray) => {
        await ray.update({ ...onHead, version: 1 });
        await ray.pending({ refused: 1 });
      },
      holders: all,
    }),
  },
  {
    id: 'spec-taken-back-without-upgrades',
    title:
      'the spec is again what the active RayCluster runs, with upgrades off, and the abandoned RayCluster still waits',
    expected: { ...proven, mustMention: ['type: NewCluster'] },
    reproduce: updated({
      gpus: 1,
      first: onHead,
      until: { refused: 1 },
      afterwards: (ray) => ray.change({ ...onHead, version: 1, upgrade: 'None' }),
      holders: all,
    }),
  },
  {
    id: 'quota-and-the-spec-taken-back',
    title:
      'the quota refuses the pending head, so that the operator does not get to the spec that was taken back',
    expected: { ...provenByQuota, never: ['control-plane-not-acting'] },
    reproduce: refusedByQuota({
      limit: 1,
      first: onHead,
      afterwards: (ray) => ray.change({ ...onHead, version: 1 }, 'unobserved'),
    }),
  },
  ...fittingQuotas,
];
