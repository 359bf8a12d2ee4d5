import { describe, expect, it } from 'vitest';
import { Node } from '#src/core/cluster/node.js';
import type { Pod } from '#src/core/cluster/pod.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { stuckTerminating } from '#src/core/diagnosis/causes/stuck-terminating/rule.js';
import { text } from '#src/core/diagnosis/causes/stuck-terminating/text.js';
import { node } from '#support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type PodFields,
} from '#support/rollout-builders.js';
import { buildSet } from '#support/stateful-set-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

interface Leaving {
  /** Seconds past its own deadline. */
  readonly overdue?: number;
  readonly finalizers?: readonly string[];
}

function terminatingPod({ overdue = 600, finalizers = [] }: Leaving, fields: Partial<PodFields> = {}): Pod {
  const pod = buildPod({ name: 'web-1-old', ...fields });
  const deletion = {
    deletionTimestamp: ago(overdue),
    deletionGracePeriodSeconds: 30,
    finalizers: [...finalizers],
  };
  return { ...pod, metadata: { ...pod.metadata, ...deletion } };
}

const notReady = Node.parse({
  metadata: { name: 'n-a' },
  status: {
    allocatable: { pods: '10' },
    conditions: [
      {
        type: 'Ready',
        status: 'Unknown',
        reason: 'NodeStatusUnknown',
        lastTransitionTime: '2026-11-20T09:00:00Z',
      },
    ],
  },
});

const finalizer = 'example.com/drain';

interface Fields {
  readonly pod?: Pod;
  readonly nodes?: readonly Node[];
  readonly recreate?: boolean;
  readonly others?: readonly Pod[];
  readonly unseen?: Snapshot['unseen'];
}

/** `shop/web` with an old pod that is being deleted, and one ready new pod. */
function snapshot({
  pod = terminatingPod({}),
  nodes = [node('n-a')],
  recreate = false,
  others = [],
  unseen = [],
}: Fields) {
  const workload = buildDeployment({ replicas: 1, recreate, status: { readyReplicas: 1 } });
  const sets = [
    buildReplicaSet({ revision: 1, replicas: 0 }),
    buildReplicaSet({ revision: 2, replicas: 1, available: 1 }),
  ];
  const fresh = buildPod({ name: 'web-2-new', owner: { name: 'web-2', uid: 'web-2-uid' } });
  return snapshotOf(
    workload,
    { ReplicaSet: sets, Pod: [pod, ...(others.length > 0 ? others : [fresh])], Node: nodes },
    { unseen },
  );
}

const find = (fields: Fields) => mustFind(stuckTerminating, snapshot(fields));

