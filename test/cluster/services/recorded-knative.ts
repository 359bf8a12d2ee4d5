import { setTimeout as delay } from 'node:timers/promises';
import type { V1Pod } from '@kubernetes/client-node';
import type { NodeOptions } from '../harness/node-manifest.js';
import { untilNotCreated } from '../incidents/rolling.js';
import { deadlockCauses } from '../recorded-state.js';
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
  raiseGpus,
  type Scene,
  settled,
  takeGpus,
  untilPods,
} from './played-controllers.js';
import { playKnative, type RevisionOptions, revisionLabel } from './played-knative.js';

type Knative = ReturnType<typeof playKnative>;

interface Update {
  readonly nodes: readonly NodeOptions[];
  readonly first: RevisionOptions;
  /** Of the new revision; the same as of the first one when left out. */
  readonly second?: RevisionOptions;
  /** The pods of the new revision that are waited for. */
  readonly until: Parameters<typeof untilPods>[2];
  readonly traffic?: readonly object[];
  readonly afterwards?: (knative: Knative) => Promise<unknown>;
  /** The pods of the first revision hold what the new one waits for. */
  readonly isHolding?: boolean;
}

const oneGpu = { requests: { [gpu]: '1' } };
const kept = { ...oneGpu, minScale: 1 };
const twoKept = { ...oneGpu, minScale: 2 };
const inMemory = (memory: string) => ({ requests: { memory }, minScale: 1 });

const gpuNodes = (count: number, gpus = 1) =>
  Array.from({ length: count }, (_, at) => ({ name: `gpu-${at + 1}`, allocatable: { [gpu]: String(gpus) } }));

/** The first revision serves, and the template changes. */
const updated =
  ({
    nodes,
    first,
    second = first,
    until,
    traffic,
    afterwards,
    isHolding = false,
  }: Update): RecordedService['reproduce'] =>
  async (scene) => {
    await scene.cluster.createNodes(...nodes);
    const knative = playKnative(scene, traffic);
    const pods = await knative.start(first);
    await knative.update(second);
    await untilPods(scene, { [revisionLabel]: knative.revision(2) }, until);
    await afterwards?.(knative);
    // Pods that only run are recorded while they start.
    if (until.running === undefined) await settled();
    return isHolding ? pods : [];
  };

/** A quota on GPUs refuses the new pod, though a GPU is free. */
const refusedByQuota =
  (
    { limit, first, second = first }: Pick<Update, 'first' | 'second'> & { readonly limit: number },
    afterwards: (knative: Knative, scene: Scene) => Promise<unknown> = async () => {},
  ): RecordedService['reproduce'] =>
  async (scene) => {
    const { cluster, shop } = scene;
    await cluster.createNodes(...gpuNodes(4));
    await limitGpus(scene, limit);
    const knative = playKnative(scene);
    const pods = await knative.start(first);
    await knative.update(second);
    await untilNotCreated(cluster, shop, knative.revision(2), ['exceeded quota']);
    await afterwards(knative, scene);
    await settled();
    return pods;
  };

const withoutHolders =
  (reproduce: RecordedService['reproduce']): RecordedService['reproduce'] =>
  async (scene) => {
    await reproduce(scene);
    return [];
  };

const quotas: readonly RecordedService[] = [
  {
    id: 'quota-of-two-revisions',
    title:
      'the quota refuses the pod of the new revision, which Knative has marked as failed, beside the one that serves',
    expected: { ...provenByQuota, mustMention: ['llm-00001', 'progress deadline'] },
    // A Deployment that reports ReplicaFailure makes the Revision fail at once.
    reproduce: refusedByQuota({ limit: 1, first: kept }, (knative) => knative.giveUp()),
  },
  {
    id: 'quota-that-idleness-may-free',
    title: 'the same without a min-scale, so that the autoscaler may stop the old pod',
    expected: { ...likelyByQuota, mustMention: ['autoscaler'] },
    reproduce: refusedByQuota({ limit: 1, first: oneGpu }),
  },
  {
    id: 'quota-used-by-another-team',
    title: 'another team uses the quota that the second pod of the new revision needs',
    expected: elsewhere('quota-exceeded'),
    reproduce: withoutHolders(async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(4));
      await limitGpus(scene, 3);
      await takeGpus(scene, 1);
      const knative = playKnative(scene);
      await knative.start(kept);
      await knative.update({ requests: { [gpu]: '1' }, minScale: 3 });
      await untilNotCreated(scene.cluster, scene.shop, knative.revision(2), ['exceeded quota']);
      await settled();
      return [];
    }),
  },
  {
    id: 'quota-raised-since',
    title: 'the quota was raised, and the ReplicaSet has yet to try again',
    expected: { ...elsewhere('quota-exceeded'), maxConfidence: 'likely' },
    reproduce: withoutHolders(
      refusedByQuota({ limit: 1, first: kept }, async (_, scene) => {
        // The pause between two attempts doubles each time.
        await delay(25_000);
        await raiseGpus(scene, 4);
      }),
    ),
  },
];

