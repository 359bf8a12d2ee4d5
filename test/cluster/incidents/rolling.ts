import type { CoreV1Event, V1Deployment, V1Pod, V1ReplicaSet } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { type DeploymentOptions, deploymentManifest } from './deployment-manifest.js';

/** `kubectl rollout status` would print "successfully rolled out". */
export function isRolledOut(object: V1Deployment): boolean {
  const { spec, status, metadata } = object;
  const wanted = spec?.replicas ?? 1;
  return (
    (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0) &&
    (status?.updatedReplicas ?? 0) === wanted &&
    (status?.replicas ?? 0) === wanted &&
    (status?.availableReplicas ?? 0) === wanted
  );
}

export async function untilRolledOut(
  cluster: Cluster,
  namespace: string,
  name: string,
): Promise<V1Deployment> {
  return cluster.until<V1Deployment, V1Deployment>({
    what: `Deployment ${namespace}/${name} to be rolled out`,
    selection: { kind: 'Deployment', namespace },
    check: (all) => all.find((one) => one.metadata?.name === name && isRolledOut(one)),
  });
}

/** Names of the Deployment's pods that exist now. */
export async function podNames(cluster: Cluster, namespace: string, app: string): Promise<string[]> {
  const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
  return items.filter((pod) => pod.metadata?.labels?.app === app).map((pod) => pod.metadata?.name ?? '');
}

/** Creates the Deployment, waits until it is rolled out, and returns the names of its pods. */
export async function rollOut(cluster: Cluster, options: DeploymentOptions): Promise<string[]> {
  await cluster.create(deploymentManifest(options));
  await untilRolledOut(cluster, options.namespace, options.name);
  return podNames(cluster, options.namespace, options.name);
}

/** Changes the pod template, by default only its image, which starts a rollout. */
export async function update(
  cluster: Cluster,
  namespace: string,
  name: string,
  pod: object = {},
  annotations: Readonly<Record<string, string>> = {},
): Promise<void> {
  await cluster.patch(
    { kind: 'Deployment', namespace, name },
    {
      spec: {
        template: {
          metadata: { annotations },
          spec: { containers: [{ name: 'app', image: 'registry.example/app:2' }], ...pod },
        },
      },
    },
  );
}

export interface Blocked {
  readonly blocked: string[];
  readonly messages: string[];
}

/**
 * Waits until pods of the app that are not among `before` are refused by the scheduler with a message that
 * contains each of `parts`, and returns their names and the whole messages.
 */
export async function untilUnschedulable(
  cluster: Cluster,
  namespace: string,
  app: string,
  before: readonly string[],
  parts: readonly string[],
): Promise<Blocked> {
  return cluster.until<V1Pod, Blocked>({
    what: `a pod of ${namespace}/${app} to be refused by the scheduler with "${parts.join('", "')}"`,
    selection: { kind: 'Pod', namespace, labels: { app } },
    check: (pods) => {
      const refused = pods.flatMap((pod) => {
        const name = pod.metadata?.name ?? '';
        const scheduled = pod.status?.conditions?.find((one) => one.type === 'PodScheduled');
        const message = scheduled?.message ?? '';
        const fits = scheduled?.status === 'False' && parts.every((part) => message.includes(part));
        return fits && !before.includes(name) ? [{ name, message }] : [];
      });
      return refused.length === 0
        ? undefined
        : { blocked: refused.map((one) => one.name), messages: refused.map((one) => one.message) };
    },
  });
}

/**
 * Waits until a ReplicaSet of the app reports that its pods cannot be created, in a message with each part.
 */
export async function untilNotCreated(
  cluster: Cluster,
  namespace: string,
  app: string,
  parts: readonly string[],
): Promise<Blocked> {
  return cluster.until<V1ReplicaSet, Blocked>({
    what: `a ReplicaSet of ${namespace}/${app} to fail with "${parts.join('", "')}"`,
    selection: { kind: 'ReplicaSet', namespace, labels: { app } },
    check: (sets) => {
      const messages = sets.flatMap((set) => {
        const failure = set.status?.conditions?.find((one) => one.type === 'ReplicaFailure');
        const message = failure?.message ?? '';
        return failure?.status === 'True' && parts.every((part) => message.includes(part)) ? [message] : [];
      });
      return messages.length === 0 ? undefined : { blocked: [], messages };
    },
  });
}

/** Waits for an event about one of these objects whose message contains the part. */
export async function untilEvent(
  cluster: Cluster,
  namespace: string,
  reason: string,
  part: string,
): Promise<string> {
  return cluster.until<CoreV1Event, string>({
    what: `an event ${reason} in ${namespace} with "${part}"`,
    selection: { kind: 'Event', namespace },
    check: (events) =>
      events.find((event) => event.reason === reason && event.message?.includes(part))?.message,
    deadlineMilliseconds: 60_000,
  });
}
