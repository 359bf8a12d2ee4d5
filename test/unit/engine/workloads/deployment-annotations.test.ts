import { describe, expect, it } from 'vitest';
import { apiTime, byCreation, epochOf } from '#src/engine/workloads/creation-order.js';
import { expiredReplicaSets } from '#src/engine/workloads/deployment-sync.js';
import {
  countAnnotation,
  differIn,
  hasProgressDeadline,
  hasRevisionHistoryLimit,
  maxRevision,
  newReplicaSetAnnotations,
  replicasAnnotations,
  revisionNumber,
} from '#src/engine/workloads/deployment-writes.js';
import { ago, buildDeployment, buildReplicaSet, now } from '../../../support/rollout-builders.js';

const revision = 'deployment.kubernetes.io/revision';
const history = 'deployment.kubernetes.io/revision-history';
const desired = 'deployment.kubernetes.io/desired-replicas';
const most = 'deployment.kubernetes.io/max-replicas';

describe('the revision number of a ReplicaSet', () => {
  it.each([
    ['as it is written', '12', 12],
    ['with a sign', '+3', 3],
    ['below zero', '-3', -3],
    ['none where it is no integer', '1.5', undefined],
    ['none where it is text', 'v2', undefined],
    ['none where the number has a suffix', '2 ', undefined],
    ['none where it is empty', '', undefined],
  ])('%s', (_, text, expected) => {
    expect(revisionNumber({ metadata: { annotations: { [revision]: text } } })).toBe(expected);
  });

  it('is 0 without annotation, and otherwise the highest of several', () => {
    expect(revisionNumber({ metadata: { annotations: {} } })).toBe(0);
    const unreadable = buildReplicaSet({ revision: 9, replicas: 0, annotations: { [revision]: 'x' } });
    expect(
      maxRevision([
        buildReplicaSet({ revision: 2, replicas: 0 }),
        buildReplicaSet({ revision: 1, replicas: 0 }),
        unreadable,
      ]),
    ).toBe(2);
    expect(maxRevision([])).toBe(0);
  });
});

describe('a number in an annotation', () => {
  it.each([
    ['is read', '3', 3],
    ['may be empty', '0', 0],
    ['may be as large as the maximum', '2147483647', 2_147_483_647],
    ['is invalid beyond the maximum', '2147483648', undefined],
    ['is invalid below zero', '-1', undefined],
    ['is invalid as text', 'three', undefined],
  ])('%s', (_, text, expected) => {
    expect(
      countAnnotation(
        buildReplicaSet({ revision: 1, replicas: 1, annotations: { [desired]: text } }),
        desired,
      ),
    ).toBe(expected);
  });

  it('is undefined where the annotation is missing', () => {
    expect(countAnnotation(buildReplicaSet({ revision: 1, replicas: 1 }), desired)).toBeUndefined();
  });
});

describe('the annotations of the new ReplicaSet', () => {
  const deployment = buildDeployment({
    replicas: 4,
    maxSurge: 2,
    annotations: {
      team: 'shop',
      'kubernetes.io/change-cause': 'image 2',
      [revision]: '7',
      [history]: '1,2',
      [desired]: '9',
      [most]: '9',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'deprecated.deployment.rollback.to': '1',
    },
  });
  const copied = { team: 'shop', 'kubernetes.io/change-cause': 'image 2' };

  it('are those of the Deployment, except the ones about the Deployment itself', () => {
    expect(newReplicaSetAnnotations(deployment, undefined, 3)).toEqual({
      ...copied,
      [revision]: '3',
      [desired]: '4',
      [most]: '6',
    });
  });

  it('keep those of an existing ReplicaSet, with its size', () => {
    expect(
      newReplicaSetAnnotations(deployment, { own: 'x', team: 'old', [revision]: '3', [desired]: '1' }, 3),
    ).toEqual({ ...copied, own: 'x', [revision]: '3', [desired]: '1' });
  });

  it.each<readonly [string, Record<string, string>, number, Record<string, string>]>([
    [
      'have the next revision and keep the previous one in the history',
      { [revision]: '1' },
      4,
      { [revision]: '4', [history]: '1' },
    ],
    [
      'keep all previous revisions',
      { [revision]: '3', [history]: '1,2' },
      4,
      { [revision]: '4', [history]: '1,2,3' },
    ],
    ['never fall', { [revision]: '5' }, 4, { [revision]: '5' }],
    ['get their first revision without a history', {}, 4, { [revision]: '4' }],
    ['are unchanged where the revision is invalid', { [revision]: 'x' }, 4, { [revision]: 'x' }],
    ['keep an empty revision unchanged', { [revision]: '' }, 4, { [revision]: '4', [history]: '' }],
  ])('%s', (_, existing, next, expected) => {
    expect(newReplicaSetAnnotations(buildDeployment(), existing, next)).toEqual(expected);
  });

  it('drop the oldest revisions once the history is longer than 2000 characters', () => {
    const entries = Array.from({ length: 400 }, (_, i) => String(1000 + i));
    const full = entries.join(',');
    expect(full).toHaveLength(1999);
    const { [history]: kept } = newReplicaSetAnnotations(
      buildDeployment(),
      { [revision]: '2000', [history]: full },
      2001,
    );

    expect(kept).toBe([...entries.slice(1), '2000'].join(','));
    expect(kept).toHaveLength(1999);
    const short = entries.slice(1).join(',');
    expect(
      newReplicaSetAnnotations(buildDeployment(), { [revision]: '12345', [history]: short }, 12_346)[history],
    ).toBe(`${short},12345`);
  });

  it('are written again only where one is missing or different', () => {
    expect(differIn({ a: '1', b: '2' }, { a: '1' })).toBe(false);
    expect(differIn({ b: '2' }, { a: '1' })).toBe(true);
    expect(differIn({ a: '2' }, { a: '1' })).toBe(true);
    expect(differIn({}, {})).toBe(false);
  });

  it('contain the size and the maximum with maxSurge', () => {
    expect(replicasAnnotations(buildDeployment({ replicas: 4, maxSurge: '25%' }))).toEqual({
      [desired]: '4',
      [most]: '5',
    });
    expect(replicasAnnotations(buildDeployment({ replicas: 4, recreate: true }))).toEqual({
      [desired]: '4',
      [most]: '4',
    });
  });
});

