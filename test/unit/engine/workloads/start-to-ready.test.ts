import { describe, expect, it } from 'vitest';
import { scheduledSince, startAllowance, startToReady } from '#src/engine/workloads/start-to-ready.js';
import { buildDeployment, buildPod, now } from '../../../support/rollout-builders.js';

const started = (name: string, seconds: number, restarts = 0) =>
  buildPod({ name, age: 1000, readyFor: 1000 - seconds, restarts });

describe('startToReady', () => {
  it('returns the median and the longest start of the pods that show one', () => {
    expect(startToReady({ pods: [started('a', 10), started('b', 40), started('c', 20)] })).toEqual({
      median: 20,
      longest: 40,
      samples: 3,
    });
    expect(startToReady({ pods: [started('a', 10), started('b', 40)] })).toEqual({
      median: 10,
      longest: 40,
      samples: 2,
    });
  });

  it('omits pods that were restarted, are not ready, or were never placed', () => {
    const pods = [
      started('a', 10, 1),
      buildPod({ name: 'b', ready: false }),
      buildPod({ name: 'c', node: undefined }),
    ];
    expect(startToReady({ pods })).toBeUndefined();
  });
});

describe('startToReady after a moment without readiness', () => {
  const day = 86_400;
  const blipped = (name: string) => buildPod({ name, age: 3 * day, readyFor: 60 });
  const deployment = (progressDeadlineSeconds: number) => buildDeployment({ progressDeadlineSeconds });

  it('ignores a change of readiness after the progress deadline', () => {
    expect(startToReady({ pods: [blipped('a')], deployment: deployment(600) })).toBeUndefined();
    expect(startToReady({ pods: [blipped('a')] })).toBeUndefined();
    expect(startToReady({ pods: [blipped('a'), started('b', 12)], deployment: deployment(600) })).toEqual({
      median: 12,
      longest: 12,
      samples: 1,
    });
  });

  it.each([
    [599, 600, true],
    [600, 600, true],
    [601, 600, false],
    [900, 1_200, true],
  ])('with a start of %i s and a deadline of %i s: %s', (seconds, deadline, counts) => {
    const observed = startToReady({ pods: [started('a', seconds)], deployment: deployment(deadline) });

    expect(observed !== undefined).toBe(counts);
  });

  it('accepts a start that is as long as the probes of the pod allow', () => {
    const containers = [
      { name: 'app', startupProbe: { initialDelaySeconds: 0, periodSeconds: 10, failureThreshold: 90 } },
    ];
    const slow = buildPod({ name: 'a', age: 1_000, readyFor: 200, spec: { containers } });

    expect(startToReady({ pods: [slow], deployment: deployment(600) })?.longest).toBe(800);
  });
});

describe('startAllowance', () => {
  it('is at least a minute', () => {
    expect(startAllowance(buildPod({ name: 'a' }), undefined)).toBe(60);
  });

  it('is twice the longest observed start', () => {
    expect(startAllowance(buildPod({ name: 'a' }), { median: 50, longest: 90, samples: 2 })).toBe(180);
  });

  it('is the time that the probes of the slowest container allow', () => {
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
  it('uses the start or the creation of the pod as a fallback', () => {
    const status = (startTime?: string) => ({ status: { phase: 'Running', conditions: [], startTime } });
    expect(scheduledSince(buildPod({ name: 'a', ...status('2026-11-20T09:29:00Z') }))).toBe(now - 60_000);
    expect(scheduledSince(buildPod({ name: 'a', age: 90, ...status() }))).toBe(now - 90_000);
    expect(scheduledSince(buildPod({ name: 'a', node: undefined }))).toBeUndefined();
  });
});

describe('unusual pod times', () => {
  it('with a start of zero seconds count, with a negative one they do not', () => {
    expect(startToReady({ pods: [started('a', 0)] })).toEqual({ median: 0, longest: 0, samples: 1 });
    expect(startToReady({ pods: [started('a', -1)] })).toBeUndefined();
  });

  it('are sorted as numbers: 100 is longer than 20', () => {
    expect(startToReady({ pods: [started('a', 100), started('b', 20), started('c', 3)] })).toMatchObject({
      median: 20,
      longest: 100,
    });
  });

  it('of a pod with an empty node do not count', () => {
    expect(scheduledSince(buildPod({ name: 'a', node: '' }))).toBeUndefined();
  });

  it('of a pod with PodScheduled false count from its start', () => {
    const status = {
      phase: 'Running',
      startTime: '2026-11-20T09:29:00Z',
      conditions: [{ type: 'PodScheduled', status: 'False', lastTransitionTime: '2026-11-20T09:20:00Z' }],
    };
    expect(scheduledSince(buildPod({ name: 'a', status }))).toBe(now - 60_000);
  });
});
