import type { KubernetesObject, V1ContainerStatus, V1Deployment, V1Pod } from '@kubernetes/client-node';
import { becomeReady, type KubeletEvent, recordEvents } from '../controls/kubelet-acts.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import type { Kind } from '../harness/resources.js';
import { type DeploymentOptions, deploymentManifest } from '../incidents/deployment-manifest.js';
import { rollOut, untilNotCreated, untilUnschedulable, update } from '../incidents/rolling.js';
import { createQuota } from '../incidents/team-quota.js';
import type { Scene, Step } from './form.js';

export const gpu = 'nvidia.com/gpu';
export const oneGpu = { [gpu]: '1' };
/** The only node of a pool, with so many cards. */
export const pool = (name: string, cards: number) => ({
  name: `${name}-1`,
  labels: { pool: name },
  allocatable: { [gpu]: String(cards) },
});
export const inPool = (name: string) => ({ nodeSelector: { pool: name } });
/** A card of that pool. */
export const onPool = (name: string) => ({ requests: oneGpu, pod: inPool(name) });
export const gpuNode = (count: number, name = 'gpu-a') => ({ name, allocatable: { [gpu]: String(count) } });

type Options = Omit<DeploymentOptions, 'namespace' | 'name'>;

/** A Deployment that is rolled out. */
export const runs =
  (app: string, options: Options = {}): Step =>
  async (scene) => {
    const place = await scene.place(app);
    scene.before.set(app, await rollOut(scene.cluster, { ...place, ...options }));
  };

/** A Deployment, without waiting for its rollout. */
export const waits =
  (app: string, options: Options = {}): Step =>
  async (scene) => {
    scene.before.set(app, []);
    await scene.cluster.create(deploymentManifest({ ...(await scene.place(app)), ...options }));
  };

/** Another image, and what else is given; `start` keeps the new pods from becoming ready. */
export const updates =
  (
    app: string,
    start?: 'container-creating' | 'not-ready',
    pod: object = {},
    annotations: Readonly<Record<string, string>> = {},
  ): Step =>
  async ({ cluster, place }) => {
    const { namespace, name } = await place(app);
    const all = { ...annotations, ...(start === undefined ? {} : { [kubeletAnnotation.start]: start }) };
    await update(cluster, namespace, name, pod, all);
  };

export const patches =
  (kind: Kind, app: string, patch: object): Step =>
  async ({ cluster, place }) =>
    cluster.patch({ kind, ...(await place(app)) }, patch);

/** The scheduler refuses a new pod of the app with a message that contains these parts. */
export const isRefused =
  (app: string, ...parts: readonly string[]): Step =>
  async ({ cluster, place, before }) => {
    const { namespace, name } = await place(app);
    await untilUnschedulable(cluster, namespace, name, before.get(app) ?? [], parts);
  };

/** The rollout of `web` finds no free card. */
export const lacksCard: readonly Step[] = [updates('web'), isRefused('web', `Insufficient ${gpu}`)];

/** A quota refuses the pods of the app. */
export const isNotCreated =
  (app: string, ...parts: readonly string[]): Step =>
  async ({ cluster, place }) => {
    const { namespace, name } = await place(app);
    await untilNotCreated(cluster, namespace, name, parts);
  };

const isNew = (pod: V1Pod, before: readonly string[]): boolean =>
  !before.includes(pod.metadata?.name ?? '') && pod.metadata?.deletionTimestamp === undefined;

/** New pods of the app that run or start, once this many exist. */
export async function newPods(scene: Scene, app: string, count: number): Promise<readonly V1Pod[]> {
  const { namespace, name } = await scene.place(app);
  const before = scene.before.get(app) ?? [];
  return scene.cluster.until<V1Pod, readonly V1Pod[]>({
    what: `${count} new pods of ${app} to start`,
    selection: { kind: 'Pod', namespace, labels: { app: name } },
    check: (pods) => {
      const found = pods.filter((pod) => isNew(pod, before) && pod.status?.containerStatuses !== undefined);
      return found.length >= count ? found : undefined;
    },
  });
}

