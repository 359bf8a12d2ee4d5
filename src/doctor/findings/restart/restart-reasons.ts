import { greatestOf, leastOf } from '../../../engine/collections/collections.js';
import { quotingLogs, type Statement } from '../../../engine/language/statement.js';
import { boundText } from '../../../engine/language/text-scanning.js';
import type { ConfigReference, DataChange } from '../../../engine/objects/config-references.js';
import { keptReferences, lastDataChange } from '../../../engine/objects/config-references.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { isActive, isReady, type Pod, refOf, unhealthyDevicesOf } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { state } from '../../fixes/kinds/restart-rollout/text.js';
import { readinessLostAt } from '../crashes/classify-container.js';
import { type ContainerView, containersOf } from '../crashes/container-view.js';
import { currentRevision, type FailureGroup } from '../crashes/failure-group.js';
import type { PodCause, PodFailure } from '../crashes/pod-failure.js';
import type { Evidence } from '../finding.js';

/** A container that runs and does not do its work. Times are epoch milliseconds. */
interface FailingRun {
  readonly pod: Pod;
  readonly container: ContainerView;
  readonly startedAt: number;
  /** When it stopped being ready; its start where it never was ready in this run. */
  readonly failingSince: number;
}

/** A crash ends the run by itself: the next one reads its configuration anew. */
const ofRunning: ReadonlySet<PodCause> = new Set(['readiness-failing', 'init-container-stuck']);

/**
 * The failing runs of a failure that no end of a container ends. Empty for another failure, where one of the
 * runs is not known, and for a former revision, whose pods the present rollout replaces.
 */
function failingRuns(snapshot: Snapshot, failureGroup: FailureGroup): readonly FailingRun[] {
  const { cause, container, revision, podFailures } = failureGroup;
  if (!ofRunning.has(cause) || container === '' || revision !== currentRevision(snapshot)) return [];
  const runs = podFailures.flatMap((podFailure) => runOf(podFailure) ?? []);
  return runs.length === podFailures.length ? runs : [];
}

function runOf({ pod, container }: PodFailure): FailingRun | undefined {
  const started = container?.status?.state.running?.startedAt;
  const startedAt = Date.parse(started ?? '');
  if (container === undefined || Number.isNaN(startedAt)) return undefined;
  const lostAt = readinessLostAt(pod, started);
  return { pod, container, startedAt, failingSince: Number.isNaN(lostAt) ? startedAt : lostAt };
}

/**
 * Pods of the same revision that are ready, each with the start of the same container in epoch milliseconds.
 */
function readySiblings({
  siblings,
  podFailures,
  container,
}: FailureGroup): readonly { readonly pod: Pod; readonly startedAt: number }[] {
  const failing = new Set(podFailures.map(({ pod }) => pod.metadata.uid));
  return siblings
    .filter((pod) => isActive(pod) && isReady(pod) && !failing.has(pod.metadata.uid))
    .map((pod) => ({ pod, startedAt: startOf(pod, container) }));
}

/** An init container that ended started then as well. */
function startOf(pod: Pod, name: string): number {
  const { running, terminated } = containersOf(pod).find((each) => each.name === name)?.status?.state ?? {};
  return Date.parse(running?.startedAt ?? terminated?.startedAt ?? '');
}

/**
 * What speaks for a restart, or against it in particular. Where nothing is known of either, there is no case.
 */
export type RestartCase =
  | {
      readonly kind: 'helps';
      /** Further steps of the finding's reasoning. */
      readonly reasoning: readonly Statement[];
      /**
       * Why new pods would do better than those that run, and how sure that is; shown before the restart's
       * effects.
       */
      readonly because: readonly Statement[];
      readonly evidence: readonly Evidence[];
    }
  | { readonly kind: 'in-vain'; readonly because: Statement };

/** A pod that never was ready fails for certain only after this (`crashes/unready.ts`). */
const startMs = 300_000;
/** A pod that is ready for less may lose it again at once. */
const settledMs = 60_000;

/**
 * Pods of the revision that started before some moment all fail, and those that started after it are all
 * ready: what the older processes hold has expired, or they lost what a new one gets again. The moment is
 * when the last of the older ones had failed, so that the younger ones started in the same surroundings.
 * Where one node could explain it as well, there is no case.
 */
