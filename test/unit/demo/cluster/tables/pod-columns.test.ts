import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../../demo/cluster/api-object.js';
import type { JsonObject } from '../../../../../demo/cluster/json.js';
import { podColumns } from '../../../../../demo/cluster/tables/pod-columns.js';
import { tableOf } from '../../../../../demo/cluster/tables/table.js';
import { pod, startAt } from '../builders.js';

const running = { state: { running: {} }, ready: true, restartCount: 0 };

function row(status: JsonObject, spec: JsonObject = {}, metadata: JsonObject = {}): readonly unknown[] {
  const object = {
    ...pod('a', {}, spec),
    metadata: { name: 'a', creationTimestamp: '2026-11-20T08:50:00Z', ...metadata },
    status,
  } as unknown as ApiObject;
  const table = tableOf(podColumns, [object], {}, 'None', startAt);
  const [first] = table.rows as readonly { readonly cells: readonly unknown[] }[];
  return first?.cells.slice(1, 4) ?? [];
}

const isDeleted = { deletionTimestamp: 'x' };
const inits = (...names: string[]) => ({ initContainers: names.map((name) => ({ name })) });
const container = (state: JsonObject, more: JsonObject = {}) => ({ state, restartCount: 0, ...more });
const waits = (reason: string) => ({ waiting: { reason } });
const ended = (terminated: JsonObject) => container({ terminated });
const done = ended({ reason: 'Completed', exitCode: 0 });
const pending = (fields: JsonObject) => ({ phase: 'Pending', ...fields });
const of = (phase: string, ...containerStatuses: JsonObject[]) => ({ phase, containerStatuses });

/** READY, STATUS and RESTARTS of kubernetes `printers_test.go: TestPrintPod`, rewritten. */
const cases: readonly (readonly [string, JsonObject, string, JsonObject?, JsonObject?])[] = [
  ['a pod that runs', of('Running', running), '1/1 Running 0'],
  ['a pod without any status', {}, '0/1 Unknown 0'],
  ['a pod with a reason of its own', { phase: 'Failed', reason: 'Evicted' }, '0/1 Evicted 0'],
  [
    'a gated pod',
    pending({ conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] }),
    '0/1 SchedulingGated 0',
  ],
  ['a container that waits', of('Pending', container(waits('ImagePullBackOff'))), '0/1 ImagePullBackOff 0'],
  [
    'a container that crashed, and when it last did',
    of(
      'Running',
      container(waits('CrashLoopBackOff'), {
        lastState: { terminated: { finishedAt: '2026-11-20T08:56:30Z' } },
        restartCount: 4,
      }),
    ),
    '0/1 CrashLoopBackOff 4 (3m30s ago)',
  ],
  ['a container that ended by a signal', of('Failed', ended({ signal: 9, exitCode: 137 })), '0/1 Signal:9 0'],
  ['a container that ended with a code', of('Failed', ended({ exitCode: 3 })), '0/1 ExitCode:3 0'],
  [
    'one container done and one running, ready',
    { ...of('Running', running, done), conditions: [{ type: 'Ready', status: 'True' }] },
    '1/1 Running 0',
  ],
  ['one container done and one running, not ready', of('Running', done, running), '1/1 NotReady 0'],
  ['a deleted pod', of('Running', running), '1/1 Terminating 0', {}, isDeleted],
  ['a deleted pod on a lost node', { phase: 'Running', reason: 'NodeLost' }, '0/1 Unknown 0', {}, isDeleted],
  [
    'the second of two init containers at work',
    pending({
      initContainerStatuses: [
        { name: 'i', ...ended({ exitCode: 0 }) },
        { name: 'j', ...container({ running: {} }) },
      ],
    }),
    '0/1 Init:1/2 0',
    inits('i', 'j'),
  ],
  [
    'an init container that crashes',
    pending({
      initContainerStatuses: [{ name: 'i', ...container(waits('CrashLoopBackOff'), { restartCount: 2 }) }],
    }),
    '0/1 Init:CrashLoopBackOff 2',
    inits('i'),
  ],
  [
    'a sidecar counts as a container',
    {
      ...of('Running', running),
      conditions: [{ type: 'Initialized', status: 'True' }],
      initContainerStatuses: [{ ...running, name: 's', started: true }],
    },
    '2/2 Running 0',
    { initContainers: [{ name: 's', restartPolicy: 'Always' }] },
  ],
];

describe('a row of kubectl get pods', () => {
  for (const [sentence, status, cells, spec, metadata] of cases) {
    it(sentence, () => {
      expect(row(status, spec, metadata).join(' ')).toBe(cells);
    });
  }
});
