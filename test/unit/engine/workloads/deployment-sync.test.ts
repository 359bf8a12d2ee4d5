import { describe, expect, it } from 'vitest';
import { syncDeployment } from '#src/engine/workloads/deployment-sync.js';
import type { DeploymentAction } from '#src/engine/workloads/deployment-writes.js';
import {
  buildDeployment,
  buildPod,
  buildReplicaSet,
  buildState,
  type DeploymentFields,
} from '../../../support/rollout-builders.js';

/**
 * The step that follows from these ReplicaSets, each as revision, available and wanted pods, and those that
 * exist where they are others: `1:10/10 2:0/1(0) ⇒ web-2 1→3 new-up`. The template is revision 2's by
 * default.
 */
function scales(fields: DeploymentFields, step: string): string {
  const [given = ''] = step.split('⇒');
  const annotations = sized(fields);
  const replicaSets = [...given.matchAll(/(\d+):(\d+)\/(\d+)(?:\((\d+)\))?/g)].map(([, ...numbers]) => {
    const [revision = 0, available = 0, replicas = 0, exist] = numbers.map((each) =>
      each === undefined ? undefined : Number(each),
    );
    const existing = exist === undefined ? {} : { exist };
    return buildReplicaSet({ revision, replicas, available, annotations, ...existing });
  });
  const { actions } = syncDeployment(buildState(buildDeployment(fields), replicaSets));
  return `${given}⇒ ${actions.map(sentence).join(', ')}`.trim();
}

/** Noted when the ReplicaSets were last sized, so that no scaling event is seen. */
function sized(fields: DeploymentFields): Record<string, string> {
  return { 'deployment.kubernetes.io/desired-replicas': String(fields.replicas ?? 1) };
}

function sentence(action: DeploymentAction): string {
  switch (action.kind) {
    case 'scale':
      return `${action.replicaSet} ${action.from}→${action.to} ${action.because}`;
    case 'create-replica-set':
      return `create revision ${action.revision} with ${action.replicas}`;
    case 'update-replica-set':
      return `update ${action.replicaSet}`;
    case 'delete-replica-set':
      return `delete ${action.replicaSet}`;
  }
}

const inPlace = { maxSurge: 0, maxUnavailable: 1 } as const;
const surging = { replicas: 10, maxSurge: 2, maxUnavailable: 0 } as const;
const giving = { replicas: 10, maxSurge: 0, maxUnavailable: 2 } as const;
const recreate = { replicas: 2, recreate: true } as const;

describe('syncDeployment: one step of a rolling update', () => {
  it.each<[string, DeploymentFields, string]>([
    [
      'creates the new ReplicaSet with the surge',
      { replicas: 10 },
      '1:10/10 ⇒ create revision 2 with 3, web-1 10→8 old-down',
    ],
    [
      'creates it empty without surge, and scales the old one down in the same step',
      { replicas: 3, ...inPlace },
      '1:3/3 ⇒ create revision 2 with 0, web-1 3→2 old-down',
    ],
    ['creates the first one at full size', { replicas: 4 }, '⇒ create revision 1 with 4'],
    ['surges to the limit', surging, '1:10/10 2:0/0 ⇒ web-2 0→2 new-up'],
    ['scales up as old pods stop', surging, '1:5/5 2:0/0 ⇒ web-2 0→7 new-up'],
    ['does not surge beyond the limit, and deletes no old pod', surging, '1:10/10 2:0/2 ⇒'],
    ['scales down a new ReplicaSet that is too large', surging, '1:2/2 2:11/11 ⇒ web-2 11→10 new-down'],
    ['gives up old pods by maxUnavailable', giving, '1:10/10 2:0/0 ⇒ web-1 10→8 old-down'],
    ['scales down old pods when new ones are available', { replicas: 3 }, '1:3/3 2:1/1 ⇒ web-1 3→2 old-down'],
    [
      'removes unhealthy old pods, and no healthy one beside them',
      giving,
      '1:8/10 2:0/0 ⇒ web-1 10→8 unhealthy-old',
    ],
    [
      'removes one unhealthy old pod and one healthy one',
      giving,
      '1:9/10 2:0/0 ⇒ web-1 10→9 unhealthy-old, web-1 9→8 old-down',
    ],
    ['does not delete more old pods for unavailable new ones', giving, '1:8/8 2:0/2 ⇒'],
    [
      'shrinks the oldest revision first',
      { replicas: 4, image: 'web:3', maxSurge: 0, maxUnavailable: 2 },
      '1:1/1 2:3/3 3:0/0 ⇒ web-1 1→0 old-down, web-2 3→2 old-down',
    ],
    ['does nothing after completion', { replicas: 3 }, '1:0/0 2:3/3 ⇒'],
  ])('%s', (_sentence, fields, step) => {
    expect(scales(fields, step)).toBe(step);
  });
});

