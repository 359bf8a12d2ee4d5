import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ApiCall } from '#src/edges/kubernetes/api-call.js';
import { collectionPath, objectPath } from '#src/edges/kubernetes/resource-paths.js';

const changesASecond = 10;
const namespace = 'team-000';

const List = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }) })) });

/**
 * Changes a pod and a node ten times a second until the signal, as kubelets do: each writes the state of its
 * node at least every five minutes, which is 17 writes a second of 5,000. Also lists a pod as kubectl does:
 * without a resourceVersion, so that the API server asks etcd how far its cache is.
 */
export async function changeObjects(call: ApiCall, signal: AbortSignal): Promise<void> {
  const pods = collectionPath('Pod', namespace);
  const podNames = await namesIn(call, pods);
  const nodeNames = await namesIn(call, collectionPath('Node', ''));
  for (let number = 0; !signal.aborted; number += 1) {
    const name = podNames[number % podNames.length] ?? '';
    const node = nodeNames[number % nodeNames.length] ?? '';
    const changed = `change-${number}`;
    await merge(call, `${objectPath('Pod', namespace, name)}/status`, { status: { message: changed } });
    await merge(call, objectPath('Node', '', node), { metadata: { annotations: { changed } } });
    await call({ path: pods, query: { fieldSelector: `metadata.name=${name}` } });
    await delay(1_000 / changesASecond, undefined, { signal }).catch(() => undefined);
  }
}

async function namesIn(call: ApiCall, path: string): Promise<readonly string[]> {
  const { items } = List.parse((await call({ path, query: { limit: 100 } })).body);
  return items.map(({ metadata }) => metadata.name);
}

const merge = (call: ApiCall, path: string, body: object): Promise<unknown> =>
  call({ method: 'PATCH', path, contentType: 'application/merge-patch+json', body });
