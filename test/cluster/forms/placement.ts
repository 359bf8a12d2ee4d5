import type { KubernetesObject, V1Pod } from '@kubernetes/client-node';
import { claimManifest, volumeManifest } from '../incidents/storage-manifests.js';
import type { Form, FormExpectation, FormGroup, Step } from './form.js';
import {
  creates,
  gpu,
  gpuNode,
  isRefused,
  isStarting,
  oneGpu,
  priorityClass,
  runs,
  updates,
  waits,
} from './steps.js';

const zone = (name: string) => ({ name: `zone-${name}-1`, labels: { 'topology.kubernetes.io/zone': name } });

const spread = (more: object, labels: object = { app: 'web' }) => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'DoNotSchedule' as const,
      labelSelector: { matchLabels: { ...labels } },
      ...more,
    },
  ],
});

const deadlock = (resource: string): FormExpectation => ({
  cause: 'surge-deadlock',
  resource,
  minConfidence: 'proven',
});
const calm: FormExpectation = { cause: null, never: ['surge-deadlock', 'capacity-contention'] };

const hugePages = { 'hugepages-2Mi': '1Gi', memory: '64Mi' };
const pages = { container: { resources: { requests: hugePages, limits: hugePages } } };

const antiAffinity = (more: object) => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } }, ...more },
      ],
    },
  },
});

const sidecar = {
  initContainers: [
    {
      name: 'driver',
      image: 'registry.example/driver:1',
      restartPolicy: 'Always',
      resources: { requests: oneGpu, limits: oneGpu },
    },
  ],
};
const oneShot = {
  initContainers: [{ name: 'warm', image: 'registry.example/warm:1', resources: { requests: { cpu: '5' } } }],
};

const claims = (accessMode: 'ReadWriteOnce' | 'ReadWriteOncePod'): readonly Step[] => [
  creates((namespace) => volumeManifest({ name: `pv-${namespace}`, accessMode }) as KubernetesObject),
  creates((namespace) =>
    claimManifest({ namespace, name: 'cache', accessMode, volumeName: `pv-${namespace}` }),
  ),
];
const withClaim = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'cache' } }] };

const form = (one: Form): Form => one;

