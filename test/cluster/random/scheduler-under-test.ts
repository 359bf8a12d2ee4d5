import type { KubernetesObject, ResourceV1ResourceClaim, V1Node, V1Pod } from '@kubernetes/client-node';
import { type ApiAnswer, statusOf } from '#src/edges/kubernetes/api-call.js';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import { isAtLeast, parseServerVersion } from '#src/engine/objects/release-rules.js';
import type { Cluster } from '../harness/cluster.js';
import { collectionPath, type Kind } from '../harness/resources.js';
import { mirrorObjects } from './object-mirror.js';
import type { Resize } from './pod-cases.js';
import { namespaces } from './vocabulary.js';

/** What kube-scheduler decided about one pod. */
export type Decision =
  | { readonly type: 'placed'; readonly node: string }
  | { readonly type: 'refused'; readonly message: string; readonly nominated: string | undefined };

/** An object that the scheduler reads beside pods and nodes. */
export interface DrawnObject {
  readonly kind: Kind;
  readonly body: KubernetesObject & { readonly spec?: unknown };
}

/** Kinds that the scheduler reads beside pods and nodes, in the order in which they are removed. */
const beside = [
  'ResourceClaim',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'ResourceSlice',
  'DeviceTaintRule',
  'CSINode',
  'DeviceClass',
  'CSIDriver',
] as const satisfies readonly Kind[];

/** A real scheduler that places one pod after the other, in a cluster without kubelets. */
export interface SchedulerUnderTest {
  /** The release of Kubernetes. */
  readonly version: string;
  /** All pods as they are now. */
  pods(): readonly V1Pod[];
  pod(uid: string): V1Pod | undefined;
  /** Resolves as soon as the check is true of the pods. */
  until(what: string, check: () => boolean, milliseconds?: number): Promise<void>;
  /** Whether the release serves rules that taint devices. */
  readonly hasTaintRules: boolean;
  /** Creates the object; `false` where the API server rejects it. */
  put(object: DrawnObject): Promise<boolean>;
  /** What the scheduler reads beside pods and nodes, as it is now, once claims are bound and given back. */
  objects(): Promise<Readonly<Record<string, readonly unknown[]>>>;
  /** Creates the nodes and waits until the scheduler has received exactly these. */
  setNodes(nodes: readonly V1Node[]): Promise<void>;
  /** `undefined` where the API server rejects the pod. */
  create(pod: V1Pod): Promise<V1Pod | undefined>;
  /** Resolves once the mirror has the change, as do all functions here that change pods. */
  setStatus(
    pod: V1Pod,
    status: { readonly phase: string; readonly startTime: string } & Resize,
  ): Promise<void>;
  decision(pod: V1Pod): Promise<Decision>;
  /** Deletes it, at once or, with a grace period, so that it stays terminating: no kubelet ends it. */
  remove(pod: V1Pod, graceSeconds?: number): Promise<void>;
  /** Removes all pods and nodes. */
  clear(): Promise<void>;
  stop(): void;
}

const podsPath = (namespace = ''): string => `/api/v1/namespaces/${namespace}/pods`;
const tolerateEverything = [{ operator: 'Exists' }];

