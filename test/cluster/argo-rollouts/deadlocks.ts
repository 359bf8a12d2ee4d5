import type { V1Pod } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { type Expected, gpu, gpuNodes } from '../recorded-state.js';
import { halfWay, type Options, type Strategy, updated } from './other-deadlocks.js';
import { gpuDeadlock, type RecordedRollout, rolloutName, untilWithoutGpu } from './recorded-rollout.js';
import { isHealthy, rollOutArgo, untilRollout, updateArgo } from './rolling.js';
import { podTemplate } from './rollout-manifest.js';

const name = rolloutName;
const patchFirst = {
  first: ['patch-strategy'],
  never: ['scale-down-old', 'restart-rollout', 'exclude-nodes'],
};
const noPatch = { never: ['patch-strategy', 'scale-down-old', 'restart-rollout', 'exclude-nodes'] };

/** The new pod waits for the GPU of an old one. */
const waiting = (
  kind: Strategy,
  { replicas = 1, ...options }: Options = {},
  then: (cluster: Cluster, namespace: string) => Promise<unknown> = async () => {},
): RecordedRollout['reproduce'] =>
  updated(kind, gpuNodes(replicas), {
    before: async () => ({ requests: gpu, replicas, ...options }),
    reach: async (cluster, namespace, holders) => {
      await untilWithoutGpu(cluster, namespace, holders);
      await then(cluster, namespace);
    },
  });

const patched: Expected = { ...gpuDeadlock, remediation: patchFirst };

export const deadlockedRollouts: readonly RecordedRollout[] = [
  {
    id: 'canary-without-steps',
    title: 'a canary of one replica without steps, on the only GPU',
    expected: patched,
    reproduce: waiting('canary'),
  },
  {
    id: 'canary-at-a-low-weight',
    title: 'a canary of one replica at weight 20, on the only GPU',
    expected: gpuDeadlock,
    reproduce: waiting('canary', {
      strategy: { canary: { steps: [{ setWeight: 20 }, { pause: {} }, { setWeight: 100 }] } },
    }),
  },
  {
    id: 'canary-of-four-replicas',
    title: 'a canary at weight 50 of four replicas with maxUnavailable 0',
    expected: patched,
    reproduce: waiting('canary', { replicas: 4, strategy: { canary: halfWay } }),
  },
  {
    id: 'deadline-exceeded',
    title: 'a deadlocked canary that its controller calls Degraded, which changes nothing',
    expected: patched,
    reproduce: waiting('canary', { spec: { progressDeadlineSeconds: 4 } }, (cluster, namespace) =>
      untilRollout(cluster, namespace, name, 'degraded', ({ status }) => status?.phase === 'Degraded'),
    ),
  },
  {
    id: 'routed-canary',
    title: 'a canary behind an Ingress needs a second place for each pod',
    expected: { ...gpuDeadlock, remediation: noPatch },
    reproduce: waiting('routed'),
  },
  {
    id: 'blue-green',
    title: 'a blue-green update needs a second place for each pod',
    expected: { ...gpuDeadlock, remediation: noPatch },
    reproduce: waiting('blue-green'),
  },
  {
    id: 'third-revision',
    title: 'a third revision follows one that never started',
    expected: patched,
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(1));
      const before = await rollOutArgo(cluster, { namespace, name, requests: gpu });
      await updateArgo(cluster, namespace, name);
      await untilWithoutGpu(cluster, namespace, before);
      await updateArgo(cluster, namespace, name, 'registry.example/app:3');
      await cluster.until<V1Pod, true>({
        what: 'the pod of the third revision to wait alone',
        selection: { kind: 'Pod', namespace },
        check: (pods) => {
          const waiting = pods.filter(({ metadata }) => !before.includes(metadata?.name ?? ''));
          const [pod] = waiting;
          const scheduled = pod?.status?.conditions?.find(({ type }) => type === 'PodScheduled');
          const isThird = pod?.spec?.containers[0]?.image === 'registry.example/app:3';
          return waiting.length === 1 && isThird && scheduled?.reason === 'Unschedulable';
        },
      });
      return before;
    },
  },
  {
    id: 'template-of-a-deployment',
    title: 'a deadlocked canary whose template is in a Deployment without replicas',
    expected: patched,
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(1));
      const template = podTemplate(name, gpu);
      await cluster.objects.create(
        Object.assign(
          { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name } },
          { spec: { replicas: 0, selector: { matchLabels: { app: name } }, template } },
        ),
      );
      await cluster.objects.create(
        Object.assign(
          { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', metadata: { namespace, name } },
          {
            spec: {
              replicas: 1,
              workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
              strategy: { canary: {} },
            },
          },
        ),
      );
      await untilRollout(cluster, namespace, name, 'healthy', isHealthy);
      const before = await cluster.objects.list('v1', 'Pod', namespace);
      const holders = before.items.map(({ metadata }) => metadata?.name ?? '');
      await cluster.patch(
        { kind: 'Deployment', namespace, name },
        { spec: { template: podTemplate(name, gpu, 'registry.example/app:2') } },
      );
      await untilWithoutGpu(cluster, namespace, holders);
      return holders;
    },
  },
];
