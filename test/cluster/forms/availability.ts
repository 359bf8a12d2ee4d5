import type { V1Deployment } from '@kubernetes/client-node';
import { becomeReady } from '../controls/kubelet-acts.js';
import type { Form, FormGroup, Step } from './form.js';
import { isObserved, isStarting, newPods, patches, recordsEvents, reportOf, runs, updates } from './steps.js';

const at = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

const gate = { readinessGates: [{ conditionType: 'example.com/load-balancer' }] };

const opensGate =
  (status: 'True' | 'False' | undefined): Step =>
  async (scene) => {
    for (const pod of await newPods(scene, 'web', 1)) {
      await scene.cluster.patchPodStatus(scene.namespace, pod.metadata?.name ?? '', {
        phase: 'Running',
        containerStatuses: [
          {
            ...pod.status?.containerStatuses?.[0],
            ready: true,
            started: true,
            state: { running: { startedAt: at() }, waiting: null },
          },
        ],
        conditions: [
          { type: 'ContainersReady', status: 'True', reason: null, message: null, lastTransitionTime: at() },
          {
            type: 'Ready',
            status: status === 'True' ? 'True' : 'False',
            ...(status === 'True'
              ? { reason: null, message: null }
              : {
                  reason: 'ReadinessGatesNotReady',
                  message:
                    'corresponding condition of pod readiness gate "example.com/load-balancer" does not exist.',
                }),
            lastTransitionTime: at(),
          },
          ...(status === undefined
            ? []
            : [
                {
                  type: 'example.com/load-balancer',
                  status,
                  reason: 'TargetUnhealthy',
                  message: 'target is unhealthy',
                  lastTransitionTime: at(),
                },
              ]),
        ],
      });
    }
  };

const becomesReadyOnce: Step = async (scene) => {
  await becomeReady(scene.cluster, ...(await newPods(scene, 'web', 1)));
};

const deadlineExceeded: Step = async ({ cluster, namespace }) => {
  await cluster.until<V1Deployment, true>({
    what: 'web to exceed its progress deadline',
    selection: { kind: 'Deployment', namespace },
    check: (all) =>
      all.some(({ status }) =>
        status?.conditions?.some(({ reason }) => reason === 'ProgressDeadlineExceeded'),
      ),
  });
};

const form = (one: Omit<Form, 'nodes'>): Form => ({ nodes: [{ name: 'n-a' }], ...one });

/** Class: what lies between a container that runs and a pod that is available. */
export const availability: FormGroup = {
  group: 'availability',
  forms: [
    form({
      id: 'gate-set-to-false',
      diagnoseAfterSeconds: 900,
      title: 'a controller set the readiness gate of the new pod to False',
      expected: {
        cause: 'readiness-failing',
        mentions: ['example.com/load-balancer'],
        never: ['surge-deadlock'],
      },
      steps: [runs('web'), updates('web', 'not-ready', gate), opensGate('False')],
    }),
    form({
      id: 'gate-opened',
      title: 'the readiness gate of the new pod is open, and the pod is ready',
      expected: { cause: null, never: ['readiness-failing'] },
      steps: [runs('web'), updates('web', 'not-ready', gate), opensGate('True')],
      ends: [],
    }),
    form({
      id: 'blip-within-min-ready-seconds',
      title: 'the new pod is ready again after a blip and must be so for ten more minutes',
      expected: { cause: null, never: ['readiness-failing', 'surge-deadlock'] },
      diagnoseAfterSeconds: 200,
      steps: [
        runs('web', { spec: { minReadySeconds: 0, progressDeadlineSeconds: 3_600 } }),
        patches('Deployment', 'web', { spec: { minReadySeconds: 600 } }),
        isObserved('web'),
        updates('web', 'container-creating'),
        becomesReadyOnce,
        recordsEvents('web', 1, {
          type: 'Warning',
          reason: 'Unhealthy',
          message: 'Readiness probe failed: HTTP probe failed with statuscode: 503',
          count: 2,
        }),
      ],
    }),
    form({
      id: 'past-the-deadline-and-starting',
      title:
        'the deadline is shorter than the start of the program, which a startup probe allows ten minutes',
      expected: {
        cause: ['progress-deadline-exceeded'],
        maxConfidence: 'likely',
        never: ['surge-deadlock', 'readiness-failing'],
      },
      diagnoseAfterSeconds: 30,
      steps: [
        runs('web', { spec: { progressDeadlineSeconds: 2 } }),
        updates('web', 'container-creating', {
          containers: [
            {
              name: 'app',
              image: 'registry.example/app:2',
              startupProbe: { httpGet: { port: 80 }, periodSeconds: 10, failureThreshold: 60 },
            },
          ],
        }),
        isStarting('web'),
        async (scene) => {
          for (const pod of await newPods(scene, 'web', 1))
            await reportOf(scene, pod, {
              started: false,
              state: { running: { startedAt: at() }, waiting: null },
            });
        },
        deadlineExceeded,
      ],
    }),
  ],
};
