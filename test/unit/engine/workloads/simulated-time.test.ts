import { describe, expect, it } from 'vitest';
import type { Pod } from '#src/engine/objects/pod.js';
import {
  isGuess,
  isOverdue,
  nextEvent,
  noteDeletions,
  noteStart,
  noteStarting,
  passTime,
  timetableOf,
} from '#src/engine/workloads/simulated-pods.js';
import { ago, buildPod, now } from '../../../support/rollout-builders.js';

const second = 1000;
/** Seconds in which the kubelet cleans up. */
const cleanUp = 3;

/** Terminates in that many seconds. */
function terminatingPod(name: string, seconds: number): Pod {
  const pod = buildPod({ name, terminating: true });
  return { ...pod, metadata: { ...pod.metadata, deletionTimestamp: ago(-seconds) } };
}

const simulator = (ready: boolean) => ({ placementOf: () => undefined, becomesReady: () => ready });
const difference = { gone: [], placed: [], created: [] };

describe('a terminating pod', () => {
  it.each([
    ['in time', -30, false],
    ['at its deadline', 0, false],
    ['a minute late', 60, false],
    ['more than a minute late', 61, true],
  ])('%s', (_, late, overdue) => {
    expect(isOverdue(terminatingPod('p', -late), now)).toBe(overdue);
  });

  it('is not overdue before its deletion', () => {
    expect(isOverdue(buildPod({ name: 'p' }), now)).toBe(false);
  });

  it('is gone once the kubelet has cleaned up after its deadline, in a second where that has passed, and never where it is overdue', () => {
    const { goneAt } = timetableOf(
      {
        pods: [
          terminatingPod('a', 20),
          terminatingPod('b', -5),
          terminatingPod('c', -61),
          buildPod({ name: 'd' }),
        ],
        now,
      },
      10,
    );

    expect([...goneAt]).toEqual([
      ['a-uid', now + (20 + cleanUp) * second],
      ['b-uid', now + second],
      ['c-uid', Number.POSITIVE_INFINITY],
    ]);
  });

  const startedAfter = (seconds: number, status: object = {}, restarts = 0): Pod => {
    const state = { running: { startedAt: ago(100 - seconds) } };
    const containerStatuses = [{ name: 'app', ready: true, restartCount: restarts, state }];
    return buildPod({ name: 'seen', age: 100, status: { containerStatuses, ...status } });
  };
  const init = { initContainerStatuses: [{ name: 'init', ready: true, restartCount: 0 }] };
  it.each<readonly [string, readonly Pod[], number]>([
    ['three seconds where no pod shows its start', [buildPod({ name: 'p' })], 3],
    ['three seconds where the node is quick', [startedAfter(1)], 3],
    ['as long as the node took from the assignment to the containers', [startedAfter(6)], 6],
    ['ten seconds at most, as an image may have been pulled', [startedAfter(300)], 10],
    ['three seconds where init containers ran first', [startedAfter(6, init)], 3],
    ['three seconds where the containers ran before', [startedAfter(6, {}, 1)], 3],
  ])('takes the kubelet %s', (_, seen, seconds) => {
    const leaving = terminatingPod('a', 20);
    const { goneAt } = timetableOf({ pods: [leaving, ...seen], now }, 10);

    expect(goneAt.get('a-uid')).toBe(now + (20 + seconds) * second);
  });

  it('keeps its first recorded deadline', () => {
    const timetable = timetableOf({ pods: [terminatingPod('a', 20)], now }, 10);
    noteDeletions(timetable, [terminatingPod('a', 90), terminatingPod('b', 30), buildPod({ name: 'c' })]);

    expect([...timetable.goneAt]).toEqual([
      ['a-uid', now + (20 + cleanUp) * second],
      ['b-uid', now + (30 + cleanUp) * second],
    ]);
  });
});