describe('syncDeployment: a blocked rollout', () => {
  it.each<[string, DeploymentFields, string]>([
    ['one replica, default strategy, surge pod not available: no step', { replicas: 1 }, '1:1/1 2:0/1 ⇒'],
    ['three replicas, default strategy, surge pod not available: no step', { replicas: 3 }, '1:3/3 2:0/1 ⇒'],
    [
      'a crashing old pod of one replica is not cleaned up: the deadlock is the same',
      { replicas: 1 },
      '1:0/1 2:0/1 ⇒',
    ],
    ['a crashing old pod of three replicas is not cleaned up either', { replicas: 3 }, '1:2/3 2:0/1 ⇒'],
    ['four replicas have one pod less, and stall with maxUnavailable 1', { replicas: 4 }, '1:3/3 2:0/2 ⇒'],
    [
      'four replicas still lose one pod before they stall',
      { replicas: 4 },
      '1:4/4 2:0/1 ⇒ web-1 4→3 old-down',
    ],
    ['four replicas fill the freed place', { replicas: 4 }, '1:3/3 2:0/1 ⇒ web-2 1→2 new-up'],
    ['the surge pod was refused by the quota: no step', { replicas: 3 }, '1:3/3 2:0/1(0) ⇒'],
  ])('%s', (_sentence, fields, step) => {
    expect(scales(fields, step)).toBe(step);
  });

  it.each<[string, DeploymentFields, string]>([
    [
      'one replica patched to surge 0: the old pod is deleted at once',
      { replicas: 1, ...inPlace },
      '1:1/1 2:0/1 ⇒ web-1 1→0 old-down',
    ],
    [
      'one replica patched to unavailable 1 with its surge kept: the old pod is deleted too',
      { replicas: 1, maxSurge: 1, maxUnavailable: 1 },
      '1:1/1 2:0/1 ⇒ web-1 1→0 old-down',
    ],
    [
      'three replicas patched to surge 0: one old pod is deleted',
      { replicas: 3, ...inPlace },
      '1:3/3 2:0/1 ⇒ web-1 3→2 old-down',
    ],
    [
      'three replicas, one deleted: no further step before a new pod is available',
      { replicas: 3, ...inPlace },
      '1:2/2 2:0/1 ⇒',
    ],
    [
      'three replicas, one old pod already broken: the broken pod is deleted, no healthy one',
      { replicas: 3, ...inPlace },
      '1:2/3 2:0/1 ⇒ web-1 3→2 unhealthy-old',
    ],
    [
      'a third revision replaces the stuck second one',
      { replicas: 3, image: 'web:3' },
      '1:3/3 2:0/1 3:0/0 ⇒ web-2 1→0 unhealthy-old',
    ],
    [
      'the third revision then gets its surge pod',
      { replicas: 3, image: 'web:3' },
      '1:3/3 2:0/0 3:0/0 ⇒ web-3 0→1 new-up',
    ],
    [
      'undo removes the stuck pod at once',
      { replicas: 3, image: 'web:1' },
      '1:3/3 2:0/1 ⇒ update web-1, web-2 1→0 unhealthy-old',
    ],
    [
      'undo with ten replicas removes the crashing ones and refills',
      { replicas: 10, image: 'web:1', maxSurge: 3, maxUnavailable: 2 },
      '1:7/8 2:0/5 ⇒ update web-1, web-2 5→1 unhealthy-old',
    ],
  ])('%s', (_sentence, fields, step) => {
    expect(scales(fields, step)).toBe(step);
  });
});

describe('syncDeployment: the status that it waits for, and a pause', () => {
  const third = { replicas: 3, image: 'web:3', ...inPlace };
  const paused = { replicas: 3, paused: true };
  const one = { replicas: 1, paused: true };

  it.each<[string, DeploymentFields, string]>([
    [
      'deletes old pods once a scale-down has left too many',
      { replicas: 2 },
      '1:2/3 2:0/1 ⇒ web-1 3→2 unhealthy-old',
    ],
    [
      'waits while an old ReplicaSet reports more available pods than it wants',
      { replicas: 3, ...inPlace },
      '1:3/2 2:0/0 ⇒ web-2 0→1 new-up',
    ],
    ['waits for the next sync then', { replicas: 3, ...inPlace }, '1:3/2 2:0/1 ⇒'],
    ['deletes no healthy pod then, even with pods to spare', { replicas: 3, ...inPlace }, '1:3/2 2:1/1 ⇒'],
    [
      'is not delayed by such a count when unhealthy pods of an older revision have used up the budget',
      third,
      '1:0/2 2:2/1 3:1/1 ⇒ web-1 2→0 unhealthy-old, web-2 1→0 old-down',
    ],
    ['is not delayed where only unhealthy pods go', third, '1:0/1 2:3/2 3:1/1 ⇒ web-1 1→0 unhealthy-old'],
    ['does not roll out while paused', paused, '1:3/3 ⇒'],
    ['still scales the only active revision', { ...paused, replicas: 5 }, '1:3/3 ⇒ web-1 3→5 only-active'],
    ['creates no ReplicaSet for a changed template', { ...paused, image: 'web:7' }, '1:3/3 ⇒'],
    [
      'only updates annotations while the sizes add up',
      one,
      '1:1/1 2:0/1 ⇒ web-1 1→1 proportion, web-2 1→1 proportion',
    ],
    [
      'shrinks the oldest when a patched maxSurge leaves one pod too many, paused or not',
      { ...one, ...inPlace },
      '1:1/1 2:0/1 ⇒ web-1 1→0 proportion, web-2 1→1 proportion',
    ],
    [
      'scales every old revision to 0 before it recreates',
      { ...recreate, image: 'web:3' },
      '1:1/1 2:1/1 ⇒ web-1 1→0 recreate-down, web-2 1→0 recreate-down',
    ],
    ['waits while an old ReplicaSet still reports pods', recreate, '1:0/0(2) ⇒'],
  ])('%s', (_sentence, fields, step) => {
    expect(scales(fields, step)).toBe(step);
  });
});

