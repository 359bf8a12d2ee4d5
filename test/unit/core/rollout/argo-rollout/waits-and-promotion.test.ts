import { describe, expect, it } from 'vitest';
import { Service } from '#src/core/cluster/service.js';
import { ReplicaSet } from '#src/core/cluster/workload.js';
import { pauseSeconds } from '#src/core/rollout/argo-rollout/canary-steps.js';
import { pauseEndsByTime, promotionOf, updateEndOf } from '#src/core/rollout/argo-rollout/promotion.js';
import {
  abortDelayOf,
  isRollbackWithinWindow,
  isThresholdMet,
  scaleDownDelayOf,
} from '#src/core/rollout/argo-rollout/reconciliation.js';
import { declaredTemplate, isObserved, rolesOf } from '#src/core/rollout/argo-rollout/replica-set-roles.js';
import { serviceTargets } from '#src/core/rollout/argo-rollout/service-targets.js';
import {
  failedAnalysisOf,
  hasOpaquePart,
  hasSeenAbort,
  isRestartPending,
  waitOf,
  waitsForPeople,
} from '#src/core/rollout/argo-rollout/waits.js';
import {
  type ArgoRolloutFields,
  buildArgoReplicaSet,
  buildArgoRollout,
  buildArgoState,
} from '#support/argo-rollout-builders.js';
import { ago } from '#support/rollout-builders.js';

const paused = {
  pauseConditions: [{ reason: 'CanaryPauseStep', startTime: ago(60) }],
  controllerPause: true,
};
const analysed = (status: string) => ({ name: 'a', status });
const steps = [{ setWeight: 25 }, { pause: {} }, { setWeight: 50 }, { pause: { duration: '10m' } }];

