import { describe, expect } from 'vitest';
import { evictedByKueue } from '#src/doctor/causes/evicted-by-kueue.js';
import type { Event } from '#src/engine/objects/event.js';
import { ago, buildDeployment, buildPod, buildReplicaSet } from '../../../support/rollout-builders.js';
import { buildStateOf } from '../../../support/stateful-set-builders.js';
import { event, type Fields, snapshotWith } from '../findings/waiting/build.js';
import { expectFindings, has, snapshotOf } from './run-rule.js';

interface Eviction {
  readonly pod?: string;
  /** Seconds ago. */
  readonly admitted?: number | undefined;
  readonly stopped: number;
  readonly reason?: string | undefined;
  readonly component?: string;
  readonly said?: string;
}

/** The events that Kueue 0.19.2 writes when it admits a pod and evicts it later. */
function eviction({ pod = 'web-2-aaaaa', stopped, ...more }: Eviction): readonly Event[] {
  const {
    component = 'pod-kueue-controller',
    said = `Exceeded the PodsReady timeout shop/pod-${pod}-1a2b3`,
  } = more;
  const { reason = 'PodsReadyTimeout', admitted = stopped + 300 } = more;
  const about = { kind: 'Pod', name: pod, uid: `${pod}-${stopped}` };
  const workload = { kind: 'Workload', name: `pod-${pod}-1a2b3`, uid: `w-${pod}-${stopped}` };
  return [
    ...('admitted' in more && more.admitted === undefined
      ? []
      : [event({ about, component, reason: 'Started', message: 'Admitted', secondsAgo: admitted })]),
    event({ about, component, reason: 'Stopped', message: said, secondsAgo: stopped }),
    ...('reason' in more && more.reason === undefined
      ? []
      : [event({ about: workload, reason: `EvictedDueTo${reason}`, message: said, secondsAgo: stopped })]),
  ];
}

const first = eviction({ stopped: 700 });
const second = eviction({ pod: 'web-2-bbbbb', stopped: 390 });
const updating = buildDeployment({ status: { replicas: 2, updatedReplicas: 1, readyReplicas: 1 } });
const starting = buildPod({ name: 'web-2-ccccc', owner: { name: 'web-2', uid: 'web-2-uid' }, ready: false });

/** Kueue evicted two new pods, five minutes after it had admitted each; the third one is starting. */
const evictedTwice = (change: Fields) =>
  snapshotWith({
    workload: updating,
    ReplicaSet: [
      buildReplicaSet({ revision: 1, replicas: 1, available: 1 }),
      buildReplicaSet({ revision: 2, replicas: 1 }),
    ],
    Pod: [buildPod({ name: 'web-1-ddddd' }), starting],
    Event: [...first, ...second],
    ...change,
  });

describe('pods that Kueue evicts one after another', () => {
  expectFindings<Fields>(evictedByKueue, evictedTwice, [
    [
      'are found, with the reason and the time that each pod had',
      {},
      {
        confidence: 'likely',
        facts: {
          pods: ['web-2-aaaaa', 'web-2-bbbbb'],
          reason: 'PodsReadyTimeout',
          admittedSeconds: 300,
          lastSeconds: 390,
          presentPods: ['web-2-ccccc'],
        },
        reasoning: has('ready-timeout', 'no-back-off'),
        advice: ['advice-start-title', 'advice-timeout-title'],
        doubts: ['may-start'],
        withheld: has('restart-rollout'),
      },
    ],
    [
      'are found with another reason, with the words of Kueue and without advice about the timeout',
      {
        Event: [
          ...eviction({ stopped: 700, reason: 'NodeFailures', said: 'node gpu-a failed' }),
          ...eviction({
            pod: 'web-2-bbbbb',
            stopped: 390,
            reason: 'NodeFailures',
            said: 'node gpu-b failed',
          }),
        ],
      },
      { facts: expect.objectContaining({ reason: 'NodeFailures' }), advice: ['advice-reason-title'] },
    ],
    [
      'are found between two pods as well',
      { Pod: [buildPod({ name: 'web-1-ddddd' })] },
      { doubts: ['none-now'] },
    ],
    ['are no finding after one eviction', { Event: first }],
    [
      'are no finding where several replicas were evicted once',
      { Event: [...first, ...eviction({ pod: 'web-2-bbbbb', stopped: 690 })] },
    ],
    [
      'are no finding where the admission of the second pod is not known',
      { Event: [...first, ...eviction({ pod: 'web-2-bbbbb', stopped: 390, admitted: undefined })] },
    ],
    [
      'are no finding where the reasons differ',
      {
        Event: [
          ...first,
          ...eviction({ pod: 'web-2-bbbbb', stopped: 390, reason: 'Preempted', said: 'for x' }),
        ],
      },
    ],
    [
      'are no finding where people deleted the Workloads',
      {
        Event: [
          ...eviction({ stopped: 700, reason: undefined, said: 'Workload is deleted' }),
          ...eviction({ pod: 'web-2-bbbbb', stopped: 390, reason: undefined, said: 'Workload is deleted' }),
        ],
      },
    ],
    [
      'are no finding where another controller stopped them',
      {
        Event: [
          ...eviction({ stopped: 700, component: 'example-controller' }),
          ...eviction({ pod: 'web-2-bbbbb', stopped: 390, component: 'example-controller' }),
        ],
      },
    ],
    [
      'are no finding where the pods are of the former revision',
      {
        Event: [
          ...eviction({ pod: 'web-1-aaaaa', stopped: 700 }),
          ...eviction({ pod: 'web-1-bbbbb', stopped: 390 }),
        ],
      },
    ],
    [
      'are no finding once the rollout is complete',
      { workload: buildDeployment({ status: { replicas: 1, updatedReplicas: 1, readyReplicas: 1 } }) },
    ],
    [
      'are no finding an hour later',
      {
        Event: [...eviction({ stopped: 7_600 }), ...eviction({ pod: 'web-2-bbbbb', stopped: 7_200 })],
      },
    ],
  ]);
});

/** Kueue evicted the last pod of `shop/db` twice; its update revision is this old. */
function evictedOrdinal({ revisionAge = 1_100 }: { readonly revisionAge?: number }) {
  const owner = { kind: 'StatefulSet', name: 'db', uid: 'db-uid' };
  const state = buildStateOf({ replicas: 2, status: { replicas: 2, updatedReplicas: 1, readyReplicas: 1 } }, [
    [1, { owner }],
    [2, { owner, ready: false }],
  ]);
  const ownerReferences = [{ apiVersion: 'apps/v1', ...owner, controller: true }];
  return snapshotOf(state.statefulSet, {
    ControllerRevision: state.controllerRevisions.map((each, at) => ({
      ...each,
      metadata: {
        ...each.metadata,
        namespace: 'shop',
        ownerReferences,
        creationTimestamp: ago(at === 0 ? 90_000 : revisionAge),
      },
    })),
    Pod: state.pods,
    Event: [700, 390].flatMap((stopped) => eviction({ pod: 'db-1', stopped })),
  });
}

describe('pods of a StatefulSet, which keep their names', () => {
  expectFindings<{ readonly revisionAge?: number }>(evictedByKueue, evictedOrdinal, [
    ['are found by their uids', {}, { facts: expect.objectContaining({ pods: ['db-1'] }) }],
    ['are no finding where the revision is younger than the evicted pods', { revisionAge: 380 }],
  ]);
});
