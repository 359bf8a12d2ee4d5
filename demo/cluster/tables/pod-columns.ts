import type { ApiObject } from '../api-object.js';
import { type JsonObject, listAt, numberAt, objectAt, textAt, valueAt } from '../json.js';
import { ageColumn, ageOf, nameColumn } from './cells.js';
import { column, type TableColumn, wideColumn } from './table.js';

interface PodSummary {
  readonly ready: number;
  readonly total: number;
  readonly status: string;
  readonly restarts: number;
  readonly lastRestart: string | undefined;
}

export const podColumns: readonly TableColumn[] = [
  nameColumn,
  column('Ready', (pod) => {
    const { ready, total } = summarise(pod);
    return `${ready}/${total}`;
  }),
  column('Status', (pod) => summarise(pod).status),
  column('Restarts', (pod, now) => {
    const { restarts, lastRestart } = summarise(pod);
    return restarts === 0 || lastRestart === undefined
      ? `${restarts}`
      : `${restarts} (${ageOf(lastRestart, now)} ago)`;
  }),
  ageColumn,
  wideColumn(
    'IP',
    (pod) => textAt(listAt(pod, 'status', 'podIPs')[0], 'ip') ?? textAt(pod, 'status', 'podIP') ?? '<none>',
  ),
  wideColumn('Node', (pod) => textAt(pod, 'spec', 'nodeName') || '<none>'),
  wideColumn('Nominated Node', (pod) => textAt(pod, 'status', 'nominatedNodeName') || '<none>'),
  wideColumn('Readiness Gates', readinessGates),
];

function readinessGates(pod: ApiObject): string {
  const gates = listAt(pod, 'spec', 'readinessGates').map((gate) => textAt(gate, 'conditionType'));
  if (gates.length === 0) return '<none>';
  const met = gates.filter((gate) => gate !== undefined && conditionStatus(pod, gate) === 'True');
  return `${met.length}/${gates.length}`;
}

function conditionStatus(pod: ApiObject, type: string): string | undefined {
  return textAt(
    listAt(pod, 'status', 'conditions').find((condition) => condition.type === type),
    'status',
  );
}

/** What `kubectl get pods` says of a pod (kubernetes `printers.go: printPod`). */
function summarise(pod: ApiObject): PodSummary {
  const inits = listAt(pod, 'spec', 'initContainers');
  const sidecars = new Set(
    inits.filter((container) => container.restartPolicy === 'Always').map((container) => container.name),
  );
  const total = listAt(pod, 'spec', 'containers').length + sidecars.size;
  const phase = textAt(pod, 'status', 'phase') ?? 'Unknown';
  const gated = listAt(pod, 'status', 'conditions').some(
    (condition) => condition.type === 'PodScheduled' && condition.reason === 'SchedulingGated',
  );
  const stated = gated ? 'SchedulingGated' : textAt(pod, 'status', 'reason') || phase;
  const init = initSummary(pod, sidecars, inits.length);
  const isInitialized = conditionStatus(pod, 'Initialized') === 'True';
  const main =
    init.waitsFor === undefined || isInitialized
      ? mainSummary(pod, stated, init)
      : { status: init.waitsFor, ready: init.ready, restarts: init.restarts, lastRestart: init.lastRestart };
  const terminal = phase === 'Succeeded' || phase === 'Failed';
  const deleted = pod.metadata.deletionTimestamp !== undefined;
  const status = deleted
    ? valueAt(pod, 'status', 'reason') === 'NodeLost'
      ? 'Unknown'
      : terminal
        ? main.status
        : 'Terminating'
    : main.status;
  return { ...main, status, total };
}

interface InitSummary {
  readonly waitsFor: string | undefined;
  readonly ready: number;
  readonly restarts: number;
  readonly lastRestart: string | undefined;
  readonly sidecarRestarts: number;
  readonly sidecarLastRestart: string | undefined;
}

function initSummary(pod: ApiObject, sidecars: ReadonlySet<unknown>, count: number): InitSummary {
  let ready = 0;
  let restarts = 0;
  let sidecarRestarts = 0;
  let lastRestart: string | undefined;
  let sidecarLastRestart: string | undefined;
  for (const [index, status] of listAt(pod, 'status', 'initContainerStatuses').entries()) {
    const isSidecar = sidecars.has(status.name);
    restarts += restartsOf(status);
    lastRestart = later(lastRestart, finishedAt(status));
    if (isSidecar) {
      sidecarRestarts += restartsOf(status);
      sidecarLastRestart = later(sidecarLastRestart, finishedAt(status));
    }
    const terminated = valueAt(status, 'state', 'terminated');
    if (terminated !== undefined && numberAt(terminated, 'exitCode') === 0) continue;
    if (isSidecar && status.started === true) {
      if (status.ready === true) ready += 1;
      continue;
    }
    const waiting = textAt(status, 'state', 'waiting', 'reason') ?? '';
    const waitsFor =
      terminated !== undefined
        ? `Init:${terminationText(objectAt(terminated))}`
        : waiting !== '' && waiting !== 'PodInitializing'
          ? `Init:${waiting}`
          : `Init:${index}/${count}`;
    return { waitsFor, ready, restarts, lastRestart, sidecarRestarts, sidecarLastRestart };
  }
  return { waitsFor: undefined, ready, restarts, lastRestart, sidecarRestarts, sidecarLastRestart };
}

function mainSummary(pod: ApiObject, stated: string, init: InitSummary): Omit<PodSummary, 'total'> {
  let { ready, sidecarRestarts: restarts, sidecarLastRestart: lastRestart } = init;
  let status = stated;
  let failure = '';
  let anyRunning = false;
  for (const container of [...listAt(pod, 'status', 'containerStatuses')].reverse()) {
    restarts += restartsOf(container);
    lastRestart = later(lastRestart, finishedAt(container));
    const waiting = textAt(container, 'state', 'waiting', 'reason') ?? '';
    const terminated = valueAt(container, 'state', 'terminated');
    if (waiting !== '') {
      status = waiting;
    } else if (terminated !== undefined) {
      status = terminationText(objectAt(terminated));
      if (numberAt(terminated, 'exitCode') !== 0) failure = status;
    } else if (container.ready === true && valueAt(container, 'state', 'running') !== undefined) {
      anyRunning = true;
      ready += 1;
    }
  }
  if (status === 'Completed') {
    if (anyRunning && conditionStatus(pod, 'Ready') === 'True') status = 'Running';
    else if (failure !== '') status = failure;
    else if (anyRunning) status = 'NotReady';
  }
  return { status, ready, restarts, lastRestart };
}

function terminationText(terminated: JsonObject): string {
  const reason = textAt(terminated, 'reason') ?? '';
  if (reason !== '') return reason;
  const signal = numberAt(terminated, 'signal') ?? 0;
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode') ?? 0}` : `Signal:${signal}`;
}

function restartsOf(status: JsonObject): number {
  return numberAt(status, 'restartCount') ?? 0;
}

function finishedAt(status: JsonObject): string | undefined {
  return textAt(status, 'lastState', 'terminated', 'finishedAt');
}

function later(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Date.parse(b) > Date.parse(a) ? b : a;
}
