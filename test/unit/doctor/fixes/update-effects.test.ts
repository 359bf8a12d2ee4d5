import { describe, expect, it } from 'vitest';
import { considerPromoteRollout } from '#src/doctor/fixes/kinds/promote-rollout.js';
import { considerResumeRollout } from '#src/doctor/fixes/kinds/resume-rollout.js';
import { considerRetryRollout } from '#src/doctor/fixes/kinds/retry-rollout.js';
import type { PodSimulator } from '#src/engine/workloads/pod-simulator.js';
import {
  type ArgoRolloutFields,
  argoStateOf,
  type SetFields,
} from '../../../support/argo-rollout-builders.js';
import { keysOf } from '../../../support/remediation-builders.js';
import { ago } from '../../../support/rollout-builders.js';

const everywhere: PodSimulator = { placementOf: () => 'anywhere', becomesReady: () => true };
const consider = {
  promote: considerPromoteRollout,
  retry: considerRetryRollout,
  resume: considerResumeRollout,
};

/** What the effects of a change say about the end of the update, which the forecast plays forward to. */
function endOf(kind: keyof typeof consider, fields: ArgoRolloutFields, sets: readonly SetFields[]): string {
  const state = argoStateOf(fields, sets, { web: { hash: 'stable', isManaged: true } });
  const considered = consider[kind]({ state, simulator: everywhere, revision: '9' });
  if (considered.type === 'impossible') throw new Error(considered.because.key);
  const { effects } = considered.remediation;
  const [end] = effects.filter(({ key }) => key.startsWith('goes-to') || key === 'stays-aborted');
  const step = end?.key === 'goes-to-step' ? ` ${end.values.step}` : '';
  const stops = keysOf(effects).includes('stops-until-then') ? ', stops until then' : '';
  return `${considered.forecast.ends}, ${end?.key}${step}${stops}`;
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
const selector = { blueGreen: { activeSelector: 'stable' } };
const blueGreen = { autoPromotionEnabled: false };

const sized = (fresh: number, stable: number): readonly SetFields[] => [
  { hash: 'new', replicas: fresh },
  { hash: 'stable', replicas: stable },
];
const canary = (status: object, spec: object = {}): ArgoRolloutFields => ({
  ...{ replicas: 4, canary: { steps }, spec, status },
});
const switched = (status: object, spec: object = {}): ArgoRolloutFields => ({
  ...{ replicas: 2, blueGreen, spec, status: { ...status, ...selector } },
});
const atPause = pausedBy('CanaryPauseStep', { currentStepIndex: 1 });
const paused = { paused: true };
const window = { rollbackWindow: { revisions: 3 } };
const newer = { ...canary({ currentStepIndex: 2 }, paused), image: 'web:third' };
const old = back.map((set) => (set.hash === 'new' ? { ...set, age: 9_000 } : set));

describe('the effects of a change of an update', () => {
  it.each<[string, Parameters<typeof endOf>, string]>([
    [
      'a promotion to the next pause without a length',
      ['promote', canary(atPause), half],
      'complete, goes-to-step 6, stops until then',
    ],
    [
      'a promotion of a blue-green update',
      ['promote', switched(pausedBy('BlueGreenPause')), sized(2, 2)],
      'complete, goes-to-promoted, stops until then',
    ],
    [
      'a retry up to the first pause',
      ['retry', canary(aborted), back],
      'complete, goes-to-step 2, stops until then',
    ],
    [
      'a retry of a blue-green update',
      ['retry', switched(aborted), sized(0, 2)],
      'complete, goes-to-before-promotion',
    ],
    [
      'a retry of a rollback within its window, which skips all steps',
      ['retry', canary(aborted, window), old],
      'complete, goes-to-promoted, stops until then',
    ],
    [
      'a resumption to the pause at which the update waited',
      ['resume', canary(atPause, paused), half],
      'complete, goes-to-step 2',
    ],
    [
      'a resumption of a template that is newer than the step, from the first step',
      ['resume', newer, half],
      'complete, goes-to-step 2, stops until then',
    ],
    [
      'a resumption of a blue-green update that somebody promoted meanwhile',
      ['resume', switched({ controllerPause: true }, paused), sized(2, 2)],
      'complete, goes-to-promoted, stops until then',
    ],
    [
      'a resumption of an aborted update, which stays aborted',
      ['resume', canary(aborted, paused), back],
      'complete, stays-aborted',
    ],
  ])('state the end that the forecast comes to: %s', (_, change, end) => {
    expect(endOf(...change)).toBe(end);
  });
});
