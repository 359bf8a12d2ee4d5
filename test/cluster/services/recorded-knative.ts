import { openKnative } from '../knative/service.js';
import { gpuNodes, inMemory, kept, oneGpu, twoKept, twoKeptTogether, updated } from '../knative/update.js';
import { deadlockCauses } from '../recorded-state.js';
import { knativeQuotas } from './knative-quotas.js';
import {
  calm,
  elsewhere,
  gpu,
  likely,
  proven,
  type RecordedService,
  settled,
  takeGpus,
} from './played-controllers.js';

export const recordedKnativeServices: readonly RecordedService[] = [
  {
    id: 'deadlock-of-two-revisions',
    title: 'the new revision needs the only GPU, which the revision that serves keeps by its min-scale',
    expected: { ...proven, mustMention: ['llm-00002', 'llm-00001', 'progress deadline'] },
    reproduce: updated({ nodes: gpuNodes(1), first: kept, until: { refused: 1 }, isHolding: true }),
  },
  {
    id: 'deadlock-of-two-pods-each',
    title: 'each revision needs two GPUs, and the nodes have two',
    expected: proven,
    reproduce: updated({
      nodes: gpuNodes(2),
      first: twoKept,
      second: twoKeptTogether,
      until: { refused: 2 },
      isHolding: true,
    }),
  },
  {
    id: 'deadlock-at-the-second-pod',
    title: 'one of three GPUs is free: the new revision has one of its two pods and waits for the other',
    expected: proven,
    reproduce: updated({
      nodes: gpuNodes(3),
      first: twoKept,
      second: twoKeptTogether,
      until: { ready: 1, refused: 1 },
      isHolding: true,
    }),
  },
  {
    id: 'deadlock-by-memory',
    title: 'both revisions need 20Gi of memory on a node with 32Gi',
    expected: { ...proven, detail: { resource: 'memory' } },
    reproduce: updated({
      nodes: [{ name: 'node-1' }],
      first: inMemory('20Gi'),
      until: { refused: 1 },
      isHolding: true,
    }),
  },
  {
    id: 'deadlock-that-idleness-may-end',
    title: 'the old revision has no min-scale, so that its autoscaler may stop its pod',
    expected: { ...likely, mustMention: ['autoscaler'] },
    reproduce: updated({ nodes: gpuNodes(1), first: oneGpu, until: { refused: 1 }, isHolding: true }),
  },
  {
    id: 'fits-beside-the-old-revision',
    title: 'a second GPU is free, and the new pod is starting',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: updated({
      nodes: gpuNodes(2),
      first: kept,
      second: { ...kept, isSlow: true },
      until: { running: 1 },
    }),
  },
  {
    id: 'old-revision-retires',
    title: 'traffic has moved, and the new revision waits for the GPU of a pod that is being stopped',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: updated({
      nodes: gpuNodes(2),
      first: { ...kept, isStaying: true },
      second: kept,
      until: { ready: 1 },
      afterwards: async (knative) => {
        await knative.untilStatus((status) => status.latestReadyRevisionName === knative.revision(2));
        await knative.keep(2, 2);
        await knative.refused();
      },
    }),
  },
  {
    id: 'scaled-to-zero',
    title: 'the old revision has no pod, and another team uses the GPU that the new revision needs',
    expected: elsewhere('capacity-contention'),
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(1));
      const knative = openKnative(scene);
      await knative.start({ ...oneGpu, isIdle: true });
      await knative.gone(1);
      await takeGpus(scene, 1);
      await knative.update(oneGpu);
      await knative.refused();
      await settled();
    },
  },
  {
    id: 'traffic-pinned-to-the-old-revision',
    title: 'the traffic names the old revision, which stays whatever becomes of the new one',
    expected: elsewhere('insufficient-capacity'),
    reproduce: updated({
      nodes: gpuNodes(1),
      first: kept,
      until: { refused: 1 },
      traffic: [{ latestRevision: false, percent: 100, revisionName: 'llm-00001' }],
    }),
  },
  {
    id: 'newest-revision-without-traffic',
    title: 'the traffic names the old revision, and the new one is ready and serves nobody',
    expected: { ...calm, informational: ['update-held-back'], mustMention: ['llm-00002', 'spec.traffic'] },
    reproduce: updated({
      nodes: gpuNodes(2),
      first: kept,
      until: { ready: 1 },
      traffic: [{ latestRevision: false, percent: 100, revisionName: 'llm-00001' }],
      afterwards: (knative) =>
        knative.untilStatus(({ latestReadyRevisionName }) => latestReadyRevisionName === 'llm-00002'),
    }),
  },
  {
    id: 'larger-than-every-node',
    title: 'the new revision needs two GPUs of one node, and each node has one',
    expected: elsewhere('unsatisfiable-placement'),
    reproduce: updated({
      nodes: gpuNodes(2),
      first: kept,
      second: { requests: { [gpu]: '2' }, minScale: 1 },
      until: { refused: 1 },
    }),
  },
  {
    id: 'given-up',
    title: 'the new revision was not ready in time, and Knative has scaled it to zero',
    expected: { cause: 'revision-failed', minConfidence: 'proven', never: deadlockCauses },
    reproduce: updated({
      nodes: gpuNodes(1),
      first: kept,
      // With a min-scale, the autoscaler may start the pod once more (seen with 1.23).
      second: { ...oneGpu, deadlineSeconds: 15 },
      until: { refused: 1 },
      afterwards: async (knative) => {
        await knative.gone(2);
        await knative.untilRevision(2, 'ProgressDeadlineExceeded');
      },
    }),
  },
  {
    id: 'healthy',
    title: 'the new revision serves, and the old one is gone',
    expected: calm,
    reproduce: updated({
      nodes: gpuNodes(2),
      first: kept,
      until: { ready: 1 },
      afterwards: (knative) => knative.untilOnly(2),
    }),
  },
  {
    id: 'before-the-update',
    title: 'one revision serves on the only GPU, and no other is made',
    expected: calm,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(1));
      await openKnative(scene).start(kept);
      await settled();
    },
  },
  {
    id: 'starting-beside-in-memory',
    title: 'both revisions fit into the memory of the node, and the new one is starting',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: updated({
      nodes: [{ name: 'node-1' }],
      first: inMemory('10Gi'),
      second: { ...inMemory('10Gi'), isSlow: true },
      until: { running: 1 },
    }),
  },
  ...knativeQuotas,
  {
    id: 'deadlock-inside-one-revision',
    title: 'somebody restarted the Deployment of the revision that serves, whose new pod needs its GPU',
    expected: { cause: 'surge-deadlock', minConfidence: 'proven', detail: { resource: gpu } },
    reproduce: async (scene) => {
      const { cluster, shop } = scene;
      await cluster.createNodes(...gpuNodes(1));
      const knative = openKnative(scene);
      const pods = await knative.start(kept);
      const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date().toISOString() };
      await cluster.patch(
        { kind: 'Deployment', namespace: shop, name: `${knative.revision(1)}-deployment` },
        { spec: { template: { metadata: { annotations } } } },
      );
      await knative.refused(1);
      await settled();
      return pods;
    },
  },
  {
    id: 'deadlock-beside-a-superseded-revision',
    title: 'two revisions wait for the GPU of the one that serves, and only the newest is wanted',
    expected: { ...proven, mustMention: ['llm-00002'] },
    reproduce: updated({
      nodes: gpuNodes(1),
      first: kept,
      until: { refused: 1 },
      afterwards: async (knative) => {
        await knative.update(kept);
        await knative.refused(3);
      },
      isHolding: true,
    }),
  },
  {
    id: 'rolled-back-by-the-traffic',
    title: 'people gave all traffic to the revision that serves, and the pod of the newer one still waits',
    expected: {
      ...elsewhere('insufficient-capacity'),
      mustMention: ['llm-00001', 'rolled back by the traffic'],
    },
    reproduce: updated({
      nodes: gpuNodes(1),
      first: kept,
      until: { refused: 1 },
      afterwards: (knative) => knative.route([{ revisionName: knative.revision(1), percent: 100 }]),
    }),
  },
  {
    id: 'kept-by-a-tag',
    title: 'a tag without traffic keeps the pod of the oldest revision, and the newest one waits for a GPU',
    expected: { cause: 'surge-deadlock', detail: { resource: gpu }, mustMention: ['previous'] },
    reproduce: updated({
      nodes: gpuNodes(2),
      first: kept,
      until: { ready: 1 },
      traffic: [
        { latestRevision: true, percent: 100 },
        { revisionName: 'llm-00001', percent: 0, tag: 'previous' },
      ],
      afterwards: async (knative) => {
        await knative.untilStatus((status) => status.latestReadyRevisionName === knative.revision(2));
        await knative.update(kept);
        await knative.refused(3);
      },
    }),
  },
  {
    id: 'image-that-no-registry-answers-for',
    title: 'the controller does not reach the registry of the new image, and makes no Deployment for it',
    expected: {
      cause: 'revision-failed',
      minConfidence: 'proven',
      never: deadlockCauses,
      mustMention: ['127.0.0.1:1/llm:2', 'connection refused'],
    },
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(2));
      const knative = openKnative(scene);
      await knative.start(kept);
      await knative.update({ ...kept, image: '127.0.0.1:1/llm:2' });
      await knative.untilRevision(2, 'Unable to fetch image');
      await settled();
    },
  },
  {
    id: 'slow-past-the-deadline',
    title: 'the new revision is not ready at its progress deadline, and its pod still runs',
    expected: { cause: 'revision-failed', never: deadlockCauses },
    diagnoseAfterSeconds: 5,
    reproduce: updated({
      nodes: gpuNodes(2),
      first: { ...kept, deadlineSeconds: 15 },
      second: { ...kept, deadlineSeconds: 15, isSlow: true },
      until: { running: 1 },
      afterwards: (knative) => knative.untilRevision(2, 'ProgressDeadlineExceeded'),
    }),
  },
];
