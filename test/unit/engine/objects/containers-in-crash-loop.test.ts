import { describe, expect, it } from 'vitest';
import { isFailing } from '#src/engine/neighbours/owned-pods.js';
import { containersInCrashLoop } from '#src/engine/objects/pod.js';
import { backingOff, ended, type FailingPodShape, failingPod } from '../../doctor/findings/crashes/build.js';

const down = (exitCode: number, restarts: number, more: FailingPodShape = {}): FailingPodShape => ({
  containers: [{ state: ended({ exitCode }), restarts, ready: false }],
  ...more,
});

describe('a container in a crash loop', () => {
  it.each<[string, FailingPodShape, boolean]>([
    ['waits for its restart', { containers: [{ state: backingOff, ready: false }] }, true],
    ['is down between two runs, as for most of a back-off', down(1, 1), true],
    ['ends well again and again in a pod that restarts it', down(0, 1), true],
    ['is down for the first time', down(1, 0), false],
    [
      'ended well in a pod that restarts only failures',
      down(0, 1, { spec: { restartPolicy: 'OnFailure' } }),
      false,
    ],
    ['is never restarted', down(1, 1, { spec: { restartPolicy: 'Never' } }), false],
    [
      'is an init container that has done its work',
      { inits: [{ name: 'init', state: ended({ exitCode: 0 }), restarts: 2 }] },
      false,
    ],
    [
      'is an init container that fails',
      { inits: [{ name: 'init', state: ended({ exitCode: 1 }), restarts: 2, ready: false }] },
      true,
    ],
    ['runs', {}, false],
  ])('%s: %#', (_, shape, isLooping) => {
    expect(containersInCrashLoop(failingPod(shape)).length > 0).toBe(isLooping);
    expect(isFailing(failingPod(shape))).toBe(isLooping);
  });
});
