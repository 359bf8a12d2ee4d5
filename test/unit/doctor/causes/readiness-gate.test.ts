import { describe, expect } from 'vitest';
import { readinessFailing } from '#src/doctor/causes/readiness-failing.js';
import { crashSnapshot, failingPod, readyFor } from '../findings/crashes/build.js';
import { expectFindings, has, type Row } from './run-rule.js';

const gate = 'target-health.example.com/web';

interface GateShape {
  readonly status?: string;
  readonly containersReady?: string;
  readonly seconds?: number;
  readonly isReady?: boolean;
  readonly message?: string;
  /** As a description shows conditions. */
  readonly isWithoutTimes?: boolean;
}

function gated({
  status,
  containersReady = 'True',
  seconds = 900,
  isReady = false,
  message = '',
  isWithoutTimes = false,
}: GateShape) {
  const pod = failingPod({ status: readyFor(seconds) });
  const [ready] = pod.status.conditions;
  if (ready === undefined) throw new Error('the pod has no condition');
  const { lastTransitionTime } = ready;
  const condition = (type: string, value: string, reason = '', said = '') => ({
    ...ready,
    type,
    status: value,
    reason,
    message: said,
    lastTransitionTime: isWithoutTimes ? undefined : lastTransitionTime,
  });
  const conditions = [
    condition('ContainersReady', containersReady),
    isReady ? condition('Ready', 'True') : condition('Ready', 'False', 'ReadinessGatesNotReady'),
    ...(status === undefined ? [] : [condition(gate, status, '', message)]),
  ];
  const spec = { ...pod.spec, readinessGates: [{ conditionType: gate }] };
  const containerStatuses = pod.status.containerStatuses.map((each) => ({
    ...each,
    state: { ...each.state, running: { startedAt: lastTransitionTime ?? '' } },
  }));
  return crashSnapshot({
    pods: [{ ...pod, spec, status: { ...pod.status, conditions, containerStatuses } }],
  });
}

const closed = (key: string) => ({
  confidence: 'proven',
  severity: 'critical',
  steps: has(expect.objectContaining({ key, values: expect.objectContaining({ gate }) })),
});

describe('a readiness gate', () => {
  expectFindings<GateShape>(readinessFailing, gated, [
    ['is reported where no controller has set it', {}, closed('gate-missing')],
    ...['False', 'Unknown'].map(
      (status): Row<GateShape> => [
        `is reported where its condition is ${status}`,
        { status },
        closed('gate-status'),
      ],
    ),
    [
      'is reported with what its controller says',
      { status: 'False', message: 'Health checks failed' },
      {
        steps: has(
          expect.objectContaining({ key: 'gate-says', values: { message: 'Health checks failed' } }),
        ),
      },
    ],
    [
      'is reported of a description, whose conditions have no times, long after the containers started',
      { status: 'False', isWithoutTimes: true },
      closed('gate-status'),
    ],
    [
      'is not reported of a description whose containers started a moment ago',
      { status: 'False', isWithoutTimes: true, seconds: 400 },
    ],
    ['is not reported where it is open', { status: 'True', isReady: true }],
    ['is not reported where it is open, and the kubelet has not observed it yet', { status: 'True' }],
    ['is not reported where the containers are not ready', { containersReady: 'False' }],
    ['is not reported where the containers became ready a moment ago', { seconds: 60 }],
  ]);
});
