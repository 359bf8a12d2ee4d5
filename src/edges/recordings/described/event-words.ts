import { groupBy } from '../../../engine/collections/collections.js';
import { kueueMarks } from '../../../engine/objects/kueue.js';
import { isObject } from '../../../engine/objects/wire.js';
import { isOfKind, type TextObject } from './described-kind.js';
import { containerPathOf, type TextEvent } from './events.js';

/**
 * What events and tables state of a pod and its own description does not. A pod that waits for a node has a
 * condition, which is printed without its words: the scheduler writes the same words into the event
 * (`schedule_one.go: handleSchedulingFailure`). Events are deleted after an hour: the condition alone states
 * a refusal as well. Times are bounds: the pod was there at its first event, and refused.
 */
export function withWhatEventsState(
  objects: readonly TextObject[],
  events: readonly TextEvent[],
  printedAt: number,
): readonly TextObject[] {
  const byName = groupBy(events, ({ involvedObject: { kind, name } }) => `${kind}/${name}`);
  return objects.map((object) => {
    const { status, metadata } = object;
    if (!isObject(status)) return object;
    const own = (byName.get(`${object.kind}/${metadata.name}`) ?? []).filter(
      ({ involvedObject: { namespace } }) => namespace === '' || namespace === metadata.namespace,
    );
    if (isOfKind(object, 'ReplicaSet')) {
      return {
        ...object,
        status: { ...status, conditions: withRefusedPods(status.conditions, own, printedAt) },
      };
    }
    if (!isOfKind(object, 'Pod')) return object;
    const startTime = typeof status.startTime === 'string' ? Date.parse(status.startTime) : printedAt;
    const ages = [...own.map(({ firstAge }) => firstAge), ...creationAges(object, byName)];
    const seenAt = ages.reduce((at, age) => Math.min(at, printedAt - age * 1000), startTime);
    return {
      ...object,
      metadata: { ...metadata, creationTimestamp: new Date(seenAt).toISOString() },
      spec: {
        ...(isObject(object.spec) ? object.spec : {}),
        ...schedulerOf(own),
        ...(isHeldByGate(object, ages, own) && { schedulingGates: [{ name: kueueMarks.gate }] }),
      },
      status: {
        ...status,
        containerStatuses: withWaitingWords(status.containerStatuses, object, own),
        initContainerStatuses: withWaitingWords(status.initContainerStatuses, object, own),
        conditions: withResizeWords(withRefusal(object, own, printedAt), own, printedAt),
      },
    };
  });
}

/**
 * Controllers name each pod that they created in an event of their own. The newest counts: a StatefulSet
 * gives a name again.
 */
function creationAges(
  { metadata }: TextObject,
  events: ReadonlyMap<string, readonly TextEvent[]>,
): readonly number[] {
  const [owner] = Array.isArray(metadata.ownerReferences) ? (metadata.ownerReferences as unknown[]) : [];
  if (!isObject(owner)) return [];
  const ages = (events.get(`${owner.kind}/${owner.name}`) ?? []).flatMap(
    ({ reason, message, lastAge, involvedObject: { namespace } }) =>
      reason === 'SuccessfulCreate' &&
      (namespace === '' || namespace === metadata.namespace) &&
      String(message).split(' ').includes(metadata.name)
        ? [lastAge]
        : [],
  );
  return ages.length === 0 ? [] : [Math.min(...ages)];
}

const ofSchedulers: ReadonlySet<string> = new Set([
  'FailedScheduling',
  'Scheduled',
  'BindingConditionsPending',
]);

/** The scheduler of a pod is not printed. It is the source of its own events (`profile.go: NewMap`). */
function schedulerOf(events: readonly TextEvent[]): { readonly schedulerName?: string } {
  const names = events.flatMap(({ reason, source: { component } }) =>
    ofSchedulers.has(reason) && component !== '' ? [component] : [],
  );
  const [schedulerName] = names;
  return schedulerName === undefined ? {} : { schedulerName };
}

function withRefusal(pod: TextObject, events: readonly TextEvent[], printedAt: number): unknown {
  const conditions = isObject(pod.status) ? pod.status.conditions : undefined;
  const refusals = events.filter(({ reason }) => reason === 'FailedScheduling');
  const [newest] = [...refusals].sort((a, b) => a.lastAge - b.lastAge);
  if (!Array.isArray(conditions) || (newest === undefined && mayWaitUntried(pod))) return conditions;
  const words =
    newest === undefined
      ? {}
      : {
          message: newest.message,
          lastTransitionTime: new Date(
            printedAt - Math.max(...refusals.map(({ firstAge }) => firstAge)) * 1000,
          ).toISOString(),
        };
  return conditions.map((condition: Readonly<Record<string, unknown>>) =>
    condition.type === 'PodScheduled' && condition.status === 'False'
      ? { ...condition, reason: 'Unschedulable', ...words }
      : condition,
  );
}

