import { deadlockCauses, type Expected, withoutHolders } from '../recorded-state.js';
import {
  calm,
  gpu,
  limitGpus,
  provenByQuota as provenOverQuota,
  type RecordedService,
  type Scene,
  settled,
  takeGpus,
} from './played-controllers.js';
import { type ComponentOptions, playDynamo } from './played-dynamo.js';

const neverFixed = ['patch-strategy', 'scale-down-old', 'restart-rollout', 'exclude-nodes', 'undo-rollout'];
const proven: Expected = {
  cause: 'surge-deadlock',
  minConfidence: 'proven',
  detail: { resource: gpu },
  remediation: { never: neverFixed },
};
const likely: Expected = { ...proven, minConfidence: 'likely', maxConfidence: 'likely' };
const refusedOnly = (cause: NonNullable<Expected['cause']>): Expected => ({
  cause,
  never: deadlockCauses,
  remediation: { never: neverFixed },
});

const provenByQuota: Expected = { ...provenOverQuota, remediation: { never: neverFixed } };

const oneGpu = { [gpu]: '1' };
const worker: ComponentOptions = { name: 'Worker', requests: oneGpu };
const frontend: ComponentOptions = { name: 'Frontend', type: 'frontend', requests: { cpu: '1' } };
const prefill: ComponentOptions = { ...worker, name: 'Prefill', type: 'prefill' };
const decode: ComponentOptions = { ...worker, name: 'Decode', type: 'decode' };
const largeInMemory: ComponentOptions = { name: 'Worker', requests: { memory: '20Gi' } };
const inPlace = {
  'nvidia.com/deployment-rolling-update-max-surge': '0',
  'nvidia.com/deployment-rolling-update-max-unavailable': '1',
};

const gpuNodes = (count: number, gpus = 1) =>
  Array.from({ length: count }, (_, at) => ({ name: `gpu-${at + 1}`, allocatable: { [gpu]: String(gpus) } }));

/** Both generations on so many nodes with one GPU, until the operator has nothing to do. */
const updated =
  (nodes: number, before: readonly ComponentOptions[], after: readonly ComponentOptions[] = before) =>
  async (scene: Scene): Promise<readonly string[]> => {
    await scene.cluster.createNodes(...gpuNodes(nodes));
    const dynamo = playDynamo(scene);
    const pods = await dynamo.start(before);
    await dynamo.update(after);
    await settled();
    return pods;
  };
/** The new pod has its place and is starting, so that nothing is held from it. */
const starting = (...given: Parameters<typeof updated>) => ({
  expected: calm,
  diagnoseAfterSeconds: 5,
  reproduce: withoutHolders(updated(...given)),
});
const slow = (...components: readonly ComponentOptions[]): readonly ComponentOptions[] =>
  components.map((each) => ({ ...each, isSlow: true }));

/** The same where GPUs are free and a quota allows so many. */
const limited =
  (
    gpus: number,
    before: readonly ComponentOptions[],
    after: readonly ComponentOptions[] = before,
    between: () => Promise<void> = async () => {},
  ) =>
  async (scene: Scene): Promise<readonly string[]> => {
    await scene.cluster.createNodes(...gpuNodes(4, 2));
    await limitGpus(scene, gpus);
    const dynamo = playDynamo(scene);
    const pods = await dynamo.start(before);
    await between();
    await dynamo.update(after);
    await settled();
    return pods;
  };

/** Under a quota on GPUs that suffices. */
const fittingQuotas: readonly RecordedService[] = [
  {
    id: 'quota-full-before-the-update',
    title: 'two workers of one generation use the whole quota, and no other is made',
    expected: calm,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(4, 2));
      await limitGpus(scene, 2);
      await playDynamo(scene).start([frontend, { ...worker, replicas: 2 }]);
      await settled();
    },
  },
  {
    id: 'quota-with-room-for-a-worker',
    title: 'the workers of both generations use the whole quota, and the new one is starting',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: withoutHolders(limited(2, [frontend, worker], [frontend, ...slow(worker)])),
  },
  {
    id: 'quota-with-room-for-prefill-and-decode',
    title: 'a new worker of each of two components has its place in the quota and is starting',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: withoutHolders(limited(4, [prefill, decode], slow(prefill, decode))),
  },
  {
    id: 'quota-full-after-the-update',
    title: 'the new generation has the room of the old one in a quota for two workers',
    expected: calm,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(4, 2));
      await limitGpus(scene, 2);
      const dynamo = playDynamo(scene);
      await dynamo.start([frontend, worker]);
      await dynamo.update([frontend, worker]);
      await dynamo.complete();
      await settled();
    },
  },
];

