import { describe, expect, it } from 'vitest';
import { orderedReadyStuck } from '#src/doctor/causes/ordered-ready-stuck/rule.js';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import { node } from '../../../../support/placement-builders.js';
import type { PodFields } from '../../../../support/rollout-builders.js';
import { buildStateOf, type SetFields } from '../../../../support/stateful-set-builders.js';
import { expectFindings, has, lacks, snapshotOf } from '../run-rule.js';

type Pods = readonly (readonly [revision: number, fields?: Partial<PodFields>])[];
interface Fields extends SetFields {
  readonly pods?: Pods;
  /** The version of the API server. */
  readonly server?: string;
}

const owner = { kind: 'StatefulSet', name: 'db', uid: 'db-uid' };
const crashing = {
  name: 'app',
  ready: false,
  restartCount: 6,
  state: { waiting: { reason: 'CrashLoopBackOff' } },
};
const broken = { ready: false, restarts: 6, status: { containerStatuses: [crashing] } };
/** The state in which a crash loop is for most of its back-off. */
const down = { ...crashing, state: { terminated: { exitCode: 1, reason: 'Error' } } };
const brokenBetween = { ...broken, status: { containerStatuses: [down] } };
const pending = { node: undefined, ready: false };

/**
 * `shop/db`, whose template is revision 2 again, by ordinal; db-2 crashes on revision 1, the others run
 * revision 2.
 */
function stuck({ pods = [[2], [2], [1, broken]], server = '', ...fields }: Fields) {
  const status = { readyReplicas: pods.filter(([, pod]) => pod?.ready !== false).length };
  const owned = pods.map(([revision, pod]) => [revision, { owner, ...pod }] as const);
  const state = buildStateOf({ replicas: pods.length, status, ...fields }, owned);
  const ownerReferences = [{ apiVersion: 'apps/v1', ...owner, controller: true }];
  const serverVersion = parseServerVersion(server);
  const snapshot = snapshotOf(state.statefulSet, {
    ControllerRevision: state.controllerRevisions.map((revision) => ({
      ...revision,
      metadata: { ...revision.metadata, namespace: 'shop', ownerReferences },
    })),
    Pod: state.pods,
    Node: [node('n-a')],
  });
  return serverVersion === undefined
    ? snapshot
    : { ...snapshot, index: { ...snapshot.index, serverVersion } };
}

describe('a StatefulSet that waits for a broken pod of a previous revision', () => {
  expectFindings<Fields>(orderedReadyStuck, stuck, [
    [
      'is proven stuck by the simulation, and deleting that pod completes the rollout',
      {},
      {
        confidence: 'proven',
        severity: 'critical',
        holders: ['db-2'],
        nodes: ['n-a'],
        standing: { values: { forSeconds: 3600, ready: 2, wanted: 3 } },
        reasoning: ['broken', 'not-wanted', 'waits-first', 'would-become', 'runs-well'],
        facts: { reason: 'CrashLoopBackOff', container: 'app' },
        remediations: [{ kind: 'delete-pod', pod: 'db-2', purpose: 'unstick' }],
        withheld: ['restart-rollout', 'undo-rollout'],
      },
    ],
    [
      'is reported for a pod whose back-off the kubelet does not show yet',
      { pods: [[2], [2], [1, brokenBetween]] },
      { facts: { reason: 'Error', container: 'app' } },
    ],
    [
      'may have its pods replaced at once by a server of 1.37 that takes the dry run',
      { server: 'v1.37.2' },
      {
        advice: has('advice-recreate-title'),
        snippets: expect.stringMatching(/"type":"Recreate".*--dry-run=server/u),
      },
    ],
    [
      'has no such strategy on a server of 1.36',
      { server: 'v1.36.3' },
      { advice: lacks('advice-recreate-title') },
    ],
    [
      'is reported for a pod without a node too',
      { pods: [[2], [2], [1, pending]] },
      { facts: { reason: 'Unschedulable', container: undefined }, nodes: [] },
    ],
    [
      'has other pods to delete, and no pod that shows whether the new revision works',
      { pods: [[1], [1, broken], [1, broken]] },
      {
        holders: ['db-1'],
        reasoning: ['broken', 'not-wanted', 'waits-first', 'would-become', 'untested', 'more-like-it'],
        confidence: 'likely',
        doubts: ['not-to-the-end'],
      },
    ],
    ['is none where the wanted revision fails', { pods: [[1], [1], [2, broken]] }],
    ['is none under Parallel, which does not wait', { parallel: true }],
    ['is none under OnDelete, where a person replaces pods anyway', { onDelete: true }],
    [
      'is none for a pod below the partition, which would come back as it is',
      { pods: [[1, broken], [1], [2]], partition: 2 },
    ],
    ['is none for a pod that has only just started', { pods: [[2], [2], [1, { ready: false, age: 10 }]] }],
    ['is none for a pod that is being deleted', { pods: [[2], [2], [1, { ...broken, terminating: true }]] }],
    ['is none while an update is in progress', { pods: [[1], [1], [2]] }],
    ['is none where all pods are ready', { pods: [[2], [2], [2]] }],
    ['is none where the controller has not observed the template yet', { status: { observedGeneration: 1 } }],
    ['is none where it is being deleted', { deleted: true }],
  ]);
});

describe('a StatefulSet that was read as text', () => {
  const unrecorded = [
    { what: 'StatefulSet', because: 'partly-recorded', namespace: 'shop', fields: ['status.updateRevision'] },
  ] as const;
  const undecided = (fields: Fields) =>
    orderedReadyStuck.undecidedBy?.({ ...stuck(fields), unrecorded: [...unrecorded] });

  it('leaves open whether a pod that is not ready is of a previous revision', () => {
    expect(undecided({})).toEqual(['StatefulSet status.updateRevision']);
    expect(undecided({ pods: [[2], [2], [2]] })).toEqual([]);
    expect(orderedReadyStuck.undecidedBy?.(stuck({}))).toEqual([]);
  });
});