describe('the duration of a start', () => {
  const seen = buildPod({ name: 'seen', age: 100, readyFor: 60 });

  it.each<readonly [string, readonly Pod[], number | undefined, number, boolean]>([
    ['as long as configured', [seen], 25, 25, false],
    ['as long as observed', [seen], undefined, 40, false],
    ['at least a second', [seen], 0, 1, false],
    ['ten seconds by default, where no start was observed', [], undefined, 10, true],
  ])('%s', (_, pods, said, seconds, guessed) => {
    const timetable = timetableOf({ pods, now }, said);

    expect(timetable.startMilliseconds).toBe(seconds * second);
    expect(timetable.guessed).toBe(guessed);
    expect(isGuess(timetable)).toBe(false);
    noteStart(timetable, buildPod({ name: 'p' }), now);
    expect(isGuess(timetable)).toBe(guessed);
    expect(timetable.readyAt.get('p-uid')).toBe(now + seconds * second);
  });

  it('counts from the assignment to a node, and is at least a second', () => {
    const starting = (name: string, age: number) => buildPod({ name, age, ready: false });
    const pods = [
      starting('young', 5),
      starting('late', 500),
      buildPod({ name: 'ready' }),
      buildPod({ name: 'unplaced', node: undefined }),
      buildPod({ name: 'failed', phase: 'Failed' }),
    ];
    const timetable = timetableOf({ pods, now }, 30);
    noteStarting(timetable, { pods, now }, simulator(true), difference);

    expect([...timetable.readyAt]).toEqual([
      ['young-uid', now + 25 * second],
      ['late-uid', now + second],
    ]);
    const hopeless = timetableOf({ pods, now }, 30);
    noteStarting(hopeless, { pods, now }, simulator(false), difference);
    expect(hopeless.readyAt.size).toBe(0);
  });
});

describe('the time of the next event', () => {
  const starting = buildPod({ name: 'starting', ready: false });
  const fresh = buildPod({ name: 'fresh', readyFor: 10 });

  function next(pods: readonly Pod[], minReadySeconds = 0, from = now): number | undefined {
    const timetable = timetableOf({ pods, now }, 30);
    noteStart(timetable, starting, now);
    const at = nextEvent(timetable, pods, minReadySeconds, from);
    return at === undefined ? undefined : (at - now) / second;
  }

  it.each<readonly [string, readonly Pod[], number, number | undefined]>([
    ['a pod is gone', [terminatingPod('a', 20), terminatingPod('b', 40)], 0, 20 + cleanUp],
    ['a pod is ready', [starting], 0, 30],
    ['the earlier of both', [starting, terminatingPod('a', 45)], 0, 30],
    ['a ready pod is available', [fresh], 60, 50],
    ['none for a pod that is available as soon as it is ready', [fresh], 0, undefined],
    ['none for a pod that has been ready for long', [fresh], 5, undefined],
    ['none for a pod that has ended', [buildPod({ name: 'x', phase: 'Failed' })], 60, undefined],
    ['none for a pod that is not expected to start', [buildPod({ name: 'x', ready: false })], 0, undefined],
    ['none without pods', [], 60, undefined],
  ])('%s', (_, pods, minReadySeconds, expected) => {
    expect(next(pods, minReadySeconds)).toBe(expected);
  });

  it('is after the current moment', () => {
    const pods = [terminatingPod('a', 20), terminatingPod('b', 40)];
    expect(next(pods, 0, now + (20 + cleanUp) * second)).toBe(40 + cleanUp);
  });

  it('is reached at that very moment', () => {
    const pods = [terminatingPod('a', 20), terminatingPod('b', 40), starting, fresh];
    const timetable = timetableOf({ pods, now }, 30);
    noteStart(timetable, starting, now);
    const at = (seconds: number) => {
      const { passed, readied } = passTime(timetable, pods, now + seconds * second);
      const names = (all: readonly Pod[]) => all.map(({ metadata }) => metadata.name);
      return [names(passed.gone), names(passed.becameReady), names(readied.map(([, after]) => after))];
    };

    expect(at(19 + cleanUp)).toEqual([[], [], []]);
    expect(at(20 + cleanUp)).toEqual([['a'], [], []]);
    expect(at(30)).toEqual([['a'], ['starting'], ['starting']]);
    expect(passTime(timetable, [starting], now + 30 * second).readied[0]?.[1].status).toMatchObject({
      phase: 'Running',
    });
  });
});
