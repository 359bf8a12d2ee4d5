import { describe, expect, it } from 'vitest';
import { waitOf } from '#src/engine/workloads/argo-rollout/canary-steps.js';
import { actArgoRollout, nextArgoRolloutSteps } from '#src/engine/workloads/argo-rollout/forecast.js';
import { isFixedPoint, restState } from '#src/engine/workloads/fixed-point.js';
import type { PodSimulator } from '#src/engine/workloads/pod-simulator.js';
import type { ArgoRolloutState } from '#src/engine/workloads/rollout-state.js';
import { rolloutStatus } from '#src/engine/workloads/rollout-status.js';
import {
  argoStateOf,
  buildArgoRollout,
  type SetFields,
  sizesByHash,
} from '../../../../support/argo-rollout-builders.js';
import { ago } from '../../../../support/rollout-builders.js';

/** Sizes by hash once the controllers rest, with the step and what else the status states. */
function reconciled(state: ArgoRolloutState) {
  const { state: end, isAtRest } = actArgoRollout(state, () => true);
  const { status } = end.rollout;
  return {
    isAtRest,
    sizes: sizesByHash(end),
    step: status.currentStepIndex,
    stable: status.stableRS,
    pauses: status.pauseConditions.map(({ reason }) => reason),
    abort: status.abort,
    active: status.blueGreen.activeSelector,
  };
}

const steps = [{ setWeight: 50 }, { pause: {} }, { setWeight: 100 }];
const fourOnFour: readonly SetFields[] = [
  { hash: 'new', replicas: 0, desired: 4 },
  { hash: 'stable', replicas: 4 },
];
const halfway: readonly SetFields[] = [
  { hash: 'new', replicas: 2, desired: 4 },
  { hash: 'stable', replicas: 2, desired: 4 },
];

describe('the controller of a canary', () => {
  it('starts as many new pods as maxSurge allows, and stops as many old ones as maxUnavailable allows', () => {
    expect(reconciled(argoStateOf({ replicas: 4, canary: { steps } }, fourOnFour))).toMatchObject({
      isAtRest: true,
      sizes: { new: 2, stable: 3 },
      step: 0,
      pauses: [],
    });
  });

  it('pauses at a pause step once the pods of the weight are available', () => {
    expect(reconciled(argoStateOf({ replicas: 4, canary: { steps } }, halfway))).toMatchObject({
      isAtRest: true,
      sizes: { new: 2, stable: 2 },
      step: 1,
      pauses: ['CanaryPauseStep'],
    });
  });

  it('goes on after a person has removed the pause', () => {
    const status = { currentStepIndex: 1, controllerPause: true };
    expect(reconciled(argoStateOf({ replicas: 4, canary: { steps }, status }, halfway))).toMatchObject({
      sizes: { new: 4, stable: 1 },
      step: 2,
      pauses: [],
    });
  });

  it('takes a pause whose time is over as done', () => {
    const timed = [{ setWeight: 50 }, { pause: { duration: '10m' } }, { setWeight: 100 }];
    const pausedFor = (seconds: number) => ({
      currentStepIndex: 1,
      controllerPause: true,
      pauseConditions: [{ reason: 'CanaryPauseStep', startTime: ago(seconds) }],
    });
    const at = (seconds: number) =>
      reconciled(argoStateOf({ replicas: 4, canary: { steps: timed }, status: pausedFor(seconds) }, halfway))
        .step;
    expect(at(599)).toBe(1);
    expect(at(601)).toBe(2);
  });

  it('goes back to the stable pods after an abort, without touching the template', () => {
    const status = { abort: true, currentStepIndex: 1 };
    expect(reconciled(argoStateOf({ replicas: 4, canary: { steps }, status }, halfway))).toMatchObject({
      sizes: { new: 1, stable: 4 },
      step: 0,
      abort: true,
      stable: 'stable',
    });
  });

  it('skips the steps under a full promotion', () => {
    const status = { promoteFull: true };
    expect(reconciled(argoStateOf({ replicas: 4, canary: { steps }, status }, halfway))).toMatchObject({
      sizes: { new: 4, stable: 1 },
      step: 3,
    });
  });

  it('removes the pods of a revision in between first, those that are not available at once', () => {
    const sets: readonly SetFields[] = [
      { hash: 'new', replicas: 0, desired: 1 },
      { hash: 'between', replicas: 1, available: 0, revision: 5 },
      { hash: 'stable', replicas: 1 },
    ];
    expect(reconciled(argoStateOf({ replicas: 1 }, sets))).toMatchObject({
      sizes: { new: 1, between: 0, stable: 1 },
    });
  });

  it('changes no size while a person pauses it', () => {
    expect(
      reconciled(argoStateOf({ replicas: 4, canary: { steps }, spec: { paused: true } }, fourOnFour)),
    ).toMatchObject({ sizes: { new: 0, stable: 4 } });
  });

  it('becomes stable when all replicas are available after the last step', () => {
    const sets: readonly SetFields[] = [
      { hash: 'new', replicas: 4 },
      { hash: 'stable', replicas: 0, desired: 4 },
    ];
    const status = { currentStepIndex: 3 };
    expect(reconciled(argoStateOf({ replicas: 4, canary: { steps }, status }, sets)).stable).toBe('new');
  });
});

