import { describe, expect, it } from 'vitest';
import {
  failedAnalysisOf,
  hasOpaquePart,
  hasSeenAbort,
  isRestartPending,
  pauseSeconds,
  waitOf,
  waitsForPeople,
} from '#src/engine/workloads/argo-rollout/canary-steps.js';
import {
  pauseEndsByTime,
  promotionOf,
  updateEndOf,
} from '#src/engine/workloads/argo-rollout/rollout-change.js';
import {
  type ArgoRolloutFields,
  buildArgoReplicaSet,
  buildArgoRollout,
  buildArgoState,
} from '../../../../support/argo-rollout-builders.js';
import { ago } from '../../../../support/rollout-builders.js';

const paused = {
  pauseConditions: [{ reason: 'CanaryPauseStep', startTime: ago(60) }],
  controllerPause: true,
};
const analysed = (status: string) => ({ name: 'a', status });
const steps = [{ setWeight: 25 }, { pause: {} }, { setWeight: 50 }, { pause: { duration: '10m' } }];

describe('the promotion of an update that waits', () => {
  const withAnalysis = [{ setWeight: 1 }, { analysis: { templates: [] } }];
  /** A pause at this step, whose analysis ended so. */
  const at = (currentStepIndex: number, ended: string, more: object = {}, of: readonly object[] = steps) => ({
    canary: { steps: of },
    status: {
      ...paused,
      currentStepIndex,
      canary: { currentStepAnalysisRunStatus: analysed(ended) },
      ...more,
    },
  });

  it.each<[string, ArgoRolloutFields, object | undefined]>([
    ['ends the pause of a step', { canary: { steps }, status: { ...paused, currentStepIndex: 1 } }, {}],
    ['ends the pause of a blue-green update', { blueGreen: {}, status: paused }, {}],
    [
      'skips an analysis without a conclusion',
      at(1, 'Inconclusive', {}, withAnalysis),
      { controllerPause: false, currentStepIndex: 2 },
    ],
    ['skips nothing where the analysis has a conclusion', at(0, 'Successful', {}, withAnalysis.slice(1)), {}],
    [
      'skips nothing where the controller does not pause',
      at(0, 'Inconclusive', { controllerPause: false }),
      {},
    ],
    ['skips nothing after the last step', at(4, 'Inconclusive'), {}],
    [
      'is nothing while the update does not pause',
      { canary: { steps }, status: { controllerPause: true } },
      undefined,
    ],
    ['is nothing after the promotion', { status: { ...paused, stableRS: 'new' } }, undefined],
  ])('%s', (_, fields, expected) => {
    expect(promotionOf(buildArgoRollout(fields))).toEqual(expected);
  });

  const step = (currentStepIndex: number, more: object = {}) => ({
    canary: { steps },
    status: { currentStepIndex, ...more },
  });
  const byPeople = { blueGreen: { autoPromotionEnabled: false } };
  it.each<[string, ArgoRolloutFields, object]>([
    ['a step, counted from 1', step(1), { type: 'step', step: 2, of: 4 }],
    ['a wait before the promotion', byPeople, { type: 'before-promotion' }],
    ['the promotion', { canary: { steps }, status: { stableRS: 'new' } }, { type: 'promoted' }],
    ['an abort', step(0, { abort: true }), { type: 'aborted' }],
  ])('at rest has come to %s', (_, fields, expected) => {
    expect(updateEndOf(buildArgoRollout(fields))).toEqual(expected);
  });

  const byPeopleOrTime = { blueGreen: { autoPromotionEnabled: false, autoPromotionSeconds: 60 } };
  it.each<[string, ArgoRolloutFields, string, boolean]>([
    ['a step with a length', step(3), 'CanaryPauseStep', true],
    ['a step without one', step(1), 'CanaryPauseStep', false],
    ['no step', step(4), 'CanaryPauseStep', false],
    ['an analysis', step(3), 'InconclusiveAnalysisRun', false],
    ['a promotion after some time', { blueGreen: { autoPromotionSeconds: 60 } }, 'BlueGreenPause', true],
    ['a promotion without a time', { blueGreen: {} }, 'BlueGreenPause', false],
    ['a promotion by a person', byPeopleOrTime, 'BlueGreenPause', false],
    ['a canary', step(3), 'BlueGreenPause', false],
  ])('comes by time or not: %s', (_, fields, reason, expected) => {
    expect(pauseEndsByTime(buildArgoRollout(fields), reason)).toBe(expected);
  });

  it.each([
    [30, 30],
    ['45', 45],
    ['90s', 90],
    ['10m', 600],
    ['1h', 3_600],
    ['1h30m', 5_400],
    ['1.5m', 90],
    ['1500ms', 1],
    ['soon', -1],
    ['10 m', -1],
    [undefined, undefined],
  ])('reads the length %j of a pause as %j seconds', (duration, seconds) => {
    expect(pauseSeconds({ pause: { duration } } as never)).toBe(seconds);
  });
});

