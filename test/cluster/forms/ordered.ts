import type { V1Pod, V1StatefulSet, V1StatefulSetSpec } from '@kubernetes/client-node';
import { runStatefulSet } from '../controls/workloads.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import type { Form, FormExpectation, FormGroup, Step } from './form.js';
import { crashLooping, reportOf } from './steps.js';

type Spec = Partial<Omit<V1StatefulSetSpec, 'selector' | 'template'>>;

const exists =
  (spec: Spec, container: object = {}): Step =>
  async ({ cluster, namespace }) => {
    await runStatefulSet(cluster, { namespace, name: 'db', spec, container });
  };

const template =
  (change: object): Step =>
  async ({ cluster, namespace }) => {
    await cluster.patch({ kind: 'StatefulSet', namespace, name: 'db' }, { spec: { template: change } });
    await cluster.until<V1StatefulSet, true>({
      what: 'the change to be observed',
      selection: { kind: 'StatefulSet', namespace },
      check: ([one]) => (one?.status?.observedGeneration ?? 0) >= (one?.metadata?.generation ?? 0),
    });
  };

const bad = template({
  metadata: { labels: { release: 'bad' }, annotations: { [kubeletAnnotation.start]: 'not-ready' } },
});
const reverted = template({
  metadata: { labels: { release: null }, annotations: { [kubeletAnnotation.start]: null } },
});

const findPod = (scene: Parameters<Step>[0], name: string, check: (pod: V1Pod) => boolean): Promise<V1Pod> =>
  scene.cluster.until<V1Pod, V1Pod>({
    what: `${name} to be as described`,
    selection: { kind: 'Pod', namespace: scene.namespace },
    check: (pods) => pods.find((pod) => pod.metadata?.name === name && check(pod)),
  });

const isUnready = (pod: V1Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'False') ?? false;

const breaks =
  (name: string): Step =>
  async (scene) => {
    const pod = await findPod(
      scene,
      name,
      (one) => one.metadata?.labels?.release === 'bad' && isUnready(one),
    );
    await reportOf(scene, pod, crashLooping(1));
  };

const form = (one: Omit<Form, 'kind' | 'name' | 'nodes'> & Partial<Pick<Form, 'nodes'>>): Form => ({
  kind: 'StatefulSet',
  name: 'db',
  nodes: [{ name: 'n-a' }],
  diagnoseAfterSeconds: 900,
  ...one,
});

const crash: FormExpectation = {
  cause: ['application-crash', 'crash-loop-after-rollout'],
  firstFix: ['undo-rollout'],
  never: ['ordered-ready-stuck'],
};

/** Class: StatefulSets whose order blocks the rollout or the roll back. */
export const ordered: FormGroup = {
  group: 'ordered',
  forms: [
    form({
      id: 'newest-pod-broken-under-ordered-ready',
      title: 'the highest ordinal crashes with the new revision; the roll back needs a second step',
      expected: { ...crash, mentions: ['db-2'] },
      steps: [exists({ replicas: 3 }), bad, breaks('db-2')],
    }),
    form({
      id: 'newest-pod-broken-under-parallel',
      title: 'the same under Parallel, where the controller replaces the broken pod on its own',
      expected: crash,
      steps: [exists({ replicas: 3, podManagementPolicy: 'Parallel' }), bad, breaks('db-2')],
    }),
    form({
      id: 'reverted-and-a-crashed-pod-in-the-way',
      title: 'the template was reverted, and the controller waits for the pod that crashed before',
      expected: { cause: 'ordered-ready-stuck', firstFix: ['delete-pod'], mentions: ['db-2'] },
      steps: [exists({ replicas: 3 }), bad, breaks('db-2'), reverted],
    }),
    form({
      id: 'broken-pod-above-the-partition',
      title: 'a canary by partition: the one pod of the new revision crashes',
      expected: { ...crash, mentions: ['db-2'] },
      steps: [
        exists({ replicas: 3, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } }),
        bad,
        breaks('db-2'),
      ],
    }),
  ],
};