/**
 * Why a container waits is printed without its words. The kubelet writes the same words into an event, behind
 * two of its own (`kuberuntime_container.go: startContainer`).
 */
function withWaitingWords(statuses: unknown, pod: TextObject, events: readonly TextEvent[]): unknown {
  if (!Array.isArray(statuses)) return statuses;
  return statuses.map((container: unknown) => {
    const state = isObject(container) && isObject(container.state) ? container.state : {};
    const { waiting } = state;
    if (!isObject(container) || !isObject(waiting) || String(waiting.reason).endsWith('BackOff')) {
      return container;
    }
    const [newest] = events
      .filter(
        (event) =>
          event.reason === 'Failed' &&
          containerPathOf(event, pod)?.endsWith(`{${container.name}}`) === true &&
          /^Error: [^ ]+ /u.test(String(event.message)),
      )
      .sort((a, b) => a.lastAge - b.lastAge);
    if (newest === undefined) return container;
    const message = String(newest.message).replace(/^Error: /u, '');
    return { ...container, state: { ...state, waiting: { ...waiting, message } } };
  });
}

/**
 * Without the scheduler's words, a gate that is not printed may keep the pod from the scheduler, and a port
 * of the node may be free on an address that is not printed.
 */
function mayWaitUntried({ metadata, spec }: TextObject): boolean {
  const labels = isObject(metadata.labels) ? metadata.labels : {};
  const isQueued = kueueMarks.queue in labels || kueueMarks.managed in labels;
  return isQueued || JSON.stringify(spec).includes('"hostPort":');
}

/**
 * The API server gives a pod with gates the condition, and a scheduler that gives a pod the condition writes
 * an event. A pod of Kueue with the condition, whose other events are still there, has its gate: what rests
 * on that says so (`Unseen.assumed`).
 */
function isHeldByGate(pod: TextObject, ages: readonly number[], own: readonly TextEvent[]): boolean {
  const { spec, status, metadata } = pod;
  const labels = isObject(metadata.labels) ? metadata.labels : {};
  const conditions = isObject(status) && Array.isArray(status.conditions) ? status.conditions : [];
  return (
    ages.length > 0 &&
    kueueMarks.managed in labels &&
    isObject(spec) &&
    spec.nodeName === undefined &&
    own.every(({ reason }) => !ofSchedulers.has(reason)) &&
    conditions.some(
      (each: unknown) => isObject(each) && each.type === 'PodScheduled' && each.status === 'False',
    )
  );
}

/**
 * The controller writes its error into the condition, and into the event behind two words (`replica_set.go`).
 */
function withRefusedPods(conditions: unknown, events: readonly TextEvent[], printedAt: number): unknown {
  const [newest] = events
    .filter(({ reason }) => reason === 'FailedCreate')
    .sort((a, b) => a.lastAge - b.lastAge);
  if (newest === undefined || !Array.isArray(conditions) || typeof newest.message !== 'string')
    return conditions;
  const message = newest.message.replace(/^Error creating: /u, '');
  const lastTransitionTime = new Date(printedAt - newest.firstAge * 1000).toISOString();
  return conditions.map((condition: Readonly<Record<string, unknown>>) =>
    condition.type === 'ReplicaFailure' && condition.reason === 'FailedCreate'
      ? { ...condition, message, lastTransitionTime }
      : condition,
  );
}

/** What the kubelet's events say of a resize, by the condition that has the same words. */
const resizeVerdicts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PodResizePending: { ResizeDeferred: 'Deferred', ResizeInfeasible: 'Infeasible' },
  PodResizeInProgress: { ResizeError: 'Error', ResizeStarted: '', ResizeCompleted: '' },
};

/**
 * Why a pod is not resized is printed without its words. The kubelet writes them into an event as well, as
 * the field `error` of JSON (1.36 `allocation_manager.go`, `kubelet.go`). The newest event counts.
 */
function withResizeWords(conditions: unknown, events: readonly TextEvent[], printedAt: number): unknown {
  if (!Array.isArray(conditions)) return conditions;
  return conditions.map((condition: Readonly<Record<string, unknown>>) => {
    const verdicts = resizeVerdicts[String(condition.type)];
    if (verdicts === undefined || condition.status !== 'True') return condition;
    const [newest] = events
      .filter(({ reason }) => verdicts[reason] !== undefined)
      .sort((a, b) => a.lastAge - b.lastAge);
    const reason = newest === undefined ? '' : (verdicts[newest.reason] ?? '');
    if (newest === undefined || reason === '') return condition;
    const lastTransitionTime = new Date(printedAt - newest.firstAge * 1000).toISOString();
    return { ...condition, reason, message: errorIn(String(newest.message)), lastTransitionTime };
  });
}

function errorIn(message: string): string {
  try {
    const parsed: unknown = JSON.parse(message.slice(message.indexOf('{')));
    return isObject(parsed) && typeof parsed.error === 'string' ? parsed.error : message;
  } catch {
    return message;
  }
}
