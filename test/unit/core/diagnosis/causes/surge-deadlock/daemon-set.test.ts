import { describe, expect, it } from 'vitest';
import type { Node } from '#src/core/cluster/node.js';
import type { Pod } from '#src/core/cluster/pod.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { surgeDeadlock as rule } from '#src/core/diagnosis/causes/surge-deadlock/rule.js';
import { text } from '#src/core/diagnosis/causes/surge-deadlock/text.js';
import { planPatchStrategy } from '#src/core/remediation/kinds/patch-strategy/plan.js';
import type { PatchStrategy } from '#src/core/remediation/kinds/patch-strategy/record.js';
import { planUndo } from '#src/core/remediation/plan-undo.js';
import { node } from '#support/placement-builders.js';
import { planned } from '#support/remediation-builders.js';
import { buildPod, type PodFields } from '#support/rollout-builders.js';
import { buildStateOf, pending, type SetFields } from '../../../rollout/daemon-set-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

const port = (requests: Record<string, string> = {}) => ({
  containers: [
    { name: 'app', image: 'agent:1', resources: { requests }, ports: [{ containerPort: 80, hostPort: 80 }] },
  ],
});

interface Shape {
  readonly set?: SetFields;
  readonly nodes?: readonly Node[];
  /** Nodes whose new pod waits. */
  readonly waits?: readonly string[];
  readonly old?: Partial<PodFields>;
  readonly spec?: object;
  readonly others?: readonly Pod[];
}

/** `shop/agent` with a host port on n-0, n-1 and n-2; on n-0 a new pod waits beside the old one. */
function surging({ set, nodes, waits = ['n-0'], old, spec = port(), others = [] }: Shape = {}): Snapshot {
  const all = nodes ?? ['n-0', 'n-1', 'n-2'].map((name) => node(name));
  const owner = { kind: 'DaemonSet', name: 'agent', uid: 'agent-uid' };
  const state = buildStateOf({ maxSurge: 1, spec, ...set }, [
    ...all.map(({ metadata }) => [metadata.name, 1, { owner, spec, ...old }] as const),
    ...waits.map((name) => {
      const { affinity } = (pending(name).spec ?? {}) as { affinity: object };
      return [name, 2, { owner, node: undefined, spec: { ...spec, affinity } }] as const;
    }),
  ]);
  const { daemonSet } = state;
  const workload = {
    ...daemonSet,
    status: { ...daemonSet.status, observedGeneration: 2, desiredNumberScheduled: 3, numberReady: 3 },
  };
  const owned = state.controllerRevisions.map((revision) => ({
    ...revision,
    metadata: {
      ...revision.metadata,
      namespace: 'shop',
      ownerReferences: [{ apiVersion: 'apps/v1', ...owner, controller: true }],
    },
  }));
  return snapshotOf(workload, { ControllerRevision: owned, Pod: [...state.pods, ...others], Node: all });
}

describe('a DaemonSet that surges beside its own host port', () => {
  it('is deadlocked with proof, with the old pod of that node', () => {
    const finding = mustFind(rule, surging());

    expect(finding).toMatchObject({
      confidence: 'proven',
      resource: 'hostPort',
      subject: { kind: 'DaemonSet', name: 'agent' },
      nodes: ['n-0'],
      holders: [{ name: 'n-0-v1' }],
    });
    expect(keysOf(finding.reasoning)).toContain('strategy-surges');
    expect(finding.ruledOut.map(({ cause }) => cause)).not.toContain('rollout-paused');
  });

  it('is described in both languages, with the strategy for the manifest', () => {
    const finding = mustFind(rule, surging());
    const { en, ko } = renderFinding(finding, text);

    expect(en.join('\n')).toContain('The strategy updates 1 of 3 nodes at a time, and 1 is stuck.');
    expect(ko).toHaveLength(en.length);
    expect(finding.advice[0]?.snippet).toContain('updateStrategy');
  });

  it('lists the old pods of all stuck nodes', () => {
    const finding = mustFind(rule, surging({ set: { maxSurge: 2 }, waits: ['n-0', 'n-2'] }));

    expect(finding.nodes).toEqual(['n-0', 'n-2']);
    expect(finding.holders.map(({ name }) => name)).toEqual(['n-0-v1', 'n-2-v1']);
  });

  it.each([
    ['a resource that fills the node', { cpu: '3' }, 'cpu'],
    ['memory that fills the node', { memory: '5Gi' }, 'memory'],
  ])('is deadlocked for %s', (_, requests, resource) => {
    const spec = { containers: [{ name: 'app', image: 'agent:1', resources: { requests } }] };

    expect(mustFind(rule, surging({ spec }))).toMatchObject({ resource, confidence: 'proven' });
  });
});

