import { setTimeout as delay } from 'node:timers/promises';
import {
  calm,
  deadlockCauses,
  type Expected,
  gpu,
  type RecordedService,
  useGpus,
} from './played-controllers.js';
import { playRay } from './played-ray.js';

const proven: Expected = {
  cause: 'surge-deadlock',
  minConfidence: 'proven',
  detail: { resource: gpu },
  remediation: {
    never: ['patch-strategy', 'scale-down-old', 'restart-rollout', 'exclude-nodes', 'undo-rollout'],
  },
};
const likely: Expected = { ...proven, minConfidence: 'likely', maxConfidence: 'likely' };
const elsewhere = (cause: 'capacity-contention' | 'unsatisfiable-placement'): Expected => ({
  cause,
  never: deadlockCauses,
  remediation: { never: ['patch-strategy', 'scale-down-old', 'restart-rollout'] },
});
const onHead = { head: { cpu: '1', [gpu]: '1' } };
const onWorker = { worker: { [gpu]: '1' }, workers: 1 };
const settled = 1_500;

const gpuNode = (gpus: number) => ({ name: 'gpu-1', allocatable: { [gpu]: String(gpus) } });

export const recordedRayServices: readonly RecordedService[] = [
  {
    id: 'deadlock-of-two-heads',
    title: 'the head of the pending RayCluster needs the only GPU, which the active one uses',
    expected: { ...proven, mustMention: ['llm-m4q9d', 'llm-x7k2p'] },
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(1));
      const ray = playRay(scene);
      const pods = await ray.start(onHead);
      await ray.update(onHead);
      await ray.podsOf(2, { refused: 1 });
      await delay(settled);
      return pods;
    },
  },
  {
    id: 'deadlock-of-heads-and-workers',
    title:
      'no pod of the pending RayCluster fits beside the active one: the heads need CPU, the workers GPUs',
    expected: { ...proven, detail: { resource: 'cpu' } },
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(1));
      const ray = playRay(scene);
      const options = { head: { cpu: '5' }, ...onWorker };
      const pods = await ray.start(options);
      await ray.update(options);
      await ray.podsOf(2, { refused: 2 });
      await delay(settled);
      return pods.filter((name) => name.endsWith('-head'));
    },
  },
  {
    id: 'deadlock-of-two-workers',
    title: 'the pending head is ready, and its worker waits for the GPU of the active worker',
    expected: { ...likely, mustMention: ['Serve applications'] },
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(1));
      const ray = playRay(scene);
      const pods = await ray.start(onWorker);
      await ray.update(onWorker);
      await ray.podsOf(2, { ready: 1, refused: 1 });
      await delay(settled);
      return pods.filter((name) => name.includes('-worker-'));
    },
  },
  {
    id: 'deadlock-under-an-incremental-upgrade',
    title: 'the head of the pending RayCluster has no place to begin the first step',
    expected: { ...likely, mustMention: ['NewClusterWithIncrementalUpgrade'] },
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(1));
      const ray = playRay(scene);
      const options = { ...onHead, upgrade: 'NewClusterWithIncrementalUpgrade' };
      const pods = await ray.start(options);
      await ray.update(options);
      await ray.podsOf(2, { refused: 1 });
      await delay(settled);
      return pods;
    },
  },
  {
    id: 'deadlock-that-the-autoscaler-may-end',
    title: "Ray's autoscaler may remove the active worker that uses the GPU",
    expected: { ...likely, mustMention: ['autoscaler'] },
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(2));
      const ray = playRay(scene);
      const options = { ...onWorker, ...onHead, isAutoscaled: true, minWorkers: 0 };
      await ray.start(options);
      await ray.update(options);
      await ray.podsOf(2, { refused: 2 });
      await delay(settled);
      return [];
    },
  },
  {
    id: 'pending-cluster-is-slow',
    title: 'the pending RayCluster has its places and is starting',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(2));
      const ray = playRay(scene);
      await ray.start(onWorker);
      await ray.update({ ...onWorker, isSlow: true });
      await ray.podsOf(2, { running: 2 });
      return [];
    },
  },
  {
    id: 'upgrade-type-none',
    title: 'the spec has changed, and no second RayCluster is made',
    expected: calm,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(1));
      const ray = playRay(scene);
      await ray.start({ ...onHead, upgrade: 'None' });
      await ray.update({ ...onHead, upgrade: 'None' });
      await delay(settled);
      return [];
    },
  },
  {
    id: 'applications-run-already',
    title: 'the Serve applications run without the second worker, so that KubeRay is about to switch',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(3));
      const ray = playRay(scene);
      await ray.start({ ...onWorker, workers: 2 });
      await ray.update({ ...onWorker, workers: 2 });
      await ray.podsOf(2, { ready: 2, refused: 1 });
      await ray.report(ray.running);
      await delay(settled);
      return [];
    },
  },
  {
    id: 'old-cluster-retires',
    title:
      'the new RayCluster serves, and its second worker waits for the GPU of the old one, which is about to go',
    expected: calm,
    diagnoseAfterSeconds: 20,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(3));
      const ray = playRay(scene);
      await ray.start({ ...onWorker, workers: 2 });
      await ray.update({ ...onWorker, workers: 2 });
      await ray.podsOf(2, { ready: 2, refused: 1 });
      await ray.promote();
      await delay(settled);
      return [];
    },
  },
  {
    id: 'first-cluster-without-room',
    title: 'the first RayCluster waits for a GPU that another team uses',
    expected: elsewhere('capacity-contention'),
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(1));
      await useGpus(scene, 1);
      const ray = playRay(scene);
      await ray.prepare(onHead);
      await ray.podsOf(1, { refused: 1 });
      await delay(settled);
      return [];
    },
  },
  {
    id: 'larger-than-every-node',
    title: 'the head of the pending RayCluster needs two GPUs, and the node has one',
    expected: elsewhere('unsatisfiable-placement'),
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(1));
      const ray = playRay(scene);
      await ray.start(onHead);
      await ray.update({ head: { cpu: '1', [gpu]: '2' } });
      await ray.podsOf(2, { refused: 1 });
      await delay(settled);
      return [];
    },
  },
  {
    id: 'before-the-update',
    title: 'one RayCluster serves on the only GPU, and none is pending',
    expected: calm,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(1));
      await playRay(scene).start(onHead);
      await delay(settled);
      return [];
    },
  },
  {
    id: 'new-cluster-serves',
    title:
      'the new RayCluster serves beside the old one, which is about to go, and all pods have their places',
    expected: calm,
    diagnoseAfterSeconds: 20,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(2));
      const ray = playRay(scene);
      await ray.start(onHead);
      await ray.update(onHead);
      await ray.podsOf(2, { ready: 1 });
      await ray.promote();
      await delay(settled);
      return [];
    },
  },
  {
    id: 'pending-head-is-slow',
    title: 'the pending head has a GPU of its own and is starting',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(gpuNode(2));
      const ray = playRay(scene);
      await ray.start(onHead);
      await ray.update({ ...onHead, isSlow: true });
      await ray.podsOf(2, { running: 1 });
      return [];
    },
  },
];
