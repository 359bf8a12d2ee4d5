import { setTimeout as delay } from 'node:timers/promises';
import { type KubernetesObject, type V1Pod, Watch } from '@kubernetes/client-node';
import type { Remediation } from '#src/core/remediation/remediation.js';
import { becomeReady } from '../controls/kubelet-acts.js';
import type { Cluster } from '../harness/cluster.js';
import type { PodRecord } from '../harness/pod-record.js';
import { collectionPath } from '../harness/resources.js';
import type { BroughtAbout, Form } from './form.js';

/** What a fix did, compared with its forecast. */
export interface AppliedFix {
  readonly form: string;
  readonly fix: string;
  readonly forecast: string;
  readonly happened: string;
  /** Empty when everything was as forecast. */
  readonly differences: readonly string[];
}

const isReady = ({ metadata, status }: V1Pod): boolean =>
  metadata?.deletionTimestamp === undefined &&
  (status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false);

/** Counts the ready pods of the workload from now on. */
export async function recordReady(cluster: Cluster, { workload }: Pick<BroughtAbout, 'workload'>) {
  const { namespace, name } = workload;
  const list = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
  const ready = new Set<string>();
  let least = Number.POSITIVE_INFINITY;
  const note = (type: string, pod: V1Pod): void => {
    if (pod.metadata?.labels?.app !== name) return;
    if (type !== 'DELETED' && isReady(pod)) ready.add(pod.metadata.name ?? '');
    else ready.delete(pod.metadata.name ?? '');
  };
  for (const pod of list.items) note('ADDED', pod);
  const atFirst = ready.size;
  least = atFirst;
  const { resourceVersion } = list.metadata ?? {};
  const watch = await new Watch(cluster.config).watch(
    collectionPath('Pod', namespace),
    { resourceVersion },
    (type, pod: V1Pod) => {
      note(type, pod);
      least = Math.min(least, ready.size);
    },
    () => undefined,
  );
  return { atFirst, least: () => least, stop: () => watch.abort() };
}

/** Starts the pods that can start in this form, in place of the kubelets, until it is stopped. */
export function startRecovery(cluster: Cluster, form: Form, { namespaces }: BroughtAbout) {
  const { heals } = form;
  let isOver = false;
  const loop = async (): Promise<void> => {
    while (!isOver && heals !== undefined) {
      for (const namespace of namespaces) {
        const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
        const waiting = items.filter(
          (pod) => !isReady(pod) && pod.status?.containerStatuses !== undefined && heals(pod, items),
        );
        await becomeReady(cluster, ...waiting).catch(() => undefined);
      }
      await delay(300);
    }
  };
  const running = loop();
  return async (): Promise<void> => {
    isOver = true;
    await running;
  };
}

/** The replicas of every controller, as their status counts them. */
export function isComplete(object: KubernetesObject & { spec?: object; status?: object }): boolean {
  const { replicas = 1 } = (object.spec ?? {}) as { replicas?: number };
  const status = (object.status ?? {}) as Readonly<Record<string, number | string | undefined>>;
  const observed = Number(status.observedGeneration ?? 0) >= (object.metadata?.generation ?? 0);
  const isUpdated =
    object.kind === 'StatefulSet'
      ? status.currentRevision === status.updateRevision
      : status.updatedReplicas === replicas;
  return observed && isUpdated && status.replicas === replicas && status.availableReplicas === replicas;
}

/** Compares the deleted pods, the number that stayed ready, and the end with the forecast. */
export function differencesOf(
  remediation: Remediation,
  seen: {
    readonly isComplete: boolean;
    readonly pods: PodRecord;
    readonly ready: { readonly atFirst: number; readonly least: () => number };
    readonly competitorPlaced: boolean;
  },
): readonly string[] {
  const { prediction, price } = remediation;
  const { ends, victims, orElse = [] } = prediction;
  const { kind, readyAtLeast = 0 } = price.downtime;
  const least = seen.ready.least();
  const named = [...victims, ...orElse].map(({ name }) => name);
  const deleted = seen.pods.deleted().filter((name) => seen.pods.before.includes(name));
  const isDone = ends === 'complete' || (ends === 'contested' && !seen.competitorPlaced);
  const expectedLeast = ends === 'contested' ? 0 : kind === 'none' ? seen.ready.atFirst : readyAtLeast;
  return [
    ...(isDone && !seen.isComplete ? [`forecast ${ends}, and it did not complete`] : []),
    ...(ends === 'stuck' && seen.isComplete ? ['forecast stuck, and it completed'] : []),
    ...(least < expectedLeast ? [`${least} pods stayed ready, ${expectedLeast} were forecast`] : []),
    ...deleted.filter((name) => !named.includes(name)).map((name) => `${name} was deleted and not forecast`),
    ...(ends === 'complete' && deleted.length !== victims.length
      ? [`${deleted.length} pods were deleted, ${victims.length} were forecast`]
      : []),
  ];
}
