import { setTimeout as delay } from 'node:timers/promises';
import type { V1Pod } from '@kubernetes/client-node';
import {
  calm,
  deadlockCauses,
  type Expected,
  gpu,
  type RecordedService,
  untilPods,
  useGpus,
} from './played-controllers.js';
import { playKnative, revisionLabel } from './played-knative.js';

const proven: Expected = {
  cause: 'surge-deadlock',
  minConfidence: 'proven',
  detail: { resource: gpu },
  remediation: {
    never: ['patch-strategy', 'scale-down-old', 'restart-rollout', 'exclude-nodes', 'undo-rollout'],
  },
};
const likely: Expected = { ...proven, minConfidence: 'likely', maxConfidence: 'likely' };
const oneGpu = { requests: { [gpu]: '1' } };
const settled = 1_500;

const gpuNodes = (count: number, gpus = 1) =>
  Array.from({ length: count }, (_, at) => ({ name: `gpu-${at + 1}`, allocatable: { [gpu]: String(gpus) } }));

export const recordedKnativeServices: readonly RecordedService[] = [
  {
    id: 'deadlock-of-two-revisions',
    title: 'the new revision needs the only GPU, which the revision that serves keeps by its min-scale',
    expected: { ...proven, mustMention: ['llm-00002', 'llm-00001', 'progress deadline'] },
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(1));
      const knative = playKnative(scene);
      const pods = await knative.start({ ...oneGpu, minScale: 1 });
      await knative.update({ ...oneGpu, minScale: 1 });
      await knative.refused();
      await delay(settled);
      return pods;
    },
  },
  {
    id: 'deadlock-of-two-pods-each',
    title: 'each revision needs two GPUs, and the nodes have two',
    expected: proven,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(2));
      const knative = playKnative(scene);
      const pods = await knative.start({ ...oneGpu, minScale: 2 });
      await knative.update({ ...oneGpu, minScale: 2 });
      await knative.refused(2);
      await delay(settled);
      return pods;
    },
  },
  {
    id: 'deadlock-at-the-second-pod',
    title: 'one of three GPUs is free: the new revision has one of its two pods and waits for the other',
    expected: proven,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(3));
      const knative = playKnative(scene);
      const pods = await knative.start({ ...oneGpu, minScale: 2 });
      await knative.update({ ...oneGpu, minScale: 2 });
      await untilPods(scene, { [revisionLabel]: knative.revision(2) }, { ready: 1, refused: 1 });
      await delay(settled);
      return pods;
    },
  },
  {
    id: 'deadlock-by-memory',
    title: 'both revisions need 20Gi of memory on a node with 32Gi',
    expected: { ...proven, detail: { resource: 'memory' } },
    reproduce: async (scene) => {
      await scene.cluster.createNodes({ name: 'node-1' });
      const knative = playKnative(scene);
      const requests = { memory: '20Gi' };
      const pods = await knative.start({ requests, minScale: 1 });
      await knative.update({ requests, minScale: 1 });
      await knative.refused();
      await delay(settled);
      return pods;
    },
  },
  {
    id: 'deadlock-that-idleness-may-end',
    title: 'the old revision has no min-scale, so that its autoscaler may stop its pod',
    expected: { ...likely, mustMention: ['autoscaler'] },
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(1));
      const knative = playKnative(scene);
      const pods = await knative.start(oneGpu);
      await knative.update(oneGpu);
      await knative.refused();
      await delay(settled);
      return pods;
    },
  },
  {
    id: 'fits-beside-the-old-revision',
    title: 'a second GPU is free, and the new pod is starting',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(2));
      const knative = playKnative(scene);
      await knative.start({ ...oneGpu, minScale: 1 });
      await knative.update({ ...oneGpu, minScale: 1, isSlow: true });
      await untilPods(scene, { [revisionLabel]: knative.revision(2) }, { running: 1 });
      return [];
    },
  },
  {
    id: 'old-revision-retires',
    title:
      'traffic has moved, and the new revision waits for the GPU of a pod that the autoscaler is about to stop',
    expected: calm,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(2));
      const knative = playKnative(scene);
      await knative.start({ ...oneGpu, minScale: 1 });
      await knative.update({ ...oneGpu, minScale: 1 });
      await untilPods(scene, { [revisionLabel]: knative.revision(2) }, { ready: 1 });
      await knative.moveTraffic();
      await knative.scale(2, 2);
      await knative.refused();
      await delay(settled);
      return [];
    },
  },
  {
    id: 'scaled-to-zero',
    title: 'the old revision has no pod, and another team uses the GPU that the new revision needs',
    expected: {
      cause: 'capacity-contention',
      never: deadlockCauses,
      remediation: { never: ['patch-strategy', 'scale-down-old', 'restart-rollout'] },
    },
    reproduce: async (scene) => {
      const { cluster, shop } = scene;
      await cluster.createNodes(...gpuNodes(1));
      const knative = playKnative(scene);
      await knative.start(oneGpu);
      await knative.scale(1, 0);
      await cluster.until<V1Pod, true>({
        what: 'no pod of the old revision',
        selection: { kind: 'Pod', namespace: shop, labels: { [revisionLabel]: knative.revision(1) } },
        check: (pods) => (pods.length === 0 ? true : undefined),
        deadlineMilliseconds: 60_000,
      });
      await useGpus(scene, 1);
      await knative.update(oneGpu);
      await knative.refused();
      await delay(settled);
      return [];
    },
  },
  {
    id: 'traffic-pinned-to-the-old-revision',
    title: 'the traffic names the old revision, which stays whatever becomes of the new one',
    expected: {
      cause: 'insufficient-capacity',
      never: deadlockCauses,
      remediation: { never: ['patch-strategy', 'scale-down-old', 'restart-rollout'] },
    },
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(1));
      const knative = playKnative(scene, [
        { latestRevision: false, percent: 100, revisionName: 'llm-00001' },
      ]);
      await knative.start({ ...oneGpu, minScale: 1 });
      await knative.update({ ...oneGpu, minScale: 1 });
      await knative.refused();
      await delay(settled);
      return [];
    },
  },
  {
    id: 'larger-than-every-node',
    title: 'the new revision needs two GPUs of one node, and each node has one',
    expected: {
      cause: 'unsatisfiable-placement',
      never: deadlockCauses,
      remediation: { never: ['patch-strategy', 'scale-down-old', 'restart-rollout'] },
    },
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(2));
      const knative = playKnative(scene);
      await knative.start({ ...oneGpu, minScale: 1 });
      await knative.update({ requests: { [gpu]: '2' }, minScale: 1 });
      await knative.refused();
      await delay(settled);
      return [];
    },
  },
  {
    id: 'healthy',
    title: 'the new revision serves, and the old one is gone',
    expected: calm,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(2));
      const knative = playKnative(scene);
      await knative.start({ ...oneGpu, minScale: 1 });
      await knative.update({ ...oneGpu, minScale: 1 });
      await untilPods(scene, { [revisionLabel]: knative.revision(2) }, { ready: 1 });
      await knative.moveTraffic();
      await knative.scale(1, 0);
      await delay(settled);
      return [];
    },
  },
  {
    id: 'before-the-update',
    title: 'one revision serves on the only GPU, and no other is made',
    expected: calm,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(1));
      await playKnative(scene).start({ ...oneGpu, minScale: 1 });
      await delay(settled);
      return [];
    },
  },
  {
    id: 'starting-beside-in-memory',
    title: 'both revisions fit into the memory of the node, and the new one is starting',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: async (scene) => {
      await scene.cluster.createNodes({ name: 'node-1' });
      const knative = playKnative(scene);
      const requests = { memory: '10Gi' };
      await knative.start({ requests, minScale: 1 });
      await knative.update({ requests, minScale: 1, isSlow: true });
      await untilPods(scene, { [revisionLabel]: knative.revision(2) }, { running: 1 });
      return [];
    },
  },
];
