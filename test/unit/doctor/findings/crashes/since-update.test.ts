import { describe, expect, it } from 'vitest';
import { crashLoopAfterRollout } from '#src/doctor/causes/crash-loop-after-rollout.js';
import { podFailuresOf } from '#src/doctor/findings/crashes/failure-group.js';
import { firstCrashAt } from '#src/doctor/findings/crashes/since-update.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { foundBy } from '../../causes/run-rule.js';
import { ago, backingOff, type ContainerShape, crashSnapshot, ended, failingPod, now } from './build.js';

/** A pod of the second revision, made so many seconds ago, whose container restarted so often. */
const crashed = (age: number, restarts: number, more: ContainerShape = {}) =>
  failingPod({
    name: 'web-2-a',
    revision: '2',
    metadata: { creationTimestamp: ago(age) },
    status: { startTime: ago(age) },
    containers: [{ state: backingOff, lastState: ended({ seconds: 3, before: 100 }), restarts, ...more }],
  });

/** The ReplicaSets of revisions made so many seconds ago; the first one has no pods. */
function snapshotOf(pod: ReturnType<typeof crashed>, madeAgo: { readonly 1: number; readonly 2: number }) {
  const replicaSet = (revision: 1 | 2, image: string) =>
    schemas.ReplicaSet.parse({
      metadata: {
        name: `web-${revision}`,
        namespace: 'shop',
        uid: `web-${revision}-uid`,
        annotations: { 'deployment.kubernetes.io/revision': String(revision) },
        creationTimestamp: ago(madeAgo[revision]),
        ownerReferences: [{ kind: 'Deployment', name: 'web', uid: 'web-uid', controller: true }],
      },
      spec: {
        replicas: revision - 1,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web', 'pod-template-hash': String(revision) } },
          spec: { containers: [{ name: 'app', image }] },
        },
      },
      status: { observedGeneration: 1, replicas: revision - 1 },
    });
  return crashSnapshot({
    pods: [pod],
    others: {
      ReplicaSet: [replicaSet(1, 'registry.example/web:1.0'), replicaSet(2, 'registry.example/web:2.0')],
    },
  });
}

describe('the first crash of a container', () => {
  it.each([
    // The last run ended 100 s ago; each run took 3 s.
    ['is the only one before any restart', 0, 100],
    ['is one run earlier after the restart that comes at once', 1, 103],
    ['is a back-off of 10 s earlier after the second restart', 2, 116],
    ['is all doubled back-offs earlier', 6, 100 + 310 + 18],
    ['is five minutes earlier for each further restart', 8, 100 + 310 + 600 + 24],
  ])('%s', (_, restarts, secondsAgo) => {
    const failures = podFailuresOf(crashSnapshot({ pods: [crashed(100_000, restarts)] }));

    expect(firstCrashAt(failures)).toBe(now - secondsAgo * 1000);
  });

  it('does not come before the pod has its node', () => {
    const failures = podFailuresOf(crashSnapshot({ pods: [crashed(500, 30)] }));

    expect(firstCrashAt(failures)).toBe(now - 500_000);
  });
});

describe('a crash without a pod of the former revision', () => {
  const finds = (pod: ReturnType<typeof crashed>, madeAgo: { readonly 1: number; readonly 2: number }) =>
    foundBy(crashLoopAfterRollout, snapshotOf(pod, madeAgo))?.cause;

  it.each([
    ['came with the update that was made just before', crashed(3000, 12), { 1: 90_000, 2: 3010 }, true],
    ['came with the update, also half a day later', crashed(43_000, 145), { 1: 90_000, 2: 43_010 }, true],
    ['did not come with an update of hours before', crashed(43_000, 6), { 1: 90_000, 2: 43_010 }, false],
    [
      'says nothing of a revision that a roll back made current again',
      crashed(3000, 12),
      { 1: 3020, 2: 90_000 },
      false,
    ],
  ])('%s', (_, pod, madeAgo, isFound) => {
    expect(finds(pod, madeAgo)).toBe(isFound ? 'crash-loop-after-rollout' : undefined);
  });
});