export function youngerPodsReady(snapshot: Snapshot, failureGroup: FailureGroup): RestartCase | undefined {
  const runs = failingRuns(snapshot, failureGroup);
  const ready = readySiblings(failureGroup);
  if (runs.length === 0 || ready.length === 0) return undefined;
  // A sibling that neither fails nor is ready yet may still come to fail.
  if (runs.length + ready.length < failureGroup.siblings.filter(isActive).length) return undefined;
  const failed = greatestOf(runs.map(failedAt));
  if (!ready.every(({ startedAt }) => startedAt > failed)) return undefined;
  const readySince = leastOf(ready.map(({ pod }) => readyAt(pod.status)));
  const readyMs = nowOf(snapshot) - readySince;
  if (!(readyMs >= settledMs) || !isOnSeveralNodes(runs, ready)) return undefined;
  const says = state('younger-ready', {
    failing: runs.map(({ pod }) => pod.metadata.name),
    ready: ready.map(({ pod }) => pod.metadata.name),
    readySeconds: Math.round(readyMs / 1000),
  });
  return {
    kind: 'helps',
    reasoning: [says, ...expiryIn(snapshot, runs, failureGroup.container)],
    because: [says, state('younger-not-proven')],
    evidence: ready.slice(0, 2).map(({ pod, startedAt }) => ({
      object: refOf(pod),
      field: 'status.conditions[Ready]',
      value: 'True',
      at: new Date(startedAt).toISOString(),
      says: state('ev-younger-ready'),
    })),
  };
}

function failedAt({ startedAt, failingSince }: FailingRun): number {
  return failingSince > startedAt ? failingSince : startedAt + startMs;
}

function readyAt(status: Parameters<typeof conditionOf>[0]): number {
  return Date.parse(conditionOf(status, 'Ready')?.lastTransitionTime ?? '');
}

/** The failing pods share no single node, or a ready one runs beside a failing one. */
function isOnSeveralNodes(runs: readonly FailingRun[], ready: ReturnType<typeof readySiblings>): boolean {
  const nodes = new Set(runs.map(({ pod }) => pod.spec.nodeName));
  return nodes.size > 1 || ready.some(({ pod }) => nodes.has(pod.spec.nodeName));
}

/** What programs write of a certificate or a token that is past its time. */
const expiry =
  /(certificate|token|credentials?|jwt) (has |have |is |are )?expired|expired (certificate|token|credentials?|jwt)|ExpiredToken|CERT_HAS_EXPIRED/i;
const maxLine = 300;

/** The last line of a failing run that names something expired. */
function expiryIn({ logs }: Snapshot, runs: readonly FailingRun[], container: string): readonly Statement[] {
  for (const { pod } of runs) {
    const { namespace, name } = pod.metadata;
    const line = logs
      .filter((log) => log.namespace === namespace && log.pod === name && log.container === container)
      .flatMap(({ lines }) => lines)
      .map((each) => boundText(each, maxLine))
      .findLast((each) => expiry.test(each));
    if (line !== undefined) return [quotingLogs(state('says-expired', { pod: name, container, line }))];
  }
  return [];
}

/** A program that recovers by itself usually does so sooner. */
const patienceSeconds = 300;
/**
 * A pod that was ready for less may not have been ready in this run: kubelets report the end of a run late.
 */
const settledSeconds = 30;
/** Pods that stop being ready within this time have one reason in common. */
const togetherSeconds = 60;

/** When one container was ready in its present run. Times are seconds. */
interface Loss {
  readonly podFailure: PodFailure;
  readonly at: number;
  readonly readySeconds: number;
  readonly lostSeconds: number;
}

/**
 * Pods that were ready in the present run of their container, have not been ready for minutes, and have no
 * liveness probe that would restart it. `undefined` where one of them never was ready: a new process would
 * not be either. The same for pods of a former revision, which the present rollout replaces.
 */
