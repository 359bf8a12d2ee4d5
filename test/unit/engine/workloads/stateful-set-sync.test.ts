import { describe, expect, it } from 'vitest';
import { statefulSetRevisions } from '#src/engine/workloads/controller-revisions.js';
import {
  type MaxUnavailableRule,
  type StatefulSetState,
  unavailableBudget,
} from '#src/engine/workloads/rollout-state.js';
import { ordinalOf, syncStatefulSet } from '#src/engine/workloads/stateful-set-model.js';
import { buildPod, type PodFields } from '../../../support/rollout-builders.js';
import { buildSet, buildStateOf, type SetFields } from '../../../support/stateful-set-builders.js';

/**
 * What follows from these pods by ordinal, each as its revision and what is special about it:
 * `2 1/broken - ⇒ wait for db-1 to be ready`.
 */
function stepOf(fields: SetFields, step: string, rule?: MaxUnavailableRule): string {
  const [given = ''] = step.split(' ⇒');
  const pods = given.split(' ').map((pod) => {
    const [revision = '', special = ''] = pod.split('/');
    return revision === '-' ? null : ([Number(revision), specials[special] ?? {}] as const);
  });
  return `${given} ⇒ ${decided(buildStateOf(fields, pods, rule)).join(', ')}`.trim();
}

function decided(state: StatefulSetState): readonly string[] {
  const { actions, waitsFor } = syncStatefulSet(state);
  const done = actions.map((action) =>
    action.kind === 'create'
      ? `create ${action.pod} at ${action.revision}`
      : `delete ${action.pod.metadata.name}: ${action.because}`,
  );
  return waitsFor === undefined
    ? done
    : [...done, `wait for ${waitsFor.pod.metadata.name} to be ${waitsFor.until}`];
}

const broken: Partial<PodFields> = { ready: false };
const specials: Readonly<Record<string, Partial<PodFields>>> = {
  broken,
  terminating: { terminating: true },
  failed: { phase: 'Failed' },
  succeeded: { phase: 'Succeeded' },
  'ready-10': { readyFor: 10 },
  'named-db-0': { name: 'db-0' },
};

describe('syncStatefulSet, in order', () => {
  it.each<[string, SetFields, string]>([
    ['creates the lowest missing pod and no other', {}, '- - - ⇒ create db-0 at db-2'],
    ['creates the next pod once the previous one is ready', {}, '2 - - ⇒ create db-1 at db-2'],
    ['waits for the previous one', {}, '2/broken - - ⇒ wait for db-0 to be ready'],
    [
      'waits until the previous one is available',
      { minReadySeconds: 60 },
      '2/ready-10 - - ⇒ wait for db-0 to be available',
    ],
    ['updates the highest ordinal first', {}, '1 1 1 ⇒ delete db-2: update'],
    ['continues when that one is ready', {}, '1 1 2 ⇒ delete db-1: update'],
    ['waits for a terminating pod', {}, '1 1 1/terminating ⇒ wait for db-2 to be terminated'],
    ['is blocked by a broken pod of the new revision', {}, '1 1 2/broken ⇒ wait for db-2 to be ready'],
    [
      'is blocked by a broken pod of the old revision anywhere: the fix never reaches it',
      {},
      '1/broken 1 1 ⇒ wait for db-0 to be ready',
    ],
    ['deletes failed pods', {}, '1 1/failed 1 ⇒ delete db-1: terminal'],
    ['deletes succeeded pods', {}, '1/succeeded 1 1 ⇒ delete db-0: terminal'],
    ['does not change pods below the partition', { partition: 2 }, '1 1 2 ⇒'],
    [
      'recreates a pod below the partition at the old revision',
      { partition: 2 },
      '- 1 2 ⇒ create db-0 at db-1',
    ],
    ['recreates a pod above the partition at the new one', { partition: 1 }, '1 - 2 ⇒ create db-1 at db-2'],
    ['scales down from the top before it updates', { replicas: 1 }, '1 1 1 ⇒ delete db-2: scale-down'],
    [
      'scales down a broken pod if it is the lowest broken one',
      { replicas: 2 },
      '1 1 1/broken ⇒ delete db-2: scale-down',
    ],
    [
      'does not scale down a broken pod while a lower one is broken',
      { replicas: 1 },
      '1 1/broken 1/broken ⇒ wait for db-1 to be ready',
    ],
    [
      'waits for a condemned pod that terminates',
      { replicas: 2 },
      '1 1 1/terminating ⇒ wait for db-2 to be terminated',
    ],
    ['updates nothing under OnDelete', { onDelete: true }, '1 1 1 ⇒'],
    ['does nothing after all pods are new', {}, '2 2 2 ⇒'],
    ['does nothing while it is being deleted', { deleted: true }, '1 - - ⇒'],
    ['begins at the first ordinal', { start: 5 }, '- - - ⇒ create db-5 at db-2'],
    ['condemns ordinals below the first', { start: 1, replicas: 2 }, '1 1 1 ⇒ delete db-3: scale-down'],
    ['ignores maxUnavailable while the gate is off', { maxUnavailable: 2 }, '1 1 1 ⇒ delete db-2: update'],
  ])('%s', (_sentence, fields, step) => {
    expect(stepOf(fields, step)).toBe(step);
  });

  it('recreates the remaining pods of the old revision where no partition is stored', () => {
    const state = buildStateOf({ rollingUpdate: null, status: { currentReplicas: 2 } }, [[1], null, [2]]);
    expect(decided(state)).toEqual(['create db-1 at db-1']);
  });
});

