import type { V1Pod, V1Service } from '@kubernetes/client-node';
import { untilRolledOut } from '../incidents/rolling.js';
import { serves } from './dependencies.js';
import type { Form, FormGroup, Step } from './form.js';
import { gpu, gpuNode, isRefused, oneGpu, patches, runs, updates } from './steps.js';

const two = [{ name: 'n-a' }, { name: 'n-b' }];
const onKarpenter = { labels: { 'karpenter.sh/nodepool': 'default' } };

const isRolledOut =
  (app: string): Step =>
  async ({ cluster, place }) => {
    const { namespace, name } = await place(app);
    await untilRolledOut(cluster, namespace, name);
  };

/** Somebody deletes the pods of the app, and their replacements are ready. */
const isReplaced =
  (app: string): Step =>
  async (scene) => {
    const { namespace, name } = await scene.place(app);
    const before = scene.before.get(app) ?? [];
    for (const pod of before) await scene.cluster.remove({ kind: 'Pod', namespace, name: pod });
    await scene.cluster.until<V1Pod, true>({
      what: `the new pods of ${app}`,
      selection: { kind: 'Pod', namespace },
      check: (pods) => {
        const own = pods.filter(({ metadata }) => metadata?.labels?.app === name);
        return own.length > 0 && own.every(({ metadata }) => !before.includes(metadata?.name ?? ''));
      },
    });
    await isRolledOut(app)(scene);
  };

const restarted = patches('Deployment', 'web', {
  spec: {
    template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-23T10:00:00Z' } } },
  },
});

/** Each pod of `web` wrote this in its present run. */
const logs =
  (text: string): Step =>
  async (scene) => {
    for (const name of scene.before.get('web') ?? [])
      scene.logs.set(`${scene.namespace}_${name}_app`, `${text}\n`);
    scene.cluster.controlPlane.writePodLogs({ current: text, previous: '' });
  };

const calm = (one: Pick<Form, 'id' | 'title' | 'steps'> & Partial<Pick<Form, 'nodes'>>): Form => ({
  nodes: two,
  ends: [],
  expected: {
    cause: null,
    never: ['surge-deadlock', 'application-crash', 'readiness-failing', 'crash-loop-after-rollout'],
  },
  ...one,
});

const web = runs('web', { replicas: 2 });
const cards = (steps: readonly Step[]): readonly Step[] => [runs('web', { requests: oneGpu }), ...steps];

/**
 * Class: workloads beside which something resembles the incidents of `dependencies` and `certainty`, and
 * nothing is wrong.
 */
export const calmForms: FormGroup = {
  group: 'calm',
  forms: [
    calm({
      id: 'dependency-replaced-under-ready-pods',
      title: 'the pod of postgres was replaced, and web stayed ready',
      steps: [serves('postgres'), web, isReplaced('postgres')],
    }),
    calm({
      id: 'dependency-scaled-to-zero-under-ready-pods',
      title: 'postgres was scaled to zero, and web is ready without it',
      steps: [serves('postgres'), web, patches('Deployment', 'postgres', { spec: { replicas: 0 } })],
    }),
    calm({
      id: 'service-without-pods-beside-ready-pods',
      title: 'a Service selects no pod, and web is ready',
      steps: [
        web,
        async ({ cluster, namespace }) => {
          await cluster.create<V1Service>({
            apiVersion: 'v1',
            kind: 'Service',
            metadata: { namespace, name: 'postgres' },
            spec: { selector: { app: 'postgres' }, ports: [{ port: 5432 }] },
          });
        },
      ],
    }),
    calm({
      id: 'log-of-a-refused-connection-and-ready-pods',
      title: 'web wrote that postgres refused a connection, and its pods are ready',
      steps: [serves('postgres'), web, logs('connect to postgres:5432: connection refused')],
    }),
    calm({
      id: 'dependency-of-another-namespace-scaled-to-zero',
      title: 'postgres of another namespace was scaled to zero, and web is ready without it',
      steps: [
        serves('data/postgres'),
        web,
        patches('Deployment', 'data/postgres', { spec: { replicas: 0 } }),
      ],
    }),
    calm({
      id: 'restarted-rollout-complete',
      title: 'somebody restarted web, and the restarted rollout is complete',
      steps: [serves('postgres'), web, restarted, isRolledOut('web')],
    }),
    calm({
      id: 'pods-deleted-and-replaced',
      title: 'somebody deleted the pods of web, and their replacements are ready',
      steps: [serves('postgres'), web, isReplaced('web')],
    }),
    calm({
      id: 'updated-beside-its-dependency',
      title: 'web was updated while postgres was ready, and the rollout is complete',
      steps: [serves('postgres'), web, updates('web'), isRolledOut('web')],
    }),
    calm({
      id: 'karpenter-node-has-a-free-card',
      title: 'the node of Karpenter has a second card, and the rollout is complete',
      nodes: [{ ...gpuNode(2), ...onKarpenter }],
      steps: cards([updates('web'), isRolledOut('web')]),
    }),
    calm({
      id: 'karpenter-brought-a-node',
      title: 'the new pod was refused, a node with a free card came, and the rollout is complete',
      nodes: [{ ...gpuNode(1), ...onKarpenter }],
      steps: cards([
        updates('web'),
        isRefused('web', `Insufficient ${gpu}`),
        ({ cluster }) => cluster.createNodes({ ...gpuNode(1, 'gpu-b'), ...onKarpenter }),
        isRolledOut('web'),
      ]),
    }),
    calm({
      id: 'card-replaced-in-place',
      title: 'web stopped its old pod first on the only card, and the rollout is complete',
      nodes: [gpuNode(1)],
      steps: [
        runs('web', {
          requests: oneGpu,
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
        }),
        updates('web'),
        isRolledOut('web'),
      ],
    }),
    calm({
      id: 'card-at-rest',
      title: 'web holds the only card, and nobody updates it',
      nodes: [gpuNode(1)],
      steps: cards([]),
    }),
  ],
};