describe('syncDeployment: Recreate', () => {
  it('waits for terminating pods, which are not in any count', () => {
    const state = buildState(
      buildDeployment(recreate),
      [buildReplicaSet({ revision: 1, replicas: 0 })],
      [buildPod({ name: 'web-1-a', terminating: true })],
    );
    expect(syncDeployment(state).actions).toEqual([]);
  });

  it('does not wait for pods that have failed', () => {
    const state = buildState(
      buildDeployment(recreate),
      [buildReplicaSet({ revision: 1, replicas: 0 })],
      [buildPod({ name: 'web-1-a', phase: 'Failed' })],
    );
    expect(syncDeployment(state).actions.map(sentence)).toEqual(['create revision 2 with 2']);
  });

  it('does not wait for pods of the new revision', () => {
    const state = buildState(
      buildDeployment(recreate),
      [buildReplicaSet({ revision: 1, replicas: 0 }), buildReplicaSet({ revision: 2, replicas: 1 })],
      [buildPod({ name: 'web-2-a', owner: { uid: 'web-2-uid' } })],
    );
    expect(syncDeployment(state).actions.map(sentence)).toEqual(['web-2 1→2 recreate-up']);
  });
});

describe('syncDeployment: other paths', () => {
  it('only writes the status of a Deployment that is being deleted', () => {
    const sync = syncDeployment(
      buildState(buildDeployment({ deleted: true }), [buildReplicaSet({ revision: 1, replicas: 1 })]),
    );
    expect(sync).toMatchObject({ path: 'deleting', actions: [] });
  });

  it('does nothing with a maxSurge that it cannot parse', () => {
    const state = buildState(buildDeployment({ maxSurge: 'some' }), [
      buildReplicaSet({ revision: 1, replicas: 1 }),
    ]);
    expect(syncDeployment(state)).toMatchObject({ path: 'invalid', actions: [] });
  });

  it('writes the revision and the Deployment annotations to the new ReplicaSet', () => {
    const state = buildState(buildDeployment({ image: 'web:1', annotations: { team: 'shop' } }), [
      buildReplicaSet({ revision: 1, replicas: 1, available: 1 }),
      buildReplicaSet({ revision: 2, replicas: 0 }),
    ]);
    expect(syncDeployment(state).actions).toEqual([
      {
        kind: 'update-replica-set',
        replicaSet: 'web-1',
        annotations: {
          team: 'shop',
          'deployment.kubernetes.io/revision': '3',
          'deployment.kubernetes.io/revision-history': '1',
        },
        minReadySeconds: 0,
      },
    ]);
  });

  it('deletes empty revisions beyond the history limit, lowest first, once complete', () => {
    const deployment = buildDeployment({
      replicas: 1,
      image: 'web:5',
      revisionHistoryLimit: 2,
      status: { replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
    });
    const replicaSets = [1, 2, 3, 4].map((revision) => buildReplicaSet({ revision, replicas: 0 }));
    const sync = syncDeployment(
      buildState(deployment, [...replicaSets, buildReplicaSet({ revision: 5, replicas: 1, available: 1 })]),
    );
    expect(sync.actions.map(sentence)).toEqual(['delete web-1', 'delete web-2']);
  });

  it('keeps a revision that still has pods, and all of them without a limit', () => {
    const complete = { status: { replicas: 1, updatedReplicas: 1, availableReplicas: 1 }, image: 'web:3' };
    const replicaSets = [
      buildReplicaSet({ revision: 1, replicas: 0, exist: 1 }),
      buildReplicaSet({ revision: 2, replicas: 0 }),
      buildReplicaSet({ revision: 3, replicas: 1, available: 1 }),
    ];
    const limited = syncDeployment(
      buildState(buildDeployment({ ...complete, revisionHistoryLimit: 0 }), replicaSets),
    );
    expect(limited.actions.map(sentence)).toEqual(['delete web-2']);
    const unlimited = buildDeployment({ ...complete, revisionHistoryLimit: 2_147_483_647 });
    expect(syncDeployment(buildState(unlimited, replicaSets)).actions).toEqual([]);
  });
});
