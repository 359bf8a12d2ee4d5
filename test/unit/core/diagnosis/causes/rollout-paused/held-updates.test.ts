import { describe, expect, it } from 'vitest';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { rolloutPaused } from '#src/core/diagnosis/causes/rollout-paused/rule.js';
import { text } from '#src/core/diagnosis/causes/rollout-paused/text.js';
import {
  type ArgoRolloutFields,
  buildArgoReplicaSet,
  buildArgoRollout,
} from '#support/argo-rollout-builders.js';
import { node } from '#support/placement-builders.js';
import { ago, buildPods } from '#support/rollout-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

/** `shop/web` with a new pod beside a stable one, both ready. */
function updating(fields: ArgoRolloutFields): Snapshot {
  const sets = [
    buildArgoReplicaSet({ hash: 'new', replicas: 1, desired: 2 }),
    buildArgoReplicaSet({ hash: 'stable', replicas: 1, desired: 2 }),
  ];
  const Pod = sets.flatMap((set) => buildPods(set, 1, 0));
  const status = {
    replicas: 2,
    updatedReplicas: 1,
    readyReplicas: 2,
    availableReplicas: 2,
    ...fields.status,
  };
  const workload = buildArgoRollout({ replicas: 2, ...fields, status });
  return snapshotOf(workload, { ReplicaSet: sets, Pod, Node: [node('n-a')] });
}

const steps = [{ setWeight: 50 }, { pause: {} }, { setWeight: 100 }];
const waits = (reason: string, more: object = {}) => ({
  currentStepIndex: 1,
  controllerPause: true,
  pauseConditions: [{ reason, startTime: ago(600) }],
  ...more,
});
const atStep: ArgoRolloutFields = { canary: { steps }, status: waits('CanaryPauseStep') };
const inconclusive = { canary: { currentStepAnalysisRunStatus: { name: 'a', status: 'Inconclusive' } } };

describe('an update of a Rollout that waits for a person', () => {
  it.each<[string, ArgoRolloutFields, string, string, string]>([
    ['at a pause step', atStep, 'held-at-pause-step', 'info', 'pause-step'],
    [
      'before the promotion',
      { blueGreen: { autoPromotionEnabled: false }, status: waits('BlueGreenPause') },
      'held-at-promotion',
      'info',
      'promotion',
    ],
    [
      'after an analysis without a conclusion',
      { canary: { steps }, status: waits('InconclusiveAnalysisRun', inconclusive) },
      'held-at-analysis',
      'warning',
      'analysis',
    ],
    [
      'after an experiment without a conclusion',
      { canary: { steps }, status: waits('InconclusiveExperiment') },
      'held-at-analysis',
      'warning',
      'analysis',
    ],
  ])('%s is stated, with the time', (_, fields, summary, severity, heldAt) => {
    const finding = mustFind(rolloutPaused, updating(fields));

    expect(finding).toMatchObject({
      severity,
      summary: { key: summary },
      facts: { heldAt, pausedSeconds: 600, updated: 1, old: 1, wanted: 2 },
    });
    expect(finding.withheld[0]?.kind).toBe('promote-rollout');
    const { en, ko } = renderFinding(finding, text);
    expect(ko).toHaveLength(en.length);
    expect([...en, ...ko].join(' ')).not.toContain('undefined');
  });

  it('is offered an abort where an analysis could not tell whether the new revision is good', () => {
    const fields = { canary: { steps }, status: waits('InconclusiveAnalysisRun', inconclusive) };

    expect(mustFind(rolloutPaused, updating(fields)).remediations.map(({ kind }) => kind)).toEqual([
      'abort-rollout',
    ]);
    expect(mustFind(rolloutPaused, updating(atStep)).remediations).toEqual([]);
  });

  it('names the step, counted from 1', () => {
    expect(mustFind(rolloutPaused, updating(atStep)).facts).toMatchObject({ step: 2, steps: 3 });
  });
});

