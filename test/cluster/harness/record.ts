import { ApiException, type KubernetesListObject, type KubernetesObject } from '@kubernetes/client-node';
import type { Cluster } from './cluster.js';
import { type Kind, kinds, type Resource, resources } from './resources.js';

/** System objects, and kinds that people do not read with `kubectl get` in a namespace. */
const leftOut: ReadonlySet<Kind> = new Set<Kind>(['ServiceAccount']);
const systemNamespaces: ReadonlySet<string> = new Set([
  'kube-system',
  'kube-public',
  'kube-node-lease',
  'default',
]);

const workloadKinds: ReadonlySet<Kind> = new Set<Kind>([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Rollout',
  'LeaderWorkerSet',
  'KnativeService',
  'RayService',
  'DynamoGraphDeployment',
]);

const isSystem = (object: KubernetesObject): boolean => {
  const { name = '', namespace } = object.metadata ?? {};
  if (object.kind === 'Namespace') return systemNamespaces.has(name);
  if (object.kind === 'PriorityClass') return name.startsWith('system-');
  return name === 'kube-root-ca.crt' || systemNamespaces.has(namespace ?? '');
};

/** The client parses times into dates with made-up milliseconds; a recording has what the API sent. */
const asSent = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.000Z$/, '$1Z') : value;

function nothingWhereNotServed(error: unknown): { readonly items: KubernetesObject[] } {
  const hasNoGroup = error instanceof ApiException && error.code === 404;
  if (hasNoGroup || String(error).includes('Unrecognized API version and kind')) return { items: [] };
  throw error;
}

async function listOf(cluster: Cluster, kind: Kind, namespace: string): Promise<KubernetesObject[]> {
  const { apiVersion, namespaced, isOptional = false, apiKind = kind }: Resource = resources[kind];
  const listed = cluster.objects.list(apiVersion, apiKind, namespaced ? namespace : undefined);
  const { items } = await (isOptional ? listed.catch(nothingWhereNotServed) : listed);
  // The items of a list have no kind.
  return items
    .map((object) => ({ ...object, apiVersion, kind: apiKind }))
    .filter((object) => !isSystem(object));
}

/**
 * Everything that bears on the namespaces' workloads, as one `v1` List such as `kubectl get -o json` prints:
 * the namespaces' objects, and every node, volume, class and device of the cluster. managedFields are left
 * out, except of ConfigMaps, and of the workloads with `withManagers`, as `kubectl get --show-managed-fields`
 * prints them.
 */
export async function recordNamespaces(
  cluster: Cluster,
  namespaces: readonly string[],
  withManagers = false,
): Promise<KubernetesListObject<KubernetesObject>> {
  const items: KubernetesObject[] = [];
  for (const kind of kinds.filter((one) => !leftOut.has(one))) {
    const { namespaced }: Resource = resources[kind];
    const lists = namespaced
      ? await Promise.all(namespaces.map((namespace) => listOf(cluster, kind, namespace)))
      : [await listOf(cluster, kind, '')];
    for (const object of lists.flat()) {
      if (kind === 'Namespace' && !namespaces.includes(object.metadata?.name ?? '')) continue;
      const isKept = kind === 'ConfigMap' || (withManagers && workloadKinds.has(kind));
      if (!isKept) delete object.metadata?.managedFields;
      items.push(object);
    }
  }
  return JSON.parse(
    JSON.stringify({ apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items }, asSent),
  );
}
