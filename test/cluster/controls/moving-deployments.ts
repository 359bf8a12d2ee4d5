import type { V1Deployment, V1DeploymentStrategy } from '@kubernetes/client-node';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import type { Cluster } from '../harness/cluster.js';
import type { DeploymentOptions } from '../incidents/deployment-manifest.js';
import { rollOut } from '../incidents/rolling.js';
import type { Control } from './control.js';
import { becomeReady, recordEvents } from './kubelet-acts.js';
import { control, web } from './neighbourhood.js';
import { beginRollout, change, isStarting, isStopping, slowly, untilPods } from './workloads.js';

interface Moving {
  readonly id: string;
  readonly title: string;
  readonly resembles: CauseId;
  readonly options?: Partial<DeploymentOptions>;
  readonly strategy?: V1DeploymentStrategy;
  readonly nodes?: readonly string[];
  readonly how: keyof typeof slowly;
  /** New pods that are starting when the state is recorded. */
  readonly starting: number;
  /** How many times all starting pods become Ready first. */
  readonly steps?: number;
}

const rolling = (
  maxSurge: number | string,
  maxUnavailable: number | string,
): { readonly strategy: V1DeploymentStrategy } => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
});

/** A rollout seconds old whose new pods have a node and are starting. */
function moving(one: Moving): Control {
  const { id, title, resembles, options, strategy, nodes = ['n-a', 'n-b'], how, starting, steps = 0 } = one;
  const small = nodes.map((name) => ({ name }));
  return control({ id, title, resembles }, small, async (cluster, namespace) => {
    await rollOut(cluster, { namespace, name: 'web', ...options, ...(strategy ? { strategy } : {}) });
    const workload = web(namespace);
    await change(cluster, workload, slowly[how]);
    for (let step = 0; step < steps; step += 1) {
      await becomeReady(cluster, ...(await untilPods(cluster, workload, 'starting', starting, isStarting)));
    }
    await untilPods(cluster, workload, 'starting', starting, isStarting);
  });
}

/** The new revision is ready; an old pod is still in its grace period. */
function stopping(id: string, title: string, strategy: V1DeploymentStrategy): Control {
  return control(
    { id, title, resembles: 'stuck-terminating' },
    [{ name: 'n-a' }],
    async (cluster, namespace) => {
      await rollOut(cluster, {
        namespace,
        name: 'web',
        strategy,
        annotations: slowly.stopping,
        pod: { terminationGracePeriodSeconds: 120 },
      });
      await change(cluster, web(namespace));
      await untilPods(cluster, web(namespace), 'stopping', 1, isStopping);
    },
  );
}

async function untilProgressing(cluster: Cluster, namespace: string, reason: string): Promise<void> {
  await cluster.until<V1Deployment, true>({
    what: `the Deployment to report ${reason}`,
    selection: { kind: 'Deployment', namespace },
    check: ([one]) => one?.status?.conditions?.some((each) => each.reason === reason),
    deadlineMilliseconds: 60_000,
  });
}

const lateButComplete = control(
  {
    id: 'late-but-complete',
    title: 'the progress deadline was exceeded, then the new pod became Ready and the rollout went through',
    resembles: 'progress-deadline-exceeded',
  },
  [{ name: 'n-a' }],
  async (cluster, namespace) => {
    await rollOut(cluster, { namespace, name: 'web', spec: { progressDeadlineSeconds: 3 } });
    const pods = await beginRollout(cluster, web(namespace));
    await untilProgressing(cluster, namespace, 'ProgressDeadlineExceeded');
    await becomeReady(cluster, ...pods);
    await untilProgressing(cluster, namespace, 'NewReplicaSetAvailable');
  },
);

const pullingForSeconds = control(
  {
    id: 'pulling-for-seconds',
    title: 'the new pod pulls a large image, seconds after it got its node',
    resembles: 'image-pull-failure',
  },
  [{ name: 'n-a' }],
  async (cluster, namespace) => {
    await rollOut(cluster, { namespace, name: 'web' });
    for (const pod of await beginRollout(cluster, web(namespace))) {
      await recordEvents(cluster, pod, {
        reason: 'Pulling',
        message: 'Pulling image "registry.example/app:2"',
      });
    }
  },
);

const slowProbe: DeploymentOptions['container'] = {
  readinessProbe: {
    httpGet: { path: '/ready', port: 8080 },
    initialDelaySeconds: 60,
    periodSeconds: 10,
    failureThreshold: 6,
  },
};

export const movingDeployments: readonly Control[] = [
  moving({
    id: 'percent-surge-moving',
    title: 'eight replicas at the default of 25% and 25%; four new pods start, two old ones are gone',
    resembles: 'progress-deadline-exceeded',
    options: { replicas: 8 },
    how: 'creating',
    starting: 4,
  }),
  moving({
    id: 'percent-surge-half-way',
    title: 'eight replicas at 25% and 25%, the first four new pods Ready, the others starting',
    resembles: 'progress-deadline-exceeded',
    options: { replicas: 8 },
    how: 'notReady',
    starting: 4,
    steps: 1,
  }),
  moving({
    id: 'everything-doubled',
    title: 'maxSurge 100%: four new pods start beside the four old ones',
    resembles: 'surge-deadlock',
    options: { replicas: 4 },
    ...rolling('100%', 0),
    how: 'creating',
    starting: 4,
  }),
  moving({
    id: 'half-may-be-missing',
    title: 'maxUnavailable 50%: two of four replicas are away while their successors start',
    resembles: 'insufficient-capacity',
    options: { replicas: 4 },
    ...rolling(0, '50%'),
    how: 'creating',
    starting: 2,
  }),
  moving({
    id: 'one-by-one-in-numbers',
    title: 'maxSurge 1, maxUnavailable 0: the second of three replacements runs and is not Ready yet',
    resembles: 'readiness-deadlock',
    options: { replicas: 3, container: slowProbe },
    ...rolling(1, 0),
    how: 'notReady',
    starting: 1,
    steps: 1,
  }),
  moving({
    id: 'readiness-slow-within-its-time',
    title: 'the new pod runs for seconds, and its readiness probe begins after a minute',
    resembles: 'readiness-failing',
    options: { container: slowProbe },
    how: 'notReady',
    starting: 1,
  }),
  moving({
    id: 'recreate-all-starting',
    title: 'Recreate: no replica is up, for the old ones are gone and the new ones start',
    resembles: 'insufficient-capacity',
    options: { replicas: 2 },
    strategy: { type: 'Recreate' },
    how: 'creating',
    starting: 2,
  }),
  moving({
    id: 'single-replica-away',
    title: 'maxSurge 0 with one replica: nothing serves for the seconds that the new pod needs',
    resembles: 'readiness-failing',
    ...rolling(0, 1),
    how: 'creating',
    starting: 1,
  }),
  stopping('recreate-waits-for-the-old-pod', 'Recreate: the old pod has two minutes to stop, and uses them', {
    type: 'Recreate',
  }),
  stopping('old-pod-takes-its-leave', 'the new pod is Ready, and the old one has two minutes to stop', {
    type: 'RollingUpdate',
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
  }),
  lateButComplete,
  pullingForSeconds,
];