describe('syncStatefulSet with Recreate', () => {
  it.each<[string, SetFields, string]>([
    [
      'deletes all old pods at once, also those that are not ready',
      {},
      '1 1/broken 1 ⇒ delete db-0: update, delete db-1: update, delete db-2: update',
    ],
    ['creates none while an old one terminates', {}, '- 1/terminating - ⇒ wait for db-1 to be terminated'],
    [
      'deletes old pods beyond the ordinals, too',
      { replicas: 1 },
      '1 1 - ⇒ delete db-0: update, delete db-1: update',
    ],
    ['creates the new pods in order', {}, '2/broken - - ⇒ wait for db-0 to be ready'],
    [
      'creates them together in parallel',
      { parallel: true },
      '- - - ⇒ create db-0 at db-2, create db-1 at db-2, create db-2 at db-2',
    ],
    [
      'replaces a pod of a broken revision as soon as the template is corrected',
      {},
      '1/broken - - ⇒ delete db-0: update',
    ],
    ['does nothing after all pods are new', {}, '2 2 2 ⇒'],
  ])('%s', (_sentence, fields, step) => {
    expect(stepOf({ recreate: true, ...fields }, step)).toBe(step);
  });

  it('takes the new revision for the current one when all pods are ready', () => {
    const { status } = syncStatefulSet(buildStateOf({ recreate: true }, [[2], [2], [2]]));
    expect(status).toMatchObject({ currentRevision: 'db-2', currentReplicas: 3 });
  });
});

describe('syncStatefulSet, in parallel', () => {
  const parallel = { parallel: true } as const;

  it.each<[string, SetFields, string]>([
    ['creates all missing pods', {}, '- - - ⇒ create db-0 at db-2, create db-1 at db-2, create db-2 at db-2'],
    ['updates one pod at a time nevertheless', {}, '1 1 1 ⇒ delete db-2: update'],
    [
      'replaces a broken old pod of the highest ordinal: no invariant blocks it',
      {},
      '1 1 1/broken ⇒ delete db-2: update',
    ],
    ['waits for a broken new pod', {}, '1 1 2/broken ⇒ wait for db-2 to be ready'],
    [
      'deletes all condemned pods at once',
      { replicas: 1 },
      '2 2 2 ⇒ delete db-2: scale-down, delete db-1: scale-down',
    ],
    [
      'does not delete a condemned pod that is terminating already',
      { replicas: 1 },
      '2 2 2/terminating ⇒ delete db-1: scale-down',
    ],
    [
      'deletes pods below the first ordinal too',
      { replicas: 1, start: 1 },
      '2 2/named-db-0 ⇒ delete db-0: scale-down',
    ],
    ['waits for no pod that is broken while others are missing', {}, '2/broken - 2 ⇒ create db-1 at db-2'],
  ])('%s', (_sentence, fields, step) => {
    expect(stepOf({ ...parallel, ...fields }, step)).toBe(step);
  });
});

