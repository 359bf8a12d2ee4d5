import { describe, expect } from 'vitest';
import { resizePending } from '#src/doctor/causes/resize-pending/rule.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { node } from '../../../../support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type PodFields,
} from '../../../../support/rollout-builders.js';
import { expectFindings, has, type Row, snapshotOf } from '../run-rule.js';

interface Resize {
  readonly wants?: string;
  readonly has?: string;
  readonly reason?: string;
  readonly type?: string;
  readonly message?: string;
  /** Seconds. */
  readonly since?: number;
  readonly status?: Record<string, unknown>;
}

const asking = (cpu: string) => ({
  containers: [{ name: 'app', image: 'web:1', resources: { requests: { cpu } } }],
});

/** A running pod of `shop/web` on `n-a` whose cpu request is being changed. */
function resized(resize: Resize = {}, fields: Partial<PodFields> = {}): Pod {
  const { wants = '3', has: cpu = '1', reason = 'Deferred', type = 'PodResizePending', since = 600 } = resize;
  const { message = "Node didn't have enough resource: cpu, requested: 3000, used: 2000, capacity: 4000" } =
    resize;
  const conditions = [
    { type: 'Ready', status: 'True', lastTransitionTime: ago(5_000) },
    { type, status: 'True', reason, message, lastTransitionTime: ago(since) },
  ];
  const app = {
    name: 'app',
    ready: true,
    restartCount: 0,
    allocatedResources: { cpu },
    resources: { requests: { cpu } },
    state: { running: { startedAt: ago(5_000) } },
  };
  const status = { containerStatuses: [app], ...(resize.status ?? { conditions }) };
  return buildPod({ name: 'web-1-a', node: 'n-a', spec: asking(wants), status, ...fields });
}
const infeasible = (fields: Resize = {}) =>
  resized({
    reason: 'Infeasible',
    wants: '8',
    message: "Node didn't have enough capacity: cpu, requested: 8000, capacity: 4000",
    ...fields,
  });
const inProgress = (more: Resize) => resized({ type: 'PodResizeInProgress', reason: 'Error', ...more });
const other = buildPod({
  name: 'db-0',
  node: 'n-a',
  owner: { kind: 'StatefulSet', name: 'db', uid: 'db-uid' },
  spec: asking('2'),
});
const outdated = resized({
  status: {
    conditions: [
      {
        type: 'PodResizePending',
        status: 'True',
        reason: 'Infeasible',
        observedGeneration: 2,
        lastTransitionTime: ago(600),
      },
    ],
  },
});

interface World {
  readonly pods: readonly Pod[];
  /** Another node, with so much cpu. */
  readonly more?: string;
  readonly index?: Partial<Snapshot['index']>;
}

function cluster({ pods, more, index = {} }: World): Snapshot {
  const snapshot = snapshotOf(buildDeployment({ status: { readyReplicas: 1, availableReplicas: 1 } }), {
    ReplicaSet: [buildReplicaSet({ revision: 1, replicas: 1, available: 1 })],
    Node: [node('n-a'), ...(more === undefined ? [] : [node('n-b', { allocatable: { cpu: more } })])],
    Pod: pods,
  });
  return { ...snapshot, index: { ...snapshot.index, ...index } };
}

const users = [{ workload: 'shop/db', pods: 1, amount: '2' }];
const noSwap = 'Resize is infeasible for Guaranteed Pods alongside CPU Manager policy "static"';
const notWritten = 'failed to write "800000" to cpu.max';
const never = { confidence: 'proven', summary: 'summary-never' };

describe('a resize', () => {
  expectFindings<World>(resizePending, cluster, [
    [
      'that is deferred waits, with the pods that use the node and how much each uses',
      { pods: [resized(), other] },
      {
        confidence: 'likely',
        severity: 'warning',
        resource: 'cpu',
        nodes: ['n-a'],
        holders: ['db-0'],
        summary: 'summary-waits',
        nextAttempt: { what: { key: 'next-deferred' } },
        reasoning: ['asks', 'says', 'held-by', 'keeps-running'],
        arithmetic: has({ requested: '3', overhead: undefined, used: '2', free: '2', users, more: 0 }),
      },
    ],
    [
      'can never succeed where the request is larger than the node, whatever the kubelet reports',
      { pods: [resized({ wants: '8' }), other] },
      { ...never, reasoning: has('exceeds-node') },
    ],
    [
      'has a next retry where the node has enough free',
      { pods: [resized()] },
      { confidence: 'likely', holders: [], reasoning: has('room-now') },
    ],
    ...(
      [
        ['that was not recorded', { nodes: new Map() }],
        ['whose pods were not read', { podsReadOn: new Set<string>() }],
      ] as const
    ).map(
      ([what, index]): Row<World> => [
        `is at most possible on a node ${what}`,
        { pods: [resized()], index },
        { confidence: 'possible', doubts: ['node-unread'] },
      ],
    ),
    [
      'that is infeasible can never succeed on this node, proven by its capacity, and may elsewhere',
      { pods: [infeasible({ since: 5 }), other], more: '16' },
      {
        ...never,
        resource: 'cpu',
        nextAttempt: { what: { key: 'next-infeasible' } },
        withheld: ['restart-rollout', 'undo-rollout'],
        advice: ['advice-template-title', 'advice-less-title'],
        adviceValues: has({ nodes: ['n-b'] }),
        snippets: expect.stringMatching(/cpu: "8".*--subresource resize/s),
      },
    ],
    [
      'is not answered with a new template where such a pod fits on no node',
      { pods: [infeasible(), other] },
      { advice: ['advice-less-title'] },
    ],
    [
      'is likely refused where the kubelet has another reason than capacity',
      { pods: [infeasible({ wants: '2', message: noSwap })] },
      { confidence: 'likely', summary: 'summary-refused', quotes: has(expect.stringContaining(noSwap)) },
    ],
    ...['Infeasible', 'Deferred'].map(
      (resize): Row<World> => [
        `is read from status.resize of older kubelets: ${resize}`,
        { pods: [resized({ wants: '8', status: { resize } })] },
        { ...never, where: has('status.resize'), quotes: has(resize) },
      ],
    ),
    [
      'that the kubelet fails to make is reported',
      { pods: [inProgress({ message: notWritten, wants: '2', has: '2' })] },
      { confidence: 'likely', summary: 'summary-fails', quotes: has(expect.stringContaining(notWritten)) },
    ],
    ['that does not exist is not reported', { pods: [resized({ status: {} })] }],
    ['is not reported while it is deferred for a minute', { pods: [resized({ since: 60 }), other] }],
    ['is not reported while the kubelet performs it', { pods: [inProgress({ reason: '', message: '' })] }],
    [
      'is not reported while an older kubelet performs it',
      { pods: [resized({ status: { resize: 'InProgress' } })] },
    ],
    [
      'is not reported where the condition is about a request before the last one',
      { pods: [{ ...outdated, metadata: { ...outdated.metadata, generation: 3 } }] },
    ],
    ['is not reported where the pod is terminating', { pods: [resized({}, { terminating: true }), other] }],
    [
      'is not reported where the pod belongs to another workload',
      { pods: [resized({}, { owner: { name: 'api-1', uid: 'api-1-uid' } })] },
    ],
  ]);
});
