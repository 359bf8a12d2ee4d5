import { describe, expect, it } from 'vitest';
import { considerResumeRollout, proposeResumeRollout, text } from '#src/doctor/fixes/kinds/resume-rollout.js';
import { planUndo } from '#src/doctor/fixes/plan-undo.js';
import { planRemediation } from '#src/doctor/fixes/remediation.js';
import { tellFrom } from '#src/engine/language/catalogue.js';
import { languages } from '#src/engine/language/language.js';
import { plain } from '#src/engine/language/prose.js';
import type { DeploymentState } from '#src/engine/workloads/rollout-state.js';
import { node } from '../../../../support/placement-builders.js';
import { buildSnapshot, examined, keysOf, planned } from '../../../../support/remediation-builders.js';
import {
  buildDeployment,
  buildPod,
  buildPods,
  buildReplicaSet,
  type DeploymentFields,
} from '../../../../support/rollout-builders.js';
import { buildSet } from '../../../../support/stateful-set-builders.js';

function snapshotOf(fields: DeploymentFields = {}) {
  const old = buildReplicaSet({ revision: 1, replicas: 3, available: 3 });
  const workload = buildDeployment({ replicas: 3, paused: true, ...fields });
  const Node = ['n-0', 'n-1', 'n-2'].map((name) => node(name));
  return buildSnapshot(workload, { Deployment: [workload], ReplicaSet: [old], Pod: buildPods(old, 3), Node });
}

function resumed(fields: DeploymentFields = {}) {
  const { state, simulator } = examined<DeploymentState>(snapshotOf(fields));
  const [remediation] = proposeResumeRollout({ state, simulator, revision: '2' }).remediations;
  if (remediation === undefined) throw new Error('must be offered');
  return remediation;
}

describe('the recommendation to resume', () => {
  it('states how the controller then continues, step by step', () => {
    const { effects, price } = resumed();

    expect(keysOf(effects)).toEqual(['continues', 'replaces-pods', 'new-pod-placed', 'undo']);
    expect(effects[1]?.values).toEqual({ pods: 3, surge: 1, unavailable: 0, graceSeconds: 30 });
    expect(price).toMatchObject({ downtime: { kind: 'none' }, blastRadius: { pods: 3 } });
  });

  it('shows the downtime of Recreate', () => {
    const { effects, price } = resumed({ recreate: true });

    expect(keysOf(effects)).toContain('stops-all');
    expect(price.downtime.kind).toBe('gap');
  });

  it('has text for every effect in both languages', () => {
    const tell = tellFrom({ 'resume-rollout': text });
    for (const language of languages) {
      const effectTexts = resumed().effects.map((effect) => plain(tell(effect, language)));
      expect(effectTexts.every((sentence) => !sentence.startsWith('resume-rollout: '))).toBe(true);
    }
    expect(plain(tell(resumed().title, 'en'))).toBe('Resume the rollout');
  });

  it('predicts nothing where the pods could not be read', () => {
    const { workload, index } = snapshotOf();
    const bare = buildSnapshot(workload, { ReplicaSet: index.objects.ReplicaSet });
    const { state, simulator } = examined<DeploymentState>(bare);

    expect(proposeResumeRollout({ state, simulator, revision: '2' }).withheld).toMatchObject([
      { kind: 'resume-rollout', because: { key: 'withheld-unknown' } },
    ]);
  });

  it('is withheld where no node has room for one more pod, and names what would wait', () => {
    const { workload, index } = snapshotOf();
    const { ReplicaSet, Pod } = index.objects;
    const Node = ['n-0', 'n-1', 'n-2'].map((name) => node(name, { allocatable: { pods: '1' } }));
    const full = buildSnapshot(workload, { ReplicaSet, Pod, Node });
    const { state, simulator } = examined<DeploymentState>(full);
    const { remediations, withheld } = proposeResumeRollout({ state, simulator, revision: '2' });

    expect([remediations, withheld.map(({ because }) => because.key)]).toEqual([[], ['withheld-stuck']]);
    const { remediation, against } = considerResumeRollout({ state, simulator, revision: '2' });
    expect([remediation.prediction.ends, against]).toEqual(['stuck', undefined]);
  });

  it('is withheld while a new pod that exists is not well, and states which', () => {
    const { workload, index } = snapshotOf();
    const old = index.objects;
    const made = buildReplicaSet({ revision: 2, replicas: 1, exist: 1, available: 0 });
    const owner = { name: made.metadata.name, uid: made.metadata.uid };
    const crashing = buildPod({ name: 'web-2-x', node: 'n-0', ready: false, restarts: 5, owner });
    const broken = buildSnapshot(workload, {
      ReplicaSet: [...old.ReplicaSet, made],
      Pod: [...old.Pod, crashing],
      Node: old.Node,
    });
    const { state, simulator } = examined<DeploymentState>(broken);

    expect(proposeResumeRollout({ state, simulator, revision: '2' })).toMatchObject({
      remediations: [],
      withheld: [{ because: { key: 'withheld-broken', values: { pods: ['web-2-x'] } } }],
    });
  });
});

describe('the plan to resume', () => {
  it('resumes by a merge patch, and pauses again to undo', () => {
    const plan = planned(planRemediation(resumed(), snapshotOf()));

    expect(plan).toMatchObject({
      target: { kind: 'Deployment', namespace: 'shop', name: 'web', uid: 'web-uid', generation: 2 },
      request: { verb: 'patch', patchType: 'merge', body: { spec: { paused: false } } },
      changes: [{ path: 'spec.paused', before: true, after: false }],
      undo: { request: { body: { spec: { paused: true } } } },
    });
  });

  it('is refused after the Deployment was resumed', () => {
    expect(planRemediation(resumed(), snapshotOf({ paused: false }))).toMatchObject({
      type: 'refusal',
      reason: 'already-applied',
    });
  });

  it('is refused for any other kind than a Deployment', () => {
    expect(planRemediation(resumed(), buildSnapshot(buildSet()))).toMatchObject({ reason: 'not-applicable' });
  });

  it('is undone only while the Deployment is unchanged', () => {
    const { undo } = planned(planRemediation(resumed(), snapshotOf()));
    if (undo === undefined) throw new Error('must have an undo');

    expect(planned(planUndo('resume-rollout', undo, snapshotOf({ paused: false }))).request).toMatchObject({
      body: { spec: { paused: true } },
    });
    expect(planUndo('resume-rollout', undo, snapshotOf())).toMatchObject({ reason: 'drifted' });
  });
});
