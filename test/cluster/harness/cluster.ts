import {
  CoreV1Api,
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  PatchStrategy,
  setHeaderOptions,
  type V1Namespace,
  type V1Node,
  type V1Pod,
  type V1ServiceAccount,
} from '@kubernetes/client-node';
import { startAttacher } from './attacher.js';
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from './control-plane.js';
import { type NodeOptions, nodeManifest } from './node-manifest.js';
import { type Kind, type Resource, resources } from './resources.js';
import { until, type Wait } from './until.js';

/** Names one object by its kind. */
export interface Target {
  readonly kind: Kind;
  readonly namespace?: string;
  readonly name: string;
}

/** A running control plane with an administrator's clients, and what tests do in it. */
export interface Cluster {
  readonly controlPlane: ControlPlane;
  /** Name of the cluster: the context in each of its kubeconfigs. */
  readonly name: 'test';
  readonly config: KubeConfig;
  readonly objects: KubernetesObjectApi;
  /** Creates one object. Cluster-scoped ones are removed by `clear`. */
  create<One extends KubernetesObject>(manifest: One): Promise<One>;
  read<One extends KubernetesObject>(target: Target): Promise<One>;
  /** Strategic merge patch, as `kubectl patch` sends it; `patch` holds only what changes. */
  patch(target: Target, patch: object): Promise<void>;
  /** Sets fields of a pod's status, in place of the kubelet. */
  patchPodStatus(namespace: string, name: string, status: object): Promise<void>;
  /** Sets fields of a node's status, in place of the kubelet. */
  patchNodeStatus(name: string, status: object): Promise<void>;
  remove(target: Target): Promise<void>;
  until<Seen extends KubernetesObject, Result>(wait: Wait<Seen, Result>): Promise<Result>;
  /**
   * Creates a namespace named after `prefix`, unique in this control plane, and waits for its ServiceAccount.
   */
  createNamespace(prefix: string, labels?: Readonly<Record<string, string>>): Promise<string>;
  /** Creates nodes and waits until the scheduler may use them. */
  createNodes(...nodes: readonly NodeOptions[]): Promise<void>;
  /**
   * Writes a kubeconfig that acts as this ServiceAccount, with a token from the API, and returns its path.
   */
  kubeconfigFor(serviceAccount: { readonly namespace: string; readonly name: string }): Promise<string>;
  /**
   * Removes every namespace, node and other object that was created here, for the next test in the same
   * cluster.
   */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

const header = (target: Target): { apiVersion: string; kind: string; metadata: { name: string } } => {
  const { apiVersion, apiKind = target.kind }: Resource = resources[target.kind];
  const namespace = target.namespace === undefined ? {} : { namespace: target.namespace };
  return { apiVersion, kind: apiKind, metadata: { name: target.name, ...namespace } };
};

const workloadKinds: readonly Kind[] = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'];

const isGone = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 404;

/** Starts a control plane and opens it as its administrator. */
export async function startCluster(options: ControlPlaneOptions = {}): Promise<Cluster> {
  const controlPlane = await startControlPlane(options);
  return openCluster(controlPlane, (options.kubelets ?? 'kwok') === 'kwok');
}

export function openCluster(controlPlane: ControlPlane, hasKubelets: boolean): Cluster {
  const config = new KubeConfig();
  config.loadFromFile(controlPlane.adminKubeconfig);
  const objects = KubernetesObjectApi.makeApiClient(config);
  const core = config.makeApiClient(CoreV1Api);
  const namespaces: string[] = [];
  const clusterScoped: KubernetesObject[] = [];
  const names = new Map<string, number>();

  async function removeIfThere(object: KubernetesObject): Promise<void> {
    try {
      await objects.delete(object, undefined, undefined, 0);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  async function removeAll(kind: Kind, namespace?: string): Promise<void> {
    const { items } = await objects.list(resources[kind].apiVersion, kind, namespace);
    for (const { metadata } of items) {
      await removeIfThere(
        header({ kind, name: metadata?.name ?? '', ...(namespace === undefined ? {} : { namespace }) }),
      );
    }
  }

  async function create<One extends KubernetesObject>(manifest: One): Promise<One> {
    const created = await objects.create(manifest);
    if (created.metadata?.namespace === undefined && manifest.kind !== 'Namespace')
      clusterScoped.push(manifest);
    return created;
  }

  /**
   * The caller names the kind and the type that belongs to it, as with every typed view of an untyped API.
   */
  async function read<One extends KubernetesObject>(target: Target): Promise<One> {
    return (await objects.read<KubernetesObject>(header(target))) as One;
  }

  const attacher = hasKubelets ? startAttacher(config) : undefined;
  const waitUntil = <Seen extends KubernetesObject, Result>(wait: Wait<Seen, Result>): Promise<Result> =>
    until(config, wait);

  async function createNamespace(
    prefix: string,
    labels: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const count = (names.get(prefix) ?? 0) + 1;
    names.set(prefix, count);
    const name = count === 1 ? prefix : `${prefix}-${count}`;
    const manifest: V1Namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
    await create(manifest);
    namespaces.push(name);
    await waitUntil<V1ServiceAccount, true>({
      what: `the default ServiceAccount of ${name}`,
      selection: { kind: 'ServiceAccount', namespace: name },
      check: (accounts) => accounts.some((one) => one.metadata?.name === 'default'),
    });
    return name;
  }

  async function createNodes(...nodes: readonly NodeOptions[]): Promise<void> {
    await Promise.all(
      nodes.map((node) => create(nodeManifest(node, !hasKubelets, controlPlane.kubeletPort))),
    );
    const wanted = new Set(nodes.map((node) => node.name));
    await waitUntil<V1Node, true>({
      what: `nodes ${[...wanted].join(', ')} to be ready`,
      selection: { kind: 'Node' },
      check: (all) =>
        all.filter((node) => wanted.has(node.metadata?.name ?? '') && isUsable(node)).length === wanted.size,
    });
  }

  async function kubeconfigFor(account: { namespace: string; name: string }): Promise<string> {
    const answer = await core.createNamespacedServiceAccountToken({
      ...account,
      body: { spec: { audiences: [], expirationSeconds: 3_600 } },
    });
    const token = answer.status?.token;
    if (token === undefined) throw new Error(`no token for ${account.namespace}/${account.name}`);
    return controlPlane.kubeconfigForToken(token, `${account.namespace}-${account.name}`);
  }

  async function clear(): Promise<void> {
    if (controlPlane.crashLoops().length > 0) await controlPlane.setCrashLoops([]);
    // The namespace controller takes five seconds to begin; without their owners the pods go at once.
    await Promise.all(namespaces.flatMap((name) => workloadKinds.map((kind) => removeAll(kind, name))));
    await Promise.all(
      namespaces.map((name) => removeIfThere({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    );
    const forced = new Set<string>();
    await waitUntil<V1Pod, true>({
      what: 'all pods to be gone',
      selection: { kind: 'Pod' },
      // Some forms have hundreds of pods.
      deadlineMilliseconds: 180_000,
      check: (pods) => {
        for (const pod of pods) forcePod(pod, forced);
        return pods.length === 0;
      },
    });
    await removeAll('VolumeAttachment');
    // Nodes last: the kubelets of pods on a vanished node would vanish with it.
    await Promise.all(clusterScoped.map(removeIfThere));
    namespaces.length = 0;
    clusterScoped.length = 0;
  }

  /**
   * A pod that its kubelet never stops, or that has no kubelet, must be deleted by force. Once: the check
   * sees all pods after each event of one, and hundreds of pods would be deleted hundreds of times.
   */
  function forcePod(pod: V1Pod, forced: Set<string>): void {
    const { namespace = '', name = '', uid = '', deletionTimestamp } = pod.metadata ?? {};
    if (deletionTimestamp === undefined || forced.has(uid)) return;
    forced.add(uid);
    core.deleteNamespacedPod({ namespace, name, gracePeriodSeconds: 0 }).catch(() => forced.delete(uid));
  }

  return {
    controlPlane,
    name: 'test',
    config,
    objects,
    create,
    read,
    patch: async (target, patch) => {
      const object = header(target);
      await objects.patch(
        {
          ...patch,
          ...object,
          metadata: { ...('metadata' in patch ? Object(patch.metadata) : {}), ...object.metadata },
        },
        undefined,
        undefined,
        undefined,
        undefined,
        PatchStrategy.StrategicMergePatch,
      );
    },
    patchPodStatus: async (namespace, name, status) => {
      await core.patchNamespacedPodStatus(
        { namespace, name, body: { status } },
        setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch),
      );
    },
    patchNodeStatus: async (name, status) => {
      await core.patchNodeStatus(
        { name, body: { status } },
        setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch),
      );
    },
    remove: (target) => removeIfThere(header(target)),
    until: waitUntil,
    createNamespace,
    createNodes,
    kubeconfigFor,
    clear,
    stop: async () => {
      attacher?.stop();
      await controlPlane.stop();
    },
  };
}

function isUsable(node: V1Node): boolean {
  const ready =
    node.status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false;
  const settling = node.spec?.taints?.some((taint) => taint.key === 'node.kubernetes.io/not-ready') ?? false;
  return ready && !settling;
}
