import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject, V1Pod } from '@kubernetes/client-node';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import type { Cluster } from '../harness/cluster.js';
import { collectionPath } from '../harness/resources.js';
import { isReady, setName } from './recorded-set.js';

export interface SetOptions {
  readonly namespace: string;
  readonly replicas?: number;
  /** Pods of a group. */
  readonly size?: number;
  readonly rollingUpdate?: object;
  readonly requests?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Further fields of the pods' spec, and of their container. */
  readonly pod?: object;
  readonly container?: object;
  /** Other fields of the spec. */
  readonly spec?: object;
}

export type SetObject = KubernetesObject & {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
  };
};

export const template = (
  requests: Readonly<Record<string, string>>,
  image = 'registry.example/app:1',
  { annotations = {}, pod = {}, container = {} }: Pick<SetOptions, 'annotations' | 'pod' | 'container'> = {},
): object => {
  const own = { name: 'app', image, resources: { requests, limits: requests }, ...container };
  return { metadata: { labels: { app: setName }, annotations }, spec: { ...pod, containers: [own] } };
};

/** Creates the LeaderWorkerSet and waits until every group is ready. Returns the names of the pods. */
export async function rollOutSet(cluster: Cluster, options: SetOptions): Promise<string[]> {
  const { namespace, replicas = 1, size = 1 } = options;
  await createSet(cluster, options);
  return untilReadyPods(cluster, namespace, replicas * size);
}

export async function createSet(cluster: Cluster, options: SetOptions): Promise<void> {
  const { namespace, replicas = 1, size = 1, rollingUpdate, requests = {}, spec } = options;
  const workerTemplate = template(requests, undefined, options);
  await cluster.objects.create(
    Object.assign(
      {
        apiVersion: 'leaderworkerset.x-k8s.io/v1',
        kind: 'LeaderWorkerSet',
        metadata: { namespace, name: setName },
      },
      {
        spec: {
          replicas,
          leaderWorkerTemplate: { size, workerTemplate },
          ...(rollingUpdate === undefined
            ? {}
            : { rolloutStrategy: { type: 'RollingUpdate', rollingUpdateConfiguration: rollingUpdate } }),
          ...spec,
        },
      },
    ),
  );
}

/** Sends a merge patch of the spec. */
export async function patchSet(cluster: Cluster, namespace: string, spec: object): Promise<void> {
  const answer = await createApiCall(cluster.config)({
    method: 'PATCH',
    path: `${collectionPath('LeaderWorkerSet', namespace)}/${setName}`,
    contentType: 'application/merge-patch+json',
    body: { spec },
  });
  if (answer.status >= 300) throw new Error(`${setName}: ${JSON.stringify(answer.body)}`);
}

/** Another image, which starts an update, and other fields of the spec. */
export async function updateSet(
  cluster: Cluster,
  namespace: string,
  requests: Readonly<Record<string, string>>,
  { spec = {}, ...pods }: Pick<SetOptions, 'annotations' | 'pod' | 'container' | 'spec'> = {},
): Promise<void> {
  const workerTemplate = template(requests, 'registry.example/app:2', pods);
  await patchSet(cluster, namespace, { ...spec, leaderWorkerTemplate: { workerTemplate } });
}

export function untilSet(
  cluster: Cluster,
  namespace: string,
  what: string,
  check: (set: SetObject) => boolean,
): Promise<SetObject> {
  return cluster.until<SetObject, SetObject>({
    what: `LeaderWorkerSet ${namespace}/${setName} to be ${what}`,
    selection: { kind: 'LeaderWorkerSet', namespace },
    deadlineMilliseconds: 90_000,
    check: (all) =>
      all.find((one) => one.status?.observedGeneration === one.metadata?.generation && check(one)),
  });
}

/** Waits until there are so many pods, all of them ready. */
export function untilReadyPods(cluster: Cluster, namespace: string, count: number): Promise<string[]> {
  return cluster.until<V1Pod, string[]>({
    what: `${count} ready pods of ${namespace}`,
    selection: { kind: 'Pod', namespace, labels: { app: setName } },
    deadlineMilliseconds: 90_000,
    check: (pods) => {
      const all = pods.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
      const isWhole = all.length === count && pods.length === count && all.every(isReady);
      return isWhole ? all.map(({ metadata }) => metadata?.name ?? '') : undefined;
    },
  });
}

/** Every group is of the newest template, and none besides. */
export async function untilUpdated(cluster: Cluster, namespace: string, groups: number, pods: number) {
  await untilSet(
    cluster,
    namespace,
    'updated',
    ({ status }) =>
      status?.updatedReplicas === groups && status.readyReplicas === groups && status.replicas === groups,
  );
  await untilReadyPods(cluster, namespace, pods);
}

/** The last writes of the controllers. */
export const aMoment = (): Promise<void> => delay(1_500);
