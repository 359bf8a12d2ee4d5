import { describe, expect } from 'vitest';
import { rolloutPaused } from '#src/doctor/causes/rollout-paused/rule.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import {
  type ArgoRolloutFields,
  buildArgoReplicaSet,
  buildArgoRollout,
} from '../../../../support/argo-rollout-builders.js';
import { node } from '../../../../support/placement-builders.js';
import { ago, buildPods } from '../../../../support/rollout-builders.js';
import { expectFindings, has, type Row, snapshotOf, step } from '../run-rule.js';

/** `shop/web` with a new pod beside a stable one, both ready. */
function updating(fields: ArgoRolloutFields): Snapshot {
  const sets = ['new', 'stable'].map((hash) => buildArgoReplicaSet({ hash, replicas: 1, desired: 2 }));
  const counts = { replicas: 2, updatedReplicas: 1, readyReplicas: 2, availableReplicas: 2 };
  return snapshotOf(buildArgoRollout({ replicas: 2, ...fields, status: { ...counts, ...fields.status } }), {
    ReplicaSet: sets,
    Pod: sets.flatMap((set) => buildPods(set, 1, 0)),
    Node: [node('n-a')],
  });
}

const canary = { steps: [{ setWeight: 50 }, { pause: {} }, { setWeight: 100 }] };
const blueGreen = { autoPromotionEnabled: false };
const waits = (reasons: string | readonly string[], more: object = {}) => ({
  currentStepIndex: 1,
  controllerPause: true,
  pauseConditions: [reasons].flat().map((reason) => ({ reason, startTime: ago(600) })),
  ...more,
});
const [analysis, experiment] = ['InconclusiveAnalysisRun', 'InconclusiveExperiment'];
const inconclusive = { canary: { currentStepAnalysisRunStatus: { name: 'a', status: 'Inconclusive' } } };
const atStep = (more: object = {}) => ({ canary, status: waits('CanaryPauseStep', more) });
const beforePromotion = (reasons: string | readonly string[] = 'BlueGreenPause', more: object = {}) => ({
  blueGreen,
  status: waits(reasons, more),
});
const stated = (where: string, severity: string, heldAt: string) => ({
  severity,
  summary: `held-at-${where}`,
  facts: { heldAt, pausedSeconds: 600, updated: 1, old: 1, wanted: 2 },
  withheld: has('promote-rollout'),
});

describe('an update of a Rollout that waits for a person', () => {
  expectFindings<ArgoRolloutFields>(rolloutPaused, updating, [
    [
      'is stated at a pause step, counted from 1, without a fix',
      atStep(),
      { ...stated('pause-step', 'info', 'pause-step'), fixes: [] },
    ],
    ['counts the steps from 1', atStep(), { facts: { step: 2, steps: 3 } }],
    ['is stated before the promotion', beforePromotion(), stated('promotion', 'info', 'promotion')],
    [
      'is stated after an analysis without a conclusion, with an abort',
      { canary, status: waits(analysis, inconclusive) },
      { ...stated('analysis', 'warning', 'analysis'), fixes: ['abort-rollout'] },
    ],
    [
      'is not to be promoted after an experiment without a conclusion, because the controller pauses again',
      { canary, status: waits(experiment) },
      {
        ...stated('analysis', 'warning', 'analysis'),
        adviceText: ['advice-experiment'],
        adviceSaid: expect.stringContaining('kubectl argo rollouts promote web -n shop --full'),
        becauseOf: has('pauses-again'),
      },
    ],
    [
      'waits for the analysis rather than at a pause step, which is intended',
      { canary, status: waits(['CanaryPauseStep', analysis]) },
      { severity: 'warning', facts: { heldAt: 'analysis' } },
    ],
    [
      'waits for the analysis rather than before a promotion, which is intended',
      beforePromotion(['BlueGreenPause', analysis]),
      { severity: 'warning', facts: { heldAt: 'analysis' } },
    ],
  ]);
});

const routed = (weight: number) => ({
  canary: { ...canary, trafficRouting: {} },
  status: waits('CanaryPauseStep', {
    canary: {
      weights: {
        canary: { weight, podTemplateHash: 'new' },
        stable: { weight: 100 - weight, podTemplateHash: 'stable' },
      },
    },
  }),
});
const active = (activeSelector: string, reason: string) =>
  beforePromotion(reason, { blueGreen: { activeSelector } });
const serving: readonly (readonly [string, ArgoRolloutFields, string])[] = [
  ['both, by their pods', atStep(), 'both'],
  ['the new one, once it has all pods', atStep({ updatedReplicas: 2 }), 'new'],
  ['the stable one, before the first new pod', atStep({ updatedReplicas: 0 }), 'stable'],
  ['the stable one, by the weights of the router', routed(0), 'stable'],
  ['both, by the weights of the router', routed(20), 'both'],
  ['the new one, by the weights of the router', routed(100), 'new'],
  ['the stable one before a promotion', active('stable', 'BlueGreenPause'), 'stable'],
  ['the new one after a promotion', active('new', analysis), 'new'],
];

describe('the revision that gets the traffic while an update waits is', () => {
  expectFindings(
    rolloutPaused,
    updating,
    serving.map(
      ([what, fields, traffic]): Row<ArgoRolloutFields> => [
        what,
        fields,
        { standing: { values: { traffic } } },
      ],
    ),
  );
});

describe('a Rollout', () => {
  const promoted = { stableRS: 'new', currentPodHash: 'new' };
  expectFindings<ArgoRolloutFields>(rolloutPaused, updating, [
    [
      'that a person paused is reported with its update, and may be resumed up to its next pause',
      { canary, spec: { paused: true }, status: { currentStepIndex: 0 } },
      {
        severity: 'warning',
        summary: 'summary',
        fix: {
          kind: 'resume-rollout',
          prediction: { ends: 'complete' },
          effects: has(step('continues', {}), step('goes-to-step', {}), step('undo', {})),
        },
      },
    ],
    [
      'is not reported at a pause with a length',
      {
        canary: { steps: [{ setWeight: 50 }, { pause: { duration: '10m' } }] },
        status: waits('CanaryPauseStep'),
      },
    ],
    [
      'is not reported before a promotion that has a time',
      { blueGreen: { autoPromotionSeconds: 60 }, status: waits('BlueGreenPause') },
    ],
    ['is not reported for an update without a pause', { canary, status: { currentStepIndex: 0 } }],
    ['is not reported for an aborted update', atStep({ abort: true })],
    ['is not reported for a promoted revision', atStep(promoted)],
    ['is not reported where it is paused without an update', { spec: { paused: true }, status: promoted }],
  ]);
});
