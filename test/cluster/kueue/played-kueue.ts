import type { KubernetesObject, V1Pod } from '@kubernetes/client-node';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import type { Cluster } from '../harness/cluster.js';
import { collectionPath, type Kind } from '../harness/resources.js';

export const gpu = 'nvidia.com/gpu';
export const queueLabel = 'kueue.x-k8s.io/queue-name';
const gate = 'kueue.x-k8s.io/admission';

/** A Workload of one pod set, as far as the played controller reads it. */
export type Queued = KubernetesObject & {
  spec: {
    queueName: string;
    priority?: number;
    active?: boolean;
    podSets: { name: string; count: number; template: { spec: NonNullable<V1Pod['spec']> } }[];
  };
  status?: { conditions?: { type: string; status: string }[]; admission?: { clusterQueue: string } };
};

type LocalQueue = KubernetesObject & { spec: { clusterQueue: string; stopPolicy?: string } };
type Flavors = { name: string; resources: { name: string; nominalQuota: string }[] }[];
type ClusterQueue = KubernetesObject & {
  spec: { stopPolicy?: string; resourceGroups: { flavors: Flavors }[] };
};

type Flavor = KubernetesObject & { spec?: { nodeLabels?: Readonly<Record<string, string>> } };

/** A node selector of its pods excludes the nodes of a flavor. */
const suits = ({ spec }: Queued, nodeLabels: Readonly<Record<string, string>>): boolean =>
  spec.podSets.every(({ template }) =>
    Object.entries(template.spec.nodeSelector ?? {}).every(
      ([key, value]) => nodeLabels[key] === undefined || nodeLabels[key] === value,
    ),
  );

/**
 * Plays Kueue's controllers for single pods with GPUs, for recordings that were made before the real ones ran
 * here: it makes a Workload for each gated pod (kueue `pkg/controller/jobs/pod/pod_controller.go`), gives out
 * the nominal quota of one ClusterQueue in the order of its queue, writes the conditions in Kueue's words
 * (0.19), removes gates, and counts reservations. It has no cohorts, preemption or checks: what a recording
 * needs of these is written by the recording itself.
 */
export interface PlayedKueue {
  /** Pods of queues that have no Workload. */
  podsWithoutWorkload(namespace: string): Promise<readonly string[]>;
  /** Runs until a round changes nothing. */
  settle(namespaces: readonly string[]): Promise<void>;
  /** Sets fields of the spec of an object of the cluster. */
  patchSpec(kind: Kind, name: string, spec: object): Promise<void>;
  /** Sets fields of a status. */
  writeStatus(
    kind: Kind,
    at: { readonly namespace?: string; readonly name: string },
    status: object,
  ): Promise<void>;
}

const isTrue = ({ status }: Queued, type: string): boolean =>
  status?.conditions?.some((each) => each.type === type && each.status === 'True') === true;

const gpusOf = ({ spec }: Queued): number =>
  spec.podSets.reduce((sum, { count, template }) => {
    const requests = template.spec.containers.map(({ resources }) => Number(resources?.requests?.[gpu] ?? 0));
    return sum + count * requests.reduce((all, each) => all + each, 0);
  }, 0);

const timeNow = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

export function condition(type: string, status: 'True' | 'False', reason: string, message: string): object {
  return { type, status, reason, message, lastTransitionTime: timeNow(), observedGeneration: 1 };
}