const stuck: readonly SetFields[] = [
  { hash: 'new', replicas: 1, available: 0 },
  { hash: 'stable', replicas: 1 },
];

describe('a Rollout at rest', () => {
  it('is at a fixed point while its new pod waits beside the old one', () => {
    expect(isFixedPoint(argoStateOf({}, stuck))).toBe(true);
  });

  it.each([
    { for: 'user-pause', fields: { spec: { paused: true } } },
    { for: 'aborted', fields: { status: { abort: true } } },
    {
      for: 'pause',
      fields: { status: { pauseConditions: [{ reason: 'InconclusiveAnalysisRun', startTime: ago(60) }] } },
    },
    { for: 'pause', fields: { status: { controllerPause: true } } },
    { for: 'analysis', fields: { canary: { steps: [{ analysis: { templates: [] } }] } } },
    { for: 'analysis', fields: { canary: { steps: [{ experiment: { templates: [] } }] } } },
    {
      for: 'analysis',
      fields: {
        status: { canary: { currentBackgroundAnalysisRunStatus: { name: 'a', status: 'Running' } } },
      },
    },
    { for: 'deadline-abort', fields: { spec: { progressDeadlineAbort: true } } },
    { for: 'restart', fields: { spec: { restartAt: ago(-60) } } },
  ] as const)('waits for $for and not for a place', ({ for: wait, fields }) => {
    const state = argoStateOf(fields, stuck);
    expect(waitOf(state)).toBe(wait);
    expect(isFixedPoint(state)).toBe(false);
  });

  it('waits for a former revision that goes soon', () => {
    const sets = [...stuck, { hash: 'former', replicas: 1, deadline: ago(-60) }];
    expect(waitOf(argoStateOf({ blueGreen: {} }, sets))).toBe('scale-down-delay');
  });

  it('is acting until its controller has seen the spec', () => {
    expect(restState(argoStateOf({ generation: 3 }, stuck)).kind).toBe('acting');
  });

  it('does not wait for an analysis that has ended', () => {
    const status = { canary: { currentStepAnalysisRunStatus: { name: 'a', status: 'Successful' } } };
    expect(waitOf(argoStateOf({ status }, stuck))).toBeUndefined();
  });
});

/** A new pod finds the node of one that is gone. */
const replacing: PodSimulator = {
  placementOf: (_, { gone, placed }) =>
    gone.filter(({ spec }) => spec.nodeName)[placed.length]?.spec.nodeName,
  becomesReady: () => true,
};
const inPlace = { kind: 'bounds', maxSurge: 0, maxUnavailable: 1 } as const;

describe('the forecast of a Rollout', () => {
  it.each([
    { what: 'stays stuck as it is', change: { kind: 'none' }, ends: 'stuck' },
    { what: 'completes once the old pod may go first', change: inPlace, ends: 'complete' },
    { what: 'completes after an abort', change: { kind: 'abort' }, ends: 'complete' },
    { what: 'stays stuck after a full promotion', change: { kind: 'promote-full' }, ends: 'stuck' },
  ] as const)('$what', ({ change, ends }) => {
    expect(nextArgoRolloutSteps(argoStateOf({}, stuck), change, replacing).ends).toBe(ends);
  });

  it('replaces no pod at a low weight of one replica, and replaces it at a later step', () => {
    const paused = { canary: { steps: [{ setWeight: 20 }, { pause: {} }] } };
    const timed = { canary: { steps: [{ setWeight: 20 }, { pause: { duration: 60 } }] } };
    const held = nextArgoRolloutSteps(argoStateOf(paused, stuck), inPlace, replacing);
    const whole = nextArgoRolloutSteps(argoStateOf(timed, stuck), inPlace, replacing);
    expect([held.ends, held.victims.filter(({ spec }) => spec.nodeName).length]).toEqual(['complete', 0]);
    expect([whole.ends, whole.victims.filter(({ spec }) => spec.nodeName).length]).toEqual(['complete', 1]);
  });

  it('is unknown where an analysis beside the steps may abort the update', () => {
    const analysed = { canary: { analysis: { templates: [] } } };
    expect(nextArgoRolloutSteps(argoStateOf(analysed, stuck), inPlace, replacing).ends).toBe('unknown');
  });

  it('does not count bounds of a canary with a traffic router', () => {
    const routed = {
      canary: {
        canaryService: 'c',
        stableService: 's',
        trafficRouting: { nginx: {} },
        steps: [{ setWeight: 100 }],
      },
    };
    expect(nextArgoRolloutSteps(argoStateOf(routed, stuck), inPlace, replacing).ends).toBe('unknown');
  });
});

describe('the status of a Rollout', () => {
  it.each([
    { what: 'waits for new pods', status: { updatedReplicas: 0 }, kind: 'waiting' },
    {
      what: 'is complete once it is promoted',
      status: { stableRS: 'new', replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
      kind: 'complete',
    },
    { what: 'is complete after an abort', status: { abort: true, availableReplicas: 1 }, kind: 'complete' },
    {
      what: 'has failed at its deadline',
      status: { conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }] },
      kind: 'failed',
    },
  ])('$what', ({ status, kind }) => {
    expect(rolloutStatus(buildArgoRollout({ status })).kind).toBe(kind);
  });
});
