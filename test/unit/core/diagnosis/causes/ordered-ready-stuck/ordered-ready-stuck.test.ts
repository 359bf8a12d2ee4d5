import { describe, expect, it } from 'vitest';
import { orderedReadyStuck } from '#src/core/diagnosis/causes/ordered-ready-stuck/rule.js';
import { text } from '#src/core/diagnosis/causes/ordered-ready-stuck/text.js';
import { node } from '#support/placement-builders.js';
import type { PodFields } from '#support/rollout-builders.js';
import { buildStateOf, type SetFields } from '#support/stateful-set-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

type Spec = readonly [revision: number, fields?: Partial<PodFields>] | null;

const owner = { kind: 'StatefulSet', name: 'db', uid: 'db-uid' };

/** `shop/db`, whose template is revision 2 again; pods by ordinal. */
function snapshot(pods: readonly Spec[], fields: SetFields = {}) {
  const owned = pods.map((pod): Spec => (pod === null ? null : [pod[0], { owner, ...pod[1] }]));
  const status = { readyReplicas: pods.filter((pod) => pod !== null && pod[1]?.ready !== false).length };
  const state = buildStateOf({ replicas: pods.length, status, ...fields }, owned);
  return snapshotOf(state.statefulSet, {
    ControllerRevision: state.controllerRevisions.map((revision) => ({
      ...revision,
      metadata: {
        ...revision.metadata,
        namespace: 'shop',
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'db-uid', controller: true },
        ],
      },
    })),
    Pod: state.pods,
    Node: [node('n-a')],
  });
}

const broken: Partial<PodFields> = {
  ready: false,
  restarts: 6,
  status: {
    containerStatuses: [
      { name: 'app', ready: false, restartCount: 6, state: { waiting: { reason: 'CrashLoopBackOff' } } },
    ],
  },
};

/** db-2 crashes on revision 1, everything else runs revision 2. */
const stuck: readonly Spec[] = [[2], [2], [1, broken]];

describe('a StatefulSet that waits for a broken pod of a previous revision', () => {
  it('is proven by the simulation: it is stuck, and deleting that pod completes the rollout', () => {
    const finding = mustFind(orderedReadyStuck, snapshot(stuck));

    expect(finding).toMatchObject({
      confidence: 'proven',
      severity: 'critical',
      holders: [{ kind: 'Pod', name: 'db-2' }],
      nodes: ['n-a'],
      summary: { values: { workload: 'shop/db', pod: 'db-2' } },
      standing: { values: { forSeconds: 3600, ready: 2, wanted: 3 } },
    });
    expect(keysOf(finding.reasoning)).toEqual([
      'broken',
      'not-wanted',
      'waits-first',
      'would-become',
      'runs-well',
    ]);
    expect(finding.reasoning[0]?.values).toEqual({
      pod: 'db-2',
      revision: 'db-1',
      reason: 'CrashLoopBackOff',
      container: 'app',
    });
  });

  it('is described in both languages', () => {
    const { en, ko } = renderFinding(mustFind(orderedReadyStuck, snapshot(stuck)), text);

    expect(en).toContain('shop/db is stuck: it waits for db-2, which will never become ready');
    expect(ko).toHaveLength(en.length);
  });

  it('is fixed by deleting the pod, and not by another change of the template', () => {
    const { remediations, withheld } = mustFind(orderedReadyStuck, snapshot(stuck));

    expect(remediations).toMatchObject([{ kind: 'delete-pod', pod: 'db-2', purpose: 'unstick' }]);
    expect(withheld.map(({ kind }) => kind)).toEqual(['restart-rollout', 'undo-rollout']);
  });

  it('is reported for a pod without a node too', () => {
    const pending: Partial<PodFields> = { node: undefined, ready: false };
    const finding = mustFind(orderedReadyStuck, snapshot([[2], [2], [1, pending]]));

    expect(finding.reasoning[0]?.values).toMatchObject({ reason: 'Unschedulable', container: undefined });
    expect(finding.nodes).toEqual([]);
  });

  it('names the other pods to delete, and states that no pod shows whether the new revision works', () => {
    const finding = mustFind(orderedReadyStuck, snapshot([[1], [1, broken], [1, broken]]));

    expect(finding.holders).toMatchObject([{ name: 'db-1' }]);
    expect(keysOf(finding.reasoning)).toEqual([
      'broken',
      'not-wanted',
      'waits-first',
      'would-become',
      'untested',
      'more-like-it',
    ]);
    expect(finding.confidence).toBe('likely');
    expect(keysOf(finding.weakenedBy)).toEqual(['not-to-the-end']);
  });
});

describe('no stuck StatefulSet is reported for', () => {
  it.each<[string, readonly Spec[], SetFields?]>([
    ['a broken pod of the wanted revision: that revision fails', [[1], [1], [2, broken]]],
    ['Parallel, which does not wait', stuck, { parallel: true }],
    ['OnDelete, where a person replaces pods anyway', stuck, { onDelete: true }],
    ['a pod below the partition, which would come back as it is', [[1, broken], [1], [2]], { partition: 2 }],
    ['a pod that has only just started', [[2], [2], [1, { ready: false, age: 10 }]]],
    ['a pod that is being deleted', [[2], [2], [1, { ...broken, terminating: true }]]],
    ['an update that is in progress', [[1], [1], [2]]],
    ['pods that are all ready', [[2], [2], [2]]],
    ['a template that the controller has not observed yet', stuck, { status: { observedGeneration: 1 } }],
    ['a StatefulSet that is being deleted', stuck, { deleted: true }],
  ])('%s', (_, pods, fields) => {
    expect(foundBy(orderedReadyStuck, snapshot(pods, fields))).toBeUndefined();
  });
});
