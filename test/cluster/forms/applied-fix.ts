import { setTimeout as delay } from 'node:timers/promises';
import { type KubernetesObject, type V1Pod, Watch } from '@kubernetes/client-node';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import type { ObjectRef } from '#src/engine/objects/metadata.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { becomeReady } from '../controls/kubelet-acts.js';
import type { Cluster } from '../harness/cluster.js';
import { type PodRecord, recordPods } from '../harness/pod-record.js';
import type { DiagnosedIncident, Program } from '../harness/program.js';
import { collectionPath } from '../harness/resources.js';
import type { Form, Reproduced } from './form.js';

/** What a fix did, compared with its forecast. */
export interface AppliedFix {
  readonly form: string;
  readonly fix: string;
  readonly forecast: string;
  readonly happened: string;
  /** Empty when everything was as forecast. */
  readonly differences: readonly string[];
}

/** The fixes of a copy of an incident by their names; of two with one name, the first one. */
export function offeredBy({
  diagnosis,
}: Pick<DiagnosedIncident, 'diagnosis'>): ReadonlyMap<string, Remediation> {
  const offered = new Map<string, Remediation>();
  for (const each of diagnosis.findings.flatMap(({ remediations }) => [...remediations])) {
    if (!offered.has(fixName(each))) offered.set(fixName(each), each);
  }
  return offered;
}

const fixName = (remediation: Remediation): string =>
  remediation.kind === 'patch-strategy'
    ? `${remediation.kind} ${remediation.strategy.type}`
    : remediation.kind;

/** Prints each row, and at the end how many there were. */
export function createFixTable() {
  const rows: AppliedFix[] = [];
  return {
    note(row: AppliedFix): AppliedFix {
      const { form, fix, forecast, happened, differences } = row;
      rows.push(row);
      const isAsForecast = differences.length === 0 ? 'yes' : differences.join('; ');
      console.log(`| ${form} | ${fix} | ${forecast} | ${happened} | ${isAsForecast} |`);
      return row;
    },
    end(): void {
      const asForecast = rows.filter(({ differences }) => differences.length === 0).length;
      console.log(`${rows.length} fixes were offered and applied, ${asForecast} did what was forecast`);
    },
  };
}

/** A fresh copy of an incident, and those who act in it. */
export interface Copy {
  readonly form: string;
  readonly workload: WorkloadRef;
  readonly latest: DiagnosedIncident;
  /** Starts what happens beside the change. Returns what ends it. */
  readonly startOthers: () => () => Promise<void>;
  /** Whether one of them has what became free; `before` are the names of the pods before the change. */
  readonly isTaken: (competitors: readonly ObjectRef[], before: readonly string[]) => Promise<boolean>;
}

/** Approves the fix of this name in the copy, and compares what happens with the forecast. */
export async function applyFix(
  { cluster, program }: { readonly cluster: Cluster; readonly program: Program },
  { form, workload, latest, startOthers, isTaken }: Copy,
  fix: string,
): Promise<AppliedFix> {
  const remediation = offeredBy(latest).get(fix);
  if (remediation === undefined) {
    return { form, fix, forecast: '', happened: '', differences: ['not offered again'] };
  }
  const { ends, competitors } = remediation.prediction;
  const pods = await recordPods(cluster, workload.namespace);
  const ready = await recordReady(cluster, { workload });
  const endOthers = startOthers();
  let failure: string | undefined;
  try {
    const after = await program.approve(await program.review(latest.incident, remediation.id));
    failure = after.change?.failure && JSON.stringify(after.change.failure);
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  const competitorPlaced =
    ends === 'contested' && (await isTakenFirst(cluster, workload, () => isTaken(competitors, pods.before)));
  const isDone = await untilComplete(cluster, workload, ends === 'complete' ? 60_000 : 6_000);
  await endOthers();
  pods.stop();
  ready.stop();
  const seen = { isComplete: isDone, pods, ready, competitorPlaced };
  return {
    form,
    fix,
    forecast: ends,
    happened: isDone ? 'complete' : competitorPlaced ? 'a competitor took it' : 'not complete',
    differences: [...(failure === undefined ? [] : [failure]), ...differencesOf(remediation, seen)],
  };
}

/** Whether the status of the workload is that of a complete rollout before the deadline. */
export const untilComplete = (
  cluster: Cluster,
  { kind, namespace, name }: WorkloadRef,
  deadlineMilliseconds: number,
): Promise<boolean> =>
  cluster
    .until<KubernetesObject, true>({
      what: `${kind} ${namespace}/${name} to be rolled out`,
      selection: { kind, namespace },
      check: (all) => all.some((one) => one.metadata?.name === name && isComplete({ ...one, kind })),
      deadlineMilliseconds,
    })
    .catch(() => false);

/** Until the rollout completes or a competitor uses what becomes free. A refused controller retries later. */
async function isTakenFirst(
  cluster: Cluster,
  workload: WorkloadRef,
  isTaken: () => Promise<boolean>,
): Promise<boolean> {
  const expiry = Date.now() + 60_000;
  while (Date.now() < expiry) {
    if (await isTaken()) return true;
    if (!(await untilComplete(cluster, workload, 1_000))) continue;
    // For a moment, the status counts the new pod and the old one's readiness.
    await delay(2_000);
    if (await untilComplete(cluster, workload, 1_000)) return isTaken();
  }
  return false;
}

const isReady = ({ metadata, status }: V1Pod): boolean =>
  metadata?.deletionTimestamp === undefined &&
  (status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false);

/** Counts the ready pods of the workload from now on. */
export async function recordReady(cluster: Cluster, { workload }: { readonly workload: WorkloadRef }) {
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

/** What kept the pod from starting was held by the other pod of its app. */
export const isAlone = (pod: V1Pod, all: readonly V1Pod[]): boolean =>
  all.filter((each) => each.metadata?.labels?.app === pod.metadata?.labels?.app).length === 1;

/** Starts, in place of the kubelets, the pods that can start according to the form, until it is stopped. */
export function startRecovering(
  cluster: Cluster,
  { heals }: Pick<Form, 'heals'>,
  { namespaces }: Pick<Reproduced, 'namespaces'>,
) {
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
function isComplete(object: KubernetesObject & { spec?: object; status?: object }): boolean {
  const { replicas = 1 } = (object.spec ?? {}) as { replicas?: number };
  const status = (object.status ?? {}) as Readonly<Record<string, number | string | undefined>>;
  const observed = Number(status.observedGeneration ?? 0) >= (object.metadata?.generation ?? 0);
  const isUpdated =
    object.kind === 'StatefulSet'
      ? status.currentRevision === status.updateRevision
      : status.updatedReplicas === replicas;
  return observed && isUpdated && status.replicas === replicas && status.availableReplicas === replicas;
}

/** Deleted pods, the number that stayed ready, and the end, each compared with the forecast. */
function differencesOf(
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
