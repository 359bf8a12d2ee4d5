import { describe, expect, it } from 'vitest';
import { Node } from '#src/core/cluster/node.js';
import { incarnationsOf, isOutage, ownerKeyOf } from '#src/core/diagnosis/crashes/incarnations-of.js';
import { isUnread, unreadOf } from '#src/core/diagnosis/crashes/unread.js';
import { troubleOf } from '#src/core/diagnosis/pod-trouble.js';
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

/** Well again, with a former run that ended so long ago. */
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

describe('whether the life of a pod counts as a crash', () => {
  it.each<readonly [string, FailingPodShape, boolean]>([
    ['while it crashes', { containers: [{ state: backingOff, lastState: ended(), ready: false }] }, true],
    ['for a day after it crashed', recovered(day), true],
    ['no longer than a day', recovered(day + 1), false],
    ['not when it ended well', recovered(7200, { exitCode: 0, reason: 'Completed' }), false],
    [
      'not when all its containers were restarted by rule',
      recovered(7200, { exitCode: 137, reason: 'RestartingAllContainers' }),
      false,
    ],
    ['not when the runtime lost the container', recovered(7200, { exitCode: 137, reason: 'Unknown' }), false],
    ['not when it never restarted', recovered(7200, {}, 0), false],
    [
      'not while it is only not ready',
      {
        containers: [{ spec: { readinessProbe: { tcpSocket: { port: 1 } } }, ready: false }],
      },
      false,
    ],
    ['not when it is well', { status: readyFor(3600) }, false],
  ])('%s', (_, shape, crashed) => {
    expect(lives(shape).map((one) => one.crashed)).toEqual([crashed]);
  });

  it('says how long it took, how long it was watched, and of whose revision it is', () => {
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
    ['has done its work', { phase: 'Succeeded' }],
    [
      'ended long ago',
      { phase: 'Failed', status: { phase: 'Failed', reason: 'Evicted', startTime: ago(2 * day) } },
    ],
    [
      'lacks a ConfigMap',
      { containers: [{ state: { waiting: { reason: 'CreateContainerConfigError' } }, ready: false }] },
    ],
    [
      'names no image',
      { containers: [{ state: { waiting: { reason: 'InvalidImageName' } }, ready: false }] },
    ],
    [
      'wants a tag that is nowhere',
      {
        containers: [
          { state: { waiting: { reason: 'ErrImagePull', message: 'manifest unknown' } }, ready: false },
        ],
      },
    ],
  ])('tells nothing of its node where it %s', (_, shape) => {
    expect(lives(shape)).toEqual([]);
  });

  it('tells of its node where that cannot reach the registry', () => {
    const unreachable = { waiting: { reason: 'ErrImagePull', message: 'dial tcp: i/o timeout' } };

    expect(
      lives({ containers: [{ state: unreachable, ready: false }] }).map(({ crashed }) => crashed),
    ).toEqual([true]);
  });
});

describe('an end for which the node was down', () => {
  const endedAgo = (seconds: number, reason = 'Error') => ({ reason, finishedAt: ago(seconds) });
  const judged = (
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
    ['half an hour before the node came back', nodeSince(1000), endedAgo(2800), true],
    ['not longer before that', nodeSince(1000), endedAgo(2801), false],
    ['a minute after it came back', nodeSince(1000), endedAgo(940), true],
    ['not later', nodeSince(1000), endedAgo(939), false],
    ['not on a node that is not back', nodeSince(1000, 'False'), endedAgo(1500), false],
    ['not on a node that nobody knows', undefined, endedAgo(1500), false],
    ['whenever the runtime lost the container', undefined, endedAgo(9e5, 'ContainerStatusUnknown'), true],
    ['not without a time', nodeSince(1000), { reason: 'Error', finishedAt: undefined }, false],
    ['not without an end', nodeSince(1000), undefined, false],
  ])('%s', (_, node, run, expected) => {
    expect(judged(node, run)).toBe(expected);
  });
});

describe('whose a life is', () => {
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

describe('what was not read', () => {
  const snapshot = crashSnapshot({ pods: [failingPod()] });
  const unseen = (
    what: 'Event' | 'Pod' | 'Secret' | 'Node',
    namespace: string,
    because: 'forbidden' | 'not-served' = 'forbidden',
  ) => ({ ...snapshot, unseen: [{ what, namespace, because, message: '' }] }) as typeof snapshot;

  it.each<readonly [string, typeof snapshot, boolean]>([
    ['in its own namespace weakens', unseen('Event', 'shop'), true],
    ['in all namespaces weakens', unseen('Event', ''), true],
    ['in another namespace does not', unseen('Event', 'pay'), false],
    ['since there is no such thing does not', unseen('Event', '', 'not-served'), false],
    ['of another kind does not', unseen('Pod', 'shop'), false],
    ['is nothing', snapshot, false],
  ])('%s what events would tell', (_, each, expected) => {
    expect(isUnread(each, 'Event')).toBe(expected);
  });

  it('is said once, with the kinds that matter here', () => {
    const both = {
      ...snapshot,
      unseen: [
        ...unseen('Node', '').unseen,
        ...unseen('Pod', 'shop').unseen,
        ...unseen('Secret', 'shop').unseen,
      ],
    };

    expect(unreadOf(both).map(({ values }) => values)).toEqual([{ kinds: ['Pod', 'Node'] }]);
    expect(unreadOf(snapshot)).toEqual([]);
  });
});

describe("a pod's trouble in one word", () => {
  const scheduled = { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] };

  it.each<readonly [string, FailingPodShape, string, string | undefined]>([
    ['that it was not placed', { status: scheduled }, 'Unschedulable', undefined],
    [
      'what its container waits for',
      { containers: [{ state: backingOff, lastState: ended(), ready: false }] },
      'CrashLoopBackOff',
      'app',
    ],
    [
      'how it ended',
      { containers: [{ state: ended({ reason: 'OOMKilled' }), ready: false }] },
      'OOMKilled',
      'app',
    ],
    [
      'how its former run ended',
      { containers: [{ lastState: ended({ reason: 'Error' }), ready: false }] },
      'Error',
      'app',
    ],
    [
      'the one that prepares it, first',
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
      'that it is not ready, in its own word',
      {
        status: { conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady' }] },
      },
      'ContainersNotReady',
      undefined,
    ],
  ])('is %s', (_, shape, reason, container) => {
    expect(troubleOf(failingPod(shape))).toEqual({ reason, container });
  });
});
