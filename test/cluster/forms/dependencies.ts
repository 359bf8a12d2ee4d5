import type { V1Pod, V1Service } from '@kubernetes/client-node';
import type { Form, FormGroup, Scene, Step } from './form.js';
import { crashLooping, gpuNode, newPods, oneGpu, reportOf, runs, updates } from './steps.js';

const three = ['n-a', 'n-b', 'n-c'].map((name) => ({ name }));
const secondsAgo = (seconds: number): string =>
  new Date(Date.now() - seconds * 1000).toISOString().replace(/\.\d+/, '');

async function podsOf({ cluster, place }: Scene, app: string): Promise<readonly V1Pod[]> {
  const { namespace, name } = await place(app);
  const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
  return items
    .filter(({ metadata }) => metadata?.labels?.app === name && metadata.deletionTimestamp === undefined)
    .sort((a, b) => (a.metadata?.name ?? '').localeCompare(b.metadata?.name ?? ''));
}

async function reportReady(scene: Scene, pod: V1Pod, status: 'True' | 'False', ago: number): Promise<void> {
  await scene.cluster.patchPodStatus(pod.metadata?.namespace ?? '', pod.metadata?.name ?? '', {
    conditions: ['Ready', 'ContainersReady'].map((type) => ({
      type,
      status,
      lastTransitionTime: secondsAgo(ago),
    })),
  });
}

/** A Deployment with a Service in front of it. */
export const serves =
  (app: string): Step =>
  async (scene) => {
    await runs(app)(scene);
    const { namespace, name } = await scene.place(app);
    await scene.cluster.create<V1Service>({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace, name },
      spec: { selector: { app: name }, ports: [{ port: 5432 }] },
    });
  };

/** The pods of the app are ready since then; `undefined`: they are not. */
const isReadySince =
  (app: string, ago: number | undefined): Step =>
  async (scene) => {
    for (const pod of await podsOf(scene, app)) {
      if (ago === undefined) await reportReady(scene, pod, 'False', 3600);
      else await reportReady(scene, pod, 'True', ago);
    }
    // The controller has written the endpoints that follow.
    const { namespace } = await scene.place(app);
    await scene.cluster.until<{ endpoints?: { conditions?: { ready?: boolean } }[] } & V1Pod, true>({
      what: `the endpoints of ${app}`,
      selection: { kind: 'EndpointSlice', namespace },
      check: (slices) =>
        slices
          .flatMap(({ endpoints }) => endpoints ?? [])
          .some(({ conditions }) => conditions?.ready === (ago !== undefined)),
    });
  };

interface Crash {
  readonly ago: number;
  /** Names of pods in which it crashed; all when left out. */
  readonly of?: (pods: readonly V1Pod[]) => readonly V1Pod[];
  readonly says: string | ((scene: Scene) => Promise<string>);
  /** The text is the termination message, not the log. */
  readonly isMessage?: boolean;
}

/** The container of `web` crashed then, said this, and waits for the end of its back-off of five minutes. */
const crashed =
  ({ ago, of = (pods) => pods, says, isMessage = false }: Crash): Step =>
  async (scene) => {
    const text = typeof says === 'string' ? says : await says(scene);
    const ended = {
      exitCode: 1,
      reason: 'Error',
      startedAt: secondsAgo(ago + 5),
      finishedAt: secondsAgo(ago),
    };
    for (const pod of of(await podsOf(scene, 'web'))) {
      const terminated = isMessage ? { ...ended, message: text } : ended;
      await reportOf(scene, pod, { ...crashLooping(1), lastState: { terminated } });
      await reportReady(scene, pod, 'False', ago);
      if (!isMessage) scene.logs.set(`${scene.namespace}_${pod.metadata?.name}_app.previous`, `${text}\n`);
    }
    if (!isMessage) scene.cluster.controlPlane.writePodLogs({ current: '', previous: text });
  };

/** The containers run again since then, and are ready. */
const recovered =
  (ago: number): Step =>
  async (scene) => {
    const terminated = {
      exitCode: 1,
      reason: 'Error',
      startedAt: secondsAgo(ago + 305),
      finishedAt: secondsAgo(ago + 300),
    };
    for (const pod of await podsOf(scene, 'web')) {
      await reportOf(scene, pod, {
        ready: true,
        started: true,
        restartCount: 6,
        lastState: { terminated },
        state: { running: { startedAt: secondsAgo(ago) } },
      });
      await reportReady(scene, pod, 'True', ago);
    }
  };

/** Only pods that a fix makes; the crashed ones wait for their back-off. */
const isNotInBackOff = ({ status }: V1Pod): boolean =>
  status?.containerStatuses?.every(({ state }) => state?.waiting === undefined) ?? false;

const refused = 'dial tcp: connect to postgres:5432: connection refused';
const addressOf = async ({ cluster, namespace }: Scene): Promise<string> => {
  const { spec } = await cluster.read<V1Service>({ kind: 'Service', namespace, name: 'postgres' });
  return `dial tcp ${spec?.clusterIP}:5432: connect: connection refused`;
};

const crash = ['application-crash', 'crash-loop-after-rollout', 'crash-loop-on-node'] as const;
const offered = { cause: crash, maxConfidence: 'likely', mentions: ['Service', 'postgres'] } as const;
const notOffered = { cause: crash, neverFix: ['restart-rollout'] } as const;