export function lostReadiness(snapshot: Snapshot, failureGroup: FailureGroup): RestartCase | undefined {
  if (failureGroup.cause !== 'readiness-failing' || failureGroup.container === '') return undefined;
  const { podFailures, container, revision, siblings } = failureGroup;
  if (revision !== currentRevision(snapshot)) return undefined;
  const now = nowOf(snapshot);
  const losses = podFailures.flatMap((podFailure) => lossOf(podFailure, now) ?? []);
  if (losses.length < podFailures.length) return undefined;
  const apart = spanOf(losses);
  if (losses.length > 1 && losses.length === siblings.length && apart <= togetherSeconds) {
    return {
      kind: 'in-vain',
      because: state('withheld-together', { pods: losses.length, withinSeconds: Math.max(1, apart) }),
    };
  }
  const lost = state('lost-readiness', {
    pods: losses.map(({ podFailure }) => podFailure.pod.metadata.name),
    container,
    readySeconds: leastOf(losses.map(({ readySeconds }) => readySeconds)),
    lostSeconds: leastOf(losses.map(({ lostSeconds }) => lostSeconds)),
  });
  return {
    kind: 'helps',
    reasoning: [lost, state('nothing-restarts', { container })],
    because: [lost, state('not-proven')],
    evidence: losses.slice(0, 3).map(({ podFailure, at, readySeconds }) => ({
      object: refOf(podFailure.pod),
      field: 'status.conditions[Ready]',
      value: 'False',
      at: new Date(at).toISOString(),
      says: state('ev-lost-readiness', { readySeconds }),
    })),
  };
}

function lossOf(podFailure: PodFailure, now: number): Loss | undefined {
  const { pod, container } = podFailure;
  if (container === undefined || container.spec.livenessProbe !== undefined) return undefined;
  const startedAt = container.status?.state.running?.startedAt;
  const at = readinessLostAt(pod, startedAt);
  if (Number.isNaN(at)) return undefined;
  const readySeconds = (at - Date.parse(startedAt ?? '')) / 1000;
  const lostSeconds = (now - at) / 1000;
  if (readySeconds < settledSeconds || lostSeconds < patienceSeconds) return undefined;
  return { podFailure, at, readySeconds, lostSeconds };
}

function spanOf(losses: readonly Loss[]): number {
  const times = losses.map(({ at }) => at / 1000);
  return greatestOf(times) - leastOf(times);
}

/** Failures of a program that runs; what keeps one from running has nothing to do with its devices. */
const ofPrograms: ReadonlySet<PodCause> = new Set([
  'application-crash',
  'process-exits-zero',
  'liveness-probe-kill',
  'startup-probe-kill',
  'readiness-failing',
]);

/**
 * Each failing container holds a device whose plugin reports it as unhealthy
 * (`containerStatuses[].allocatedResourcesStatus`, KEP-4680). It keeps the device when it restarts
 * (kubernetes `devicemanager/manager.go: devicesToAllocate`). `undefined` where a pod that is ready holds
 * such a device as well: the failure has another reason then.
 */
export function unhealthyDevice(snapshot: Snapshot, failureGroup: FailureGroup): RestartCase | undefined {
  const { cause, container, revision, podFailures, ongoing } = failureGroup;
  if (!ongoing || !ofPrograms.has(cause) || revision !== currentRevision(snapshot)) return undefined;
  const held = podFailures.flatMap(({ pod, container: view }) => {
    const device = unhealthyDevicesOf(pod).find((each) => each.container === view?.name);
    return device === undefined ? [] : [{ pod, ...device }];
  });
  const [first] = held;
  if (first === undefined || held.length < podFailures.length) return undefined;
  const isHeldByReady = readySiblings(failureGroup).some(({ pod }) => unhealthyDevicesOf(pod).length > 0);
  if (isHeldByReady) return undefined;
  const says = state('unhealthy-device', {
    pods: held.map(({ pod }) => pod.metadata.name),
    container,
    resource: first.resource,
  });
  return {
    kind: 'helps',
    reasoning: [says, state('device-kept')],
    because: [says, state('device-not-proven')],
    evidence: held.slice(0, 3).map(({ pod, resource, device }) => ({
      object: refOf(pod),
      field: `status.containerStatuses[${container}].allocatedResourcesStatus[${resource}]`,
      value: 'Unhealthy',
      says: state('ev-unhealthy-device', { device }),
    })),
  };
}

