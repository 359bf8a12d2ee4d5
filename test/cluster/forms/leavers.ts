import type { KubernetesObject, V1Pod, V1PodSpec } from '@kubernetes/client-node';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import type { Form, FormExpectation, FormGroup, Step } from './form.js';
import { creates, gpu, hasQuota, isNotCreated, isRefused, oneGpu, runs, updates } from './steps.js';

const resources = { requests: oneGpu, limits: oneGpu };

/** A pod that no controller of Kubernetes runs, beside `web`; it gets its node at once. */
function lonePod(
  spec: Partial<V1PodSpec>,
  owner?: { readonly apiVersion: string; readonly kind: string },
): Step {
  return async (scene) => {
    const pod: V1Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        namespace: scene.namespace,
        name: 'batch-1',
        annotations: { [kubeletAnnotation.start]: 'container-creating' },
        ...(owner === undefined
          ? {}
          : {
              ownerReferences: [
                { ...owner, name: 'nightly', uid: '7c0d1f1e-0000-4000-8000-000000000001', controller: true },
              ],
            }),
      },
      spec: { containers: [{ name: 'app', image: 'registry.example/batch:1', resources }], ...spec },
    };
    await scene.cluster.create(pod);
    await started(scene);
  };
}

const started: Step = async ({ cluster, namespace }) => {
  await cluster.until<V1Pod, true>({
    what: 'the batch pod to have a node',
    selection: { kind: 'Pod', namespace },
    check: (pods) => pods.some(({ metadata, spec }) => metadata?.name?.startsWith('batch') && spec?.nodeName),
  });
};

const job =
  (spec: object = {}, requests: object = resources): Step =>
  async (scene) => {
    await scene.cluster.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { namespace: scene.namespace, name: 'batch' },
      spec: {
        template: {
          metadata: { annotations: { [kubeletAnnotation.start]: 'container-creating' } },
          spec: {
            restartPolicy: 'Never',
            containers: [{ name: 'app', image: 'registry.example/batch:1', resources: requests }],
            ...spec,
          },
        },
      },
    } as KubernetesObject);
    await started(scene);
  };

/** The batch pod completes. */
const completes: Step = async ({ cluster, namespace }) => {
  const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
  for (const { metadata } of items.filter(({ metadata }) => metadata?.name?.startsWith('batch')))
    await cluster.patchPodStatus(namespace, metadata?.name ?? '', { phase: 'Succeeded' });
};

/** `web` has one of two cards, the other pod has the second. */
function besideOnCards(
  id: string,
  title: string,
  other: Step,
  mayEnd: boolean,
  ends?: readonly Step[],
): Form {
  const sure: FormExpectation = { cause: 'surge-deadlock', minConfidence: 'proven', resource: gpu };
  const unsure: FormExpectation = {
    cause: ['surge-deadlock', 'capacity-contention'],
    maxConfidence: 'likely',
  };
  return {
    id,
    title,
    expected: mayEnd ? unsure : sure,
    nodes: [{ name: 'gpu-a', allocatable: { [gpu]: '2' } }],
    steps: [runs('web', { requests: oneGpu, pod: tolerating }), other, updates('web'), isRefused('web', gpu)],
    ...(ends === undefined ? {} : { ends }),
  };
}

const tolerating: Partial<V1PodSpec> = { tolerations: [{ key: 'maintenance', operator: 'Exists' }] };

const evicted = (tolerationSeconds?: number): Partial<V1PodSpec> => ({
  tolerations: [
    {
      key: 'maintenance',
      operator: 'Exists',
      effect: 'NoExecute',
      ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
    },
  ],
});

const taint: Step = async ({ cluster }) =>
  cluster.patch(
    { kind: 'Node', name: 'gpu-a' },
    {
      spec: {
        taints: [
          {
            key: 'maintenance',
            effect: 'NoExecute',
            timeAdded: new Date().toISOString().replace(/\.\d+/, ''),
          },
        ],
      },
    },
  );

const both =
  (...steps: readonly Step[]): Step =>
  async (scene) => {
    for (const step of steps) await step(scene);
  };