export async function startScheduler(cluster: Cluster): Promise<SchedulerUnderTest> {
  const call = createApiCall(cluster.config);
  const { version } = cluster.controlPlane;
  const parsed = parseServerVersion(`v${version}`);
  const hasTaintRules = parsed !== undefined && isAtLeast(parsed, 1, 37);
  const kinds = beside.filter((kind) => kind !== 'DeviceTaintRule' || hasTaintRules);
  const mirror = await mirrorObjects(cluster, ['Pod', ...kinds]);
  const podOf = (uid = ''): V1Pod | undefined => mirror.get<V1Pod>('Pod', uid);
  let probes = 0;

  async function must(answer: Promise<ApiAnswer>): Promise<ApiAnswer> {
    const got = await answer;
    if (got.status >= 300 && got.status !== 404) throw new Error(statusOf(got.body).message);
    return got;
  }

  async function create(pod: V1Pod): Promise<V1Pod | undefined> {
    const answer = await call({ method: 'POST', path: podsPath(pod.metadata?.namespace), body: pod });
    if (answer.status === 422 || answer.status === 400 || answer.status === 403) return undefined;
    await must(Promise.resolve(answer));
    return answer.body as V1Pod;
  }

  const remove = async (pod: V1Pod, graceSeconds = 0): Promise<void> => {
    const { namespace, name = '' } = pod.metadata ?? {};
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: graceSeconds };
    await must(call({ method: 'DELETE', path: `${podsPath(namespace)}/${name}`, body }));
    await mirror.until(`${name} to be deleted`, () => {
      const now = podOf(pod.metadata?.uid);
      return now === undefined || (graceSeconds > 0 && now.metadata?.deletionTimestamp !== undefined);
    });
  };

  async function decision({ metadata }: V1Pod): Promise<Decision> {
    const uid = metadata?.uid ?? '';
    const answer = (): Decision | undefined => decisionIn(podOf(uid));
    await mirror.until(`the scheduler to decide about ${metadata?.name}`, () => answer() !== undefined);
    const decided = answer();
    if (decided === undefined) throw new Error('unreachable: the check has just seen it');
    return decided;
  }

  /** Each known node refuses a pod that tolerates everything and requests what no node has. */
  async function untilSeated(names: readonly string[]): Promise<void> {
    const expiry = Date.now() + 15_000;
    const requests = { 'random.test/nothing': '1' };
    for (;;) {
      probes += 1;
      const probe = await create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `probe-${probes}`, namespace: 'probe' },
        spec: {
          containers: [{ name: 'c', image: 'probe', resources: { requests, limits: requests } }],
          tolerations: tolerateEverything,
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  {
                    matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [...names] }],
                  },
                ],
              },
            },
          },
        },
      });
      if (probe === undefined) throw new Error('the probe was not taken');
      const decided = await decision(probe);
      await remove(probe);
      const all = `0/${names.length} nodes are available: ${names.length} Insufficient random.test/nothing`;
      if (decided.type === 'refused' && decided.message.startsWith(all)) return;
      if (Date.now() > expiry)
        throw new Error(`the scheduler does not know the nodes: ${JSON.stringify(decided)}`);
    }
  }

  async function put({ kind, body }: DrawnObject): Promise<boolean> {
    const path = collectionPath(kind, body.metadata?.namespace);
    const answer = await call({ method: 'POST', path, body });
    if (answer.status === 422 || answer.status === 400) return false;
    await must(Promise.resolve(answer));
    const { uid = '' } = (answer.body as KubernetesObject).metadata ?? {};
    await mirror.until(`${kind} ${body.metadata?.name}`, () => mirror.get(kind, uid) !== undefined);
    return true;
  }

  /** Claims of pods that are gone and were not given back yet, and volumes that are not bound. */
  function unsettled(): readonly (readonly [Kind, KubernetesObject])[] {
    const uids = new Set(mirror.all('Pod').map(({ metadata }) => metadata?.uid));
    const isHeld = ({ metadata, status }: ResourceV1ResourceClaim): boolean =>
      metadata?.deletionTimestamp === undefined &&
      (metadata?.ownerReferences ?? []).every(({ uid }) => uids.has(uid)) &&
      (status?.reservedFor ?? []).every(({ uid }) => uids.has(uid)) &&
      (status?.allocation === undefined || (status.reservedFor ?? []).length > 0);
    const volumes = mirror.all<KubernetesObject & { status?: { phase?: string } }>('PersistentVolumeClaim');
    return [
      ...mirror
        .all<ResourceV1ResourceClaim>('ResourceClaim')
        .filter((claim) => !isHeld(claim))
        .map((claim) => ['ResourceClaim', claim] as const),
      ...volumes
        .filter(({ status }) => status?.phase !== 'Bound')
        .map((claim) => ['PersistentVolumeClaim', claim] as const),
    ];
  }

  /**
   * Twice a claim was not given back within minutes; why is not known. After half a minute the trial takes back
   * an allocation that no pod has reserved, and changes any other claim, which wakes its controller.
   */
  async function untilSettled(): Promise<void> {
    const wanted = () => unsettled().length === 0;
    for (let round = 1; round < 4; round += 1) {
      const isSo = await mirror.until('claims to be given back', wanted, 30_000).then(
        () => true,
        () => false,
      );
      if (isSo) return;
      for (const [kind, claim] of unsettled()) {
        const path = `${collectionPath(kind, claim.metadata?.namespace)}/${claim.metadata?.name}`;
        const contentType = 'application/merge-patch+json';
        const isLeft =
          kind === 'ResourceClaim' &&
          (claim as ResourceV1ResourceClaim).status?.reservedFor?.[0] === undefined;
        await call(
          isLeft
            ? { method: 'PATCH', path: `${path}/status`, contentType, body: { status: { allocation: null } } }
            : {
                ...{ method: 'PATCH', path, contentType },
                body: { metadata: { annotations: { 'random.test/round': String(round) } } },
              },
        );
      }
    }
    await mirror.until(`claims to be given back: ${JSON.stringify(unsettled())}`, wanted, 30_000);
  }

  return {
    version,
    hasTaintRules,
    put,
    async objects() {
      for (const { metadata } of mirror.all('Pod').slice(0, 1)) {
        await mirror.catchUp(['ResourceClaim'], metadata?.namespace ?? '');
      }
      await untilSettled();
      return Object.fromEntries(kinds.map((kind) => [kind, mirror.all(kind)]));
    },
    pods: () => mirror.all<V1Pod>('Pod'),
    pod: podOf,
    until: mirror.until,
    create,
    decision,
    remove,
    async setNodes(nodes) {
      await Promise.all(
        nodes.map((node) => must(call({ method: 'POST', path: '/api/v1/nodes', body: node }))),
      );
      await untilSeated(nodes.map((node) => node.metadata?.name ?? ''));
    },
    async setStatus({ metadata }, status) {
      await must(
        call({
          method: 'PATCH',
          path: `${podsPath(metadata?.namespace)}/${metadata?.name}/status`,
          contentType: 'application/strategic-merge-patch+json',
          body: { status },
        }),
      );
      await mirror.until(
        `${metadata?.name} to be ${status.phase}`,
        () => podOf(metadata?.uid)?.status?.phase === status.phase,
      );
    },
    async clear() {
      const body = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };
      await Promise.all(
        [...namespaces, 'probe'].map((one) => must(call({ method: 'DELETE', path: podsPath(one), body }))),
      );
      await mirror.until('all pods to be gone', () => mirror.all('Pod').length === 0);
      await untilSettled();
      for (const namespace of namespaces) {
        for (const kind of ['ResourceClaim', 'PersistentVolumeClaim'] as const)
          await must(call({ method: 'DELETE', path: collectionPath(kind, namespace), body }));
      }
      const query = { labelSelector: 'random.test/node' };
      for (const kind of ['PersistentVolume', 'ResourceSlice', 'CSINode', 'Node'] as const)
        await must(call({ method: 'DELETE', path: collectionPath(kind), query, body }));
      if (hasTaintRules)
        await must(call({ method: 'DELETE', path: collectionPath('DeviceTaintRule'), query, body }));
      await mirror.until('claims to be gone', () =>
        (['ResourceClaim', 'PersistentVolumeClaim'] as const).every((kind) => mirror.all(kind).length === 0),
      );
    },
    stop: () => mirror.stop(),
  };
}

function decisionIn(pod: V1Pod | undefined): Decision | undefined {
  if (pod?.spec?.nodeName) return { type: 'placed', node: pod.spec.nodeName };
  const scheduled = pod?.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status !== 'False') return undefined;
  const { nominatedNodeName } = pod?.status ?? {};
  return { type: 'refused', message: scheduled.message ?? '', nominated: nominatedNodeName || undefined };
}
