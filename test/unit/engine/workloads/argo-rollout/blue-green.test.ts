import { describe, expect, it } from 'vitest';
import { actArgoRollout } from '#src/engine/workloads/argo-rollout/forecast.js';
import { argoStateOf, type SetFields, sizesByHash } from '../../../../support/argo-rollout-builders.js';
import { ago } from '../../../../support/rollout-builders.js';

interface Case {
  readonly strategy?: object;
  readonly status?: object;
  readonly spec?: object;
  readonly sets?: readonly SetFields[];
  /** What the active and the preview Service select. */
  readonly active?: string;
  readonly preview?: string;
}

const both: readonly SetFields[] = [
  { hash: 'new', replicas: 2 },
  { hash: 'stable', replicas: 2 },
];

/** A Rollout of two replicas once its controllers rest. */
function rested({ strategy = {}, status = {}, spec = {}, sets = both, active = 'stable', preview }: Case) {
  const blueGreen = { scaleDownDelaySeconds: 600, ...strategy };
  const former = { activeSelector: active, ...(status as { blueGreen?: object }).blueGreen };
  const fields = { replicas: 2, blueGreen, spec, status: { ...status, blueGreen: former } };
  const services = {
    web: { hash: active, isManaged: true },
    ...(preview === undefined ? {} : { preview: { hash: preview, isManaged: true } }),
  };
  const { state } = actArgoRollout(argoStateOf(fields, sets, services), () => true);
  const { blueGreen: now, ...written } = state.rollout.status;
  return {
    sizes: sizesByHash(state),
    active: state.services.web?.hash,
    preview: state.services.preview?.hash,
    selectors: [now.activeSelector, now.previewSelector],
    checkPoint: now.scaleUpPreviewCheckPoint,
    stable: written.stableRS,
    pauses: written.pauseConditions.map(({ reason }) => reason),
    abort: written.abort,
    promoteFull: written.promoteFull,
    available: written.availableReplicas,
  };
}
const manual = { autoPromotionEnabled: false };
const analysis = (when: string) => ({ [when]: { templates: [] } });
const pausedFor = (seconds: number) => ({
  controllerPause: true,
  pauseConditions: [{ reason: 'BlueGreenPause', startTime: ago(seconds) }],
});

const [allNew, allStable] = both as [SetFields, SetFields];
const oneMissing = { sets: [{ ...allNew, available: 1 }, allStable] };
const back = { sets: [{ ...allNew, deadline: ago(-300) }, allStable] };
const timed = { autoPromotionSeconds: 60 };
const promoted = { active: 'new', stable: 'new', pauses: [] };
const unpromoted = { active: 'stable', stable: 'stable', pauses: [] };
const paused = { ...unpromoted, pauses: ['BlueGreenPause'] };

describe('the promotion of a blue-green update', () => {
  it.each<[string, Case, object]>([
    [
      'comes by itself once all new pods are available, and keeps the former ones',
      {},
      { ...promoted, sizes: { new: 2, stable: 2 } },
    ],
    ['does not come while a new pod is missing', oneMissing, unpromoted],
    ['waits for a person', { strategy: manual }, paused],
    [
      'comes after a person has removed the pause',
      { strategy: manual, status: { controllerPause: true } },
      promoted,
    ],
    ['waits for its time', { strategy: timed, status: pausedFor(59) }, paused],
    ['comes after its time', { strategy: timed, status: pausedFor(61) }, promoted],
    ['waits for a person whatever time has passed', { strategy: manual, status: pausedFor(9_000) }, paused],
    [
      'comes at once under a full promotion',
      { strategy: manual, status: { ...pausedFor(1), promoteFull: true } },
      { ...promoted, promoteFull: false },
    ],
    ['does not come after an abort', { status: { abort: true } }, { ...unpromoted, abort: true }],
    ['does not come while a person pauses the Rollout', { spec: { paused: true } }, unpromoted],
    ['waits for an analysis before it', { strategy: analysis('prePromotionAnalysis') }, unpromoted],
    [
      'switches, and waits for an analysis after it',
      { strategy: analysis('postPromotionAnalysis') },
      { active: 'new', stable: 'stable' },
    ],
    [
      'skips the pause where the new revision is active already',
      { strategy: manual, active: 'new' },
      promoted,
    ],
    ['skips the pause where nothing is active yet', { strategy: manual, active: '' }, promoted],
    [
      'skips the pause on the way back to a revision that is still there',
      { strategy: manual, ...back },
      promoted,
    ],
  ])('%s', (_, of, expected) => {
    expect(rested(of)).toMatchObject(expected);
  });
});

describe('the sizes of a blue-green update', () => {
  const fresh = (replicas: number) => [{ hash: 'new', replicas, desired: 2 }, allStable];
  const onePreview = { ...manual, previewReplicaCount: 1 };
  const isPromoted = { strategy: onePreview, sets: fresh(1), status: { controllerPause: true } };
  const beside = (...former: readonly SetFields[]) => ({
    sets: [allNew, ...former],
    active: 'new',
    status: { stableRS: 'new' },
  });
  const former = (deadline: string) => beside(allStable, { hash: 'former', replicas: 2, deadline });
  it.each<[string, Case, object]>([
    ['start all new pods beside the old ones', { sets: fresh(0) }, { new: 2, stable: 2 }],
    [
      'start only the preview pods before the promotion',
      { sets: fresh(0), strategy: onePreview },
      { new: 1, stable: 2 },
    ],
    [
      'grow from the preview to all replicas once a person has promoted it',
      isPromoted,
      { new: 2, stable: 2 },
    ],
    ['keep a former revision that has time left', former(ago(-60)), { new: 2, former: 2 }],
    ['stop a former revision whose time is over', former(ago(60)), { new: 2, former: 0 }],
    [
      'keep only as many former revisions as the limit allows, the youngest first',
      {
        ...beside({ hash: 'older', replicas: 2, revision: 3 }, { hash: 'former', replicas: 2, revision: 5 }),
        strategy: { scaleDownDelayRevisionLimit: 1 },
      },
      { new: 2, former: 2, older: 0 },
    ],
  ])('%s', (_, of, expected) => {
    expect(rested(of).sizes).toMatchObject(expected);
  });

  it('are those of the preview until a step of the promotion is noted', () => {
    const isNoted = { checkPoint: true, active: 'stable', stable: 'stable' };
    expect(rested(isPromoted)).toMatchObject(isNoted);
  });
});

describe('the Services and the status of a blue-green update', () => {
  const strategy = { ...manual, previewService: 'preview' };

  it('point the preview at the new pods at once', () => {
    const sets = [{ ...allNew, available: 0 }, allStable];
    expect(rested({ strategy, sets, preview: 'stable' })).toMatchObject({
      active: 'stable',
      preview: 'new',
      selectors: ['stable', 'new'],
    });
  });

  it('leave the preview where a person pauses the Rollout', () => {
    expect(rested({ strategy, spec: { paused: true }, preview: 'stable' }).preview).toBe('stable');
  });

  it('count the active pods alone', () => {
    const sets = [allNew, { ...allStable, available: 1 }];
    expect(rested({ strategy, sets }).available).toBe(1);
    expect(rested({ strategy, sets, active: 'new' }).available).toBe(2);
  });
});
