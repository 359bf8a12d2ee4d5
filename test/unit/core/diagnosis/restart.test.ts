import { describe, expect, it } from 'vitest';
import { readinessFailing } from '#src/core/diagnosis/causes/readiness-failing/rule.js';
import { foundBy } from './causes/run-rule.js';
import { ago, crashSnapshot, type FailingPodShape, failingPod, readyFor } from './crashes/build.js';

const probe = { httpGet: { path: '/ready', port: 8080 } };

/** A pod that started `started` seconds ago and is not ready since `lost` seconds ago. */
function unready(name: string, times: { started: number; lost: number }, spec: object = {}): FailingPodShape {
  return {
    name,
    containers: [
      {
        spec: { readinessProbe: probe, ...spec },
        state: { running: { startedAt: ago(times.started) } },
        ready: false,
      },
    ],
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: ago(times.lost) }],
    },
  };
}

const ready: FailingPodShape = { name: 'web-1-ok', status: readyFor(86_400) };

/** `offered`, or the key of the reason against a restart. */
function answerTo(pods: readonly FailingPodShape[], template: object = {}): string | undefined {
  const snapshot = crashSnapshot({ pods: pods.map((shape) => failingPod(shape)), template });
  const finding = foundBy(readinessFailing, snapshot);
  if (finding === undefined) throw new Error('nothing is found');
  if (finding.remediations.some(({ kind }) => kind === 'restart-rollout')) return 'offered';
  return finding.withheld.find(({ kind }) => kind === 'restart-rollout')?.because.key;
}

describe('a restart of pods that are not ready', () => {
  it.each<readonly [string, readonly FailingPodShape[], string]>([
    [
      'is recommended for a pod that was ready for an hour',
      [unready('a', { started: 7200, lost: 3600 })],
      'offered',
    ],
    [
      'is recommended for one pod of several',
      [unready('a', { started: 7200, lost: 3600 }), ready],
      'offered',
    ],
    [
      'is recommended for pods that stopped being ready one after another',
      [unready('a', { started: 7200, lost: 3600 }), unready('b', { started: 7200, lost: 1800 })],
      'offered',
    ],
    [
      'is not recommended when all pods stopped being ready at once',
      [unready('a', { started: 7200, lost: 3600 }), unready('b', { started: 7200, lost: 3580 })],
      'withheld-together',
    ],
    [
      'is not recommended for a pod that was never ready',
      [unready('a', { started: 3600, lost: 3605 })],
      'restart-withheld',
    ],
    [
      'is not recommended when another pod was never ready',
      [unready('a', { started: 7200, lost: 3600 }), unready('b', { started: 3600, lost: 3605 })],
      'restart-withheld',
    ],
    [
      'is not recommended while the loss is minutes old',
      [unready('a', { started: 7200, lost: 299 })],
      'restart-withheld',
    ],
    [
      'is not recommended when the kubelet may have reported the end of an earlier run',
      [unready('a', { started: 3600, lost: 3571 })],
      'restart-withheld',
    ],
    [
      'is not recommended with a liveness probe, which restarts the container',
      [unready('a', { started: 7200, lost: 3600 }, { livenessProbe: probe })],
      'restart-withheld',
    ],
    [
      'is not recommended for pods that the current rollout replaces anyway',
      [
        { ...unready('a', { started: 7200, lost: 3600 }), revision: '1' },
        { ...ready, revision: '2' },
      ],
      'restart-withheld',
    ],
  ])('%s', (_title, pods, answer) => {
    expect(answerTo(pods)).toBe(answer);
  });

  it('states the deadlock that the simulation predicts for the restarted rollout', () => {
    const tooLarge = {
      containers: [{ name: 'app', image: 'web:1', resources: { requests: { cpu: '900' } } }],
    };

    expect(answerTo([unready('a', { started: 7200, lost: 3600 })], tooLarge)).toBe('withheld-deadlock');
  });

  it('states its reason before its effects', () => {
    const snapshot = crashSnapshot({ pods: [failingPod(unready('a', { started: 7200, lost: 3600 }))] });
    const finding = foundBy(readinessFailing, snapshot);
    const restart = finding?.remediations.find(({ kind }) => kind === 'restart-rollout');

    expect(restart?.effects.slice(0, 2)).toMatchObject([
      { key: 'lost-readiness', values: { pods: ['a'], readySeconds: 3600, lostSeconds: 3600 } },
      { key: 'not-proven' },
    ]);
    expect(finding?.reasoning.slice(-2)).toMatchObject([
      { key: 'lost-readiness' },
      { key: 'nothing-restarts' },
    ]);
    expect(restart?.prediction).toMatchObject({ ends: 'complete' });
  });
});
