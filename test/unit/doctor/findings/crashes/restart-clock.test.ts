import { describe, expect, it } from 'vitest';
import { restartClockOf } from '#src/doctor/findings/crashes/crash-finding.js';
import { ago, ended, failingPod } from './build.js';

function clock(message: string, reason = 'CrashLoopBackOff', last = ended({ before: 100 })) {
  const pod = failingPod({ containers: [{ state: { waiting: { reason, message } }, lastState: last }] });
  return restartClockOf(pod.status.containerStatuses[0]);
}

describe('the restart clock', () => {
  it.each([
    ['10s', 10],
    ['1m20s', 80],
    ['5m0s', 300],
    ['1h0m5s', 3605],
  ])('parses a back-off of %s and counts it from the end of the last run', (duration, seconds) => {
    expect(clock(`back-off ${duration} restarting failed container=app pod=web_shop(uid)`)).toEqual({
      backOffSeconds: seconds,
      nextAt: ago(100 - seconds),
    });
  });

  it.each([
    ['a pull that backs off', 'Back-off pulling image "web:1.0"', 'ImagePullBackOff'],
    ['words without a duration', 'back-off restarting failed container=app', 'CrashLoopBackOff'],
    ['a duration of another notation', 'back-off soon restarting failed container', 'CrashLoopBackOff'],
    ['a duration in the middle of other words', 'x back-off 5m0s restarting failed', 'CrashLoopBackOff'],
    ['an endless number', `back-off ${'9'.repeat(5000)}s restarting`, 'CrashLoopBackOff'],
  ])('is undefined for %s', (_, message, reason) => {
    expect(clock(message, reason)).toBeUndefined();
  });

  it('has the delay but not the time when the end of the run is unknown', () => {
    const pod = failingPod({
      containers: [
        {
          state: {
            waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s restarting failed container=app' },
          },
        },
      ],
    });

    expect(restartClockOf(pod.status.containerStatuses[0])).toEqual({
      backOffSeconds: 40,
      nextAt: undefined,
    });
  });
});