/** Pods of the app whose template is the second one and which start, once this many exist. */
export async function secondPods(scene: Scene, app: string, count: number): Promise<readonly V1Pod[]> {
  const { namespace, name } = await scene.place(app);
  return scene.cluster.until<V1Pod, readonly V1Pod[]>({
    what: `${count} second pods of ${app}`,
    selection: { kind: 'Pod', namespace, labels: { app: name } },
    check: (pods) => {
      const found = pods.filter(
        ({ metadata, spec, status }) =>
          metadata?.deletionTimestamp === undefined &&
          spec?.containers[0]?.image?.endsWith(':2') === true &&
          status?.containerStatuses !== undefined,
      );
      return found.length >= count ? found : undefined;
    },
  });
}

export const isStarting =
  (app: string, count = 1): Step =>
  async (scene) => {
    await newPods(scene, app, count);
  };

/** The new pods become ready, once this many exist. */
export const becomesReady =
  (app: string, count = 1): Step =>
  async (scene) => {
    await becomeReady(scene.cluster, ...(await newPods(scene, app, count)));
  };

/** The new pods report this of their first container, as their kubelet would. */
export const reports =
  (
    app: string,
    count: number,
    first: Partial<Omit<V1ContainerStatus, 'lastState' | 'state'>> & object,
  ): Step =>
  async (scene) => {
    for (const pod of await newPods(scene, app, count)) await reportOf(scene, pod, first);
  };

export async function reportOf({ cluster }: Scene, pod: V1Pod, first: object): Promise<void> {
  const [status] = pod.status?.containerStatuses ?? [];
  await cluster.patchPodStatus(pod.metadata?.namespace ?? '', pod.metadata?.name ?? '', {
    containerStatuses: [{ ...status, ready: false, started: false, state: {}, ...first }],
  });
}

const at = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

/** In back-off after this many crashes. */
export const crashLooping = (exitCode: number, reason = 'Error', restartCount = 6): object => ({
  restartCount,
  lastState: { terminated: { exitCode, reason, startedAt: at(), finishedAt: at() } },
  state: {
    running: null,
    waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container=app' },
  },
});

export const isCrashLooping = (app: string, count = 1, exitCode = 1, reason = 'Error'): Step =>
  reports(app, count, crashLooping(exitCode, reason));

/** Events of the kubelet about the new pods of the app. */
export const recordsEvents =
  (app: string, count: number, ...events: readonly KubeletEvent[]): Step =>
  async (scene) => {
    for (const pod of await newPods(scene, app, count)) await recordEvents(scene.cluster, pod, ...events);
  };

/** Any object of the workload's own namespace, or of the cluster. */
export const creates =
  (manifestOf: (namespace: string, scene: Scene) => KubernetesObject): Step =>
  async (scene) => {
    await scene.cluster.create(manifestOf(scene.namespace, scene));
  };

export const hasQuota =
  (hard: Readonly<Record<string, string>>): Step =>
  ({ cluster, namespace }) =>
    createQuota(cluster, namespace, hard);

export const priorityClass = (name: string, value: number, preemptionPolicy?: 'Never'): Step =>
  creates(
    () =>
      ({
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name },
        value,
        ...(preemptionPolicy === undefined ? {} : { preemptionPolicy }),
      }) as KubernetesObject,
  );

/** The controller has observed the last change of the Deployment. */
export const isObserved =
  (app: string): Step =>
  async ({ cluster, place }) => {
    const { namespace, name } = await place(app);
    await cluster.until<V1Deployment, true>({
      what: `${app} to be observed`,
      selection: { kind: 'Deployment', namespace },
      check: (all) =>
        all.some(
          ({ metadata, status }) =>
            metadata?.name === name && (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0),
        ),
    });
  };
