import type { V1PodSpec } from '@kubernetes/client-node';
import type { FormGroup, Step } from './form.js';
import { isCrashLooping, isRefused, runs, updates } from './steps.js';

const pool = { nodeSelector: { pool: 'data' } };
const node = (allocatable: Readonly<Record<string, string>>) => [
  { name: 'pool-a', labels: { pool: 'data' }, allocatable },
  { name: 'other-a' },
];

const container = (name: string, resources: object = {}): V1PodSpec['containers'][number] => ({
  name,
  image: `registry.example/${name}:1`,
  resources,
});

/** What the containers may use together is a field of the pod (stable since 1.34). */
const hasShared =
  (resources: object, own: object = {}): Step =>
  async (scene) => {
    await runs('web', {
      pod: { ...pool, resources } as Partial<V1PodSpec>,
      container: { resources: own },
    })(scene);
  };

const memory = (limit: string) => ({ requests: { memory: '32Mi' }, limits: { memory: limit } });

/** Class: requests and limits that the pod has instead of its containers. */
export const podLevel: FormGroup = {
  group: 'pod-level',
  forms: [
    {
      id: 'out-of-memory-by-the-pods-limit',
      title: 'the containers have no limit of their own, and the limit of the pod kills one of them',
      expected: {
        cause: 'out-of-memory',
        mentions: ['64Mi', 'spec.resources.limits.memory'],
        firstFix: ['undo-rollout'],
      },
      nodes: node({}),
      diagnoseAfterSeconds: 600,
      steps: [
        hasShared(memory('64Mi')),
        updates('web', 'not-ready'),
        isCrashLooping('web', 1, 137, 'OOMKilled'),
      ],
    },
    {
      id: 'memory-limit-of-the-pod-cut',
      title: 'the new revision lowers the limit of the pod from 512Mi to 64Mi and is killed for it',
      expected: {
        cause: 'out-of-memory',
        mentions: ['512Mi', '64Mi', 'spec.resources.limits.memory'],
        firstFix: ['undo-rollout'],
      },
      nodes: node({}),
      diagnoseAfterSeconds: 600,
      steps: [
        hasShared(memory('512Mi')),
        updates('web', 'not-ready', { resources: memory('64Mi') }),
        isCrashLooping('web', 1, 137, 'OOMKilled'),
      ],
    },
    {
      id: 'out-of-memory-by-either-limit',
      title: 'each of two containers may use 96Mi, both together 128Mi; one of them is killed',
      expected: { cause: 'out-of-memory', mentions: ['96Mi', '128Mi'] },
      nodes: node({}),
      diagnoseAfterSeconds: 600,
      steps: [
        runs('web', {
          pod: {
            ...pool,
            resources: { requests: { memory: '64Mi' }, limits: { memory: '128Mi' } },
            initContainers: [
              {
                ...container('proxy', { requests: { memory: '32Mi' }, limits: { memory: '96Mi' } }),
                restartPolicy: 'Always',
              },
            ],
          } as Partial<V1PodSpec>,
          container: { resources: { requests: { memory: '32Mi' }, limits: { memory: '96Mi' } } },
        }),
        updates('web', 'not-ready'),
        isCrashLooping('web', 1, 137, 'OOMKilled'),
      ],
    },
    {
      id: 'memory-requested-by-the-pod',
      title: 'the request of the pod does not fit twice on the node, and no container requests any',
      expected: {
        cause: 'surge-deadlock',
        resource: 'memory',
        minConfidence: 'proven',
        firstFix: ['patch-strategy'],
      },
      nodes: node({ memory: '8Gi' }),
      steps: [
        hasShared({ requests: { memory: '5Gi' }, limits: { memory: '5Gi' } }),
        updates('web'),
        isRefused('web', 'Insufficient memory'),
      ],
    },
    {
      id: 'request-of-the-pod-raised-beyond-the-node',
      title: 'the new revision raises the CPU request of the pod beyond what any node has',
      expected: { cause: 'unsatisfiable-placement', never: ['surge-deadlock'], mentions: ['cpu'] },
      nodes: node({ cpu: '4' }),
      diagnoseAfterSeconds: 600,
      steps: [
        hasShared({ requests: { cpu: '1' } }),
        updates('web', undefined, { resources: { requests: { cpu: '6' } } }),
        isRefused('web', 'Insufficient cpu'),
      ],
    },
    {
      id: 'requests-of-the-pod-fit-twice',
      title: 'two pods fit by the request of the pod, although the limits of its containers would not',
      expected: { cause: null, never: ['surge-deadlock', 'insufficient-capacity'] },
      nodes: node({ memory: '8Gi' }),
      steps: [
        async (scene) => {
          await runs('web', {
            pod: {
              ...pool,
              resources: { requests: { memory: '3Gi' }, limits: { memory: '6Gi' } },
            } as Partial<V1PodSpec>,
            container: { resources: { limits: { memory: '6Gi' }, requests: { memory: '1Gi' } } },
          })(scene);
        },
        updates('web', 'container-creating'),
      ],
    },
  ],
};
