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

/** READY, STATUS and RESTARTS of kubernetes `printers_test.go: TestPrintPod`, rewritten. */
const cases: readonly (readonly [string, JsonObject, readonly unknown[], JsonObject?, JsonObject?])[] = [
  ['a pod that runs', { phase: 'Running', containerStatuses: [running] }, ['1/1', 'Running', '0']],
  ['a pod without any status', {}, ['0/1', 'Unknown', '0']],
  ['a pod with a reason of its own', { phase: 'Failed', reason: 'Evicted' }, ['0/1', 'Evicted', '0']],
  [
    'a gated pod',
    { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] },
    ['0/1', 'SchedulingGated', '0'],
  ],
  [
    'a container that waits',
    {
      phase: 'Pending',
      containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff' } }, restartCount: 0 }],
    },
    ['0/1', 'ImagePullBackOff', '0'],
  ],
  [
    'a container that crashed, and when it last did',
    {
      phase: 'Running',
      containerStatuses: [
        {
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { finishedAt: '2026-11-20T08:56:30Z' } },
          restartCount: 4,
        },
      ],
    },
    ['0/1', 'CrashLoopBackOff', '4 (3m30s ago)'],
  ],
  [
    'a container that ended by a signal',
    {
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { signal: 9, exitCode: 137 } }, restartCount: 0 }],
    },
    ['0/1', 'Signal:9', '0'],
  ],
  [
    'a container that ended with a code',
    { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 3 } }, restartCount: 0 }] },
    ['0/1', 'ExitCode:3', '0'],
  ],
  [
    'one container done and one running, ready',
    {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [
        running,
        { state: { terminated: { reason: 'Completed', exitCode: 0 } }, restartCount: 0 },
      ],
    },
    ['1/1', 'Running', '0'],
  ],
  [
    'one container done and one running, not ready',
    {
      phase: 'Running',
      containerStatuses: [
        { state: { terminated: { reason: 'Completed', exitCode: 0 } }, restartCount: 0 },
        running,
      ],
    },
    ['1/1', 'NotReady', '0'],
  ],
  [
    'a deleted pod',
    { phase: 'Running', containerStatuses: [running] },
    ['1/1', 'Terminating', '0'],
    {},
    { deletionTimestamp: 'x' },
  ],
  [
    'a deleted pod on a lost node',
    { phase: 'Running', reason: 'NodeLost' },
    ['0/1', 'Unknown', '0'],
    {},
    { deletionTimestamp: 'x' },
  ],
  [
    'the second of two init containers at work',
    {
      phase: 'Pending',
      initContainerStatuses: [
        { name: 'i', state: { terminated: { exitCode: 0 } }, restartCount: 0 },
        { name: 'j', state: { running: {} }, restartCount: 0 },
      ],
    },
    ['0/1', 'Init:1/2', '0'],
    { initContainers: [{ name: 'i' }, { name: 'j' }] },
  ],
  [
    'an init container that crashes',
    {
      phase: 'Pending',
      initContainerStatuses: [
        { name: 'i', state: { waiting: { reason: 'CrashLoopBackOff' } }, restartCount: 2 },
      ],
    },
    ['0/1', 'Init:CrashLoopBackOff', '2'],
    { initContainers: [{ name: 'i' }] },
  ],
  [
    'a sidecar counts as a container',
    {
      phase: 'Running',
      conditions: [{ type: 'Initialized', status: 'True' }],
      initContainerStatuses: [
        { name: 's', started: true, ready: true, state: { running: {} }, restartCount: 0 },
      ],
      containerStatuses: [running],
    },
    ['2/2', 'Running', '0'],
    { initContainers: [{ name: 's', restartPolicy: 'Always' }] },
  ],
];

describe('a row of kubectl get pods', () => {
  for (const [sentence, status, cells, spec, metadata] of cases) {
    it(sentence, () => {
      expect(row(status, spec, metadata)).toEqual(cells);
    });
  }
});