/** The start is by the node's clock, the write by the API server's. */
const skewMs = 30_000;
/** A program that fails for what was changed does so soon: an hour later it is something else. */
const relatedMs = 3_600_000;

interface Outdated {
  readonly run: FailingRun;
  readonly reference: ConfigReference;
  readonly change: DataChange;
  readonly changedAt: number;
}

/**
 * Containers that run, fail, and started before the ConfigMap or Secret was written from which they took
 * their environment or a file when they started. They failed before it was written, or began to within an
 * hour. `undefined` where a pod that is ready has the same old configuration: then the failure has another
 * reason.
 */
export function outdatedConfig(snapshot: Snapshot, failureGroup: FailureGroup): RestartCase | undefined {
  const runs = failingRuns(snapshot, failureGroup);
  const outdated = runs.flatMap((run) => outdatedOf(snapshot, run) ?? []);
  const [first] = outdated;
  if (first === undefined || outdated.some((each) => !isRelated(each))) return undefined;
  const { kind, name, as } = first.reference;
  const isSame = ({ reference }: Outdated): boolean => reference.kind === kind && reference.name === name;
  if (!outdated.every(isSame)) return undefined;
  if (outdated.length < runs.length) {
    const newer = runs.filter((run) => !outdated.some((each) => each.run === run));
    const pods = newer.map(({ pod }) => pod.metadata.name);
    return { kind: 'in-vain', because: state('withheld-new-config', { pods, kind, name }) };
  }
  const last = greatestOf(outdated.map(({ changedAt }) => changedAt));
  if (readySiblings(failureGroup).some(({ startedAt }) => !(startedAt > last))) return undefined;
  const says = state('outdated-config', {
    pods: outdated.map(({ run }) => run.pod.metadata.name),
    container: failureGroup.container,
    kind,
    name,
    olderSeconds: leastOf(outdated.map(({ run, changedAt }) => (changedAt - run.startedAt) / 1000)),
  });
  return {
    kind: 'helps',
    reasoning: [says, state('kept-as', { as })],
    because: [says, state('config-not-proven', { manager: first.change.manager })],
    evidence: [
      {
        object: { kind, namespace: snapshot.workload.metadata.namespace, name },
        field: first.change.manager === '' ? 'metadata.creationTimestamp' : 'metadata.managedFields',
        value: first.change.manager === '' ? first.change.at : first.change.manager,
        at: first.change.at,
        says: state('ev-config-written'),
      },
    ],
  };
}

/** For each ConfigMap and Secret of which a failing run keeps data, and which was not read. */
export function unreadConfig(snapshot: Snapshot, failureGroup: FailureGroup): readonly Statement[] {
  const [run] = failingRuns(snapshot, failureGroup);
  if (run === undefined) return [];
  const unread = keptReferences(run.pod, run.container.spec)
    .filter((reference) => objectOf(snapshot, reference) === undefined)
    .map(({ kind, name }) => ({ kind, name }));
  const names = new Map(unread.map((each) => [`${each.kind}/${each.name}`, each]));
  return names.size === 0
    ? []
    : [state('config-unread', { container: failureGroup.container, objects: [...names.values()] })];
}

/** The newest write after the start of the run. */
function outdatedOf(snapshot: Snapshot, run: FailingRun): Outdated | undefined {
  return keptReferences(run.pod, run.container.spec)
    .flatMap((reference) => {
      const object = objectOf(snapshot, reference);
      const change = object && lastDataChange(object.metadata, reference.key);
      return change === undefined ? [] : [{ run, reference, change, changedAt: Date.parse(change.at) }];
    })
    .filter(({ changedAt }) => changedAt - run.startedAt > skewMs)
    .sort((a, b) => b.changedAt - a.changedAt)[0];
}

function objectOf({ index, workload }: Snapshot, { kind, name }: ConfigReference) {
  const { namespace } = workload.metadata;
  return index.objects[kind].find(
    ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
  );
}

function isRelated({ run, changedAt }: Outdated): boolean {
  return run.failingSince - changedAt <= relatedMs;
}
