import { type KubernetesListObject, type V1Pod, Watch } from '@kubernetes/client-node';
import type { Cluster } from './cluster.js';
import { collectionPath, resources } from './resources.js';

/** Events of the pods of a namespace since the record began. */
export interface PodRecord {
  /** Pods that existed at the start, by name. */
  readonly before: readonly string[];
  /** When each of them became ready, in epoch milliseconds, for those that were. */
  readonly readySince: ReadonlyMap<string, number>;
  /** Pods whose deletion was requested, in that order. */
  deleted(): readonly string[];
  /** Node of each pod that was placed since the start. */
  placed(): ReadonlyMap<string, string>;
  stop(): void;
}

/** Watches the pods of one namespace; nothing that happens after it resolves is missed. */
export async function recordPods(cluster: Cluster, namespace: string): Promise<PodRecord> {
  const list: KubernetesListObject<V1Pod> = await cluster.objects.list(
    resources.Pod.apiVersion,
    'Pod',
    namespace,
  );
  const before = list.items.map((pod) => pod.metadata?.name ?? '');
  const readySince = new Map(
    list.items.flatMap(({ metadata, status }) => {
      const ready = status?.conditions?.find((condition) => condition.type === 'Ready');
      const since = ready?.status === 'True' ? ready.lastTransitionTime?.getTime() : undefined;
      return since === undefined ? [] : [[metadata?.name ?? '', since] as const];
    }),
  );
  const waiting = new Set(list.items.filter((pod) => !pod.spec?.nodeName).map((pod) => pod.metadata?.name));
  const deleted: string[] = [];
  const placed = new Map<string, string>();
  const note = (type: string, pod: V1Pod): void => {
    const name = pod.metadata?.name ?? '';
    const isLeaving = type === 'DELETED' || pod.metadata?.deletionTimestamp !== undefined;
    if (isLeaving && !deleted.includes(name)) deleted.push(name);
    const isNew = !before.includes(name) || waiting.has(name);
    if (isNew && pod.spec?.nodeName) placed.set(name, pod.spec.nodeName);
  };
  const { resourceVersion } = list.metadata ?? {};
  const controller = await new Watch(cluster.config).watch(
    collectionPath('Pod', namespace),
    { resourceVersion },
    note,
    () => undefined,
  );
  return { before, readySince, deleted: () => deleted, placed: () => placed, stop: () => controller.abort() };
}
