import { describe, expect, it } from 'vitest';
import { unreadStatements } from '#src/doctor/findings/crashes/crash-finding.js';
import { incarnationsOf, isOutage, ownerKeyOf } from '#src/doctor/findings/crashes/incarnations-of.js';
import { troubleOf } from '#src/doctor/findings/pod-trouble.js';
import { Node } from '#src/engine/objects/node.js';
import { isUnreadNearby } from '#src/engine/objects/unread.js';
import {
  ago,
  backingOff,
  crashSnapshot,
  ended,
  type FailingPodShape,
  failingPod,
  readyFor,
} from './build.js';

const day = 24 * 3600;

/** A node that became Ready so many seconds ago. */
function nodeSince(seconds: number, status = 'True'): Node {
  return Node.parse({
    metadata: { name: 'n-a' },
    status: { conditions: [{ type: 'Ready', status, lastTransitionTime: ago(seconds) }] },
  });
}

function lives(shape: FailingPodShape, nodes = [nodeSince(10 * day)]) {
  return incarnationsOf(crashSnapshot({ pods: [failingPod(shape)], nodes }));
}

/** Healthy again, with a previous run that ended that long ago. */
const recovered = (before: number, end: Parameters<typeof ended>[0] = {}, restarts = 1): FailingPodShape => ({
  containers: [
    {
      state: { running: { startedAt: ago(before) } },
      lastState: ended({ seconds: 5, before, ...end }),
      restarts,
    },
  ],
  status: { ...readyFor(before), startTime: ago(2 * day) },
});

describe('the life of a pod counts as a crash', () => {
  it.each<readonly [string, FailingPodShape, boolean]>([
    ['while it crashes', { containers: [{ state: backingOff, lastState: ended(), ready: false }] }, true],
    ['for a day after it crashed', recovered(day), true],
    ['no longer than a day', recovered(day + 1), false],
    ['not when it ended successfully', recovered(7200, { exitCode: 0, reason: 'Completed' }), false],
    [
      'not when all its containers were restarted by rule',
      recovered(7200, { exitCode: 137, reason: 'RestartingAllContainers' }),
      false,
    ],
    ['not when the runtime lost the container', recovered(7200, { exitCode: 137, reason: 'Unknown' }), false],
    ['not when it never restarted', recovered(7200, {}, 0), false],
    [
      'not while it is only not ready',
      { containers: [{ spec: { readinessProbe: { tcpSocket: { port: 1 } } }, ready: false }] },
      false,
    ],
    ['not when it is healthy', { status: readyFor(3600) }, false],
  ])('%s', (_, shape, crashed) => {
    expect(lives(shape).map((one) => one.crashed)).toEqual([crashed]);
  });

  it('and has the time to crash, the observed time, and the revision of the pod', () => {
    expect(lives(recovered(7200))).toEqual([
      {
        uid: 'web-1-a-uid',
        node: 'n-a',
        workload: 'Deployment/shop/web',
        revision: '1',
        crashed: true,
        observedSeconds: 2 * day,
        secondsToCrash: 5,
      },
    ]);
  });

  it.each<readonly [string, FailingPodShape]>([
    ['has no node', { node: '' }],
    ['is being deleted', { metadata: { deletionTimestamp: ago(5) } }],
    ['is complete', { phase: 'Succeeded' }],
    [
      'ended long ago',
      { phase: 'Failed', status: { phase: 'Failed', reason: 'Evicted', startTime: ago(2 * day) } },
    ],
    [
      'lacks a ConfigMap',
      { containers: [{ state: { waiting: { reason: 'CreateContainerConfigError' } }, ready: false }] },
    ],
    ['has no image', { containers: [{ state: { waiting: { reason: 'InvalidImageName' } }, ready: false }] }],
    [
      'uses a tag that does not exist',
      {
        containers: [
          { state: { waiting: { reason: 'ErrImagePull', message: 'manifest unknown' } }, ready: false },
        ],
      },
    ],
  ])('and is no evidence about its node where it %s', (_, shape) => {
    expect(lives(shape)).toEqual([]);
  });

  it('and is evidence about its node where that cannot reach the registry', () => {
    const unreachable = { waiting: { reason: 'ErrImagePull', message: 'dial tcp: i/o timeout' } };

    expect(
      lives({ containers: [{ state: unreachable, ready: false }] }).map(({ crashed }) => crashed),
    ).toEqual([true]);
  });
});