const form = (one: Omit<Form, 'nodes'> & Partial<Pick<Form, 'nodes'>>): Form => ({ nodes: three, ...one });

/** `web` and the Service `postgres` that it needs. */
const pair = (
  one: Pick<Form, 'id' | 'title' | 'expected' | 'steps'> & Partial<Pick<Form, 'name' | 'ends'>>,
): Form => form({ ...one, steps: [serves('postgres'), runs('web', { replicas: 2 }), ...one.steps] });

/** Class: a dependency that was away and has returned, and its near misses. */
export const dependencies: FormGroup = {
  group: 'dependencies',
  forms: [
    pair({
      id: 'dependency-returned',
      title: 'both pods crashed while postgres was away; it has returned, and the back-off counts on',
      expected: { ...offered, firstFix: ['restart-rollout'] },
      steps: [crashed({ ago: 110, says: refused }), isReadySince('postgres', 70)],
    }),
    pair({
      id: 'dependency-returned-by-address',
      title: 'the termination messages name the address of the Service, which has returned',
      expected: { ...offered, firstFix: ['restart-rollout'] },
      steps: [crashed({ ago: 110, says: addressOf, isMessage: true }), isReadySince('postgres', 70)],
    }),
    pair({
      id: 'dependency-returned-for-one-pod',
      title: 'one of two pods crashed while postgres was away, and the other one did not',
      expected: { ...offered, firstFix: ['delete-pod'] },
      steps: [
        crashed({ ago: 110, says: refused, of: (pods) => pods.slice(0, 1) }),
        isReadySince('postgres', 70),
      ],
    }),
    form({
      id: 'dependency-of-another-namespace-returned',
      title: 'the Service that was away and has returned is in another namespace',
      expected: { ...offered, firstFix: ['restart-rollout'] },
      steps: [
        serves('data/postgres'),
        runs('web', { replicas: 2 }),
        crashed({
          ago: 110,
          says: async ({ place }) =>
            `could not connect to postgres.${(await place('data/postgres')).namespace}.svc.cluster.local:5432`,
        }),
        isReadySince('data/postgres', 70),
      ],
    }),
    form({
      id: 'dependency-returned-during-a-rollout',
      title: 'the new pod crashed while postgres was away; the old pods are ready',
      expected: { ...offered, firstFix: ['undo-rollout', 'delete-pod', 'restart-rollout'] },
      steps: [
        serves('postgres'),
        runs('web', { replicas: 2 }),
        updates('web', 'not-ready'),
        async (scene) => {
          const [fresh] = await newPods(scene, 'web', 1);
          const of = (pods: readonly V1Pod[]) =>
            pods.filter(({ metadata }) => metadata?.name === fresh?.metadata?.name);
          await crashed({ ago: 110, says: refused, of })(scene);
        },
        isReadySince('postgres', 70),
      ],
      heals: isNotInBackOff,
    }),
    form({
      id: 'dependency-returned-and-no-card-left',
      title: 'a restart would wait for the only card, which the crashed pod holds',
      expected: { ...offered, firstFix: ['delete-pod'], neverFix: ['restart-rollout'] },
      nodes: [gpuNode(1)],
      steps: [
        serves('postgres'),
        runs('web', { requests: oneGpu }),
        crashed({ ago: 110, says: refused }),
        isReadySince('postgres', 70),
      ],
    }),
    pair({
      id: 'dependency-still-away',
      title: 'both pods crashed while postgres was away, and it still is',
      expected: { ...notOffered, mentions: ['no ready endpoint'] },
      steps: [crashed({ ago: 110, says: refused }), isReadySince('postgres', undefined)],
    }),
    pair({
      id: 'dependency-ready-before-the-crash',
      title: 'postgres had been ready for an hour when both pods crashed',
      expected: { ...notOffered, mentions: ['another reason'] },
      steps: [crashed({ ago: 110, says: refused }), isReadySince('postgres', 3710)],
    }),
    pair({
      id: 'dependency-returned-and-another-host-named',
      title: 'postgres has returned, and the logs name a host that is no Service here',
      expected: notOffered,
      steps: [
        crashed({ ago: 110, says: 'dial tcp: connect to redis:6379: connection refused' }),
        isReadySince('postgres', 70),
      ],
    }),
    pair({
      id: 'dependency-returned-and-back-off-nearly-over',
      title: 'postgres has returned, and the kubelet restarts the containers soon',
      expected: { ...notOffered, mentions: ['would not be faster'] },
      steps: [crashed({ ago: 200, says: refused }), isReadySince('postgres', 120)],
    }),
    pair({
      id: 'dependency-returned-and-web-recovered',
      title: 'postgres has returned, the back-off ended, and both containers run again',
      ends: [],
      expected: { cause: null, never: ['application-crash'] },
      steps: [recovered(7200), isReadySince('postgres', 7400)],
    }),
    pair({
      id: 'dependency-away-and-web-ready',
      title: 'postgres is away, and the pods of web stay ready without it',
      ends: [],
      expected: { cause: null, never: ['application-crash'] },
      steps: [isReadySince('postgres', undefined)],
    }),
    pair({
      id: 'dependency-itself-has-returned',
      title: 'the workload that is asked about is postgres, which is ready again',
      name: 'postgres',
      ends: [],
      expected: { cause: null, never: ['application-crash', 'readiness-failing'] },
      steps: [crashed({ ago: 110, says: refused }), isReadySince('postgres', 70)],
    }),
  ],
};