describe('an analysis or experiment without a conclusion', () => {
  it.each([
    ['a pause step', { canary: { steps } }, 'CanaryPauseStep'],
    ['a pause before the promotion', { blueGreen: { autoPromotionEnabled: false } }, 'BlueGreenPause'],
  ])('comes before %s, which is intended', (_, strategy, reason) => {
    const [pause] = waits(reason).pauseConditions;
    const [other] = waits('InconclusiveAnalysisRun').pauseConditions;
    const fields = { ...strategy, status: waits(reason, { pauseConditions: [pause, other] }) };

    expect(mustFind(rolloutPaused, updating(fields))).toMatchObject({
      severity: 'warning',
      facts: { heldAt: 'analysis' },
    });
  });

  it('of an experiment is not to be promoted, because the controller pauses again', () => {
    const finding = mustFind(
      rolloutPaused,
      updating({ canary: { steps }, status: waits('InconclusiveExperiment') }),
    );

    expect(keysOf((finding.advice ?? []).map(({ text: words }) => words))).toEqual(['advice-experiment']);
    expect(JSON.stringify(finding.advice)).toContain('kubectl argo rollouts promote web -n shop --full');
    expect(finding.withheld).toContainEqual(
      expect.objectContaining({
        kind: 'promote-rollout',
        because: expect.objectContaining({ key: 'pauses-again' }),
      }),
    );
    const { en, ko } = renderFinding(finding, text);
    expect(ko).toHaveLength(en.length);
  });
});

describe('the revision that gets the traffic while an update waits', () => {
  const routed = (canary: number, stable: number) => ({
    canary: { steps, trafficRouting: {} },
    status: waits('CanaryPauseStep', {
      canary: {
        weights: {
          canary: { weight: canary, podTemplateHash: 'new' },
          stable: { weight: stable, podTemplateHash: 'stable' },
        },
      },
    }),
  });
  const blueGreen = (activeSelector: string, reason: string) => ({
    blueGreen: { autoPromotionEnabled: false },
    status: waits(reason, { blueGreen: { activeSelector } }),
  });
  it.each<[string, ArgoRolloutFields, string]>([
    ['both, by their pods', atStep, 'both'],
    [
      'the new one, once it has all pods',
      { ...atStep, status: { ...atStep.status, updatedReplicas: 2 } },
      'new',
    ],
    [
      'the stable one, before the first new pod',
      { ...atStep, status: { ...atStep.status, updatedReplicas: 0 } },
      'stable',
    ],
    ['the stable one, by the weights of the router', routed(0, 100), 'stable'],
    ['both, by the weights of the router', routed(20, 80), 'both'],
    ['the new one, by the weights of the router', routed(100, 0), 'new'],
    ['the stable one before a promotion', blueGreen('stable', 'BlueGreenPause'), 'stable'],
    ['the new one after a promotion', blueGreen('new', 'InconclusiveAnalysisRun'), 'new'],
  ])('is %s', (_, fields, traffic) => {
    const finding = mustFind(rolloutPaused, updating(fields));

    expect(finding.standing).toMatchObject({ values: { traffic } });
    const { en, ko } = renderFinding(finding, text);
    expect([...en, ...ko].join(' ')).not.toContain('undefined');
  });
});

describe('a Rollout that a person paused', () => {
  it('is reported with its update, and may be resumed up to its next pause', () => {
    const fields = { canary: { steps }, spec: { paused: true }, status: { currentStepIndex: 0 } };
    const finding = mustFind(rolloutPaused, updating(fields));

    expect(finding).toMatchObject({ severity: 'warning', summary: { key: 'summary' } });
    const [resume] = finding.remediations;
    expect(resume).toMatchObject({ kind: 'resume-rollout', prediction: { ends: 'complete' } });
    expect(keysOf(resume?.effects ?? [])).toEqual(
      expect.arrayContaining(['continues', 'goes-to-step', 'undo']),
    );
  });
});

describe('no wait for a person is reported', () => {
  it.each<[string, ArgoRolloutFields]>([
    [
      'at a pause with a length',
      {
        canary: { steps: [{ setWeight: 50 }, { pause: { duration: '10m' } }] },
        status: waits('CanaryPauseStep'),
      },
    ],
    [
      'before a promotion that has a time',
      { blueGreen: { autoPromotionSeconds: 60 }, status: waits('BlueGreenPause') },
    ],
    ['for an update without a pause', { canary: { steps }, status: { currentStepIndex: 0 } }],
    ['for an aborted update', { canary: { steps }, status: waits('CanaryPauseStep', { abort: true }) }],
    [
      'for a promoted revision',
      { canary: { steps }, status: waits('CanaryPauseStep', { stableRS: 'new', currentPodHash: 'new' }) },
    ],
    [
      'for a paused Rollout without an update',
      { spec: { paused: true }, status: { stableRS: 'new', currentPodHash: 'new' } },
    ],
  ])('%s', (_, fields) => {
    expect(foundBy(rolloutPaused, updating(fields))).toBeUndefined();
  });
});