export const recordedDynamoGraphs: readonly RecordedService[] = [
  {
    id: 'deadlock-of-one-worker',
    title: 'the worker of the new generation needs the only GPU, which the worker that serves uses',
    expected: {
      ...proven,
      mustMention: ['7b2d4e60', '1f0c9a3e', 'nvidia.com/deployment-rolling-update-max-unavailable'],
    },
    reproduce: updated(1, [frontend, worker]),
  },
  {
    id: 'deadlock-of-two-workers',
    title: 'two workers use both GPUs: 25% of two is a surge of one, and none may be missing',
    expected: proven,
    reproduce: updated(2, [frontend, { ...worker, replicas: 2 }]),
  },
  {
    id: 'deadlock-of-prefill-and-decode',
    title: 'a worker of each of two components waits for the GPU of an old one',
    expected: proven,
    reproduce: updated(2, [prefill, decode]),
  },
  {
    id: 'deadlock-by-memory',
    title: 'both generations need 20Gi of memory on a node with 32Gi',
    expected: { ...proven, detail: { resource: 'memory' } },
    reproduce: updated(1, [largeInMemory]),
  },
  {
    id: 'deadlock-with-bounds-of-zero',
    title: 'both bounds are 0, which the operator reads as a surge of one',
    expected: proven,
    reproduce: updated(2, [
      {
        ...worker,
        replicas: 2,
        annotations: { ...inPlace, 'nvidia.com/deployment-rolling-update-max-unavailable': '0' },
      },
    ]),
  },
  {
    id: 'deadlock-that-the-planner-may-end',
    title: 'a planner may reduce the component through its scaling adapter',
    expected: { ...likely, mustMention: ['scaling adapter'] },
    reproduce: updated(2, [{ ...worker, replicas: 2, isScaled: true }]),
  },
  {
    id: 'deadlock-of-the-frontend',
    title: 'the new pod of the frontend needs the CPUs of the old one; its Deployment rolls by itself',
    workload: { kind: 'Deployment', name: 'llm-frontend' },
    expected: {
      cause: 'surge-deadlock',
      minConfidence: 'proven',
      detail: { resource: 'cpu' },
      survival: { 'patch-strategy': 'operator-reverts' },
      mustMention: ['DynamoGraphDeployment'],
    },
    reproduce: async (scene) => {
      await scene.cluster.createNodes({ name: 'node-1' });
      const dynamo = playDynamo(scene);
      const large = { ...frontend, requests: { cpu: '5' } };
      await dynamo.start([large], false);
      const pods = await dynamo.podsOfComponent('Frontend', { ready: 1 });
      await dynamo.updateFrontend(large);
      await dynamo.podsOfComponent('Frontend', { ready: 1, refused: 1 });
      await settled();
      return pods;
    },
  },
  {
    id: 'fits-beside-the-old-generation',
    title: 'a second GPU is free, and the new worker is starting',
    ...starting(2, [worker], slow(worker)),
  },
  {
    id: 'prefill-and-decode-fit',
    title: 'a new worker of each of two components is starting on a free GPU',
    ...starting(4, [prefill, decode], slow(prefill, decode)),
  },
  {
    id: 'fits-in-memory',
    title: 'both generations need 20Gi of memory, and two nodes have 32Gi each',
    ...starting(2, [largeInMemory], slow(largeInMemory)),
  },
  {
    id: 'scaled-with-a-free-gpu',
    title: 'a planner may change the number of workers, and the new one is starting on a free GPU',
    ...starting(
      3,
      [{ ...worker, replicas: 2, isScaled: true }],
      slow({ ...worker, replicas: 2, isScaled: true }),
    ),
  },
  {
    id: 'old-worker-stops-first',
    title: 'with a surge of 0 the operator has stopped the old worker, and the new one is starting',
    ...starting(1, [{ ...worker, annotations: inPlace }], slow({ ...worker, annotations: inPlace })),
  },
  {
    id: 'recreated',
    title: 'with the strategy Recreate all old workers are gone, and the new ones are starting',
    ...starting(
      2,
      [{ ...worker, replicas: 2 }],
      slow({ ...worker, replicas: 2, annotations: { 'nvidia.com/deployment-strategy': 'Recreate' } }),
    ),
  },
  {
    id: 'one-of-four-may-be-missing',
    title:
      'of four workers one may be missing: a new one is starting in its place, and a further one waits for it',
    ...starting(4, [{ ...worker, replicas: 4 }], slow({ ...worker, replicas: 4 })),
  },
  {
    id: 'another-team-uses-the-gpu',
    title: 'the old worker has stopped, and another team uses the GPU that the new one needs',
    expected: refusedOnly('capacity-contention'),
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(1));
      const dynamo = playDynamo(scene);
      await dynamo.start([{ ...worker, replicas: 0, annotations: inPlace }], false);
      await takeGpus(scene, 1);
      await dynamo.update([{ ...worker, annotations: inPlace }]);
      await dynamo.podsOf(2, { refused: 1 });
      await settled();
    },
  },
  {
    id: 'larger-than-every-node',
    title: 'the new worker needs two GPUs of one node, and each node has one',
    expected: refusedOnly('unsatisfiable-placement'),
    reproduce: withoutHolders(updated(2, [worker], [{ ...worker, requests: { [gpu]: '2' } }])),
  },
  {
    id: 'first-generation-without-room',
    title: 'the first generation has no GPU',
    expected: { cause: 'unsatisfiable-placement', never: deadlockCauses },
    reproduce: async (scene) => {
      await scene.cluster.createNodes({ name: 'node-1' });
      const dynamo = playDynamo(scene);
      await dynamo.start([worker], false);
      await dynamo.podsOf(1, { refused: 1 });
      await settled();
    },
  },
  {
    id: 'healthy',
    title: 'the new generation serves, and the old one is gone',
    expected: calm,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(2));
      const dynamo = playDynamo(scene);
      await dynamo.start([frontend, worker]);
      await dynamo.update([frontend, worker]);
      await dynamo.complete();
      await settled();
    },
  },
  {
    id: 'before-the-update',
    title: 'one generation serves on the only GPU, and no other is made',
    expected: calm,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(1));
      await playDynamo(scene).start([frontend, worker]);
      await settled();
    },
  },
  {
    id: 'quota-of-one-worker',
    title: 'the quota refuses the worker of the new generation beside the one that serves',
    expected: {
      ...provenByQuota,
      mustMention: ['7b2d4e60', 'nvidia.com/deployment-rolling-update-max-unavailable'],
    },
    reproduce: limited(1, [frontend, worker]),
  },
  {
    id: 'quota-of-two-workers',
    title: 'two workers serve, and the quota refuses a third',
    expected: provenByQuota,
    reproduce: limited(2, [{ ...worker, replicas: 2 }]),
  },
  {
    id: 'quota-used-by-another-team',
    title: 'the new worker needs two GPUs, and another team uses the quota',
    expected: refusedOnly('quota-exceeded'),
    reproduce: (scene) =>
      withoutHolders(
        limited(3, [worker], [{ ...worker, requests: { [gpu]: '2' } }], () => takeGpus(scene, 2)),
      )(scene),
  },
  {
    id: 'quota-with-an-old-worker-first',
    title: 'the old worker stops first, so that the quota admits the new one',
    expected: calm,
    reproduce: withoutHolders(limited(1, [worker], [{ ...worker, annotations: inPlace }])),
  },
  ...fittingQuotas,
];
