import type { V1Pod } from '@kubernetes/client-node';
import { gpu, gpuNodes } from '../recorded-state.js';
import { gpuDeadlock, type RecordedRollout, rolloutName, untilWithoutGpu } from './recorded-rollout.js';
import { isHealthy, rollOutArgo, untilRollout, updateArgo } from './rolling.js';
import { ingressManifest, podTemplate, serviceManifest } from './rollout-manifest.js';

const name = rolloutName;
const patchFirst = {
  first: ['patch-strategy'],
  never: ['scale-down-old', 'restart-rollout', 'exclude-nodes'],
};
const noPatch = { never: ['patch-strategy', 'scale-down-old', 'restart-rollout', 'exclude-nodes'] };

/** Rollouts whose new pod waits for what an old one holds. */
const canary = (
  id: string,
  title: string,
  strategy: object,
  { replicas = 1, spec = {} }: { readonly replicas?: number; readonly spec?: object } = {},
  expected: object = { remediation: patchFirst },
): RecordedRollout => ({
  id,
  title,
  expected: { ...gpuDeadlock, ...expected },
  reproduce: async (cluster, namespace) => {
    await cluster.createNodes(...gpuNodes(replicas));
    const before = await rollOutArgo(cluster, {
      namespace,
      name,
      replicas,
      requests: gpu,
      strategy: { canary: strategy },
      spec,
    });
    await updateArgo(cluster, namespace, name);
    await untilWithoutGpu(cluster, namespace, before);
    return before;
  },
});

export const deadlockedRollouts: readonly RecordedRollout[] = [
  canary('canary-without-steps', 'a canary of one replica without steps, on the only GPU', {}),
  canary(
    'canary-at-a-low-weight',
    'a canary of one replica at weight 20, on the only GPU',
    {
      steps: [{ setWeight: 20 }, { pause: {} }, { setWeight: 100 }],
    },
    {},
    {},
  ),
  canary(
    'canary-of-four-replicas',
    'a canary at weight 50 of four replicas with maxUnavailable 0',
    { maxSurge: 1, maxUnavailable: 0, steps: [{ setWeight: 50 }, { setWeight: 100 }] },
    { replicas: 4 },
  ),
  {
    ...canary(
      'deadline-exceeded',
      'a deadlocked canary that its controller calls Degraded, which changes nothing',
      {},
      { spec: { progressDeadlineSeconds: 4 } },
    ),
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(1));
      const before = await rollOutArgo(cluster, {
        namespace,
        name,
        requests: gpu,
        spec: { progressDeadlineSeconds: 4 },
      });
      await updateArgo(cluster, namespace, name);
      await untilWithoutGpu(cluster, namespace, before);
      await untilRollout(cluster, namespace, name, 'degraded', ({ status }) => status?.phase === 'Degraded');
      return before;
    },
  },
  {
    id: 'third-revision',
    title: 'a third revision follows one that never started',
    expected: { ...gpuDeadlock, remediation: patchFirst },
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
    id: 'routed-canary',
    title: 'a canary behind an Ingress needs a second place for each pod',
    expected: { ...gpuDeadlock, remediation: noPatch },
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(1));
      for (const service of ['stable', 'canary']) {
        await cluster.objects.create(serviceManifest(namespace, service, name));
      }
      await cluster.objects.create(ingressManifest(namespace, 'web', 'stable'));
      const before = await rollOutArgo(cluster, {
        namespace,
        name,
        requests: gpu,
        strategy: {
          canary: {
            steps: [{ setWeight: 50 }, { pause: {} }],
            stableService: 'stable',
            canaryService: 'canary',
            trafficRouting: { nginx: { stableIngress: 'web' } },
          },
        },
      });
      await updateArgo(cluster, namespace, name);
      await untilWithoutGpu(cluster, namespace, before);
      return before;
    },
  },
  {
    id: 'blue-green',
    title: 'a blue-green update needs a second place for each pod',
    expected: { ...gpuDeadlock, remediation: noPatch },
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(1));
      await cluster.objects.create(serviceManifest(namespace, 'active', name));
      const before = await rollOutArgo(cluster, {
        namespace,
        name,
        requests: gpu,
        strategy: { blueGreen: { activeService: 'active' } },
      });
      await updateArgo(cluster, namespace, name);
      await untilWithoutGpu(cluster, namespace, before);
      return before;
    },
  },
  {
    id: 'template-of-a-deployment',
    title: 'a deadlocked canary whose template is in a Deployment without replicas',
    expected: { ...gpuDeadlock, remediation: patchFirst },
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
