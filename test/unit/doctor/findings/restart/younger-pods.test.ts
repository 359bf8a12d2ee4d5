import { describe, expect, it } from 'vitest';
import type { FailingPodShape } from '../crashes/build.js';
import { answerIn, findingOf, podOf } from './restart-answer.js';

const alive = { livenessProbe: { httpGet: { path: '/live', port: 8080 } } };
const old = (
  name: string,
  node: string,
  times: { started: number; lost?: number } = { started: 90_000, lost: 3600 },
) => podOf(name, times, { node, container: alive });
const young = (name: string, node: string, times = { started: 1800, ready: 1700 }) =>
  podOf(name, times, { node });

describe('a restart of older pods beside younger ones that are ready', () => {
  it.each<readonly [string, readonly FailingPodShape[], string]>([
    [
      'is recommended for two nodes of failing pods',
      [old('a', 'n-a'), old('b', 'n-b'), young('c', 'n-c')],
      'younger-ready',
    ],
    ['is recommended where both run on one node', [old('a', 'n-a'), young('c', 'n-a')], 'younger-ready'],
    [
      'is recommended for pods that never were ready',
      [old('a', 'n-a', { started: 90_000 }), young('c', 'n-a')],
      'younger-ready',
    ],
    [
      'is not recommended where one node has all failing pods and no ready one',
      [old('a', 'n-a'), old('b', 'n-a'), young('c', 'n-b')],
      'restart-withheld',
    ],
    [
      'is not recommended when an older pod is ready',
      [old('a', 'n-a'), podOf('b', { started: 95_000, ready: 94_000 }, { node: 'n-a' }), young('c', 'n-a')],
      'restart-withheld',
    ],
    [
      'is not recommended when the ready pod started before the others failed',
      [old('a', 'n-a'), young('c', 'n-a', { started: 3700, ready: 3650 })],
      'restart-withheld',
    ],
    [
      'is not recommended when a younger pod fails too',
      [old('a', 'n-a'), young('c', 'n-a'), old('d', 'n-b', { started: 1500, lost: 600 })],
      'restart-withheld',
    ],
    [
      'is not recommended while a younger pod still starts',
      [old('a', 'n-a'), young('c', 'n-a'), podOf('d', { started: 100 }, { node: 'n-b' })],
      'restart-withheld',
    ],
    [
      'is not recommended while the younger pod is ready for less than a minute',
      [old('a', 'n-a'), young('c', 'n-a', { started: 100, ready: 59 })],
      'restart-withheld',
    ],
    [
      'is not recommended when pods that never were ready were still starting',
      [old('a', 'n-a', { started: 2000 }), young('c', 'n-a', { started: 1750, ready: 1700 })],
      'restart-withheld',
    ],
    ['is not recommended without a younger pod', [old('a', 'n-a'), old('b', 'n-b')], 'restart-withheld'],
  ])('%s', (_title, pods, answer) => {
    expect(answerIn(findingOf('readiness-failing', pods))).toBe(answer);
  });

  it.each([
    ['x509: certificate has expired or is not yet valid', true],
    ['Unauthorized: the token has expired', true],
    ['Error: jwt expired', true],
    ['cache entry expired, reading it again', false],
  ])('quotes the log line "%s": %s', (line, isQuoted) => {
    const logs = [
      {
        namespace: 'shop',
        pod: 'a',
        container: 'app',
        previous: false,
        lines: ['starting', line, 'GET /ready 503'],
        truncated: false,
      },
    ];
    const { reasoning } = findingOf('readiness-failing', [old('a', 'n-a'), young('c', 'n-a')], { logs });
    const quote = reasoning.find(({ key }) => key === 'says-expired');

    expect(quote?.values).toEqual(isQuoted ? { pod: 'a', container: 'app', line } : undefined);
    expect(quote?.quotesLogs).toBe(isQuoted ? true : undefined);
  });
});