describe('a pod past its grace period', () => {
  it('is held by its finalizers, which are named, with their owners', () => {
    const finding = find({ pod: terminatingPod({ finalizers: [finalizer] }) });

    expect(finding).toMatchObject({
      confidence: 'proven',
      severity: 'warning',
      holders: [{ kind: 'Pod', name: 'web-1-old' }],
      standing: { values: { overdueSeconds: 600 } },
    });
    expect(finding.reasoning.find(({ key }) => key === 'removed-by')?.values).toEqual({
      finalizer,
      domain: 'example.com',
    });
    expect(finding.advice[0]?.snippet).toContain('"path":"/metadata/finalizers"');
    expect(keysOf(finding.reasoning)).not.toContain('has-stopped');
  });

  it('is known to run no program any more when its containers have ended', () => {
    const ended = {
      containerStatuses: [
        { name: 'app', ready: false, restartCount: 0, state: { terminated: { exitCode: 0 } } },
      ],
    };
    const { reasoning } = find({ pod: terminatingPod({ finalizers: ['hold'] }, { status: ended }) });

    expect(keysOf(reasoning)).toEqual(['deleted', 'finalizers', 'has-stopped', 'still-counts']);
  });

  it('is held by a node that does not respond', () => {
    const finding = find({ nodes: [notReady] });

    expect(finding).toMatchObject({
      confidence: 'proven',
      nodes: ['n-a'],
      nextAttempt: { what: { key: 'next-node' } },
    });
    expect(finding.reasoning[1]).toMatchObject({
      key: 'node-not-ready',
      values: { reason: 'NodeStatusUnknown', since: '2026-11-20T09:00:00Z' },
    });
    expect(finding.advice[0]?.snippet).toContain('kubectl taint node n-a node.kubernetes.io/out-of-service');
  });

  it('is likely held by a deleted node, where the garbage collector has not run', () => {
    const finding = find({ nodes: [node('n-b')] });

    expect(finding.confidence).toBe('likely');
    expect(keysOf(finding.reasoning)).toContain('node-gone');
    expect(finding.advice[0]?.snippet).toContain('--grace-period=0 --force');
  });

  it('is possibly held by a node that could not be read', () => {
    const finding = find({
      nodes: [],
      unseen: [{ what: 'Node', namespace: '', because: 'forbidden', message: '' }],
    });

    expect(finding).toMatchObject({ confidence: 'possible', weakenedBy: [{ key: 'node-unread' }] });
  });

  it('is critical where Recreate waits for it', () => {
    const finding = find({ pod: terminatingPod({ finalizers: [finalizer] }), recreate: true });

    expect(finding.severity).toBe('critical');
    expect(keysOf(finding.reasoning)).toContain('blocks-recreate');
  });

  it('is critical where a StatefulSet waits for it', () => {
    const owner = { kind: 'StatefulSet', name: 'db', uid: 'db-uid' };
    const pods = [terminatingPod({ finalizers: [finalizer] }, { name: 'db-0', owner })];
    const finding = mustFind(
      stuckTerminating,
      snapshotOf(buildSet({ replicas: 1 }), { Pod: pods, Node: [node('n-a')] }),
    );

    expect(finding.severity).toBe('critical');
    expect(keysOf(finding.reasoning)).toContain('blocks-set');
  });

  it('of another workload is found where it blocks a pending pod', () => {
    const foreign = terminatingPod(
      { finalizers: [finalizer] },
      { name: 'cache-0', owner: { name: 'cache', uid: 'cache-uid' } },
    );
    const waiting = buildPod({
      name: 'web-2-new',
      owner: { name: 'web-2', uid: 'web-2-uid' },
      node: undefined,
    });
    const full = [node('n-a', { allocatable: { pods: '1' } })];
    const finding = find({ pod: foreign, nodes: full, others: [waiting] });

    expect(finding.holders).toMatchObject([{ name: 'cache-0' }]);
    expect(finding.reasoning).toContainEqual(
      expect.objectContaining({
        key: 'blocks-waiting',
        values: { pods: ['shop/cache-0'], waiting: 'web-2-new' },
      }),
    );
    expect(finding.summary).toMatchObject({ key: 'summary-foreign', values: { pods: ['shop/cache-0'] } });
    expect(foundBy(stuckTerminating, snapshot({ pod: foreign, others: [waiting] }))).toBeUndefined();
  });

  it('is described in both languages, and never deleted again', () => {
    const finding = find({ pod: terminatingPod({ finalizers: [finalizer] }), recreate: true });
    const { en, ko } = renderFinding(finding, text);

    expect(en).toContain('web-1-old of shop/web is stuck in termination');
    expect(ko).toHaveLength(en.length);
    expect(finding.remediations).toEqual([]);
    expect(finding.withheld.map(({ kind }) => kind)).toEqual([
      'delete-pod',
      'restart-rollout',
      'undo-rollout',
    ]);
  });
});

describe('no stuck termination is reported for', () => {
  it.each<[string, Fields]>([
    [
      'a pod within its grace period, whatever holds it later',
      { pod: terminatingPod({ overdue: -20, finalizers: [finalizer] }) },
    ],
    ['a pod a few seconds past it', { pod: terminatingPod({ overdue: 30, finalizers: [finalizer] }) }],
    ['a pod past it on a ready node without finalizers: the kubelet ends it', { pod: terminatingPod({}) }],
    ['a pod that is not deleted', { pod: buildPod({ name: 'web-1-old' }), nodes: [notReady] }],
  ])('%s', (_, fields) => {
    expect(foundBy(stuckTerminating, snapshot(fields))).toBeUndefined();
  });
});