function besideInQuota(
  id: string,
  title: string,
  other: Step,
  mayEnd: boolean,
  ends?: readonly Step[],
): Form {
  return {
    id,
    title,
    expected: mayEnd
      ? { cause: ['quota-deadlock', 'quota-exceeded'], maxConfidence: 'likely' }
      : { cause: 'quota-deadlock', minConfidence: 'proven', resource: 'requests.cpu' },
    nodes: [{ name: 'n-a' }],
    steps: [
      hasQuota({ 'requests.cpu': '2' }),
      runs('web', { requests: { cpu: '1' } }),
      other,
      updates('web'),
      isNotCreated('web', 'exceeded quota: team'),
    ],
    ...(ends === undefined ? {} : { ends }),
  };
}

const oneCore = { requests: { cpu: '1' } };
const workflow = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow' };
const runner = { apiVersion: 'ci.example/v1', kind: 'Runner' };

/**
 * Class: a pod that ends on its own may end a deadlock, so the deadlock is not proven, whichever owner the
 * pod has.
 */
export const leavers: FormGroup = {
  group: 'leavers',
  forms: [
    besideOnCards('card-of-a-job', 'a pod of a Job has the second card', job(), true, [completes]),
    besideOnCards(
      'card-of-a-workflow',
      'a pod of a workflow, which is no Job, has the second card',
      lonePod({ restartPolicy: 'Never' }, workflow),
      true,
      [completes],
    ),
    besideOnCards(
      'card-of-a-pod-that-ends',
      'a pod without controller and without restarts has the second card',
      lonePod({ restartPolicy: 'OnFailure' }),
      true,
      [completes],
    ),
    besideOnCards(
      'card-of-a-pod-that-restarts',
      'a pod without controller that is always restarted has the second card',
      lonePod({ restartPolicy: 'Always' }),
      false,
    ),
    besideOnCards(
      'card-of-a-pod-with-a-deadline',
      'a pod that is always restarted and has an active deadline of an hour has the second card',
      lonePod({ restartPolicy: 'Always', activeDeadlineSeconds: 3_600 }),
      true,
    ),
    besideOnCards(
      'card-of-a-runner-that-restarts',
      'a pod of a custom controller that is always restarted has the second card',
      lonePod({ restartPolicy: 'Always' }, runner),
      false,
    ),
    besideOnCards(
      'card-beside-a-job-without-cards',
      'another Deployment has the second card, and a pod of a Job runs on the node without one',
      both(runs('training', { requests: oneGpu, pod: tolerating }), job({}, {})),
      false,
    ),
    besideOnCards(
      'card-of-a-pod-about-to-be-evicted',
      'the node is tainted, and a pod with the second card tolerates that for an hour',
      both(runs('training', { requests: oneGpu, pod: evicted(3_600) }), taint),
      true,
    ),
    besideOnCards(
      'card-of-a-pod-that-tolerates',
      'the node is tainted, and a pod with the second card tolerates that without a limit',
      both(runs('training', { requests: oneGpu, pod: evicted() }), taint),
      false,
    ),
    besideInQuota('quota-of-a-job', 'a pod of a Job uses half the quota', job({}, oneCore), true, [
      completes,
    ]),
    besideInQuota(
      'quota-of-a-deployment',
      'a pod of another Deployment uses half the quota',
      runs('training', oneCore),
      false,
    ),
    besideInQuota(
      'quota-of-a-workflow',
      'a pod of a workflow uses half the quota',
      creates(
        (namespace) =>
          ({
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: {
              namespace,
              name: 'batch-1',
              annotations: { [kubeletAnnotation.start]: 'container-creating' },
              ownerReferences: [
                {
                  ...workflow,
                  name: 'nightly',
                  uid: '7c0d1f1e-0000-4000-8000-000000000001',
                  controller: true,
                },
              ],
            },
            spec: {
              restartPolicy: 'Never',
              containers: [{ name: 'app', image: 'registry.example/batch:1', resources: oneCore }],
            },
          }) as KubernetesObject,
      ),
      true,
      [completes],
    ),
  ],
};
