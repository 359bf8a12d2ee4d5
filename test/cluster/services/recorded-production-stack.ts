import { deadlockCauses, type Expected } from '../recorded-state.js';
import { calm, gpu, type RecordedService, type Scene, settled } from './played-controllers.js';
import { chartStrategy, playProductionStack, type StackOptions } from './played-production-stack.js';

const proven: Expected = {
  cause: 'surge-deadlock',
  minConfidence: 'proven',
  detail: { resource: gpu },
  remediation: { first: ['patch-strategy'] },
};
const requests = { [gpu]: '1' };
const rolling: StackOptions = { strategy: { type: 'RollingUpdate' }, requests, runtime: 'RollingUpdate' };
const chart: StackOptions = { strategy: chartStrategy, requests };

const gpuNodes = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `gpu-${at + 1}`, allocatable: { [gpu]: '1' } }));

const stuck = (nodes: number, options: StackOptions) => async (scene: Scene) => {
  await scene.cluster.createNodes(...gpuNodes(nodes));
  const stack = playProductionStack(scene, options);
  const pods = await stack.start();
  await stack.update();
  await stack.podsOf({ ready: options.replicas ?? 1, refused: 1 });
  await settled();
  return pods;
};

const starting =
  (nodes: number, options: StackOptions) =>
  async (scene: Scene): Promise<undefined> => {
    await scene.cluster.createNodes(...gpuNodes(nodes));
    const stack = playProductionStack(scene, options);
    await stack.start();
    await stack.update(true);
    await settled();
  };

export const recordedProductionStacks: readonly RecordedService[] = [
  {
    id: 'deadlock-of-a-runtime',
    title: 'a VLLMRuntime declares RollingUpdate, and its Deployment has the default bounds',
    expected: {
      ...proven,
      survival: { 'patch-strategy': 'stays' },
      mustMention: ['VLLMRuntime', 'spec.deploymentConfig.deploymentStrategy'],
    },
    reproduce: stuck(1, rolling),
  },
  {
    id: 'deadlock-of-the-chart',
    title: 'the chart surges by 100%, and all GPUs are in use',
    expected: proven,
    reproduce: stuck(2, { ...chart, replicas: 2 }),
  },
  {
    id: 'runtime-recreated',
    title: 'a VLLMRuntime declares Recreate: the old pod is gone, and the new one is starting',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: starting(1, { ...rolling, strategy: { type: 'Recreate' }, runtime: 'Recreate' }),
  },
  {
    id: 'runtime-with-a-free-gpu',
    title: 'a VLLMRuntime declares RollingUpdate, and the new pod is starting on a free GPU',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: starting(2, rolling),
  },
  {
    id: 'chart-with-free-gpus',
    title: 'the chart surges by 100%, and the new pods are starting on free GPUs',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: starting(4, { ...chart, replicas: 2 }),
  },
  {
    id: 'runtime-larger-than-every-node',
    title: 'the first pod of a VLLMRuntime needs two GPUs of one node, and each node has one',
    expected: { cause: 'unsatisfiable-placement', never: deadlockCauses },
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(2));
      const stack = playProductionStack(scene, { ...rolling, requests: { [gpu]: '2' } });
      await stack.create();
      await stack.podsOf({ refused: 1 });
      await settled();
    },
  },
];
