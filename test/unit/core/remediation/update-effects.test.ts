import { describe, expect, it } from 'vitest';
import { considerPromoteRollout } from '#src/core/remediation/kinds/promote-rollout/propose.js';
import { considerResumeRollout } from '#src/core/remediation/kinds/resume-rollout/propose.js';
import { considerRetryRollout } from '#src/core/remediation/kinds/retry-rollout/propose.js';
import type { PodOracle } from '#src/core/rollout/pod-oracle.js';
import {
  type ArgoRolloutFields,
  buildArgoReplicaSet,
  buildArgoRollout,
  buildArgoState,
  type SetFields,
} from '#support/argo-rollout-builders.js';
import { keysOf } from '#support/remediation-builders.js';
import { ago, buildPods } from '#support/rollout-builders.js';

const everywhere: PodOracle = { placementOf: () => 'anywhere', becomesReady: () => true };
const consider = {
  promote: considerPromoteRollout,
  retry: considerRetryRollout,
  resume: considerResumeRollout,
};

/** What the effects of a change say about the end of the update, which the forecast plays forward to. */
function endOf(kind: keyof typeof consider, fields: ArgoRolloutFields, sets: readonly SetFields[]) {
  const replicaSets = sets.map(buildArgoReplicaSet);
  const pods = replicaSets.flatMap((set) => buildPods(set, set.status.availableReplicas, 0));
  const services = { web: { hash: 'stable', isManaged: true } };
  const state = buildArgoState(buildArgoRollout(fields), replicaSets, pods, services);
  const considered = consider[kind]({ state, oracle: everywhere, revision: '9' });
  if (considered.type === 'impossible') throw new Error(considered.because.key);
  const { effects } = considered.remediation;
  const [end] = effects.filter(({ key }) => key.startsWith('goes-to') || key === 'stays-aborted');
  return [
    considered.forecast.ends,
    end?.key,
    ...(end?.key === 'goes-to-step' ? [end.values.step] : []),
    keysOf(effects).includes('stops-until-then'),
  ];
}

const steps = [
  { setWeight: 50 },
  { pause: {} },
  { setWeight: 75 },
  { pause: { duration: '10m' } },
  { setWeight: 100 },
  { pause: {} },
];
const pausedBy = (reason: string, more: object = {}) => ({
  controllerPause: true,
  pauseConditions: [{ reason, startTime: ago(5) }],
  ...more,
});
const aborted = { abort: true, abortedAt: ago(50), currentStepIndex: 0 };
const back: readonly SetFields[] = [
  { hash: 'new', replicas: 0, desired: 4 },
  { hash: 'stable', replicas: 4, desired: 4 },
];
const half: readonly SetFields[] = [
  { hash: 'new', replicas: 2, desired: 4 },
  { hash: 'stable', replicas: 2, desired: 4 },
];
const both: readonly SetFields[] = [
  { hash: 'new', replicas: 2 },
  { hash: 'stable', replicas: 2 },
];
const selector = { blueGreen: { activeSelector: 'stable' } };
const blueGreen = { autoPromotionEnabled: false };

describe('the effects of a change of an update', () => {
  it.each<[string, Parameters<typeof endOf>, ReturnType<typeof endOf>]>([
    [
      'a promotion to the next pause without a length',
      [
        'promote',
        { replicas: 4, canary: { steps }, status: pausedBy('CanaryPauseStep', { currentStepIndex: 1 }) },
        half,
      ],
      ['complete', 'goes-to-step', 6, true],
    ],
    [
      'a promotion of a blue-green update',
      ['promote', { replicas: 2, blueGreen, status: pausedBy('BlueGreenPause', selector) }, both],
      ['complete', 'goes-to-promoted', true],
    ],
    [
      'a retry up to the first pause',
      ['retry', { replicas: 4, canary: { steps }, status: aborted }, back],
      ['complete', 'goes-to-step', 2, true],
    ],
    [
      'a retry of a blue-green update',
      [
        'retry',
        { replicas: 2, blueGreen, status: { ...aborted, ...selector } },
        [
          { hash: 'new', replicas: 0 },
          { hash: 'stable', replicas: 2 },
        ],
      ],
      ['complete', 'goes-to-before-promotion', false],
    ],
    [
      'a retry of a rollback within its window, which skips all steps',
      [
        'retry',
        { replicas: 4, canary: { steps }, spec: { rollbackWindow: { revisions: 3 } }, status: aborted },
        [
          { hash: 'new', replicas: 0, desired: 4, age: 9_000 },
          { hash: 'stable', replicas: 4, desired: 4 },
        ],
      ],
      ['complete', 'goes-to-promoted', true],
    ],
    [
      'a resumption to the pause at which the update waited',
      [
        'resume',
        {
          replicas: 4,
          canary: { steps },
          spec: { paused: true },
          status: pausedBy('CanaryPauseStep', { currentStepIndex: 1 }),
        },
        half,
      ],
      ['complete', 'goes-to-step', 2, false],
    ],
    [
      'a resumption of a template that is newer than the step, from the first step',
      [
        'resume',
        {
          image: 'web:third',
          replicas: 4,
          canary: { steps },
          spec: { paused: true },
          status: { currentStepIndex: 2 },
        },
        half,
      ],
      ['complete', 'goes-to-step', 2, true],
    ],
    [
      'a resumption of a blue-green update that somebody promoted meanwhile',
      [
        'resume',
        { replicas: 2, blueGreen, spec: { paused: true }, status: { controllerPause: true, ...selector } },
        both,
      ],
      ['complete', 'goes-to-promoted', true],
    ],
    [
      'a resumption of an aborted update, which stays aborted',
      ['resume', { replicas: 4, canary: { steps }, spec: { paused: true }, status: aborted }, back],
      ['complete', 'stays-aborted', false],
    ],
  ])('state the end that the forecast comes to: %s', (_, change, end) => {
    expect(endOf(...change)).toEqual(end);
  });
});
