import { greatestOf, leastOf } from '../../../engine/collections/collections.js';
import { quotingLogs } from '../../../engine/language/statement.js';
import type { FailedConnection } from '../../../engine/objects/failed-connection.js';
import { lastFailedConnection, lastWordsOf } from '../../../engine/objects/failed-connection.js';
import { conditionOf, isPod, type ObjectMeta } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { type Service, serviceNameLabel } from '../../../engine/objects/service.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { state } from '../../fixes/kinds/restart-rollout/text.js';
import { lastEndedRun } from '../crashes/container-view.js';
import { restartClockOf } from '../crashes/crash-finding.js';
import type { FailureGroup } from '../crashes/failure-group.js';
import { currentRevision } from '../crashes/failure-group.js';
import type { PodFailure } from '../crashes/pod-failure.js';
import type { RestartCase } from './restart-reasons.js';

/** The end of a run is by the clock of its node, the readiness of another pod by that of another node. */
const skewMs = 30_000;
/** A Service that has had a ready endpoint for less may lose it again at once. */
const settledMs = 60_000;
/** A restart replaces pods, and their image may have to be pulled: a shorter wait is not worth it. */
const worthMs = 120_000;

/** A container that waits for its next restart. Times are epoch milliseconds. */
type BackOff = { readonly endedAt: number; readonly nextAt: number };

/**
 * Containers that crashed while a Service that they name had no ready endpoint, which has had one for a
 * while, and whose next restart is still minutes away because the back-off counts on. That the Service had no
 * ready endpoint at the crash is likely and not proven: a pod that was ready then may be gone.
 */
export function dependencyReturned(snapshot: Snapshot, failureGroup: FailureGroup): RestartCase | undefined {
  const { cause, container, revision, podFailures } = failureGroup;
  if (cause !== 'application-crash' || revision !== currentRevision(snapshot)) return undefined;
  const waiting = podFailures.filter(({ ongoing }) => ongoing);
  const backOffs = waiting.flatMap((each) => backOffOf(each) ?? []);
  const named = namedByAll(snapshot, waiting);
  // A container that runs now shows by itself whether it reaches the Service.
  if (named === undefined || backOffs.length < waiting.length) return undefined;
  const { service, line, pod } = named;
  const { namespace, name } = service.metadata;
  const values = {
    service: namespace === snapshot.workload.metadata.namespace ? name : `${namespace}/${name}`,
  };
  const endpoints = readyEndpointsOf(snapshot, service);
  if (endpoints.kind === 'unknown') return undefined;
  if (endpoints.kind === 'none') return inVain(state('withheld-dependency-down', values));
  const now = nowOf(snapshot);
  const lastEnd = greatestOf(backOffs.map(({ endedAt }) => endedAt));
  const apart = endpoints.since - lastEnd;
  if (apart < -skewMs) {
    const readySeconds = Math.round(-apart / 1000);
    return inVain(state('withheld-dependency-ready', { ...values, container, readySeconds }));
  }
  if (apart <= skewMs || now - endpoints.since < settledMs) return undefined;
  const nextAt = leastOf(backOffs.map((each) => each.nextAt));
  const next = {
    container,
    at: new Date(nextAt).toISOString(),
    seconds: Math.max(0, Math.round((nextAt - now) / 1000)),
  };
  if (nextAt - now < worthMs) return inVain(state('withheld-back-off-ends', next));
  const returned = state('dependency-returned', {
    ...values,
    container,
    afterSeconds: Math.round(apart / 1000),
    readySeconds: Math.round((now - endpoints.since) / 1000),
  });
  const backsOff = state('back-off-counts', next);
  return {
    kind: 'helps',
    reasoning: [quotingLogs(state('names-service', { ...values, pod, container, line })), returned, backsOff],
    because: [returned, backsOff, state('dependency-not-proven', values)],
    evidence: endpoints.pods.slice(0, 2).map((each) => ({
      object: { kind: 'Pod', namespace, name: each },
      field: 'status.conditions[Ready]',
      value: 'True',
      at: new Date(endpoints.since).toISOString(),
      says: state('ev-endpoint-ready', values),
    })),
  };
}

function inVain(because: ReturnType<typeof state>): RestartCase {
  return { kind: 'in-vain', because };
}

