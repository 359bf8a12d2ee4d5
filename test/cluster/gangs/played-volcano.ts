import type { KubernetesObject, V1Node, V1Pod, V1PodCondition, V1ReplicaSet } from '@kubernetes/client-node';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import { groupMarks } from '#src/engine/objects/pod-group.js';
import type { Cluster } from '../harness/cluster.js';
import { collectionPath, type Kind } from '../harness/resources.js';
import { define } from '../services/played-controllers.js';

const gpu = 'nvidia.com/gpu';
const [groupMark] = groupMarks.volcano;
const minimumMark = 'scheduling.volcano.sh/group-min-member';

type PodGroup = KubernetesObject & {
  spec: { minMember: number };
  status?: { phase?: string; conditions?: { message?: string }[] };
};

/** The groups and pods of a namespace at one moment, and the GPUs that no pod has. */
interface Seen {
  readonly groups: readonly PodGroup[];
  readonly pods: readonly V1Pod[];
  readonly free: Map<string, number>;
}

const gpusOf = ({ spec }: V1Pod): number =>
  (spec?.containers ?? []).reduce((sum, { resources }) => sum + Number(resources?.requests?.[gpu] ?? 0), 0);
const isEnded = ({ status }: V1Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';
const isActive = (pod: V1Pod): boolean => !isEnded(pod) && pod.metadata?.deletionTimestamp === undefined;
const isBound = ({ spec }: V1Pod): boolean => spec?.nodeName !== undefined;
const nameOf = ({ metadata }: KubernetesObject): string => metadata?.name ?? '';
const timeNow = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

/** Kinds of Volcano and of the plugin Coscheduling. */
export const definePodGroups = (cluster: Cluster): Promise<void> =>
  define(cluster, [
    { group: 'scheduling.volcano.sh', kind: 'PodGroup', plural: 'podgroups', version: 'v1beta1' },
    { group: 'scheduling.x-k8s.io', kind: 'PodGroup', plural: 'podgroups', version: 'v1alpha1' },
  ]);

/**
 * Plays Volcano's controller and scheduler for pods with GPUs of ReplicaSets, where the real ones do not run.
 * The controller makes a PodGroup for each ReplicaSet, with the minimum of its annotation, and marks the pods
 * (volcano `pkg/controllers/podgroup/pg_controller_handler.go`). The scheduler binds pods of a group once as
 * many as its minimum exist and fit (`pkg/scheduler/plugins/gang/gang.go`), and writes the other pods'
 * conditions in Volcano's words (`pkg/scheduler/api/job_info.go`: `FitError`, `TaskSchedulingReason`). GPUs
 * are the only resource, and there are no queues, priorities or preemption.
 *
 * @returns one session for the namespace
 */
export function playVolcano(cluster: Cluster, namespace: string): () => Promise<void> {
  const call = createApiCall(cluster.config);
  const list = async <One extends KubernetesObject>(kind: Kind, of?: string): Promise<One[]> => {
    const { body, status } = await call({ method: 'GET', path: collectionPath(kind, of) });
    if (status !== 200) throw new Error(`${kind}: ${JSON.stringify(body)}`);
    return (body as { items: One[] }).items;
  };
  const write = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<void> => {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = await call({ method, path, ...(body === undefined ? {} : { body, contentType }) });
    // A pod may be gone, and its ReplicaSet with it, since it was listed.
    if (answer.status >= 300 && answer.status !== 404 && answer.status !== 409)
      throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  };
  const pathOf = (kind: Kind, name: string): string => `${collectionPath(kind, namespace)}/${name}`;

  async function makeGroups(): Promise<void> {
    const sets = await list<V1ReplicaSet>('ReplicaSet', namespace);
    const pods = await list<V1Pod>('Pod', namespace);
    for (const set of sets) {
      const { name = '', uid = '', annotations } = set.metadata ?? {};
      const group = `podgroup-${uid}`;
      if (set.spec?.replicas === 0) {
        await write('DELETE', pathOf('PodGroup', group));
        continue;
      }
      const unmarked = pods.filter(
        ({ metadata, spec }) =>
          spec?.schedulerName === 'volcano' &&
          metadata?.ownerReferences?.some((owner) => owner.uid === uid) &&
          metadata.annotations?.[groupMark] === undefined,
      );
      if (unmarked.length === 0) continue;
      const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid, controller: true };
      await write('POST', collectionPath('PodGroup', namespace), {
        apiVersion: 'scheduling.volcano.sh/v1beta1',
        kind: 'PodGroup',
        metadata: { namespace, name: group, ownerReferences: [owner] },
        spec: { minMember: Number(annotations?.[minimumMark] ?? 1), queue: 'default' },
      });
      for (const pod of unmarked)
        await write('PATCH', pathOf('Pod', nameOf(pod)), {
          metadata: { annotations: { [groupMark]: group } },
        });
    }
  }

  async function see(): Promise<Seen> {
    const everyPod = await list<V1Pod>('Pod');
    const nodes = await list<V1Node>('Node');
    const free = new Map(
      nodes.map((node) => {
        const here = everyPod.filter((pod) => pod.spec?.nodeName === nameOf(node) && !isEnded(pod));
        const used = here.reduce((sum, pod) => sum + gpusOf(pod), 0);
        return [nameOf(node), Number(node.status?.allocatable?.[gpu] ?? 0) - used];
      }),
    );
    const pods = everyPod.filter(({ metadata }) => metadata?.namespace === namespace);
    return { groups: await list<PodGroup>('PodGroup', namespace), pods, free };
  }

  async function schedule(group: PodGroup, { pods, free }: Seen): Promise<void> {
    const { minMember } = group.spec;
    const members = pods.filter(
      (pod) => isActive(pod) && pod.metadata?.annotations?.[groupMark] === nameOf(group),
    );
    const bound = members.filter(isBound).length;
    const pending = members.filter((pod) => !isBound(pod));
    const places = members.length < minMember ? new Map<V1Pod, string>() : placesFor(pending, free);
    const starts = bound + places.size >= minMember;
    const unfit = pending.filter((pod) => !places.has(pod));
    const words = groupWords(members.length, { bound, unfit: unfit.length, minMember });
    for (const [pod, node] of places) {
      if (!starts) continue;
      free.set(node, (free.get(node) ?? 0) - gpusOf(pod));
      await write('POST', `${pathOf('Pod', nameOf(pod))}/binding`, {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { namespace, name: nameOf(pod) },
        target: { apiVersion: 'v1', kind: 'Node', name: node },
      });
    }
    const noPlace = `0/${free.size} nodes are unavailable: ${free.size} Insufficient ${gpu}.`;
    for (const pod of unfit) await refuse(pod, members.length < minMember ? words : noPlace);
    const isRunning = bound + (starts ? places.size : 0) >= minMember;
    await report(
      group,
      isRunning ? { phase: 'Running' } : { phase: 'Inqueue', conditions: [blocked(words)] },
    );
  }

  async function refuse(pod: V1Pod, message: string): Promise<void> {
    const now = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    if (now?.status === 'False' && now.message === message) return;
    const condition: Omit<V1PodCondition, 'lastTransitionTime'> & { lastTransitionTime: string } = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastTransitionTime: timeNow(),
    };
    await cluster.patchPodStatus(namespace, nameOf(pod), { conditions: [condition] });
  }

  async function report(group: PodGroup, status: NonNullable<PodGroup['status']>): Promise<void> {
    const isSame =
      group.status?.phase === status.phase &&
      group.status?.conditions?.[0]?.message === status.conditions?.[0]?.message;
    if (!isSame) await write('PATCH', `${pathOf('PodGroup', nameOf(group))}/status`, { status });
  }

  return async () => {
    await makeGroups();
    const seen = await see();
    for (const group of seen.groups) await schedule(group, seen);
  };
}

/** A node for each pod that fits, in order. */
function placesFor(pods: readonly V1Pod[], free: ReadonlyMap<string, number>): Map<V1Pod, string> {
  const left = new Map(free);
  const places = new Map<V1Pod, string>();
  for (const pod of pods) {
    const [node] = [...left].find(([, gpus]) => gpus >= gpusOf(pod)) ?? [];
    if (node === undefined) continue;
    left.set(node, (left.get(node) ?? 0) - gpusOf(pod));
    places.set(pod, node);
  }
  return places;
}

function groupWords(
  members: number,
  { bound, unfit, minMember }: { readonly bound: number; readonly unfit: number; readonly minMember: number },
): string {
  const running = bound === 0 ? '' : `, ${bound} Running`;
  const reason = members < minMember ? 'Undetermined' : 'Unschedulable';
  return `pod group is not ready, ${members - bound} Pending${running}, ${minMember} minAvailable; Pending: ${unfit} ${reason}`;
}

const blocked = (message: string) => ({
  type: 'Unschedulable',
  status: 'True',
  reason: 'NotEnoughResources',
  message,
  lastTransitionTime: timeNow(),
});