/** Class: what the scheduler counts, with a near miss each. */
export const placement: FormGroup = {
  group: 'placement',
  forms: [
    form({
      id: 'spread-over-two-domains-with-one-zone',
      title: 'minDomains wants two zones and there is one: it may hold one pod, and the old pod is that one',
      expected: { ...deadlock('topologySpread'), nodes: ['zone-a-1'] },
      nodes: [zone('a')],
      steps: [
        runs('web', { pod: spread({ minDomains: 2 }) }),
        updates('web'),
        isRefused('web', 'topology spread constraints'),
      ],
    }),
    form({
      id: 'spread-by-revision',
      title: 'matchLabelKeys counts only pods of the same revision, so the surge pod is placed',
      expected: calm,
      nodes: [zone('a')],
      steps: [
        runs('web', { pod: spread({ minDomains: 2, matchLabelKeys: ['pod-template-hash'] }) }),
        updates('web', 'container-creating'),
        isStarting('web'),
      ],
    }),
    form({
      id: 'anti-affinity-by-revision',
      title: 'matchLabelKeys of the anti-affinity counts only pods of the same revision',
      expected: calm,
      nodes: [{ name: 'n-a' }],
      steps: [
        runs('web', { pod: antiAffinity({ matchLabelKeys: ['pod-template-hash'] }) }),
        updates('web', 'container-creating'),
        isStarting('web'),
      ],
    }),
    form({
      id: 'anti-affinity-to-other-revisions',
      title: 'mismatchLabelKeys keeps the new pod away from every other revision, and there is one node',
      expected: { ...deadlock('podAntiAffinity'), nodes: ['n-a'] },
      nodes: [{ name: 'n-a' }],
      steps: [
        runs('web', { pod: antiAffinity({ mismatchLabelKeys: ['pod-template-hash'] }) }),
        updates('web'),
        isRefused('web', 'anti-affinity'),
      ],
    }),
    form({
      id: 'huge-pages-of-the-old-pod',
      title: 'the old pod has all huge pages of the only node',
      expected: deadlock('hugepages-2Mi'),
      nodes: [{ name: 'n-a', allocatable: { 'hugepages-2Mi': '1Gi' } }],
      steps: [runs('web', pages), updates('web'), isRefused('web', 'Insufficient hugepages-2Mi')],
    }),
    form({
      id: 'huge-pages-for-two',
      title: 'the node has huge pages for both pods',
      expected: calm,
      nodes: [{ name: 'n-a', allocatable: { 'hugepages-2Mi': '2Gi' } }],
      steps: [runs('web', pages), updates('web', 'container-creating'), isStarting('web')],
    }),
    form({
      id: 'card-of-a-sidecar',
      title: 'an init container that keeps running has the only card',
      expected: { ...deadlock(gpu), firstFix: ['patch-strategy'] },
      nodes: [gpuNode(1)],
      steps: [
        runs('web', { pod: sidecar as object }),
        updates('web'),
        isRefused('web', `Insufficient ${gpu}`),
      ],
    }),
    form({
      id: 'cores-of-an-init-container',
      title: 'an init container of 5 cores decides the request of the pod, and the node has 8',
      expected: deadlock('cpu'),
      nodes: [{ name: 'n-a' }],
      steps: [runs('web', { pod: oneShot }), updates('web'), isRefused('web', 'Insufficient cpu')],
    }),
    form({
      id: 'claim-of-a-pod-and-a-card',
      title: 'the old pod has the ReadWriteOncePod claim and the card; a second card is free',
      expected: deadlock('ReadWriteOncePod'),
      nodes: [gpuNode(2)],
      steps: [
        ...claims('ReadWriteOncePod'),
        runs('web', { requests: oneGpu, pod: withClaim }),
        updates('web'),
        isRefused('web', 'ReadWriteOncePod'),
      ],
    }),
    form({
      id: 'room-kept-for-a-nominated-pod',
      title: 'a pod of higher priority has preempted a pod and waits for it to stop; it keeps the room',
      expected: { cause: ['capacity-contention', 'surge-deadlock'], mentions: ['urgent'] },
      nodes: [gpuNode(2)],
      diagnoseAfterSeconds: 70,
      steps: [
        priorityClass('high', 1_000),
        async (scene) => {
          await scene.cluster.create({
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: {
              namespace: scene.namespace,
              name: 'batch',
              labels: { app: 'batch' },
              annotations: { 'rollout-doctor.test/stop': 'never' },
            },
            spec: {
              terminationGracePeriodSeconds: 300,
              containers: [
                {
                  name: 'app',
                  image: 'registry.example/batch:1',
                  resources: { requests: oneGpu, limits: oneGpu },
                },
              ],
            },
          } as V1Pod);
          await scene.cluster.until<V1Pod, true>({
            what: 'the batch pod to run',
            selection: { kind: 'Pod', namespace: scene.namespace, labels: { app: 'batch' } },
            check: (pods) => pods.some(({ status }) => status?.phase === 'Running'),
          });
        },
        priorityClass('middle', 500),
        runs('web', { requests: oneGpu, pod: { priorityClassName: 'middle' } }),
        waits('urgent', { requests: oneGpu, pod: { priorityClassName: 'high' } }),
        async ({ cluster, namespace }) => {
          await cluster.until<V1Pod, true>({
            what: 'the urgent pod to be nominated',
            selection: { kind: 'Pod', namespace, labels: { app: 'urgent' } },
            check: (pods) => pods.some(({ status }) => status?.nominatedNodeName !== undefined),
          });
        },
        updates('web'),
        isRefused('web', `Insufficient ${gpu}`),
      ],
    }),
  ],
};