export function playKueue(cluster: Cluster): PlayedKueue {
  const call = createApiCall(cluster.config);
  const list = async <One extends KubernetesObject>(kind: Kind, namespace?: string): Promise<One[]> => {
    const { body, status } = await call({ method: 'GET', path: collectionPath(kind, namespace) });
    if (status !== 200) throw new Error(`${kind}: ${JSON.stringify(body)}`);
    return (body as { items: One[] }).items;
  };
  const patch = async (path: string, body: object): Promise<void> => {
    const answer = await call({
      method: 'PATCH',
      path,
      contentType: 'application/merge-patch+json',
      body,
    });
    // The owner of a Workload, and the Workload with it, may be gone since it was listed.
    if (answer.status >= 300 && answer.status !== 404)
      throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  };
  const writeStatus: PlayedKueue['writeStatus'] = (kind, { namespace, name }, status) =>
    patch(`${collectionPath(kind, namespace)}/${name}/status`, { status });

  const placeOf = ({ metadata }: KubernetesObject) => ({
    ...(metadata?.namespace === undefined ? {} : { namespace: metadata.namespace }),
    name: metadata?.name ?? '',
  });

  async function makeWorkloads(namespace: string): Promise<boolean> {
    const [pods, workloads] = await Promise.all([
      list<V1Pod>('Pod', namespace),
      list<Queued>('Workload', namespace),
    ]);
    const owned = new Set(
      workloads.flatMap(({ metadata }) => metadata?.ownerReferences?.map(({ uid }) => uid) ?? []),
    );
    const without = pods.filter(
      ({ metadata, spec }) =>
        spec?.schedulingGates?.some(({ name }) => name === gate) && !owned.has(metadata?.uid ?? ''),
    );
    for (const pod of without) await cluster.objects.create(workloadFor(pod));
    // Kueue gives the quota of a pod back as soon as it is marked for deletion.
    const staying = pods.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
    const present = new Set(staying.map(({ metadata }) => metadata?.uid));
    for (const each of workloads) {
      const [owner] = each.metadata?.ownerReferences ?? [];
      if (owner?.kind !== 'Pod' || present.has(owner.uid)) continue;
      await call({
        method: 'DELETE',
        path: `${collectionPath('Workload', namespace)}/${each.metadata?.name}`,
      });
    }
    return without.length > 0;
  }

  async function admit(namespaces: readonly string[]): Promise<boolean> {
    const all = (await Promise.all(namespaces.map((each) => list<Queued>('Workload', each)))).flat();
    const queues = (await Promise.all(namespaces.map((each) => list<LocalQueue>('LocalQueue', each)))).flat();
    const clusterQueues = await list<ClusterQueue>('ClusterQueue');
    const known = await list<Flavor>('ResourceFlavor');
    let changed = false;
    for (const clusterQueue of clusterQueues) {
      const { name = '' } = clusterQueue.metadata ?? {};
      const [flavor] = clusterQueue.spec.resourceGroups[0]?.flavors ?? [];
      const quota = Number(flavor?.resources.find((each) => each.name === gpu)?.nominalQuota ?? 0);
      const reserving = all.filter(({ status }) => status?.admission?.clusterQueue === name);
      let used = reserving.reduce((sum, each) => sum + gpusOf(each), 0);
      const waiting = all
        .filter((each) => !isTrue(each, 'QuotaReserved') && each.spec.active !== false)
        .filter((each) => {
          const queue = queues.find(
            ({ metadata }) =>
              metadata?.namespace === each.metadata?.namespace && metadata?.name === each.spec.queueName,
          );
          return queue?.spec.clusterQueue === name && isRunning(queue.spec);
        })
        .sort(byQueueOrder);
      if (!isRunning(clusterQueue.spec)) continue;
      const { nodeLabels = {} } = known.find(({ metadata }) => metadata?.name === flavor?.name)?.spec ?? {};
      for (const workload of waiting.filter((each) => suits(each, nodeLabels))) {
        const wanted = gpusOf(workload);
        if (used + wanted <= quota) {
          used += wanted;
          changed = true;
          await writeStatus('Workload', placeOf(workload), admitted(name, flavor?.name ?? '', wanted));
        } else if (workload.status?.conditions === undefined) {
          await writeStatus('Workload', placeOf(workload), {
            conditions: [pendingCondition(flavor?.name ?? '', { wanted, quota, used })],
            resourceRequests: [{ name: 'main', resources: { [gpu]: String(wanted) } }],
          });
        }
      }
      const usage = [{ name: flavor?.name, resources: [{ name: gpu, total: String(used), borrowed: '0' }] }];
      await writeStatus(
        'ClusterQueue',
        { name },
        {
          conditions: [condition('Active', 'True', 'Ready', 'Can admit new workloads')],
          flavorsReservation: usage,
          flavorsUsage: usage,
        },
      );
    }
    return changed;
  }

  async function openGates(namespace: string): Promise<void> {
    const [pods, workloads] = await Promise.all([
      list<V1Pod>('Pod', namespace),
      list<Queued>('Workload', namespace),
    ]);
    const open = new Set(
      workloads
        .filter((each) => isTrue(each, 'Admitted'))
        .flatMap(({ metadata }) => metadata?.ownerReferences?.map(({ uid }) => uid) ?? []),
    );
    for (const { metadata, spec } of pods) {
      if (!open.has(metadata?.uid ?? '') || (spec?.schedulingGates ?? []).length === 0) continue;
      await patch(`${collectionPath('Pod', namespace)}/${metadata?.name}`, {
        spec: { schedulingGates: null },
      });
    }
  }

  return {
    writeStatus,
    async podsWithoutWorkload(namespace) {
      const [pods, workloads] = await Promise.all([
        list<V1Pod>('Pod', namespace),
        list<Queued>('Workload', namespace),
      ]);
      const owners = workloads.flatMap(
        ({ metadata }) => metadata?.ownerReferences?.map(({ uid }) => uid) ?? [],
      );
      return pods
        .filter(({ metadata }) => metadata?.labels?.[queueLabel] !== undefined)
        .filter(({ metadata }) => !owners.includes(metadata?.uid ?? ''))
        .map(({ metadata }) => metadata?.name ?? '');
    },
    patchSpec: (kind, name, spec) => patch(`${collectionPath(kind)}/${name}`, { spec }),
    async settle(namespaces) {
      for (let rounds = 0; rounds < 20; rounds += 1) {
        let changed = false;
        for (const namespace of namespaces) changed = (await makeWorkloads(namespace)) || changed;
        changed = (await admit(namespaces)) || changed;
        for (const namespace of namespaces) await openGates(namespace);
        if (!changed) return;
      }
    },
  };
}