describe('the end of a pod is explained by its node', () => {
  const endedAgo = (seconds: number, reason = 'Error') => ({ reason, finishedAt: ago(seconds) });
  const isExplained = (
    node: Node | undefined,
    run: { reason: string; finishedAt: string | undefined } | undefined,
  ) => isOutage(crashSnapshot({ pods: [], nodes: node === undefined ? [] : [node] }), 'n-a', run);

  it.each<
    readonly [
      string,
      Node | undefined,
      { reason: string; finishedAt: string | undefined } | undefined,
      boolean,
    ]
  >([
    ['half an hour before the node recovered', nodeSince(1000), endedAgo(2800), true],
    ['not longer before that', nodeSince(1000), endedAgo(2801), false],
    ['a minute after it recovered', nodeSince(1000), endedAgo(940), true],
    ['not later', nodeSince(1000), endedAgo(939), false],
    ['not on a node that has not recovered', nodeSince(1000, 'False'), endedAgo(1500), false],
    ['not on an unknown node', undefined, endedAgo(1500), false],
    [
      'at any time when the runtime lost the container',
      undefined,
      endedAgo(9e5, 'ContainerStatusUnknown'),
      true,
    ],
    ['not without a time', nodeSince(1000), { reason: 'Error', finishedAt: undefined }, false],
    ['not without an end', nodeSince(1000), undefined, false],
  ])('%s', (_, node, run, expected) => {
    expect(isExplained(node, run)).toBe(expected);
  });
});

describe('the owner of a pod life', () => {
  const owned = (kind: string, uid = 'x') =>
    failingPod({ metadata: { ownerReferences: [{ kind, name: 'db', uid, controller: true }] } });
  const snapshot = crashSnapshot({ pods: [failingPod()] });

  it.each<readonly [string, ReturnType<typeof failingPod>, string]>([
    ['a Deployment, of the pods of its ReplicaSet', failingPod(), 'Deployment/shop/web'],
    ['the ReplicaSet where that was not read', owned('ReplicaSet'), 'ReplicaSet/shop/db'],
    ['another controller', owned('StatefulSet'), 'StatefulSet/shop/db'],
    ['its own, without a controller', failingPod({ metadata: { ownerReferences: [] } }), 'Pod/shop/web-1-a'],
  ])('%s', (_, pod, expected) => {
    expect(ownerKeyOf(snapshot, pod)).toBe(expected);
  });
});

describe('an unread kind', () => {
  const snapshot = crashSnapshot({ pods: [failingPod()] });
  const unseen = (
    what: 'Event' | 'Pod' | 'Secret' | 'Node',
    namespace: string,
    because: 'forbidden' | 'not-served' = 'forbidden',
  ) => ({ ...snapshot, unseen: [{ what, namespace, because, message: '' }] }) as typeof snapshot;

  it.each<readonly [string, typeof snapshot, boolean]>([
    ['in its own namespace weakens', unseen('Event', 'shop'), true],
    ['in all namespaces weakens', unseen('Event', ''), true],
    ['in another namespace does not weaken', unseen('Event', 'pay'), false],
    ['that is not served does not weaken', unseen('Event', '', 'not-served'), false],
    ['of another kind does not weaken', unseen('Pod', 'shop'), false],
    ['that does not exist does not weaken', snapshot, false],
  ])('%s the evidence from events', (_, each, expected) => {
    expect(isUnreadNearby(each, 'Event')).toBe(expected);
  });

  it('is stated once, with the kinds that matter here', () => {
    const both = {
      ...snapshot,
      unseen: [
        ...unseen('Node', '').unseen,
        ...unseen('Pod', 'shop').unseen,
        ...unseen('Secret', 'shop').unseen,
      ],
    };

    expect(unreadStatements(both).map(({ values }) => values)).toEqual([{ kinds: ['Pod', 'Node'] }]);
    expect(unreadStatements(snapshot)).toEqual([]);
  });
});

describe('the failure of a pod in one word', () => {
  const scheduled = { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] };

  it.each<readonly [string, FailingPodShape, string, string | undefined]>([
    ['that it was not placed', { status: scheduled }, 'Unschedulable', undefined],
    [
      'the waiting reason of its container',
      { containers: [{ state: backingOff, lastState: ended(), ready: false }] },
      'CrashLoopBackOff',
      'app',
    ],
    [
      'the reason of its end',
      { containers: [{ state: ended({ reason: 'OOMKilled' }), ready: false }] },
      'OOMKilled',
      'app',
    ],
    [
      'the reason of the end of its previous run',
      { containers: [{ lastState: ended({ reason: 'Error' }), ready: false }] },
      'Error',
      'app',
    ],
    [
      'the failure of its init container, first',
      {
        inits: [{ name: 'setup', state: ended({ reason: 'Error' }), ready: false }],
        containers: [{ state: { waiting: { reason: 'PodInitializing' } }, ready: false }],
      },
      'Error',
      'setup',
    ],
    [
      'not of a container that is ready',
      { containers: [{ lastState: ended({ reason: 'Error' }), ready: true }] },
      'NotReady',
      undefined,
    ],
    [
      'NotReady when it is not ready',
      { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady' }] } },
      'ContainersNotReady',
      undefined,
    ],
  ])('is %s', (_, shape, reason, container) => {
    expect(troubleOf(failingPod(shape))).toEqual({ reason, container });
  });
});