/** Under a quota on GPUs that suffices. */
const fittingQuotas: readonly RecordedService[] = [
  {
    id: 'quota-full-before-the-update',
    title: 'one revision serves and uses the whole quota, and no other is made',
    expected: calm,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(4));
      await limitGpus(scene, 1);
      await playKnative(scene).start(kept);
      await settled();
      return [];
    },
  },
  {
    id: 'quota-with-room-for-a-revision',
    title: 'both revisions use the whole quota, and the pod of the new one is starting',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: async (scene) => {
      await limitGpus(scene, 2);
      return updated({
        nodes: gpuNodes(4),
        first: kept,
        second: { ...kept, isSlow: true },
        until: { running: 1 },
      })(scene);
    },
  },
  {
    id: 'quota-raised-and-updated',
    title:
      'the quota refused the new revision and was raised, the new revision serves, and the old one is gone',
    expected: calm,
    reproduce: withoutHolders(
      refusedByQuota({ limit: 1, first: kept }, async (knative, scene) => {
        await raiseGpus(scene, 2);
        await untilPods(scene, { [revisionLabel]: knative.revision(2) }, { ready: 1 });
        await knative.moveTraffic();
        await knative.scale(1, 0);
      }),
    ),
  },
  {
    id: 'quota-full-after-the-update',
    title:
      'the pods of both revisions filled the quota, and the new revision keeps two pods in the place of the old ones',
    expected: calm,
    reproduce: async (scene) => {
      await limitGpus(scene, 2);
      const pods = updated({
        nodes: gpuNodes(4),
        first: kept,
        until: { ready: 1 },
        afterwards: async (knative) => {
          await knative.moveTraffic();
          await knative.scale(1, 0);
          await untilPods(scene, { [revisionLabel]: knative.revision(2) }, { ready: 1 });
          await settled();
          await knative.scale(2, 2);
          await untilPods(scene, { [revisionLabel]: knative.revision(2) }, { ready: 2 });
        },
      });
      return pods(scene);
    },
  },
];

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
    reproduce: updated({ nodes: gpuNodes(2), first: twoKept, until: { refused: 2 }, isHolding: true }),
  },
  {
    id: 'deadlock-at-the-second-pod',
    title: 'one of three GPUs is free: the new revision has one of its two pods and waits for the other',
    expected: proven,
    reproduce: updated({
      nodes: gpuNodes(3),
      first: twoKept,
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
    title:
      'traffic has moved, and the new revision waits for the GPU of a pod that the autoscaler is about to stop',
    expected: calm,
    reproduce: updated({
      nodes: gpuNodes(2),
      first: kept,
      until: { ready: 1 },
      afterwards: async (knative) => {
        await knative.moveTraffic();
        await knative.scale(2, 2);
        await knative.refused();
      },
    }),
  },
  {
    id: 'scaled-to-zero',
    title: 'the old revision has no pod, and another team uses the GPU that the new revision needs',
    expected: elsewhere('capacity-contention'),
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
      await takeGpus(scene, 1);
      await knative.update(oneGpu);
      await knative.refused();
      await settled();
      return [];
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
    reproduce: async (scene) => {
      const { cluster, shop } = scene;
      await cluster.createNodes(...gpuNodes(1));
      const knative = playKnative(scene);
      await knative.start({ ...oneGpu, minScale: 1 });
      await knative.update({ ...oneGpu, minScale: 1 });
      await knative.refused();
      await knative.scale(2, 0);
      await cluster.until<V1Pod, true>({
        what: 'no pod of the new revision',
        selection: { kind: 'Pod', namespace: shop, labels: { [revisionLabel]: knative.revision(2) } },
        check: (pods) => (pods.length === 0 ? true : undefined),
        deadlineMilliseconds: 60_000,
      });
      await knative.giveUp();
      await settled();
      return [];
    },
  },
  {
    id: 'marked-as-failed-while-it-waits',
    title:
      'Knative has marked the new revision as failed, and its pod still waits for the GPU of the old one',
    expected: { ...proven, never: ['revision-failed'] },
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(1));
      const knative = playKnative(scene);
      const pods = await knative.start({ ...oneGpu, minScale: 1 });
      await knative.update({ ...oneGpu, minScale: 1 });
      await knative.refused();
      await knative.giveUp();
      await settled();
      return pods;
    },
  },
  {
    id: 'healthy',
    title: 'the new revision serves, and the old one is gone',
    expected: calm,
    reproduce: updated({
      nodes: gpuNodes(2),
      first: kept,
      until: { ready: 1 },
      afterwards: async (knative) => {
        await knative.moveTraffic();
        await knative.scale(1, 0);
      },
    }),
  },
  {
    id: 'before-the-update',
    title: 'one revision serves on the only GPU, and no other is made',
    expected: calm,
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(1));
      await playKnative(scene).start(kept);
      await settled();
      return [];
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
  ...quotas,
  ...fittingQuotas,
];
