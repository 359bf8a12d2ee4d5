import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../harness/cluster.js';
import { type Kind, type Resource, resources } from '../harness/resources.js';

const watched: readonly Kind[] = [
  'Pod',
  'ReplicaSet',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ResourceQuota',
  'PersistentVolumeClaim',
  'ResourceClaim',
  'Node',
  'VolumeAttachment',
];

/**
 * Waits until the controllers have counted everything: no object of the namespace has changed for a second.
 */
export async function settled(cluster: Cluster, namespace: string): Promise<void> {
  const expiry = Date.now() + 60_000;
  let last = '';
  let since = Date.now();
  while (Date.now() < expiry) {
    const lists = await Promise.all(
      watched.map((kind) => {
        const { apiVersion, namespaced }: Resource = resources[kind];
        return cluster.objects.list(apiVersion, kind, namespaced ? namespace : undefined);
      }),
    );
    const now = lists
      .flatMap(({ items }) => items)
      .map(({ metadata }) => `${metadata?.uid}=${metadata?.resourceVersion}`)
      .join();
    if (now !== last) since = Date.now();
    else if (Date.now() - since >= 1_000) return;
    last = now;
    await delay(250);
  }
  throw new Error(`${namespace} did not come to rest`);
}
