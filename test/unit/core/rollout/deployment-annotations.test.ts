import { describe, expect, it } from 'vitest';
import { apiTime, byCreation, epochOf } from '#src/core/rollout/creation-order.js';
import {
  countAnnotation,
  differIn,
  hasProgressDeadline,
  hasRevisionHistoryLimit,
  maxRevision,
  newReplicaSetAnnotations,
  replicasAnnotations,
  revisionNumber,
} from '#src/core/rollout/deployment-annotations.js';
import { expiredReplicaSets } from '#src/core/rollout/revision-history.js';
import { ago, buildDeployment, buildReplicaSet, now } from '#support/rollout-builders.js';

const revision = 'deployment.kubernetes.io/revision';
const history = 'deployment.kubernetes.io/revision-history';
const desired = 'deployment.kubernetes.io/desired-replicas';
const most = 'deployment.kubernetes.io/max-replicas';

describe('the number of a revision', () => {
  it.each([
    ['as it is written', '12', 12],
    ['with a sign', '+3', 3],
    ['below zero', '-3', -3],
    ['none where it is no integer', '1.5', undefined],
    ['none where it is text', 'v2', undefined],
    ['none where more than a number stands there', '2 ', undefined],
    ['none where nothing stands there', '', undefined],
  ])('%s', (_, text, expected) => {
    expect(revisionNumber({ metadata: { annotations: { [revision]: text } } })).toBe(expected);
  });

  it('is 0 without annotation, and the highest of several counts', () => {
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

describe('a count in an annotation', () => {
  it.each([
    ['is read', '3', 3],
    ['may be nothing', '0', 0],
    ['may be as large as a count gets', '2147483647', 2_147_483_647],
    ['is none beyond that', '2147483648', undefined],
    ['is none below zero', '-1', undefined],
    ['is none as text', 'three', undefined],
  ])('%s', (_, text, expected) => {
    expect(
      countAnnotation(
        buildReplicaSet({ revision: 1, replicas: 1, annotations: { [desired]: text } }),
        desired,
      ),
    ).toBe(expected);
  });

  it('is none where there is none', () => {
    expect(countAnnotation(buildReplicaSet({ revision: 1, replicas: 1 }), desired)).toBeUndefined();
  });
});

describe('annotations of the new ReplicaSet', () => {
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

  it("are the Deployment's own, less those that are about the Deployment itself", () => {
    expect(newReplicaSetAnnotations(deployment, undefined, 3)).toEqual({
      ...copied,
      [revision]: '3',
      [desired]: '4',
      [most]: '6',
    });
  });

  it('keep what the ReplicaSet has, and its size when it exists already', () => {
    expect(
      newReplicaSetAnnotations(deployment, { own: 'x', team: 'old', [revision]: '3', [desired]: '1' }, 3),
    ).toEqual({
      ...copied,
      own: 'x',
      [revision]: '3',
      [desired]: '1',
    });
  });

  it.each<readonly [string, Record<string, string>, number, Record<string, string>]>([
    [
      'rise with the revision and remember the former one',
      { [revision]: '1' },
      4,
      { [revision]: '4', [history]: '1' },
    ],
    [
      'remember all former ones',
      { [revision]: '3', [history]: '1,2' },
      4,
      { [revision]: '4', [history]: '1,2,3' },
    ],
    ['never fall', { [revision]: '5' }, 4, { [revision]: '5' }],
    ['get their first revision without a history', {}, 4, { [revision]: '4' }],
    ['stay where the revision cannot be read', { [revision]: 'x' }, 4, { [revision]: 'x' }],
    ['remember an empty revision as what it was', { [revision]: '' }, 4, { [revision]: '4', [history]: '' }],
  ])('%s', (_, existing, next, expected) => {
    expect(newReplicaSetAnnotations(buildDeployment(), existing, next)).toEqual(expected);
  });

  it('forget the oldest revisions once the history is longer than 2000 characters', () => {
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

  it('are written again only where one is missing or another', () => {
    expect(differIn({ a: '1', b: '2' }, { a: '1' })).toBe(false);
    expect(differIn({ b: '2' }, { a: '1' })).toBe(true);
    expect(differIn({ a: '2' }, { a: '1' })).toBe(true);
    expect(differIn({}, {})).toBe(false);
  });

  it('note the size and what maxSurge adds', () => {
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

describe('values that mean "none"', () => {
  it.each([
    [2_147_483_647, false],
    [2_147_483_646, true],
    [600, true],
  ])('%i as a deadline or a limit of the history', (value, expected) => {
    expect(hasProgressDeadline(buildDeployment({ progressDeadlineSeconds: value }))).toBe(expected);
    expect(hasRevisionHistoryLimit(buildDeployment({ revisionHistoryLimit: value }))).toBe(expected);
  });
});

describe('the history that is cleaned', () => {
  const empty = (number: number, fields: Partial<Parameters<typeof buildReplicaSet>[0]> = {}) =>
    buildReplicaSet({ revision: number, replicas: 0, ...fields });
  const expired = (limit: number, sets: readonly ReturnType<typeof empty>[]) =>
    expiredReplicaSets(buildDeployment({ revisionHistoryLimit: limit }), sets).map(
      ({ metadata }) => metadata.name,
    );

  it.each<readonly [string, number, readonly ReturnType<typeof empty>[], readonly string[]]>([
    ['keeps as many as the limit says', 2, [empty(1), empty(2)], []],
    ['loses the lowest revision beyond it', 2, [empty(3), empty(1), empty(2)], ['web-1']],
    ['goes by number, not by text', 1, [empty(10), empty(9)], ['web-9']],
    [
      'goes by age where the numbers are equal',
      1,
      [
        empty(2, { name: 'young', annotations: { [revision]: '5' } }),
        empty(1, { name: 'old', annotations: { [revision]: '5' } }),
      ],
      ['old'],
    ],
    [
      'goes by age where a number cannot be read',
      1,
      [empty(2, { name: 'young' }), empty(1, { name: 'old', annotations: { [revision]: 'x' } })],
      ['old'],
    ],
    [
      'goes by age, though the one of a lower number is younger, where the other has none',
      1,
      [
        empty(3, { name: 'young', annotations: { [revision]: '1' } }),
        empty(2, { name: 'old', annotations: { [revision]: 'x' } }),
      ],
      ['old'],
    ],
    [
      'keeps one that wants pods, though it is beyond',
      0,
      [empty(1, { replicas: 1, exist: 0 }), empty(2)],
      ['web-2'],
    ],
    ['keeps one that has pods', 0, [empty(1, { exist: 1 })], []],
    ['keeps one whose spec its controller has not seen', 0, [empty(1, { metadata: { generation: 5 } })], []],
    [
      'does not count what is being deleted',
      1,
      [empty(1, { metadata: { deletionTimestamp: ago(1) } }), empty(2)],
      [],
    ],
    ['is kept whole by the value that means "all"', 2_147_483_647, [empty(1), empty(2)], []],
  ])('%s', (_, limit, sets, expected) => {
    expect(expired(limit, sets)).toEqual(expected);
  });
});

describe('times of the API', () => {
  it('are whole seconds, rounded down', () => {
    expect(apiTime(now)).toBe('2026-11-20T09:30:00Z');
    expect(apiTime(now + 999)).toBe('2026-11-20T09:30:00Z');
    expect(apiTime(now - 1)).toBe('2026-11-20T09:29:59Z');
    expect(epochOf('2026-11-20T09:30:00Z')).toBe(now);
    expect(epochOf('soon')).toBeUndefined();
    expect(epochOf(undefined)).toBeUndefined();
  });

  it('order by age, then by name; what has none counts as the oldest', () => {
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
