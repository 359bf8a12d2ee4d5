import { describe, expect, it } from 'vitest';
import { withoutUnrecorded } from '#src/doctor/findings/diagnose.js';
import { proposeRestartRollout } from '#src/doctor/fixes/kinds/restart-rollout/kind.js';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import type { Snapshot, Unseen } from '#src/engine/objects/snapshot.js';
import { node } from '../../../support/placement-builders.js';
import { buildPatchStrategy } from '../../../support/records.js';
import { buildSnapshot, examined, stuckOnGpu } from '../../../support/remediation-builders.js';
import { buildDeployment, buildPod, buildReplicaSet } from '../../../support/rollout-builders.js';

const partly = (...fields: readonly string[]): Unseen => ({
  what: 'Deployment',
  namespace: 'shop',
  because: 'partly-recorded',
  message: '',
  fields,
});
const surge = 'spec.strategy.rollingUpdate.maxSurge';
const atRest = buildSnapshot(buildDeployment(), {
  ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1, available: 1 })],
  Pod: [buildPod({ name: 'web-2-a', node: 'n-a', owner: { name: 'web-2', uid: 'web-2-uid' } })],
  Node: [node('n-a')],
});

describe('a fix that writes into a field that was not recorded', () => {
  const kept = (
    unseen: readonly Unseen[],
    fix: Remediation = buildPatchStrategy(),
    on: Snapshot = stuckOnGpu(),
  ) => withoutUnrecorded([fix], on, { unseen, restsOn: [] });

  it.each([
    ['is the field', [partly(surge)], surge],
    ['contains the field', [partly('spec.strategy')], 'spec.strategy'],
    ['is a part of the field', [partly(`${surge}.percent`)], `${surge}.percent`],
    ['is one of several', [partly('spec.replicas'), partly('status', surge)], surge],
  ])('is withheld where what was not recorded %s', (_, unseen, field) => {
    expect(kept(unseen)).toMatchObject({
      remediations: [],
      withheld: [{ kind: 'patch-strategy', because: { key: 'withheld-unrecorded', values: { field } } }],
    });
  });

  it.each<[string, readonly Unseen[]]>([
    ['everything was recorded', []],
    ['another field was not', [partly('spec.template')]],
    ['a field was not whose name only begins alike', [partly(`${surge}Percent`, 'spec.strat')]],
    ['the field was not of another kind', [{ ...partly(surge), what: 'ReplicaSet' }]],
    ['all objects of the kind were refused', [{ ...partly(), because: 'forbidden' }]],
  ])('is offered where %s', (_, unseen) => {
    expect(kept(unseen)).toEqual({ remediations: [buildPatchStrategy()], withheld: [] });
  });

  it('is offered where the cluster itself copies the field', () => {
    const [restart] = proposeRestartRollout(examined(atRest)).remediations;
    if (restart === undefined) throw new Error('must be offered');

    expect(kept([partly('spec.template')], restart, atRest).remediations).toEqual([restart]);
  });

  it('is offered where it cannot be planned any more, which its review says', () => {
    const paused = buildSnapshot(buildDeployment({ paused: true }));

    expect(kept([partly(surge)], buildPatchStrategy(), paused).remediations).toHaveLength(1);
  });
});
