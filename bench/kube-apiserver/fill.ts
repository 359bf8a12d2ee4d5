import type { ApiCall, ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { inTurns } from '#src/edges/kubernetes/gathering.js';
import { collectionPath, objectPath } from '#src/edges/kubernetes/resource-paths.js';
import { isResourceKind } from '#src/engine/objects/cluster-objects.js';
import type { ApiObject } from '../generated-cluster/api-object.js';
import { type ClusterShape, generateCluster } from '../generated-cluster/generate-cluster.js';
import { nodeName } from '../generated-cluster/node-object.js';

/** Writes that are under way at the same time; more only wait in the API server. */
const atOnce = 48;
const batch = 4_000;
const attempts = 5;

/**
 * Writes the generated cluster into an API server that nobody else acts upon. Statuses, which take a second
 * write, are left out for pods that no diagnosis of the deadlock reads: those on nodes without a device.
 *
 * @param progress told how many objects are written
 */
export async function fill(
  call: ApiCall,
  shape: ClusterShape,
  progress: (written: number) => void,
): Promise<void> {
  const uids = new Map<string, string>();
  const sum = shape.deadlocks.reduce((all, { candidates }) => all + candidates, 0);
  const candidates = new Set(Array.from({ length: sum }, (_, number) => nodeName(number)));
  let waiting: ApiObject[] = [];
  let written = 0;
  const flush = async (): Promise<void> => {
    await inTurns(atOnce, waiting, (object) => write(call, object, uids, candidates));
    written += waiting.length;
    waiting = [];
    progress(written);
  };
  for (const object of generateCluster(shape)) {
    waiting.push(object);
    // What others refer to comes first: namespaces, and the owners of the deadlock's pods.
    if (waiting.length >= batch || owners.has(object.kind)) await flush();
  }
  await flush();
}

const owners: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet']);

async function write(
  call: ApiCall,
  object: ApiObject,
  uids: Map<string, string>,
  candidates: ReadonlySet<string>,
): Promise<void> {
  const { kind, metadata } = object;
  if (!isResourceKind(kind)) throw new Error(`no path is known for ${kind}`);
  const namespace = metadata.namespace ?? '';
  const mapped = JSON.parse(JSON.stringify(object), (key, value) =>
    key === 'uid' ? (uids.get(value) ?? value) : value,
  ) as ApiObject;
  const { uid, creationTimestamp, ...rest } = mapped.metadata;
  const created = await send(call, {
    method: 'POST',
    path: collectionPath(kind, namespace),
    body: { ...mapped, metadata: rest },
  });
  if (created !== undefined) uids.set(uid, created.metadata.uid);
  if (kind === 'Namespace') await createServiceAccount(call, metadata.name);
  if (object.status === undefined || kind === 'Node' || !isRead(object, candidates)) return;
  await send(call, {
    method: 'PATCH',
    path: `${objectPath(kind, namespace, metadata.name)}/status`,
    contentType: 'application/merge-patch+json',
    body: { status: object.status },
  });
}

/** Pods cannot be created in a namespace without one, and no controller is there to make it. */
async function createServiceAccount(call: ApiCall, namespace: string): Promise<void> {
  await send(call, {
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts`,
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
  });
}

function isRead({ kind, spec }: ApiObject, candidates: ReadonlySet<string>): boolean {
  if (kind !== 'Pod') return true;
  const { nodeName } = spec as { readonly nodeName?: string };
  return nodeName === undefined || candidates.has(nodeName);
}

/** Gives the stored object; `undefined` when it was there already. */
async function send(call: ApiCall, request: ApiRequest): Promise<ApiObject | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await call(request).catch((error: unknown) => ({ status: 0, body: String(error) }));
    if (answer.status === 200 || answer.status === 201) return answer.body as ApiObject;
    if (answer.status === 409) return undefined;
    const mayPass = answer.status === 0 || answer.status === 429 || answer.status >= 500;
    if (!mayPass || attempt === attempts) {
      throw new Error(`${request.method} ${request.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }
}