describe('a value that means "none"', () => {
  it.each([
    [2_147_483_647, false],
    [2_147_483_646, true],
    [600, true],
  ])('is %i as a deadline or a limit of the history', (value, expected) => {
    expect(hasProgressDeadline(buildDeployment({ progressDeadlineSeconds: value }))).toBe(expected);
    expect(hasRevisionHistoryLimit(buildDeployment({ revisionHistoryLimit: value }))).toBe(expected);
  });
});

describe('the history cleanup', () => {
  const empty = (number: number, fields: Partial<Parameters<typeof buildReplicaSet>[0]> = {}) =>
    buildReplicaSet({ revision: number, replicas: 0, ...fields });
  const expired = (limit: number, sets: readonly ReturnType<typeof empty>[]) =>
    expiredReplicaSets(buildDeployment({ revisionHistoryLimit: limit }), sets).map(
      ({ metadata }) => metadata.name,
    );

  it.each<readonly [string, number, readonly ReturnType<typeof empty>[], readonly string[]]>([
    ['keeps as many as the limit allows', 2, [empty(1), empty(2)], []],
    ['deletes the lowest revision beyond the limit', 2, [empty(3), empty(1), empty(2)], ['web-1']],
    ['compares numbers, not text', 1, [empty(10), empty(9)], ['web-9']],
    [
      'compares ages where the numbers are equal',
      1,
      [
        empty(2, { name: 'young', annotations: { [revision]: '5' } }),
        empty(1, { name: 'old', annotations: { [revision]: '5' } }),
      ],
      ['old'],
    ],
    [
      'compares ages where a number is invalid',
      1,
      [empty(2, { name: 'young' }), empty(1, { name: 'old', annotations: { [revision]: 'x' } })],
      ['old'],
    ],
    [
      'compares ages where only one has a number, though the numbered one is younger',
      1,
      [
        empty(3, { name: 'young', annotations: { [revision]: '1' } }),
        empty(2, { name: 'old', annotations: { [revision]: 'x' } }),
      ],
      ['old'],
    ],
    [
      'keeps a ReplicaSet that wants pods beyond the limit',
      0,
      [empty(1, { replicas: 1, exist: 0 }), empty(2)],
      ['web-2'],
    ],
    ['keeps a ReplicaSet that has pods', 0, [empty(1, { exist: 1 })], []],
    [
      'keeps a ReplicaSet whose spec its controller has not observed',
      0,
      [empty(1, { metadata: { generation: 5 } })],
      [],
    ],
    [
      'does not count ReplicaSets that are being deleted',
      1,
      [empty(1, { metadata: { deletionTimestamp: ago(1) } }), empty(2)],
      [],
    ],
    ['is kept whole by the value that means "all"', 2_147_483_647, [empty(1), empty(2)], []],
  ])('%s', (_, limit, sets, expected) => {
    expect(expired(limit, sets)).toEqual(expected);
  });
});

describe('an API time', () => {
  it('is a whole second, rounded down', () => {
    expect(apiTime(now)).toBe('2026-11-20T09:30:00Z');
    expect(apiTime(now + 999)).toBe('2026-11-20T09:30:00Z');
    expect(apiTime(now - 1)).toBe('2026-11-20T09:29:59Z');
    expect(epochOf('2026-11-20T09:30:00Z')).toBe(now);
    expect(epochOf('soon')).toBeUndefined();
    expect(epochOf(undefined)).toBeUndefined();
  });

  it('orders objects by age, then by name; one without a time counts as the oldest', () => {
    const made = (name: string, seconds?: number) =>
      buildReplicaSet({
        revision: 1,
        replicas: 0,
        name,
        metadata: { creationTimestamp: seconds === undefined ? undefined : ago(seconds) },
      });
    const all = [made('young', 1), made('b', 60), made('a', 60), made('timeless')];

    expect([...all].sort(byCreation).map(({ metadata }) => metadata.name)).toEqual([
      'timeless',
      'a',
      'b',
      'young',
    ]);
    expect(
      [...all]
        .reverse()
        .sort(byCreation)
        .map(({ metadata }) => metadata.name),
    ).toEqual(['timeless', 'a', 'b', 'young']);
    expect(byCreation(made('x'), made('x'))).toBe(0);
  });
});