describe('syncStatefulSet with the gate MaxUnavailableStatefulSet', () => {
  it.each<[string, SetFields, string]>([
    [
      'updates several pods at once',
      { maxUnavailable: 2 },
      '1 1 1 ⇒ delete db-2: update, delete db-1: update',
    ],
    ['keeps the partition', { maxUnavailable: 2, partition: 2 }, '1 1 1 ⇒ delete db-2: update'],
    ['rounds down, to one at least', { maxUnavailable: '10%' }, '1 1 1 ⇒ delete db-2: update'],
    [
      'counts broken pods of the old revision too, so it is stuck in parallel',
      { maxUnavailable: 1, parallel: true },
      '1/broken 1 1 ⇒ wait for db-0 to be ready',
    ],
    ['updates one at a time by default', {}, '1 1 1 ⇒ delete db-2: update'],
  ])('as in 1.35: %s', (_sentence, fields, step) => {
    expect(stepOf(fields, step, 'as-in-1.35')).toBe(step);
  });

  // What `updateStatefulSetAfterInvariantEstablished` of v1.37.1 does, by its two phases.
  it.each<[string, SetFields, string]>([
    [
      'deletes a broken pod of the old revision although it uses the budget up',
      { maxUnavailable: 1, parallel: true },
      '1/broken 1 1 ⇒ delete db-0: update',
    ],
    [
      'deletes every broken old pod, and no available one beyond the budget',
      { replicas: 4, maxUnavailable: 2, parallel: true },
      '1/broken 1/broken 1/broken 1 ⇒ delete db-2: update, delete db-1: update, delete db-0: update',
    ],
    [
      'spends what is left of the budget on available pods, highest ordinal first',
      { maxUnavailable: 2, parallel: true },
      '1/broken 1 1 ⇒ delete db-0: update, delete db-2: update',
    ],
    [
      'keeps broken pods below the partition',
      { maxUnavailable: 1, parallel: true, partition: 1 },
      '1/broken 1 1 ⇒ wait for db-0 to be ready',
    ],
    [
      'waits for a broken pod of the new revision',
      { maxUnavailable: 1, parallel: true },
      '1 1 2/broken ⇒ wait for db-2 to be ready',
    ],
    [
      'counts terminating pods and does not delete them again',
      { maxUnavailable: 1, parallel: true },
      '1 1 1/terminating ⇒ wait for db-2 to be terminated',
    ],
    ['waits in order as before', { maxUnavailable: 2 }, '1/broken 1 1 ⇒ wait for db-0 to be ready'],
    [
      'updates several at once in order',
      { maxUnavailable: 2 },
      '1 1 1 ⇒ delete db-2: update, delete db-1: update',
    ],
  ])('as in 1.37: %s', (_sentence, fields, step) => {
    expect(stepOf(fields, step, 'as-in-1.37')).toBe(step);
  });

  it.each<[string, number | string | undefined, number]>([
    ['a third of ten is three', '33%', 3],
    ['one percent allows one', '1%', 1],
    ['an absent value allows one', undefined, 1],
    ['an invalid value allows one', 'two', 1],
  ])('%s', (_sentence, maxUnavailable, expected) => {
    expect(
      unavailableBudget(
        buildSet({ replicas: 10, ...(maxUnavailable === undefined ? {} : { maxUnavailable }) }),
      ),
    ).toBe(expected);
  });
});

describe('the status of a StatefulSet', () => {
  it('counts both revisions', () => {
    const { status } = syncStatefulSet(buildStateOf({}, [[1], [1], [2, broken]]));
    expect(status).toMatchObject({
      replicas: 3,
      readyReplicas: 2,
      currentReplicas: 2,
      updatedReplicas: 1,
      currentRevision: 'db-1',
      updateRevision: 'db-2',
    });
  });

  it('makes the update revision the current one when every pod is new and ready', () => {
    const { status } = syncStatefulSet(buildStateOf({}, [[2], [2], [2]]));
    expect(status).toMatchObject({ currentReplicas: 3, currentRevision: 'db-2' });
  });

  it('does not count a terminating pod as one of a revision', () => {
    const { status } = syncStatefulSet(buildStateOf({}, [[1], [1], [1, { terminating: true }]]));
    expect(status).toMatchObject({ replicas: 3, currentReplicas: 2 });
  });
});

describe('statefulSetRevisions', () => {
  it('uses the stored template, before the status is updated', () => {
    const state = buildStateOf({ status: { updateRevision: 'db-1', observedGeneration: 1 } }, []);
    expect(statefulSetRevisions(state)).toEqual({ current: 'db-1', update: 'db-2' });
  });

  it('uses the status where revisions were not read', () => {
    const state = { ...buildStateOf({}, []), controllerRevisions: [] };
    expect(statefulSetRevisions(state)).toEqual({ current: 'db-1', update: 'db-2' });
    const behind = buildStateOf({ status: { observedGeneration: 1 } }, []);
    expect(statefulSetRevisions({ ...behind, controllerRevisions: [] })).toBeUndefined();
  });
});

describe('ordinalOf', () => {
  it.each<[string, string, number]>([
    ['the number after the last dash', 'db-a-12', 12],
    ['none without a number', 'db-a', -1],
    ['none that does not fit', 'db-99999999999', -1],
  ])('%s', (_sentence, name, expected) => {
    expect(ordinalOf(buildPod({ name }))).toBe(expected);
  });
});
