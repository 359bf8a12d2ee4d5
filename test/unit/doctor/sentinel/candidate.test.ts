import { describe, expect, it } from 'vitest';
import { candidateInEvent, candidateInPod } from '#src/doctor/sentinel/candidate.js';
import { event, pod, refused, scheduled } from './objects.js';

const claim = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };

describe('a pod', () => {
  it('that the scheduler refuses is a candidate, with its ReplicaSet and the time of the first refusal', () => {
    expect(candidateInPod(pod())).toEqual({
      owner: { kind: 'ReplicaSet', namespace: 'shop', name: 'web-5c96' },
      key: '["ReplicaSet","shop","web-5c96","rs-1",""]',
      reason: 'FailedScheduling',
      since: '2026-11-20T09:00:00Z',
      says: 'FailedScheduling #/# nodes are available: # Insufficient cpu.',
    });
  });

  it('keeps its key when only numbers change, and shares it with others of its revision', () => {
    const one = candidateInPod(pod());
    const other = candidateInPod(
      pod({
        metadata: { name: 'web-5c96-b' },
        status: { conditions: [refused('0/9 nodes are available: 7 Insufficient cpu.')] },
      }),
    );
    expect(other).toEqual(one);
  });

  it('of a DaemonSet is a candidate of its revision', () => {
    const of = (hash: string) =>
      candidateInPod(
        pod({
          metadata: {
            labels: { 'controller-revision-hash': hash },
            ownerReferences: [{ kind: 'DaemonSet', name: 'agent', uid: 'ds-1', controller: true }],
          },
        }),
      );
    expect(of('a')).toMatchObject({ owner: { kind: 'DaemonSet', name: 'agent' } });
    expect(of('a')?.key).not.toBe(of('b')?.key);
  });

  it('that has a node and waits for a volume there is a candidate', () => {
    const waiting = pod({ spec: { nodeName: 'n1', ...claim }, status: { conditions: [scheduled] } });
    expect(candidateInPod(waiting)).toMatchObject({ reason: 'ContainerCreating' });
  });

  it("that waits at Kueue's gate is a candidate", () => {
    const gated = { ...refused(''), reason: 'SchedulingGated' };
    const labels = { 'kueue.x-k8s.io/queue-name': 'gpus' };
    expect(candidateInPod(pod({ metadata: { labels }, status: { conditions: [gated] } }))).toMatchObject({
      reason: 'SchedulingGated',
    });
  });

  it('of a PodGroup of Kubernetes that was not tried yet is a candidate since its creation', () => {
    const created = { creationTimestamp: '2026-11-20T08:00:00Z' };
    const untried = pod({
      metadata: created,
      spec: { schedulingGroup: { podGroupName: 'ring' } },
      status: { conditions: [] },
    });
    expect(candidateInPod(untried)).toMatchObject({
      key: candidateInPod(pod())?.key,
      reason: 'Pending',
      since: '2026-11-20T08:00:00Z',
    });
  });

  it.each([
    ['a RayCluster', 'RayCluster', {}],
    ['a group of a LeaderWorkerSet', 'StatefulSet', { 'leaderworkerset.sigs.k8s.io/name': 'llm' }],
  ])(
    'of %s is a candidate by its own name, with one key for all pods of its controller',
    (_, kind, labels) => {
      const of = (name: string) =>
        candidateInPod(
          pod({
            metadata: {
              name,
              labels,
              ownerReferences: [{ kind, name: 'llm-x', uid: 'u-1', controller: true }],
            },
          }),
        );

      expect(of('llm-x-head')?.owner).toEqual({ kind: 'Pod', namespace: 'shop', name: 'llm-x-head' });
      expect(of('llm-x-head')?.key).toBe(of('llm-x-worker')?.key);
    },
  );

  it.each<[string, unknown]>([
    ['was not tried yet', pod({ status: { conditions: [] } })],
    [
      'is gated by others than Kueue',
      pod({ status: { conditions: [{ ...refused(''), reason: 'SchedulingGated' }] } }),
    ],
    ['has a node and no volume', pod({ spec: { nodeName: 'n1' }, status: { conditions: [scheduled] } })],
    ['runs', pod({ status: { phase: 'Running' } })],
    ['is being deleted', pod({ metadata: { deletionTimestamp: '2026-11-20T09:01:00Z' } })],
    ['has no owner', pod({ metadata: { ownerReferences: [] } })],
    [
      "is a Job's",
      pod({ metadata: { ownerReferences: [{ kind: 'Job', name: 'j', uid: 'j', controller: true }] } }),
    ],
    [
      "is a StatefulSet's",
      pod({
        metadata: { ownerReferences: [{ kind: 'StatefulSet', name: 's', uid: 's', controller: true }] },
      }),
    ],
    [
      'has an owner that does not control it',
      pod({ metadata: { ownerReferences: [{ kind: 'ReplicaSet', name: 'web-5c96', uid: 'rs-1' }] } }),
    ],
    ['is none', { metadata: 7 }],
    ['is not an object', undefined],
  ])('that %s is no candidate', (_, object) => {
    expect(candidateInPod(object)).toBeUndefined();
  });
});

describe('an event', () => {
  const quota =
    'Error creating: pods "web-5c96-x" is forbidden: exceeded quota: team, requested: cpu=1, used: cpu=4, limited: cpu=4';
  const replicaSet = { kind: 'ReplicaSet', namespace: 'shop', name: 'web-5c96', uid: 'rs-1' };
  const podObject = { kind: 'Pod', namespace: 'shop', name: 'web-5c96-abcde', uid: 'p-1' };

  it('about a pod that a quota refuses is a candidate, under the same key as refused pods of that revision', () => {
    const found = candidateInEvent(event('FailedCreate', quota, replicaSet));

    expect(found).toMatchObject({ owner: { kind: 'ReplicaSet', name: 'web-5c96' }, reason: 'FailedCreate' });
    expect(found?.since).toBe('2026-11-20T09:00:00Z');
    expect(found?.key).toBe(candidateInPod(pod())?.key);
  });

  it('about a failing probe is a candidate, once for all pods of its ReplicaSet', () => {
    const of = (name: string) =>
      candidateInEvent(event('Unhealthy', 'Readiness probe failed: 503', { ...podObject, name }));

    expect(of('web-5c96-abcde')).toMatchObject({ owner: { kind: 'Pod', name: 'web-5c96-abcde' } });
    expect(of('web-5c96-fghij')?.key).toBe(of('web-5c96-abcde')?.key);
    expect(of('other-5c96-fghij')?.key).not.toBe(of('web-5c96-abcde')?.key);
  });

  it('in the newer API has its first time too', () => {
    const micro = {
      ...event('FailedCreate', quota, replicaSet),
      firstTimestamp: null,
      eventTime: '2026-11-20T09:00:00.000001Z',
    };
    expect(candidateInEvent(micro)?.since).toBe('2026-11-20T09:00:00.000001Z');
  });

  it.each<[string, unknown]>([
    [
      'another refusal to create',
      event('FailedCreate', 'admission webhook "policy" denied the request', replicaSet),
    ],
    ["a quota of a Job's pods", event('FailedCreate', quota, { ...replicaSet, kind: 'Job' })],
    ['a liveness probe', event('Unhealthy', 'Liveness probe failed: timeout', podObject)],
    ['another reason', event('BackOff', 'Back-off restarting failed container', podObject)],
    ['no object', undefined],
  ])('about %s is no candidate', (_, object) => {
    expect(candidateInEvent(object)).toBeUndefined();
  });
});
