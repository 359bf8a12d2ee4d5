import { describe, expect, it } from 'vitest';
import { scheduledSince, startAllowance, startToReady } from '../../../../src/core/rollout/start-to-ready.js';
import { buildPod, now } from './builders.js';

const started = (name: string, seconds: number, restarts = 0) =>
  buildPod({ name, age: 1000, readyFor: 1000 - seconds, restarts });

describe('startToReady', () => {
  it('takes the median and the longest of the pods that show it', () => {
    expect(startToReady([started('a', 10), started('b', 40), started('c', 20)])).toEqual({
      median: 20,
      longest: 40,
      samples: 3,
    });
    expect(startToReady([started('a', 10), started('b', 40)])).toEqual({
      median: 10,
      longest: 40,
      samples: 2,
    });
  });

  it('leaves out pods that were restarted, are not ready, or were never placed', () => {
    const pods = [
      started('a', 10, 1),
      buildPod({ name: 'b', ready: false }),
      buildPod({ name: 'c', node: undefined }),
    ];
    expect(startToReady(pods)).toBeUndefined();
  });
});

describe('startAllowance', () => {
  it('is a minute at least', () => {
    expect(startAllowance(buildPod({ name: 'a' }), undefined)).toBe(60);
  });

  it('is twice the longest start seen', () => {
    expect(startAllowance(buildPod({ name: 'a' }), { median: 50, longest: 90, samples: 2 })).toBe(180);
  });

  it('is what the probes of the slowest container allow', () => {
    const containers = [
      {
        name: 'app',
        startupProbe: { initialDelaySeconds: 5, periodSeconds: 10, failureThreshold: 30 },
        readinessProbe: { initialDelaySeconds: 20 },
      },
      { name: 'side' },
    ];
    expect(startAllowance(buildPod({ name: 'a', spec: { containers } }), undefined)).toBe(325);
  });
});

describe('scheduledSince', () => {
  it('falls back to the start and the creation of the pod', () => {
    const status = (startTime?: string) => ({ status: { phase: 'Running', conditions: [], startTime } });
    expect(scheduledSince(buildPod({ name: 'a', ...status('2026-11-20T09:29:00Z') }))).toBe(now - 60_000);
    expect(scheduledSince(buildPod({ name: 'a', age: 90, ...status() }))).toBe(now - 90_000);
    expect(scheduledSince(buildPod({ name: 'a', node: undefined }))).toBeUndefined();
  });
});

describe('at the limits of what is known', () => {
  it('a start that took no time counts, one that ends before it begins does not', () => {
    expect(startToReady([started('a', 0)])).toEqual({ median: 0, longest: 0, samples: 1 });
    expect(startToReady([started('a', -1)])).toBeUndefined();
  });

  it('sorts by number: 100 is longer than 20', () => {
    expect(startToReady([started('a', 100), started('b', 20), started('c', 3)])).toMatchObject({
      median: 20,
      longest: 100,
    });
  });

  it('an empty node is none', () => {
    expect(scheduledSince(buildPod({ name: 'a', node: '' }))).toBeUndefined();
  });

  it('a pod that says it was not scheduled is taken by its start', () => {
    const status = {
      phase: 'Running',
      startTime: '2026-11-20T09:29:00Z',
      conditions: [{ type: 'PodScheduled', status: 'False', lastTransitionTime: '2026-11-20T09:20:00Z' }],
    };
    expect(scheduledSince(buildPod({ name: 'a', status }))).toBe(now - 60_000);
  });
});