function backOffOf({ container }: PodFailure): BackOff | undefined {
  const status = container?.status;
  const endedAt = Date.parse(lastEndedRun(status)?.finishedAt ?? '');
  const nextAt = Date.parse(restartClockOf(status)?.nextAt ?? '');
  return Number.isNaN(endedAt) || Number.isNaN(nextAt) ? undefined : { endedAt, nextAt };
}

type Named = { readonly service: Service; readonly line: string; readonly pod: string };

/**
 * The one Service that the failing pods name, as far as their last words were read. `undefined` where one of
 * them names another target, or none at all, or a line names several Services.
 */
function namedByAll(snapshot: Snapshot, waiting: readonly PodFailure[]): Named | undefined {
  const named: Named[] = [];
  for (const { pod, container } of waiting) {
    if (container?.status === undefined) return undefined;
    const lines = lastWordsOf(pod, container.status, snapshot.logs);
    if (lines.length === 0) continue;
    const failed = lastFailedConnection(lines, pod.metadata.namespace);
    if (failed === undefined) return undefined;
    const [service, ...others] = servicesNamedIn(snapshot, failed);
    if (service === undefined || others.length > 0) return undefined;
    named.push({ service, line: failed.line, pod: pod.metadata.name });
  }
  const [first] = named;
  return named.every(({ service }) => service === first?.service) ? first : undefined;
}

/** The Services that were read and that a failed connection names. */
export function servicesNamedIn({ index }: Snapshot, failed: FailedConnection): readonly Service[] {
  return index.objects.Service.filter(
    ({ metadata: { namespace, name }, spec: { clusterIP } }) =>
      failed.services.some((each) => each.namespace === namespace && each.name === name) ||
      failed.addresses.includes(clusterIP),
  );
}

/** Since when a Service has a ready endpoint, as far as its pods show it. Times are epoch milliseconds. */
type ReadyEndpoints =
  | { readonly kind: 'none' }
  | { readonly kind: 'ready'; readonly since: number; readonly pods: readonly string[] }
  | { readonly kind: 'unknown' };

/**
 * EndpointSlices hold no times: an endpoint is ready since its pod is. The controller keeps a slice for each
 * Service with a selector, also an empty one, so a Service without a slice is not known.
 */
function readyEndpointsOf({ index }: Snapshot, { metadata }: Service): ReadyEndpoints {
  const { namespace, name } = metadata;
  const slices = index.objects.EndpointSlice.filter(
    (slice) => slice.metadata.namespace === namespace && slice.metadata.labels[serviceNameLabel] === name,
  );
  if (slices.length === 0) return { kind: 'unknown' };
  const ready = slices.flatMap(({ endpoints }) => endpoints.filter(({ conditions }) => conditions.ready));
  if (ready.length === 0) return { kind: 'none' };
  const pods = [...new Set(ready.map(({ targetRef }) => (isPod(targetRef) ? targetRef.name : '')))].sort();
  const since = pods.map((pod) => readySince({ index }, namespace, pod));
  return since.some(Number.isNaN) ? { kind: 'unknown' } : { kind: 'ready', since: leastOf(since), pods };
}

/** NaN for a pod that was not read or is not ready. */
function readySince({ index }: Pick<Snapshot, 'index'>, namespace: string, name: string): number {
  const pod = index.objects.Pod.find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === name,
  );
  const ready = pod && conditionOf(pod.status, 'Ready');
  return Date.parse(ready?.status === 'True' ? (ready.lastTransitionTime ?? '') : '');
}

/** Whether the Service selects the pod, which is not ready, and has no other endpoint that is. */
export function waitsForOwnPod(snapshot: Snapshot, service: Service, pod: Pod): boolean {
  return selectsPod(service, pod) && readyEndpointsOf(snapshot, service).kind === 'none';
}

export function selectsPod(
  { metadata, spec: { selector } }: Service,
  { metadata: pod }: { metadata: Pick<ObjectMeta, 'namespace' | 'labels'> },
): boolean {
  const wanted = Object.entries(selector);
  return (
    metadata.namespace === pod.namespace &&
    wanted.length > 0 &&
    wanted.every(([key, value]) => pod.labels[key] === value)
  );
}