describe('what a Rollout waits for', () => {
  const stateOf = (fields: ArgoRolloutFields, deadline?: string) =>
    buildArgoState(buildArgoRollout(fields), [
      buildArgoReplicaSet({ hash: 'new', replicas: 1 }),
      buildArgoReplicaSet({ hash: 'old', replicas: 1, ...(deadline === undefined ? {} : { deadline }) }),
    ]);
  const promoted = { stableRS: 'new' };

  const running = (status: string, name: string) => ({ [name]: analysed(status) });
  const background = running('Running', 'currentBackgroundAnalysisRunStatus');
  const beforeIt = running('Pending', 'prePromotionAnalysisRunStatus');
  const afterIt = running('Running', 'postPromotionAnalysisRunStatus');
  const ofStep = running('Running', 'currentStepAnalysisRunStatus');
  it.each<[string, ArgoRolloutFields, string | undefined]>([
    ['nothing', {}, undefined],
    ['no abort of a promoted revision', { status: { ...promoted, abort: true } }, undefined],
    ['no analysis of a promoted revision', { status: { ...promoted, canary: background } }, undefined],
    [
      'no deadline of a promoted revision',
      { spec: { progressDeadlineAbort: true }, status: promoted },
      undefined,
    ],
    ['a plugin', { canary: { steps: [{ plugin: { name: 'x' } }] } }, 'analysis'],
    ['an analysis before the promotion', { blueGreen: {}, status: { blueGreen: beforeIt } }, 'analysis'],
    ['an analysis after the promotion', { blueGreen: {}, status: { blueGreen: afterIt } }, 'analysis'],
    ['an analysis of a step', { status: { canary: ofStep } }, 'analysis'],
    [
      'no restart that is done',
      { spec: { restartAt: ago(60) }, status: { restartedAt: ago(60) } },
      undefined,
    ],
    ['another restart', { spec: { restartAt: ago(60) }, status: { restartedAt: ago(90) } }, 'restart'],
    ['a person first', { spec: { paused: true }, status: { abort: true } }, 'user-pause'],
    ['the abort before the pause', { status: { ...paused, abort: true } }, 'aborted'],
  ])('is %s', (_, fields, expected) => {
    expect(waitOf(stateOf(fields))).toBe(expected);
  });

  it.each(['Successful', 'Failed', 'Error', 'Inconclusive'])('is no analysis that ended as %s', (status) => {
    const ended = { canary: { currentBackgroundAnalysisRunStatus: analysed(status) } };
    expect(waitOf(stateOf({ status: ended }))).toBeUndefined();
  });

  it('is a former revision only until its deadline', () => {
    expect(waitOf(stateOf({}, ago(-1)))).toBe('scale-down-delay');
    expect(waitOf(stateOf({}, ago(0)))).toBeUndefined();
    expect(waitOf(stateOf({}, ago(1)))).toBeUndefined();
  });

  it('is a person', () => {
    const waits = (fields: ArgoRolloutFields): boolean => waitsForPeople(buildArgoRollout(fields));
    expect(
      [{}, { spec: { paused: true } }, { status: paused }, { status: { abort: true } }].map(waits),
    ).toEqual([...[false, true, true, true]]);
  });

  it('includes analyses whose result cannot be foreseen', () => {
    const has = (fields: ArgoRolloutFields): boolean => hasOpaquePart(buildArgoRollout(fields));
    const analysis = { templates: [] };
    expect(
      [
        { canary: { steps } },
        { blueGreen: {} },
        { canary: { analysis } },
        { blueGreen: { prePromotionAnalysis: analysis } },
        { blueGreen: { postPromotionAnalysis: analysis } },
      ].map(has),
    ).toEqual([false, false, true, true, true]);
  });

  it('knows which analysis failed, the step first', () => {
    const failed = (canary: object, blueGreen: object = {}) =>
      failedAnalysisOf(buildArgoRollout({ status: { canary, blueGreen } }));
    expect(failed({})).toBeUndefined();
    expect(failed({ currentStepAnalysisRunStatus: analysed('Successful') })).toBeUndefined();
    const background = { currentBackgroundAnalysisRunStatus: analysed('Error') };
    expect(failed({ currentStepAnalysisRunStatus: analysed('Failed'), ...background })).toBe('step');
    expect(failed({ currentStepAnalysisRunStatus: analysed('Running'), ...background })).toBe('background');
    expect(failed({}, { prePromotionAnalysisRunStatus: analysed('Failed') })).toBe('pre-promotion');
    expect(failed({}, { postPromotionAnalysisRunStatus: analysed('Failed') })).toBe('post-promotion');
  });

  it('knows whether the controller has seen the abort, and the restart', () => {
    const seen = (status: object): boolean => hasSeenAbort(buildArgoRollout({ status }));
    expect(
      [{}, { abort: true }, { abort: true, abortedAt: ago(5) }, { abortedAt: ago(5) }].map(seen),
    ).toEqual([...[true, false, true, false]]);
    expect(isRestartPending(buildArgoRollout())).toBe(false);
    expect(isRestartPending(buildArgoRollout({ spec: { restartAt: ago(5) } }))).toBe(true);
  });
});
