import { describe, expect, it } from 'vitest';
import { surgeDeadlock as rule } from '#src/doctor/causes/surge-deadlock/rule.js';
import { planPatchStrategy } from '#src/doctor/fixes/kinds/patch-strategy/kind.js';
import { planUndo } from '#src/doctor/fixes/plan-undo.js';
import type { Node } from '#src/engine/objects/node.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { node } from '../../../../support/placement-builders.js';
import { planned } from '../../../../support/remediation-builders.js';
import { buildPod, type PodFields } from '../../../../support/rollout-builders.js';
import { isDeadlocked } from '../../../../support/shown-words.js';
import { buildStateOf, pending, type SetFields } from '../../../engine/workloads/daemon-set-builders.js';
import { expectFindings, has, lacks, mustFind, snapshotOf } from '../run-rule.js';

const asking = (requests: Record<string, string>, more: object = {}) => ({
  containers: [{ name: 'app', image: 'agent:1', resources: { requests }, ...more }],
});
const port = asking({}, { ports: [{ containerPort: 80, hostPort: 80 }] });

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
function surging({ set, nodes, waits = ['n-0'], old, spec = port, others = [] }: Shape = {}): Snapshot {
  const all = nodes ?? ['n-0', 'n-1', 'n-2'].map((name) => node(name));
  const owner = { kind: 'DaemonSet', name: 'agent', uid: 'agent-uid' };
  const state = buildStateOf({ maxSurge: 1, spec, ...set }, [
    ...all.map(({ metadata }) => [metadata.name, 1, { owner, spec, ...old }] as const),
    ...waits.map(
      (name) => [name, 2, { owner, node: undefined, spec: { ...spec, ...pending(name).spec } }] as const,
    ),
  ]);
  const status = { observedGeneration: 2, desiredNumberScheduled: 3, numberReady: 3 };
  const ownerReferences = [{ apiVersion: 'apps/v1', ...owner, controller: true }];
  return snapshotOf(
    { ...state.daemonSet, status: { ...state.daemonSet.status, ...status } },
    {
      ControllerRevision: state.controllerRevisions.map((revision) => ({
        ...revision,
        metadata: { ...revision.metadata, namespace: 'shop', ownerReferences },
      })),
      Pod: [...state.pods, ...others],
      Node: all,
    },
  );
}

const stopsFirst = { maxSurge: 0, maxUnavailable: 1 };
const bodyOf = (bounds: object) => ({
  spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: bounds } },
});

describe('a DaemonSet that surges beside its own host port', () => {
  expectFindings<Shape>(rule, surging, [
    [
      `${isDeadlocked} with proof, and freed by stopping the old pod first, one node at a time`,
      {},
      {
        confidence: 'proven',
        resource: 'hostPort',
        subject: { kind: 'DaemonSet', name: 'agent' },
        nodes: ['n-0'],
        holders: ['n-0-v1'],
        reasoning: has('strategy-surges'),
        ruledOut: lacks('rollout-paused'),
        snippets: expect.stringContaining('updateStrategy'),
        fixes: ['patch-strategy'],
        fix: {
          strategy: { type: 'RollingUpdate', ...stopsFirst },
          prediction: { ends: 'complete' },
          price: { downtime: { kind: 'reduced', readyAtLeast: 2, replicas: 3 } },
          effects: has(
            expect.objectContaining({
              key: 'stops-first',
              values: expect.objectContaining({ pods: ['n-0-v1'] }),
            }),
            ...['new-pod-placed', 'then-node-by-node', 'stays'].map((key) =>
              expect.objectContaining({ key }),
            ),
          ),
        },
        withheld: has('restart-rollout', 'exclude-nodes'),
      },
    ],
    [
      `${isDeadlocked} on all stuck nodes`,
      { set: { maxSurge: 2 }, waits: ['n-0', 'n-2'] },
      { nodes: ['n-0', 'n-2'], holders: ['n-0-v1', 'n-2-v1'] },
    ],
    ['fills the node', { spec: asking({ cpu: '3' }) }, { resource: 'cpu', confidence: 'proven' }],
    ['fills its memory', { spec: asking({ memory: '5Gi' }) }, { resource: 'memory', confidence: 'proven' }],
    ['has an old pod that is not ready: the controller deletes it', { old: { ready: false } }],
    ['has an old pod that terminates', { old: { terminating: true } }],
    [
      `${isDeadlocked}, but likely where the old pod restarted before: unready for a moment, it is deleted`,
      { old: { restarts: 1 } },
      { confidence: 'likely', doubts: ['daemon-pods-restart'] },
    ],
    ['does not surge', { set: stopsFirst }],
    ['is updated by hand', { set: { onDelete: true } }],
    ['has a new pod that fits beside the old one', { spec: asking({}) }],
    ['may still surge on more nodes', { set: { maxSurge: 2 } }],
    ['has no pending pod', { waits: [] }],
    [
      'has a new pod that another workload keeps out',
      {
        spec: asking({ cpu: '1' }),
        others: [
          buildPod({
            name: 'other',
            owner: { kind: 'Job', name: 'other', uid: 'other-uid' },
            node: 'n-0',
            labels: { app: 'other' },
            spec: asking({ cpu: '3500m' }),
          }),
        ],
        nodes: [node('n-0', { allocatable: { cpu: '2' } }), node('n-1'), node('n-2')],
      },
    ],
  ]);

  it('is patched in updateStrategy, with an undo, once, and never with Recreate', () => {
    const snapshot = surging();
    const [patch] = mustFind(rule, snapshot).remediations;
    if (patch?.kind !== 'patch-strategy') throw new Error('nothing is offered');
    const { target, request, undo } = planned(planPatchStrategy(patch, snapshot));
    const after = surging({ set: stopsFirst });

    expect(target).toMatchObject({ kind: 'DaemonSet', name: 'agent' });
    expect(request).toEqual({ verb: 'patch', patchType: 'merge', body: bodyOf(stopsFirst) });
    if (undo === undefined) throw new Error('no undo');
    expect(undo.request).toMatchObject({ body: bodyOf({ maxSurge: 1, maxUnavailable: 0 }) });
    expect(planUndo(patch.id, undo, after).type).toBe('plan');
    expect(planUndo(patch.id, undo, surging({ set: { maxSurge: 2 } }))).toMatchObject({ reason: 'drifted' });
    expect(planPatchStrategy(patch, after)).toMatchObject({ reason: 'already-applied' });
    const recreate = { ...patch, strategy: { type: 'Recreate' } } as const;
    expect(planPatchStrategy(recreate, snapshot)).toMatchObject({ reason: 'not-applicable' });
  });
});
