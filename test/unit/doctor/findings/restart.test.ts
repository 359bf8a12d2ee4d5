import { describe, expect, it } from 'vitest';
import { readyFor } from './crashes/build.js';
import { answerIn, findingOf, podOf } from './restart/restart-answer.js';

const probe = { httpGet: { path: '/ready', port: 8080 } };
/** A pod that started `started` seconds ago and is not ready since `lost` seconds ago. */
const unready = (name: string, started: number, lost: number, more: object = {}) =>
  podOf(name, { started, lost }, more);
const ready = { name: 'web-1-ok', status: readyFor(86_400) };
const longLost = unready('a', 7200, 3600);
const tooLarge = { containers: [{ name: 'app', image: 'web:1', resources: { requests: { cpu: '900' } } }] };
const find = (pods: Parameters<typeof findingOf>[1], template: object = {}) =>
  findingOf('readiness-failing', pods, { template });

describe('a restart of pods that are not ready', () => {
  it.each([
    ['is recommended for a pod that was ready for an hour', [longLost], 'lost-readiness'],
    ['is recommended for one pod of several', [longLost, ready], 'lost-readiness'],
    [
      'is recommended for pods that stopped being ready one after another',
      [longLost, unready('b', 7200, 1800)],
      'lost-readiness',
    ],
    [
      'is not recommended when all pods stopped being ready at once',
      [longLost, unready('b', 7200, 3580)],
      'withheld-together',
    ],
    ['is not recommended for a pod that was never ready', [unready('a', 3600, 3605)], 'restart-withheld'],
    [
      'is not recommended when another pod was never ready',
      [longLost, unready('b', 3600, 3605)],
      'restart-withheld',
    ],
    ['is not recommended while the loss is minutes old', [unready('a', 7200, 299)], 'restart-withheld'],
    [
      'is not recommended when the kubelet may have reported the end of an earlier run',
      [unready('a', 3600, 3571)],
      'restart-withheld',
    ],
    [
      'is not recommended with a liveness probe, which restarts the container',
      [unready('a', 7200, 3600, { container: { livenessProbe: probe } })],
      'restart-withheld',
    ],
    [
      'is not recommended for pods that the current rollout replaces anyway',
      [
        { ...longLost, revision: '1' },
        { ...ready, revision: '2' },
      ],
      'restart-withheld',
    ],
  ])('%s', (_, pods, answer) => {
    expect(answerIn(find(pods))).toBe(answer);
  });

  it('states the deadlock that the simulation predicts for the restarted rollout', () => {
    expect(answerIn(find([longLost], tooLarge))).toBe('withheld-deadlock');
  });

  it('states its reason before its effects', () => {
    const { remediations, reasoning } = find([longLost]);
    const restart = remediations.find(({ kind }) => kind === 'restart-rollout');

    expect(restart?.effects.slice(0, 2)).toMatchObject([
      { key: 'lost-readiness', values: { pods: ['a'], readySeconds: 3600, lostSeconds: 3600 } },
      { key: 'not-proven' },
    ]);
    expect(reasoning.slice(-2)).toMatchObject([{ key: 'lost-readiness' }, { key: 'nothing-restarts' }]);
    expect(restart?.prediction).toMatchObject({ ends: 'complete' });
  });
});
