import type { KubernetesObject } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';

export const namespace = 'shop';
export const workloads = { Deployment: 'web', StatefulSet: 'db', DaemonSet: 'agent' } as const;
export type WorkloadKind = keyof typeof workloads;

const container = (image: string) => ({
  name: 'app',
  image,
  env: [{ name: 'MODE', value: 'serve' }],
  resources: { requests: { cpu: '1' } },
  ports: [{ containerPort: 80 }],
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  },
});

function templateOf(name: string, image: string) {
  return {
    metadata: { labels: { app: name }, annotations: { note: 'kept' } },
    spec: {
      containers: [container(image)],
      volumes: [{ name: 'data', emptyDir: {} }],
      automountServiceAccountToken: false,
      nodeSelector: { pool: 'a', zone: 'b' },
      tolerations: [{ key: 'a', operator: 'Exists' }],
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'zone', labelSelector: { matchLabels: { app: name } } },
          ],
        },
      },
    },
  };
}

function workloadOf(kind: WorkloadKind): KubernetesObject {
  const name = workloads[kind];
  const spec = {
    selector: { matchLabels: { app: name } },
    template: templateOf(name, 'app:2'),
    ...(kind === 'DaemonSet' ? {} : { replicas: 3 }),
    ...(kind === 'StatefulSet' ? { serviceName: 'db' } : {}),
  };
  const metadata = { namespace, name, labels: { app: name }, annotations: { team: 'shop' } };
  return Object.assign({ apiVersion: 'apps/v1', kind, metadata }, { spec });
}

interface Created extends KubernetesObject {
  readonly spec: {
    readonly template: Record<string, unknown> & {
      readonly spec: { readonly containers: readonly object[] };
    };
  };
}

function ownedBy({ apiVersion = '', kind = '', metadata }: KubernetesObject) {
  const { name = '', uid = '' } = metadata ?? {};
  return [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }];
}

/** The template of a revision with another image, as the API server keeps it. */
function withImage(owner: Created, image: string, labels: Readonly<Record<string, string>>) {
  const { template } = owner.spec;
  const metadata = { labels: { app: owner.metadata?.name ?? '', ...labels }, annotations: { note: 'kept' } };
  const containers = template.spec.containers.map((each) => ({ ...each, image }));
  return { ...template, metadata, spec: { ...template.spec, containers } };
}

async function createReplicaSet(
  cluster: Cluster,
  owner: Created,
  revision: number,
): Promise<KubernetesObject> {
  const labels = { 'pod-template-hash': `h${revision}` };
  const metadata = {
    namespace,
    name: `web-h${revision}`,
    labels: { app: 'web', ...labels },
    annotations: { 'deployment.kubernetes.io/revision': String(revision) },
    ownerReferences: ownedBy(owner),
  };
  const spec = {
    replicas: 3,
    selector: { matchLabels: { app: 'web', ...labels } },
    template: withImage(owner, `app:${revision}`, labels),
  };
  return cluster.objects.create(
    Object.assign({ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata }, { spec }),
  );
}

async function createRevision(cluster: Cluster, owner: Created, revision: number): Promise<void> {
  const name = owner.metadata?.name ?? '';
  const metadata = {
    namespace,
    name: `${name}-${revision}`,
    labels: { app: name },
    ownerReferences: ownedBy(owner),
  };
  const data = { spec: { template: { $patch: 'replace', ...withImage(owner, `app:${revision}`, {}) } } };
  await cluster.objects.create(
    Object.assign({ apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata }, { revision, data }),
  );
}

async function createPod(cluster: Cluster, name: string, owner?: KubernetesObject): Promise<void> {
  const labels = owner === undefined ? { app: 'alone' } : { app: 'web', 'pod-template-hash': 'h1' };
  const metadata = {
    namespace,
    name,
    labels,
    ...(owner === undefined ? {} : { ownerReferences: ownedBy(owner) }),
  };
  const spec = { containers: [container('app:1')], nodeName: 'node-a', terminationGracePeriodSeconds: 20 };
  await cluster.objects.create(Object.assign({ apiVersion: 'v1', kind: 'Pod', metadata }, { spec }));
}

/**
 * One workload of each kind with two revisions, and pods, in an API server without controllers. The test
 * creates what the controllers would create.
 */
export async function createWorkloads(
  cluster: Cluster,
): Promise<{ readonly oldReplicaSet: KubernetesObject }> {
  await cluster.objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await cluster.objects.create({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace, name: 'default' },
  });
  await cluster.objects.create(
    Object.assign(
      {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'node-a', labels: { 'kubernetes.io/hostname': 'node-a' } },
      },
      { spec: {} },
    ),
  );
  const create = async (kind: WorkloadKind) => (await cluster.objects.create(workloadOf(kind))) as Created;
  const web = await create('Deployment');
  const oldReplicaSet = await createReplicaSet(cluster, web, 1);
  await createReplicaSet(cluster, web, 2);
  for (const kind of ['StatefulSet', 'DaemonSet'] as const) {
    const owner = await create(kind);
    await createRevision(cluster, owner, 1);
    await createRevision(cluster, owner, 2);
  }
  for (const name of ['web-a', 'web-b']) await createPod(cluster, name, oldReplicaSet);
  await createPod(cluster, 'alone');
  return { oldReplicaSet };
}
