import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ApiCall } from '#src/adapters/kubernetes/api-call.js';
import { collectionPath, objectPath } from '#src/adapters/kubernetes/resource-paths.js';

const changesASecond = 10;
const namespace = 'team-000';

const List = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }) })) });

/**
 * Changes pods now and then until the signal, as kubelets do, and lists a pod as kubectl does: without a resourceVersion,
 * so that the API server asks etcd how far its cache is.
 */
export async function changePods(call: ApiCall, signal: AbortSignal): Promise<void> {
  const path = collectionPath('Pod', namespace);
  const { items } = List.parse((await call({ path, query: { limit: 100 } })).body);
  for (let number = 0; !signal.aborted; number += 1) {
    const name = items[number % items.length]?.metadata.name ?? '';
    await call({
      method: 'PATCH',
      path: `${objectPath('Pod', namespace, name)}/status`,
      contentType: 'application/merge-patch+json',
      body: { status: { message: `change ${number}` } },
    });
    await call({ path, query: { fieldSelector: `metadata.name=${name}` } });
    await delay(1_000 / changesASecond, undefined, { signal }).catch(() => undefined);
  }
}
