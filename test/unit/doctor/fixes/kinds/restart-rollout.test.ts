import { describe, expect, it } from 'vitest';
import { proposeRestartRollout } from '#src/doctor/fixes/kinds/restart-rollout/kind.js';
import { text } from '#src/doctor/fixes/kinds/restart-rollout/text.js';
import { planRemediation } from '#src/doctor/fixes/remediation.js';
import { tellFrom } from '#src/engine/language/catalogue.js';
import { plain } from '#src/engine/language/prose.js';
import { node } from '../../../../support/placement-builders.js';
import {
  buildSnapshot,
  examined,
  keysOf,
  planned,
  stuckOnGpu,
} from '../../../../support/remediation-builders.js';
import { buildDeployment, buildPod, buildReplicaSet } from '../../../../support/rollout-builders.js';
import { buildSet } from '../../../../support/stateful-set-builders.js';
import { buildDaemonSet } from '../../../engine/workloads/daemon-set-builders.js';

const tell = tellFrom({ 'restart-rollout': text });

/** `shop/web` without a rollout in progress, on nodes that can run a surge pod. */
function atRest(deployment = buildDeployment()) {
  const replicaSet = buildReplicaSet({ revision: 2, replicas: 1, available: 1 });
  const pod = buildPod({ name: 'web-2-a', node: 'n-a', owner: { name: 'web-2', uid: 'web-2-uid' } });
  return buildSnapshot(deployment, { ReplicaSet: [replicaSet], Pod: [pod], Node: [node('n-a')] });
}

describe('the recommendation to restart', () => {
  it('is made where the new pods fit, and states that there is no undo', () => {
    const [remediation] = proposeRestartRollout(examined(atRest())).remediations;

    expect(remediation).toMatchObject({
      id: 'restart-rollout',
      price: { drift: 'template', downtime: { kind: 'none' }, blastRadius: { pods: 1 } },
      prediction: { ends: 'complete', victims: [{ name: 'web-2-a' }] },
    });
    expect(keysOf(remediation?.effects ?? [])).toEqual([
      'new-revision',
      'replaces',
      'same-otherwise',
      'no-undo',
    ]);
    const effectTexts = (remediation?.effects ?? []).map((effect) => plain(tell(effect, 'en'))).join(' ');
    expect(effectTexts).toContain('1 pod is replaced');
  });

  it('is withheld in a deadlock: it would only replace one pending pod by another', () => {
    expect(proposeRestartRollout(examined(stuckOnGpu()))).toMatchObject({
      remediations: [],
      withheld: [{ kind: 'restart-rollout', because: { key: 'withheld-deadlock' } }],
    });
  });

  it.each([
    ['paused', atRest(buildDeployment({ paused: true })), 'withheld-paused'],
    [
      'one whose pods could not be read',
      buildSnapshot(buildDeployment(), {
        ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1, available: 1 })],
      }),
      'withheld-unknown',
    ],
    [
      'a StatefulSet that waits for deletions',
      buildSnapshot(buildSet({ onDelete: true })),
      'withheld-on-delete',
    ],
    [
      'a DaemonSet that waits for deletions',
      buildSnapshot(buildDaemonSet({ onDelete: true })),
      'withheld-on-delete',
    ],
  ])('is withheld for %s', (_, snapshot, key) => {
    expect(proposeRestartRollout(examined(snapshot)).withheld).toMatchObject([{ because: { key } }]);
  });
});

describe('the plan to restart', () => {
  const [remediation] = proposeRestartRollout(examined(atRest())).remediations;
  if (remediation === undefined) throw new Error('must be offered');

  it('leaves the time to the moment of the change, so that it equals the reviewed plan', () => {
    const plan = planned(planRemediation(remediation, atRest()));

    expect(plan).toMatchObject({
      target: { kind: 'Deployment', name: 'web' },
      request: { verb: 'restart' },
      changes: [
        {
          path: 'spec.template.metadata.annotations[kubectl.kubernetes.io/restartedAt]',
          before: undefined,
          after: '<now>',
        },
      ],
    });
    expect(plan).not.toHaveProperty('undo');
  });

  it('is refused when the Deployment is paused', () => {
    expect(planRemediation(remediation, atRest(buildDeployment({ paused: true })))).toMatchObject({
      reason: 'paused',
    });
  });
});
