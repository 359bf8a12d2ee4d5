import { describe, expect } from 'vitest';
import { stuckTerminating } from '#src/doctor/causes/stuck-terminating/rule.js';
import type { Node } from '#src/engine/objects/node.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { Workload } from '#src/engine/objects/workload.js';
import { build } from '../../../../support/kubernetes-objects.js';
import { node } from '../../../../support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type PodFields,
} from '../../../../support/rollout-builders.js';
import { buildSet } from '../../../../support/stateful-set-builders.js';
import { expectFindings, has, lacks, snapshotOf, step } from '../run-rule.js';

/** A pod so many seconds past its own deadline. */
function leaving(finalizers: readonly string[], fields: Partial<PodFields> = {}, overdue = 600): Pod {
  const pod = buildPod({ name: 'web-1-old', ...fields });
  const deletion = { deletionTimestamp: ago(overdue), deletionGracePeriodSeconds: 30, finalizers };
  return { ...pod, metadata: { ...pod.metadata, ...deletion } };
}

const silent = {
  type: 'Ready',
  status: 'Unknown',
  reason: 'NodeStatusUnknown',
  lastTransitionTime: ago(1800),
};
const notReady = build('Node', 'n-a', { status: { allocatable: { pods: '10' }, conditions: [silent] } });
const owner = { name: 'web-2', uid: 'web-2-uid' };
const finalizer = 'example.com/drain';
const held = leaving([finalizer]);
const waiting = buildPod({ name: 'web-2-new', owner, node: undefined });
const foreign = leaving([finalizer], { name: 'cache-0', owner: { name: 'cache', uid: 'cache-uid' } });
const ended = { name: 'app', ready: false, restartCount: 0, state: { terminated: { exitCode: 0 } } };

interface Fields {
  readonly workload?: Workload;
  readonly pods: readonly Pod[];
  readonly nodes?: readonly Node[];
  readonly recreate?: boolean;
  readonly unseen?: Snapshot['unseen'];
}

/** `shop/web` with an old pod that is being deleted; without another new pod, one is ready. */
function stopping({ workload, pods, nodes = [node('n-a')], recreate = false, unseen = [] }: Fields) {
  const ReplicaSet = [
    buildReplicaSet({ revision: 1, replicas: 0 }),
    buildReplicaSet({ revision: 2, replicas: 1, available: 1 }),
  ];
  const Pod = [...pods, ...(pods.length > 1 ? [] : [buildPod({ name: 'web-2-new', owner })])];
  return workload === undefined
    ? snapshotOf(
        buildDeployment({ recreate, status: { readyReplicas: 1 } }),
        { ReplicaSet, Pod, Node: nodes },
        { unseen },
      )
    : snapshotOf(workload, { Pod: pods, Node: nodes });
}

describe('a pod past its grace period', () => {
  expectFindings<Fields>(stuckTerminating, stopping, [
    [
      'is held by its finalizers, which are named, with their owners, and is never deleted again',
      { pods: [held] },
      {
        confidence: 'proven',
        severity: 'warning',
        holders: ['web-1-old'],
        standing: { values: { overdueSeconds: 600 } },
        steps: has(step('removed-by', { finalizer, domain: 'example.com' })),
        reasoning: lacks('has-stopped'),
        snippets: expect.stringContaining('"path":"/metadata/finalizers"'),
        fixes: [],
        withheld: ['delete-pod', 'restart-rollout', 'undo-rollout'],
      },
    ],
    [
      'is known to run no program any more where its containers have ended',
      { pods: [leaving(['hold'], { status: { containerStatuses: [ended] } })] },
      { reasoning: ['deleted', 'finalizers', 'has-stopped', 'still-counts'] },
    ],
    [
      'is held by a node that does not respond',
      { pods: [leaving([])], nodes: [notReady] },
      {
        confidence: 'proven',
        nodes: ['n-a'],
        nextAttempt: { what: { key: 'next-node' } },
        steps: has(step('node-not-ready', { reason: 'NodeStatusUnknown', since: ago(1800) })),
        snippets: expect.stringContaining('kubectl taint node n-a node.kubernetes.io/out-of-service'),
      },
    ],
    [
      'is likely held by a deleted node, where the garbage collector has not run',
      { pods: [leaving([])], nodes: [node('n-b')] },
      {
        confidence: 'likely',
        reasoning: has('node-gone'),
        snippets: expect.stringContaining('--grace-period=0 --force'),
      },
    ],
    [
      'is possibly held by a node that could not be read',
      {
        pods: [leaving([])],
        nodes: [],
        unseen: [{ what: 'Node', namespace: '', because: 'forbidden', message: '' }],
      },
      { confidence: 'possible', doubts: ['node-unread'] },
    ],
    [
      'is critical where Recreate waits for it',
      { pods: [held], recreate: true },
      { severity: 'critical', reasoning: has('blocks-recreate') },
    ],
    [
      'is critical where a StatefulSet waits for it',
      {
        workload: buildSet({ replicas: 1 }),
        pods: [
          leaving([finalizer], { name: 'db-0', owner: { kind: 'StatefulSet', name: 'db', uid: 'db-uid' } }),
        ],
      },
      { severity: 'critical', reasoning: has('blocks-set') },
    ],
    [
      'of another workload is found where it blocks a pending pod',
      { pods: [foreign, waiting], nodes: [node('n-a', { allocatable: { pods: '1' } })] },
      {
        holders: ['cache-0'],
        steps: has(step('blocks-waiting', { pods: ['shop/cache-0'], waiting: 'web-2-new' })),
        summary: 'summary-foreign',
      },
    ],
    ['of another workload is not reported where it blocks nothing', { pods: [foreign, waiting] }],
    [
      'is not reported within its grace period, whatever holds it later',
      { pods: [leaving([finalizer], {}, -20)] },
    ],
    ['is not reported a few seconds past it', { pods: [leaving([finalizer], {}, 30)] }],
    ['is not reported on a ready node without finalizers: the kubelet ends it', { pods: [leaving([])] }],
    [
      'is not reported where it is not deleted',
      { pods: [buildPod({ name: 'web-1-old' })], nodes: [notReady] },
    ],
  ]);
});