describe('the promotion of an update that waits', () => {
  it.each<[string, ArgoRolloutFields, object | undefined]>([
    ['ends the pause of a step', { canary: { steps }, status: { ...paused, currentStepIndex: 1 } }, {}],
    ['ends the pause of a blue-green update', { blueGreen: {}, status: paused }, {}],
    [
      'skips an analysis without a conclusion',
      {
        canary: { steps: [{ setWeight: 1 }, { analysis: { templates: [] } }] },
        status: {
          ...paused,
          currentStepIndex: 1,
          canary: { currentStepAnalysisRunStatus: analysed('Inconclusive') },
        },
      },
      { controllerPause: false, currentStepIndex: 2 },
    ],
    [
      'skips nothing where the analysis has a conclusion',
      {
        canary: { steps: [{ analysis: { templates: [] } }] },
        status: {
          ...paused,
          currentStepIndex: 0,
          canary: { currentStepAnalysisRunStatus: analysed('Successful') },
        },
      },
      {},
    ],
    [
      'skips nothing where the controller does not pause',
      {
        canary: { steps },
        status: {
          ...paused,
          controllerPause: false,
          currentStepIndex: 0,
          canary: { currentStepAnalysisRunStatus: analysed('Inconclusive') },
        },
      },
      {},
    ],
    [
      'skips nothing after the last step',
      {
        canary: { steps },
        status: {
          ...paused,
          currentStepIndex: 4,
          canary: { currentStepAnalysisRunStatus: analysed('Inconclusive') },
        },
      },
      {},
    ],
    [
      'is nothing while the update does not pause',
      { canary: { steps }, status: { controllerPause: true } },
      undefined,
    ],
    ['is nothing after the promotion', { status: { ...paused, stableRS: 'new' } }, undefined],
  ])('%s', (_, fields, expected) => {
    expect(promotionOf(buildArgoRollout(fields))).toEqual(expected);
  });

  it.each<[string, ArgoRolloutFields, number, object]>([
    ['the first pause that a person ends', { canary: { steps } }, 0, { type: 'step', step: 2, of: 4 }],
    ['that pause itself', { canary: { steps } }, 1, { type: 'step', step: 2, of: 4 }],
    ['the promotion, past pauses that end by time', { canary: { steps } }, 2, { type: 'promoted' }],
    [
      'a step that an analysis ends',
      { canary: { steps: [{ setWeight: 5 }, { analysis: { templates: [] } }] } },
      0,
      { type: 'step', step: 2, of: 2 },
    ],
    ['the promotion of a canary without steps', { canary: {} }, 0, { type: 'promoted' }],
    ['a person', { blueGreen: { autoPromotionEnabled: false } }, 0, { type: 'before-promotion' }],
    ['the promotion after a person', { blueGreen: { autoPromotionEnabled: false } }, 1, { type: 'promoted' }],
    ['the promotion by itself', { blueGreen: {} }, 0, { type: 'promoted' }],
  ])('leads an update to %s', (_, fields, from, expected) => {
    expect(updateEndOf(buildArgoRollout(fields), from)).toEqual(expected);
  });

  it.each<[string, ArgoRolloutFields, string, boolean]>([
    ['a step with a length', { canary: { steps }, status: { currentStepIndex: 3 } }, 'CanaryPauseStep', true],
    ['a step without one', { canary: { steps }, status: { currentStepIndex: 1 } }, 'CanaryPauseStep', false],
    ['no step', { canary: { steps }, status: { currentStepIndex: 4 } }, 'CanaryPauseStep', false],
    ['an analysis', { canary: { steps }, status: { currentStepIndex: 3 } }, 'InconclusiveAnalysisRun', false],
    ['a promotion after some time', { blueGreen: { autoPromotionSeconds: 60 } }, 'BlueGreenPause', true],
    ['a promotion without a time', { blueGreen: {} }, 'BlueGreenPause', false],
    [
      'a promotion by a person',
      { blueGreen: { autoPromotionEnabled: false, autoPromotionSeconds: 60 } },
      'BlueGreenPause',
      false,
    ],
    ['a canary', { canary: { steps }, status: { currentStepIndex: 3 } }, 'BlueGreenPause', false],
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

  it.each<[string, ArgoRolloutFields, string | undefined]>([
    ['nothing', {}, undefined],
    ['no abort of a promoted revision', { status: { ...promoted, abort: true } }, undefined],
    [
      'no analysis of a promoted revision',
      {
        status: { ...promoted, canary: { currentBackgroundAnalysisRunStatus: analysed('Running') } },
      },
      undefined,
    ],
    [
      'no deadline of a promoted revision',
      { spec: { progressDeadlineAbort: true }, status: promoted },
      undefined,
    ],
    ['a plugin', { canary: { steps: [{ plugin: { name: 'x' } }] } }, 'analysis'],
    [
      'an analysis before the promotion',
      { blueGreen: {}, status: { blueGreen: { prePromotionAnalysisRunStatus: analysed('Pending') } } },
      'analysis',
    ],
    [
      'an analysis after the promotion',
      { blueGreen: {}, status: { blueGreen: { postPromotionAnalysisRunStatus: analysed('Running') } } },
      'analysis',
    ],
    [
      'an analysis of a step',
      { status: { canary: { currentStepAnalysisRunStatus: analysed('Running') } } },
      'analysis',
    ],
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

describe('how many pods of a step must be available', () => {
  const set = (replicas: number, available: number) =>
    buildArgoReplicaSet({ hash: 'new', replicas, available });
  it.each<[string, object | undefined, ReplicaSet | undefined, number, boolean]>([
    ['all', undefined, set(4, 4), 4, true],
    ['all: one is missing', undefined, set(4, 3), 4, false],
    ['all: one has to go', undefined, set(5, 5), 4, false],
    ['all, of no ReplicaSet', undefined, undefined, 0, false],
    ['a number', { type: 'Pod', value: 2 }, set(4, 2), 4, true],
    ['a number: one is missing', { type: 'Pod', value: 2 }, set(4, 1), 4, false],
    ['a percentage', { type: 'Percentage', value: 50 }, set(4, 2), 4, true],
    ['a percentage: one is missing', { type: 'Percentage', value: 51 }, set(4, 2), 4, false],
    ['a percentage of none', { type: 'Percentage', value: 50 }, set(0, 0), 0, true],
    ['a percentage that is not exact', { type: 'Percentage', value: 100 }, set(3, 3), 3, true],
    ['a negative number is not used', { type: 'Pod', value: -1 }, set(4, 3), 4, false],
  ])('%s', (_, threshold, replicaSet, desired, expected) => {
    expect(isThresholdMet(threshold as never, replicaSet, desired)).toBe(expected);
  });
});

describe('the delays of a Rollout', () => {
  const router = { trafficRouting: { nginx: {} } };
  it.each<[string, ArgoRolloutFields, number | undefined, boolean, number]>([
    ['a canary', { canary: { abortScaleDownDelaySeconds: 7, scaleDownDelaySeconds: 9 } }, 0, false, 0],
    ['a routed canary', { canary: router }, 30, false, 30],
    [
      'a routed canary with its own delays',
      { canary: { ...router, abortScaleDownDelaySeconds: 7, scaleDownDelaySeconds: 9 } },
      7,
      true,
      9,
    ],
    [
      'a routed canary whose pods stay',
      { canary: { ...router, abortScaleDownDelaySeconds: 0 } },
      undefined,
      true,
      30,
    ],
    ['a blue-green update', { blueGreen: {} }, 30, false, 30],
    [
      'a blue-green update with its own delays',
      { blueGreen: { abortScaleDownDelaySeconds: 7, scaleDownDelaySeconds: 0 } },
      7,
      true,
      0,
    ],
  ])('of %s', (_, fields, seconds, isSet, scaleDown) => {
    const rollout = buildArgoRollout(fields);
    expect(abortDelayOf(rollout)).toEqual({ seconds, isSet });
    expect(scaleDownDelayOf(rollout)).toBe(scaleDown);
  });
});

describe('a roll back within the window', () => {
  const sets = [
    { hash: 'new', age: 9_000 },
    { hash: 'between', age: 8_000 },
    { hash: 'stable', age: 7_000 },
    { hash: 'later', age: 6_000 },
  ].map((fields) => buildArgoReplicaSet({ ...fields, replicas: 1 }));
  const isWithin = (revisions: number | undefined, of = sets): boolean => {
    const spec = revisions === undefined ? {} : { rollbackWindow: { revisions } };
    const rollout = buildArgoRollout({ spec });
    return isRollbackWithinWindow(rollout, rolesOf(rollout, of), of);
  };

  it('counts the revisions between the two', () => {
    expect([undefined, 0, 1, 2, 3].map((revisions) => isWithin(revisions))).toEqual([
      ...[false, false, false, true, true],
    ]);
  });

  it('does not count ReplicaSets of experiments', () => {
    const marked = sets.map((set) =>
      set.metadata.name === 'web-between'
        ? {
            ...set,
            metadata: {
              ...set.metadata,
              annotations: { ...set.metadata.annotations, 'rollout.argoproj.io/experiment-name': 'x' },
            },
          }
        : set,
    );
    expect(isWithin(1, marked)).toBe(true);
  });

  it('is not an update to a younger revision, nor one without a former ReplicaSet', () => {
    const younger = [...sets.slice(1), buildArgoReplicaSet({ hash: 'new', age: 60, replicas: 1 })];
    expect(isWithin(9, younger)).toBe(false);
    expect(
      isWithin(
        9,
        sets.filter(({ metadata }) => metadata.name !== 'web-stable'),
      ),
    ).toBe(false);
  });
});

describe('the Services of a Rollout', () => {
  const service = (name: string, hash: string | undefined, isManaged: boolean) =>
    Service.parse({
      metadata: {
        name,
        namespace: 'shop',
        annotations: isManaged ? { 'argo-rollouts.argoproj.io/managed-by-rollouts': 'web' } : {},
      },
      spec: {
        selector: hash === undefined ? { app: 'web' } : { app: 'web', 'rollouts-pod-template-hash': hash },
      },
    });
  const canary = buildArgoRollout({
    canary: { canaryService: 'c', stableService: 's', trafficRouting: {} },
    status: {
      canary: {
        weights: {
          canary: { weight: 5, podTemplateHash: 'wc' },
          stable: { weight: 95, podTemplateHash: 'ws' },
        },
      },
    },
  });

  it('select what was read', () => {
    const read = [service('c', 'new', true), service('s', undefined, false), service('other', 'x', true)];
    expect(serviceTargets(canary, read)).toEqual({
      c: { hash: 'new', isManaged: true },
      s: { hash: '', isManaged: false },
    });
  });

  it('select what the status says where they were not read', () => {
    expect(serviceTargets(canary, [])).toEqual({
      c: { hash: 'wc', isManaged: true },
      s: { hash: 'ws', isManaged: true },
    });
    const plain = buildArgoRollout({ canary: { canaryService: 'c', stableService: 's' } });
    expect(serviceTargets(plain, [])).toEqual({
      c: { hash: 'new', isManaged: true },
      s: { hash: 'stable', isManaged: true },
    });
    const blueGreen = buildArgoRollout({
      blueGreen: { activeService: 'a', previewService: 'p' },
      status: { blueGreen: { activeSelector: 'one', previewSelector: 'two' } },
    });
    expect(serviceTargets(blueGreen, [])).toEqual({
      a: { hash: 'one', isManaged: true },
      p: { hash: 'two', isManaged: true },
    });
    expect(serviceTargets(buildArgoRollout(), [])).toEqual({});
  });
});

describe('the template of a ReplicaSet as the Rollout declared it', () => {
  const hash = 'rollouts-pod-template-hash';
  const own = { labelSelector: { matchLabels: { [hash]: 'old' } }, topologyKey: 'kubernetes.io/hostname' };
  const declared = { labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'zone' };
  const ofTemplate = (template: { metadata?: object; spec?: object }, annotation?: string) => {
    const set = buildArgoReplicaSet({ hash: 'new', replicas: 1 });
    const { raw } = set.spec.template;
    const built = ReplicaSet.parse({
      ...set,
      metadata: {
        ...set.metadata,
        annotations: annotation === undefined ? {} : { 'rollout.argoproj.io/ephemeral-metadata': annotation },
      },
      spec: {
        ...set.spec,
        template: {
          metadata: { labels: { app: 'web', [hash]: 'new' }, ...template.metadata },
          spec: { ...(raw.spec as object), ...template.spec },
        },
      },
    });
    const { metadata, spec } = declaredTemplate(built).raw as {
      metadata: object;
      spec: { affinity?: object };
    };
    return { metadata, affinity: spec.affinity };
  };
  const anti = (required: readonly object[], preferred?: readonly object[]) => ({
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: required,
      ...(preferred === undefined ? {} : { preferredDuringSchedulingIgnoredDuringExecution: preferred }),
    },
  });

  it('has no hash', () => {
    expect(ofTemplate({}).metadata).toEqual({ labels: { app: 'web' } });
  });

  it('has no metadata of canary or stable pods', () => {
    const metadata = {
      labels: { app: 'web', role: 'canary', [hash]: 'new' },
      annotations: { a: '1', b: '2' },
    };
    const injected = JSON.stringify({ labels: { role: 'canary' }, annotations: { a: '1' } });
    expect(ofTemplate({ metadata }, injected).metadata).toEqual({
      labels: { app: 'web' },
      annotations: { b: '2' },
    });
    expect(ofTemplate({ metadata }, '{').metadata).toEqual({
      labels: { app: 'web', role: 'canary' },
      annotations: { a: '1', b: '2' },
    });
  });

  it.each<[string, object, object | undefined]>([
    ['goes as a whole', anti([own]), undefined],
    ['goes, and terms of the template stay', anti([declared, own]), anti([declared])],
    ['goes from preferred terms', anti([], [{ weight: 1, podAffinityTerm: own }]), undefined],
    [
      'goes, and preferred terms of the template stay',
      anti([own], [{ weight: 1, podAffinityTerm: declared }]),
      anti([], [{ weight: 1, podAffinityTerm: declared }]),
    ],
    [
      'goes, and other affinity stays',
      { ...anti([own]), nodeAffinity: { a: 1 } },
      { nodeAffinity: { a: 1 } },
    ],
    ['is absent, and everything stays', anti([declared]), anti([declared])],
  ])('has no anti-affinity between revisions: it %s', (_, affinity, expected) => {
    expect(ofTemplate({ spec: { affinity } }).affinity).toEqual(expected);
  });
});

describe('a spec that the controller has seen', () => {
  it.each<[string, ArgoRolloutFields, boolean]>([
    ['its generation', {}, true],
    ['an older generation', { generation: 3 }, false],
    [
      'the template of the workload that it refers to',
      {
        spec: { workloadRef: { kind: 'Deployment', name: 'web' } },
        status: { workloadObservedGeneration: '' },
      },
      true,
    ],
    [
      'an older template of that workload',
      {
        spec: { workloadRef: { kind: 'Deployment', name: 'web' } },
        status: { workloadObservedGeneration: '4' },
      },
      false,
    ],
  ])('has %s', (_, fields, expected) => {
    expect(isObserved(buildArgoRollout(fields))).toBe(expected);
  });
});
