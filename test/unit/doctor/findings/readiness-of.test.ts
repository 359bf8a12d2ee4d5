import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readinessOf } from '#src/doctor/findings/readiness-of.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { scenarios } from '../../../support/scenarios/expectation.js';
import { snapshotOf } from '../../../support/scenarios/snapshot-of.js';

async function recorded(name: string) {
  const scenario = scenarios().find(({ folder }) => basename(folder) === name);
  if (scenario === undefined) throw new Error(`no recorded incident ${name}`);
  return snapshotOf(scenario);
}

describe('readinessOf', () => {
  it.each([
    ['gpu-one-node', { pods: 1, wanted: 1, old: 1 }],
    ['daemon-set-surge-quota', { pods: 3, wanted: 3, old: 3 }],
    ['stateful-set-lower-ordinals', { pods: 1, wanted: 2, old: 1 }],
    ['ordered-ready-broken-pod', { pods: 2, wanted: 3 }],
    ['crash-on-node-intermittent', { pods: 9, wanted: 9 }],
    ['full-of-many-small', { pods: 0, wanted: 1 }],
    // A pod of the next revision is ready, too, and receives no traffic.
    ['deadlock-at-the-second-pod', { pods: 2, wanted: 2, old: 2 }],
    // Of one pod, while its Deployment starts another one beside it.
    ['deadlock-inside-one-revision', { pods: 1, wanted: 1 }],
  ])('counts the ready pods of earlier revisions: %s', async (name, expected) => {
    expect(readinessOf(await recorded(name))).toEqual(expected);
  });

  it.each([
    ['gpu-one-node', { pods: 1, wanted: 1, old: 1 }],
    ['stateful-set-lower-ordinals', { pods: 1, wanted: 2, old: 1 }],
    ['daemon-set-surge-quota', { pods: 3, wanted: 3, old: 3 }],
  ])('counts the pods themselves where the status was left out: %s', async (name, expected) => {
    const snapshot = await recorded(name);
    const { kind } = snapshot.workload;
    const workload = schemas[kind].parse({ ...snapshot.workload, status: {} });
    expect(readinessOf({ ...snapshot, workload } as typeof snapshot)).toEqual(expected);
  });

  it('counts none where no revision is known', async () => {
    const snapshot = await recorded('gpu-one-node');
    const objects = { ...snapshot.index.objects, ReplicaSet: [] };

    expect(readinessOf({ ...snapshot, index: indexObjects(objects) })).toEqual({ pods: 1, wanted: 1 });
  });
});
