import { becomeReady } from '../controls/kubelet-acts.js';
import { runStatefulSet } from '../controls/workloads.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { type Form, type FormExpectation, type FormGroup, type Step, waitsForTraining } from './form.js';
import {
  crashLooping,
  hasQuota,
  isNotCreated,
  patches,
  reportOf,
  runs,
  secondPods,
  updates,
} from './steps.js';

const cpu = (amount: string) => ({ resources: { requests: { cpu: amount } } });

const waiting: FormExpectation = { ...waitsForTraining, cause: 'quota-exceeded' };
const deadlock: FormExpectation = { cause: 'quota-deadlock', resource: 'requests.cpu' };

const secondPodStarts: Step = async (scene) => {
  await secondPods(scene, 'training', 1);
};
const secondPodsStart: Step = async (scene) => {
  for (const count of [1, 2])
    await becomeReady(scene.cluster, ...(await secondPods(scene, 'training', count)));
};
const secondPodCrashes: Step = async (scene) => {
  for (const pod of await secondPods(scene, 'training', 1)) await reportOf(scene, pod, crashLooping(1));
};

/** Two replicas with a core each. The second one is being replaced by one that requests this much. */
const updatesSet = (amount: string, partition = 0): readonly Step[] => [
  async ({ cluster, namespace }) => {
    await runStatefulSet(cluster, {
      namespace,
      name: 'training',
      container: cpu('1'),
      spec: { replicas: 2, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } } },
    });
  },
  patches('StatefulSet', 'training', {
    spec: {
      template: {
        metadata: { annotations: { [kubeletAnnotation.start]: 'container-creating' } },
        spec: { containers: [{ name: 'app', image: 'registry.example/app:2', ...cpu(amount) }] },
      },
    },
  }),
];

const form = (
  id: string,
  title: string,
  expected: FormExpectation,
  hard: string,
  set: readonly Step[],
  ends?: readonly Step[],
): Form => ({
  id,
  title,
  expected,
  nodes: [{ name: 'n-a' }],
  steps: [
    hasQuota({ 'requests.cpu': hard }),
    runs('web', { requests: { cpu: '1' } }),
    ...set,
    updates('web'),
    isNotCreated('web', 'exceeded quota: team'),
  ],
  ...(ends === undefined ? {} : { ends }),
});

/** Class: a quota that a StatefulSet of the namespace frees while it replaces its pods. */
export const quotaSets: FormGroup = {
  group: 'quota-sets',
  forms: [
    form(
      'quota-freed-by-a-stateful-set',
      'a StatefulSet replaces its pods by smaller ones, and the quota has room after the last one',
      waiting,
      '3',
      [...updatesSet('500m'), secondPodStarts],
      [secondPodsStart],
    ),
    form(
      'quota-beside-a-stateful-set-of-equal-size',
      'a StatefulSet replaces its pods by pods of the same size, which take the quota again',
      { ...deadlock, cause: ['quota-deadlock', 'quota-exceeded'], maxConfidence: 'likely' },
      '3',
      [...updatesSet('1'), secondPodStarts],
    ),
    form(
      'quota-beside-a-stateful-set-with-a-partition',
      'a StatefulSet would request less, but its partition keeps both pods',
      { ...deadlock, minConfidence: 'proven' },
      '3',
      updatesSet('500m', 2),
    ),
    form(
      'quota-beside-a-stateful-set-that-crashes',
      'the first smaller pod of the StatefulSet crashes, and the other one keeps its part of the quota',
      { ...deadlock, minConfidence: 'likely', maxConfidence: 'likely', mentions: ['training'] },
      '3',
      [...updatesSet('500m'), secondPodCrashes],
    ),
  ],
};
