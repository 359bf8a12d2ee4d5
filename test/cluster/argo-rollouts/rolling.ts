import type { V1Pod } from '@kubernetes/client-node';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import type { Cluster } from '../harness/cluster.js';
import { collectionPath } from '../harness/resources.js';
import { podNames } from '../incidents/rolling.js';
import { rolloutName } from './recorded-rollout.js';
import { type RolloutObject, type RolloutOptions, rolloutManifest } from './rollout-manifest.js';

export async function untilRollout(
  cluster: Cluster,
  namespace: string,
  name: string,
  what: string,
  check: (rollout: RolloutObject) => boolean,
): Promise<RolloutObject> {
  return cluster.until<RolloutObject, RolloutObject>({
    what: `Rollout ${namespace}/${name} to be ${what}`,
    selection: { kind: 'Rollout', namespace },
    deadlineMilliseconds: 90_000,
    check: (all) =>
      all.find(
        (one) =>
          one.metadata?.name === name &&
          one.status?.observedGeneration === String(one.metadata.generation) &&
          check(one),
      ),
  });
}

export const isHealthy = ({ status }: RolloutObject): boolean => status?.phase === 'Healthy';

/** Promoted: the pods of the latest template are the stable ones. */
export const isPromoted = (rollout: RolloutObject): boolean =>
  isHealthy(rollout) && rollout.status?.stableRS === rollout.status?.currentPodHash;

export const untilPaused = (cluster: Cluster, namespace: string, name: string = rolloutName) =>
  untilRollout(cluster, namespace, name, 'paused', ({ status }) => status?.phase === 'Paused');

/** Creates the Rollout, waits until it is healthy, and returns the names of its pods. */
export async function rollOutArgo(cluster: Cluster, options: RolloutOptions): Promise<string[]> {
  const { namespace, name } = options;
  await cluster.objects.create(rolloutManifest(options));
  await untilRollout(cluster, namespace, name, 'healthy', isHealthy);
  return podNames(cluster, namespace, name);
}

/** Sends a merge patch of the Rollout, or of its status as the plug-in of kubectl does. */
export async function patchRollout(
  cluster: Cluster,
  namespace: string,
  name: string,
  body: object,
  subresource = '',
): Promise<void> {
  const answer = await createApiCall(cluster.config)({
    method: 'PATCH',
    path: `${collectionPath('Rollout', namespace)}/${name}${subresource}`,
    contentType: 'application/merge-patch+json',
    body,
  });
  if (answer.status >= 300) throw new Error(`${name}: ${JSON.stringify(answer.body)}`);
}

/** Another image, by default the second one, which starts an update. */
export async function updateArgo(
  cluster: Cluster,
  namespace: string,
  name: string,
  image = 'registry.example/app:2',
  template: { readonly annotations?: Readonly<Record<string, string>>; readonly container?: object } = {},
): Promise<void> {
  const { spec } = await cluster.read<RolloutObject>({ kind: 'Rollout', namespace, name });
  const before = spec?.template as {
    spec: { containers: readonly [Record<string, unknown>] };
  };
  const [container] = before.spec.containers;
  await patchRollout(cluster, namespace, name, {
    spec: {
      template: {
        metadata: { annotations: template.annotations ?? {} },
        spec: { containers: [{ ...container, image, ...template.container }] },
      },
    },
  });
}

/** Waits until the Rollout has so many pods, all of them ready. */
export async function untilReadyPods(
  cluster: Cluster,
  namespace: string,
  app: string,
  count: number,
): Promise<string[]> {
  return cluster.until<V1Pod, string[]>({
    what: `${count} ready pods of ${namespace}/${app}`,
    selection: { kind: 'Pod', namespace, labels: { app } },
    // After an abort, a canary behind a router stays for half a minute.
    deadlineMilliseconds: 90_000,
    check: (pods) => {
      const isReady = (pod: V1Pod): boolean =>
        pod.metadata?.deletionTimestamp === undefined &&
        (pod.status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True');
      const all = pods.every(isReady) && pods.length === count;
      return all ? pods.map(({ metadata }) => metadata?.name ?? '') : undefined;
    },
  });
}