describe('the fix of a DaemonSet deadlock', () => {
  const snapshot = surging();
  const patch = mustFind(rule, snapshot).remediations.find(
    (each): each is PatchStrategy => each.kind === 'patch-strategy',
  );

  it('stops the old pod first, one node at a time', () => {
    expect(patch).toMatchObject({
      strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 },
      prediction: { ends: 'complete' },
      price: { downtime: { kind: 'reduced', readyAtLeast: 2, replicas: 3 } },
    });
    expect(keysOf(patch?.effects ?? [])).toEqual(
      expect.arrayContaining(['stops-first', 'then-placed', 'then-node-by-node', 'stays']),
    );
    expect(patch?.effects[0]?.values).toMatchObject({ pods: ['n-0-v1'] });
  });

  it('is planned as a patch of updateStrategy, with its undo', () => {
    if (patch === undefined) throw new Error('nothing is offered');
    const plan = planned(planPatchStrategy(patch, snapshot));

    expect(plan.target).toMatchObject({ kind: 'DaemonSet', name: 'agent' });
    expect(plan.request).toEqual({
      verb: 'patch',
      patchType: 'merge',
      body: {
        spec: {
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
        },
      },
    });
    expect(plan.undo?.request).toMatchObject({
      body: {
        spec: {
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        },
      },
    });
    const after = surging({ set: { maxSurge: 0, maxUnavailable: 1 } });
    if (plan.undo === undefined) throw new Error('no undo');
    expect(planUndo(patch.id, plan.undo, after).type).toBe('plan');
    expect(planUndo(patch.id, plan.undo, surging({ set: { maxSurge: 2 } }))).toMatchObject({
      reason: 'drifted',
    });
  });

  it('is refused when it is in effect already, and as Recreate, which DaemonSets do not have', () => {
    if (patch === undefined) throw new Error('nothing is offered');
    const after = surging({ set: { maxSurge: 0, maxUnavailable: 1 } });

    expect(planPatchStrategy(patch, after)).toMatchObject({ reason: 'already-applied' });
    expect(planPatchStrategy({ ...patch, strategy: { type: 'Recreate' } }, snapshot)).toMatchObject({
      reason: 'not-applicable',
    });
  });

  it('is never a restart, an excluded node or a smaller ReplicaSet', () => {
    const { remediations, withheld } = mustFind(rule, snapshot);

    expect(remediations.map(({ kind }) => kind)).not.toEqual(
      expect.arrayContaining(['scale-down-old', 'restart-rollout', 'exclude-nodes']),
    );
    expect(withheld.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['restart-rollout', 'exclude-nodes']),
    );
  });
});

describe('no DaemonSet deadlock is reported', () => {
  it.each<readonly [string, Shape]>([
    ['when the old pod is not ready: the controller deletes it', { old: { ready: false } }],
    ['when the old pod is terminating', { old: { terminating: true } }],
    ['without surge', { set: { maxSurge: 0, maxUnavailable: 1 } }],
    ['under OnDelete', { set: { onDelete: true } }],
    ['when the new pod fits beside the old one', { spec: { containers: [{ name: 'app', image: 'a' }] } }],
    ['while more nodes may still surge', { set: { maxSurge: 2 } }],
    ['when no new pod is pending', { waits: [] }],
    [
      'when a pod of another workload uses the port',
      {
        spec: { containers: [{ name: 'app', image: 'agent:1', resources: { requests: { cpu: '1' } } }] },
        others: [
          buildPod({
            name: 'other',
            owner: { kind: 'Job', name: 'other', uid: 'other-uid' },
            node: 'n-0',
            labels: { app: 'other' },
            spec: { containers: [{ name: 'a', image: 'a', resources: { requests: { cpu: '3500m' } } }] },
          }),
        ],
        nodes: [node('n-0', { allocatable: { cpu: '2' } }), node('n-1'), node('n-2')],
      },
    ],
  ])('%s', (_, shape) => {
    expect(foundBy(rule, surging(shape))).toBeUndefined();
  });
});