const isRunning = ({ stopPolicy = 'None' }: { readonly stopPolicy?: string }): boolean =>
  stopPolicy === 'None';

function byQueueOrder(a: Queued, b: Queued): number {
  const priority = (b.spec.priority ?? 0) - (a.spec.priority ?? 0);
  const age =
    Number(new Date(a.metadata?.creationTimestamp ?? 0)) -
    Number(new Date(b.metadata?.creationTimestamp ?? 0));
  return priority || age;
}

function workloadFor({ metadata, spec }: V1Pod): KubernetesObject {
  const { schedulingGates: _, ...podSpec } = spec ?? { containers: [] };
  const workload: Queued = {
    apiVersion: 'kueue.x-k8s.io/v1beta2',
    kind: 'Workload',
    metadata: {
      namespace: metadata?.namespace ?? '',
      name: `pod-${metadata?.name}-${(metadata?.uid ?? '').slice(0, 5)}`,
      labels: { 'kueue.x-k8s.io/job-uid': metadata?.uid ?? '' },
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'Pod',
          name: metadata?.name ?? '',
          uid: metadata?.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      queueName: metadata?.labels?.[queueLabel] ?? '',
      priority: metadata?.labels?.['kueue.x-k8s.io/priority-class'] === 'high' ? 100 : 0,
      active: true,
      podSets: [{ name: 'main', count: 1, template: { spec: podSpec } }],
    },
  };
  return workload;
}

/** kueue `pkg/workload/workload.go: SetQuotaReservation`, `SetAdmittedCondition`. */
function admitted(clusterQueue: string, flavor: string, gpus: number): object {
  return {
    admission: {
      clusterQueue,
      podSetAssignments: [
        { name: 'main', count: 1, flavors: { [gpu]: flavor }, resourceUsage: { [gpu]: String(gpus) } },
      ],
    },
    conditions: [
      condition('QuotaReserved', 'True', 'QuotaReserved', `Quota reserved in ClusterQueue ${clusterQueue}`),
      condition('Admitted', 'True', 'Admitted', 'The workload is admitted'),
    ],
  };
}

/** kueue `pkg/scheduler/flavorassigner/flavorassigner.go: fitsResourceQuota`, `Assignment.Message`. */
function pendingCondition(
  flavor: string,
  { wanted, quota, used }: { readonly wanted: number; readonly quota: number; readonly used: number },
): object {
  const why =
    wanted > quota
      ? `insufficient quota for ${gpu} in flavor ${flavor}, previously considered podsets requests (0) + current podset request (${wanted}) > maximum capacity (${quota})`
      : `insufficient unused quota for ${gpu} in flavor ${flavor}, ${wanted - Math.max(0, quota - used)} more needed`;
  const reason = wanted > quota ? 'ExceedsMaxQuota' : 'WaitingForQuota';
  return condition('QuotaReserved', 'False', reason, `couldn't assign flavors to pod set main: ${why}`);
}
