import { setTimeout as delay } from 'node:timers/promises';
import { untilNotCreated } from '../incidents/rolling.js';
import { openKnative } from '../knative/service.js';
import { gpuNodes, kept, oneGpu, refusedByQuota, updated } from '../knative/update.js';
import { withoutHolders } from '../recorded-state.js';
import {
  calm,
  elsewhere,
  likelyByQuota,
  limitGpus,
  provenByQuota,
  type RecordedService,
  raiseGpus,
  settled,
  takeGpus,
} from './played-controllers.js';

const quotas: readonly RecordedService[] = [
  {
    id: 'quota-of-two-revisions',
    title:
      'the quota refuses the pod of the new revision, which Knative marks as failed, beside the one that serves',
    expected: { ...provenByQuota, mustMention: ['llm-00001', 'progress deadline'] },
    // A Deployment that reports ReplicaFailure makes the Revision fail at once.
    reproduce: refusedByQuota({ limit: 1, first: kept }, (knative) =>
      knative.untilRevision(2, 'exceeded quota'),
    ),
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
      const knative = openKnative(scene);
      await knative.start(kept);
      await knative.update({ ...oneGpu, minScale: 3, initialScale: 3 });
      await untilNotCreated(scene.cluster, scene.shop, knative.revision(2), ['exceeded quota']);
      await settled();
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
      await openKnative(scene).start(kept);
      await settled();
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
        await knative.untilOnly(2);
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
      return updated({
        nodes: gpuNodes(4),
        first: kept,
        until: { ready: 1 },
        afterwards: async (knative) => {
          await knative.untilOnly(2);
          await knative.keep(2, 2);
          await knative.pods(2, { ready: 2 });
        },
      })(scene);
    },
  },
];

/** Knative Services under a quota on GPUs. */
export const knativeQuotas: readonly RecordedService[] = [...quotas, ...fittingQuotas];
