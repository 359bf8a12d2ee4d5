import type { V1Pod } from '@kubernetes/client-node';
import { becomeReady } from '../controls/kubelet-acts.js';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { deadlockCauses, gpu } from '../recorded-state.js';
import { gpuDeadlock, type RecordedRollout, rolloutName, untilWithoutGpu } from './recorded-rollout.js';
import { patchRollout, rollOutArgo, untilPaused, updateArgo } from './rolling.js';
import { serviceManifest } from './rollout-manifest.js';

const neighbour = 'training';
/** `training` may run anywhere, the Rollout that is diagnosed on `gpu-a` only. */
const nodes = [
  { name: 'gpu-a', labels: { pool: 'a' }, allocatable: { 'nvidia.com/gpu': '2' } },
  { name: 'gpu-b', labels: { pool: 'b' }, allocatable: { 'nvidia.com/gpu': '1' } },
];
const on = (pool: string) => ({ nodeSelector: { pool } });

/** The neighbour's new pod starts on the other node, and the Rollout waits for the card of its old pod. */
async function beside(
  cluster: Cluster,
  namespace: string,
  strategy: object,
  halfWay: (pods: readonly V1Pod[]) => Promise<void>,
): Promise<readonly string[]> {
  await cluster.createNodes(...nodes);
  const holders = await rollOutArgo(cluster, { namespace, name: rolloutName, requests: gpu, pod: on('a') });
  await rollOutArgo(cluster, { namespace, name: neighbour, requests: gpu, pod: on('a'), strategy });
  await patchRollout(cluster, namespace, neighbour, {
    spec: {
      template: {
        metadata: { annotations: { [kubeletAnnotation.start]: 'container-creating' } },
        spec: on('b'),
      },
    },
  });
  const pods = await cluster.until<V1Pod, V1Pod[]>({
    what: 'the new pod of the neighbour to start',
    selection: { kind: 'Pod', namespace, labels: { app: neighbour } },
    check: (all) => {
      const found = all.filter(({ spec, status }) => spec?.nodeName === 'gpu-b' && status?.containerStatuses);
      return found.length > 0 ? found : undefined;
    },
  });
  await halfWay(pods);
  await updateArgo(cluster, namespace, rolloutName);
  await untilWithoutGpu(cluster, namespace, holders);
  return holders;
}

/** Rollouts that wait for the card of another Rollout. */
export const rolloutsBesideRollouts: readonly RecordedRollout[] = [
  {
    id: 'neighbour-canary-starts-elsewhere',
    title: 'the canary of another Rollout starts on another node; its stable pod then frees the card',
    expected: {
      cause: 'capacity-contention',
      never: deadlockCauses,
      maxConfidence: 'likely',
      mustMention: [neighbour],
    },
    reproduce: async (cluster, namespace) => {
      await beside(cluster, namespace, { canary: {} }, async () => undefined);
    },
  },
  {
    id: 'neighbour-preview-waits-for-a-person',
    title:
      'the preview pod of another Rollout is ready, and its active pod keeps the card until a person promotes it',
    expected: { ...gpuDeadlock, minConfidence: 'likely' },
    reproduce: async (cluster, namespace) => {
      await cluster.objects.create(serviceManifest(namespace, 'active', neighbour));
      const strategy = { blueGreen: { activeService: 'active', autoPromotionEnabled: false } };
      return beside(cluster, namespace, strategy, async (pods) => {
        await becomeReady(cluster, ...pods);
        await untilPaused(cluster, namespace, neighbour);
      });
    },
  },
];
