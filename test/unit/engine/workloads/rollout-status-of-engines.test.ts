import { describe, expect, it } from 'vitest';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { LeaderWorkerSet } from '#src/engine/objects/leader-worker-set.js';
import { podsOfRevisions, podsThatRetire } from '#src/engine/workloads/revisioned/pods.js';
import { rolloutStatus } from '#src/engine/workloads/rollout-status.js';
import { type ArgoRolloutFields, buildArgoRollout } from '../../../support/argo-rollout-builders.js';
import { readScenario } from './recorded.js';

const done = {
  stableRS: 'new',
  currentPodHash: 'new',
  replicas: 4,
  updatedReplicas: 4,
  availableReplicas: 4,
};

describe('the status of a Rollout of four replicas', () => {
  const waiting = (reason: string, ready: number, of: number) => ({
    kind: 'waiting',
    for: reason,
    done: ready,
    of,
  });
  it.each<[string, ArgoRolloutFields, object]>([
    ['is complete', { status: done }, { kind: 'complete' }],
    ['waits for its controller', { status: done, generation: 3 }, waiting('observed', 0, 1)],
    ['waits for new pods', { status: { ...done, updatedReplicas: 3 } }, waiting('updated', 3, 4)],
    ['waits for the promotion', { status: { ...done, stableRS: 'old' } }, waiting('updated', 4, 4)],
    [
      'counts no more new pods than there are replicas',
      { status: { ...done, stableRS: 'old', updatedReplicas: 6 } },
      waiting('updated', 4, 4),
    ],
    ['waits until old pods are gone', { status: { ...done, replicas: 6 } }, waiting('old-terminated', 0, 2)],
    [
      'keeps old pods under a router',
      { status: { ...done, replicas: 6 }, canary: { trafficRouting: {} } },
      { kind: 'complete' },
    ],
    [
      'keeps old pods of a blue-green update',
      { status: { ...done, replicas: 6 }, blueGreen: {} },
      { kind: 'complete' },
    ],
    ['waits for available pods', { status: { ...done, availableReplicas: 3 } }, waiting('available', 3, 4)],
    [
      'has failed at its deadline',
      {
        status: {
          ...done,
          conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }],
        },
      },
      { kind: 'failed', because: 'progress-deadline-exceeded' },
    ],
    [
      'waits for stable pods after an abort',
      { status: { ...done, stableRS: 'old', abort: true, availableReplicas: 3 } },
      waiting('available', 3, 4),
    ],
    [
      'is complete after an abort with all stable pods',
      { status: { ...done, stableRS: 'old', abort: true } },
      { kind: 'complete' },
    ],
  ])('%s', (_, fields, expected) => {
    expect(rolloutStatus(buildArgoRollout({ replicas: 4, ...fields }))).toEqual(expected);
  });
});

describe('the status of a LeaderWorkerSet of four groups', () => {
  const complete = { observedGeneration: 2, replicas: 4, readyReplicas: 4, updatedReplicas: 4 };
  it.each<[string, object, number, object]>([
    ['is complete', complete, 0, { kind: 'complete' }],
    [
      'waits for its controller',
      { ...complete, observedGeneration: 1 },
      0,
      { for: 'observed', done: 0, of: 1 },
    ],
    ['waits for new groups', { ...complete, updatedReplicas: 2 }, 0, { for: 'updated', done: 2, of: 4 }],
    [
      'needs new groups from the partition on alone',
      { ...complete, updatedReplicas: 3 },
      1,
      { kind: 'complete' },
    ],
    [
      'waits for new groups from the partition on',
      { ...complete, updatedReplicas: 2 },
      1,
      { for: 'updated', done: 2, of: 3 },
    ],
    [
      'waits until surge groups are gone',
      { ...complete, replicas: 5 },
      0,
      { for: 'old-terminated', done: 0, of: 1 },
    ],
    ['waits for ready groups', { ...complete, readyReplicas: 3 }, 0, { for: 'ready', done: 3, of: 4 }],
  ])('%s', (_, status, partition, expected) => {
    const set = LeaderWorkerSet.parse({
      metadata: { name: 'inference', generation: 2 },
      spec: {
        replicas: 4,
        leaderWorkerTemplate: { workerTemplate: { spec: { containers: [{ name: 'app', image: 'a' }] } } },
        rolloutStrategy: { rollingUpdateConfiguration: { partition } },
      },
      status,
    });
    expect(rolloutStatus(set)).toMatchObject(expected);
  });
});

describe('the pods of a service with revisions', () => {
  const podsIn = (id: string) => {
    const { state, objects } = readScenario(id);
    if (state.kind !== 'Revisioned') throw new Error(`${id} is a ${state.kind}`);
    const index = indexObjects(objects);
    const names = (pods: readonly { metadata: { name: string } }[]) =>
      pods.map(({ metadata }) => metadata.name);
    return {
      own: names(podsOfRevisions(index, state.service)),
      retiring: names(podsThatRetire(index, state.service)),
      all: names(state.pods),
    };
  };

  it.each([
    'knative/healthy',
    'knative/before-the-update',
    'dynamo/healthy',
    'dynamo/deadlock-of-one-worker',
  ])('are all kept in %s', (id) => {
    const { own, retiring } = podsIn(id);
    expect(own.length).toBeGreaterThan(0);
    expect(retiring).toEqual([]);
  });

  it('retire once the status no longer names their revision', () => {
    const { own, retiring } = podsIn('knative/old-revision-retires');
    expect(retiring.length).toBeGreaterThan(0);
    expect(own.filter((name) => retiring.includes(name))).toEqual([]);
  });
});
