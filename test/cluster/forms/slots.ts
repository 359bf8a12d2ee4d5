import type { V1Pod } from '@kubernetes/client-node';
import { daemonSetManifest } from '../controls/workloads.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import type { Form, FormExpectation, FormGroup, Step } from './form.js';
import { isRefused, isStarting, runs, updates } from './steps.js';

const onPool = { nodeSelector: { pool: 'data' } };
const tooMany = isRefused('web', 'Too many pods');

const daemonSet: Step = async ({ cluster, namespace }) => {
  await cluster.create(daemonSetManifest({ namespace, name: 'agent', pod: onPool }));
  await untilRunning('agent')({ cluster, namespace } as Parameters<Step>[0]);
};

/** A pod that runs where it was created, without a controller. */
const pod =
  (
    name: string,
    more: { readonly annotations?: object; readonly nodeName?: string; readonly owner?: object } = {},
  ): Step =>
  async (scene) => {
    await scene.cluster.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        namespace: scene.namespace,
        name,
        labels: { app: name },
        annotations: { ...more.annotations },
        ...(more.owner === undefined ? {} : { ownerReferences: [more.owner] }),
      },
      spec: {
        ...onPool,
        ...(more.nodeName === undefined ? {} : { nodeName: more.nodeName }),
        containers: [{ name: 'app', image: 'registry.example/other:1' }],
      },
    } as V1Pod);
    await untilRunning(name)(scene);
  };

const untilRunning =
  (app: string): Step =>
  async ({ cluster, namespace }) => {
    await cluster.until<V1Pod, true>({
      what: `a pod of ${app} to run`,
      selection: { kind: 'Pod', namespace, labels: { app } },
      check: (pods) => pods.some(({ status }) => status?.phase === 'Running'),
    });
  };

/**
 * As the kubelet publishes a pod of its manifest folder: with the hash as annotation, and the node as owner.
 */
const staticPod: Step = async (scene) => {
  const node = await scene.cluster.read({ kind: 'Node', name: 'pool-a' });
  await pod('proxy-pool-a', {
    nodeName: 'pool-a',
    annotations: {
      'kubernetes.io/config.mirror': '0123456789abcdef',
      'kubernetes.io/config.hash': '0123456789abcdef',
      'kubernetes.io/config.source': 'file',
      'kubernetes.io/config.seen': '2026-11-24T00:00:00.000000000Z',
    },
    owner: { apiVersion: 'v1', kind: 'Node', name: 'pool-a', uid: node.metadata?.uid, controller: true },
  })(scene);
};

const ended: Step = async (scene) => {
  await pod('report')(scene);
  await scene.cluster.patchPodStatus(scene.namespace, 'report', {
    phase: 'Succeeded',
    containerStatuses: [],
  });
};

const terminates =
  (name: string): Step =>
  async ({ cluster, namespace }) => {
    await cluster.objects.delete({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name } });
  };

const deadlock: FormExpectation = {
  cause: 'surge-deadlock',
  resource: 'pods',
  minConfidence: 'proven',
  nodes: ['pool-a'],
};

const form = (slots: number, one: Omit<Form, 'nodes'>): Form => ({
  nodes: [
    { name: 'pool-a', labels: { pool: 'data' }, allocatable: { pods: String(slots) } },
    { name: 'other-a' },
  ],
  ...one,
});

/** Class: who has the pod slots of a node. */
export const slots: FormGroup = {
  group: 'slots',
  forms: [
    form(3, {
      id: 'slots-of-a-daemon-set-and-a-static-pod',
      title: 'a daemon pod, a static pod and the old pod have the three slots',
      expected: { ...deadlock, mentions: ['agent', 'proxy-pool-a'] },
      steps: [daemonSet, staticPod, runs('web', { pod: onPool }), updates('web'), tooMany],
    }),
    form(2, {
      id: 'slots-and-a-pod-that-has-ended',
      title: 'a pod that has ended needs no slot; the old pod and a daemon pod have both',
      expected: { ...deadlock, mentions: ['agent'] },
      steps: [ended, daemonSet, runs('web', { pod: onPool }), updates('web'), tooMany],
    }),
    form(2, {
      id: 'slot-of-a-pod-that-stops',
      title: 'the second slot is of a pod that stops and has five minutes to do so',
      expected: { cause: null, never: ['surge-deadlock', 'capacity-contention'] },
      diagnoseAfterSeconds: 70,
      steps: [
        async (scene) => {
          await scene.cluster.create({
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: {
              namespace: scene.namespace,
              name: 'batch',
              labels: { app: 'batch' },
              annotations: { [kubeletAnnotation.stop]: 'never' },
            },
            spec: {
              ...onPool,
              terminationGracePeriodSeconds: 300,
              containers: [{ name: 'app', image: 'registry.example/other:1' }],
            },
          } as V1Pod);
          await untilRunning('batch')(scene);
        },
        runs('web', { pod: onPool }),
        terminates('batch'),
        updates('web'),
        tooMany,
      ],
      ends: [async ({ cluster, namespace }) => cluster.remove({ kind: 'Pod', namespace, name: 'batch' })],
    }),
    form(2, {
      id: 'slot-of-a-pod-of-another-team',
      title: 'a pod without a controller, of another namespace, has the second slot',
      expected: { ...deadlock, mentions: ['/legacy'] },
      steps: [
        async (scene) => {
          const { namespace } = await scene.place('other/legacy');
          await pod('legacy')({ ...scene, namespace });
        },
        runs('web', { pod: onPool }),
        updates('web'),
        tooMany,
      ],
    }),
    form(3, {
      id: 'slot-free-beside-a-daemon-set',
      title: 'a daemon pod and the old pod leave one slot free, and the rollout completes',
      expected: { cause: null, never: ['surge-deadlock', 'capacity-contention'] },
      steps: [
        daemonSet,
        ended,
        runs('web', { pod: onPool }),
        updates('web', 'container-creating'),
        isStarting('web'),
      ],
    }),
  ],
};
