import { describe, expect, it } from 'vitest';
import { createCollector } from '#src/doctor/crash-history/collector.js';
import { start, waiting, watched } from './pods.js';

const limits = { pods: 100, waiting: 100 };
const crashed = (uid: string, restarts = 1) =>
  watched({ uid, name: uid, statuses: [waiting(restarts, { from: 1, to: 9 })] });
const never = { statuses: [{ name: 'app', restartCount: 0, state: {} }] };

describe('a crash collector', () => {
  it('is empty at first', () => {
    const { followed, waiting, dropped } = createCollector(limits);
    expect([followed, waiting, dropped]).toEqual([0, 0, 0]);
  });

  it('returns the oldest records first, up to the requested number', () => {
    const collector = createCollector(limits);
    for (const uid of ['a', 'b', 'c']) collector.see(crashed(uid), false, start);

    expect(collector.take(0)).toEqual([]);
    expect(collector.take(2).map(({ record }) => record.uid)).toEqual(['a', 'b']);
    expect(collector.waiting).toBe(1);
    expect(collector.take(2).map(({ record }) => record.uid)).toEqual(['c']);
  });

  it('follows healthy pods without a record, and records when they are gone', () => {
    const collector = createCollector(limits);
    collector.see(watched({ uid: 'a' }), false, start);
    expect([collector.followed, collector.waiting]).toEqual([1, 0]);
    collector.see(watched({ uid: 'a' }), true, start + 60);

    expect([collector.followed, collector.waiting]).toEqual([0, 1]);
    expect(collector.take(9)).toMatchObject([{ owner: 'rs-1', record: { uid: 'a', endedAt: start + 60 } }]);
  });

  it('ignores pods whose owner is not diagnosed', () => {
    const collector = createCollector(limits);
    collector.see(watched({ ownerKind: 'Job' }), true, start);
    expect([collector.followed, collector.waiting]).toEqual([0, 0]);
  });

  it('records a pod that is no longer listed with its last observed state', () => {
    const collector = createCollector(limits);
    collector.beginList();
    collector.see(watched({ uid: 'a', revision: '7', node: 'n-b', owner: 'rs-7' }), false, start);
    collector.see(watched({ uid: 'b', ...never }), false, start);
    collector.endList(start);
    expect(collector.waiting).toBe(0);
    collector.beginList();
    collector.endList(start + 90);

    const bare = { v: 1, name: '', containers: [] };
    expect(collector.take(9)).toEqual([
      {
        owner: 'rs-7',
        record: { ...bare, uid: 'a', node: 'n-b', revision: '7', startedAt: start, endedAt: start + 90 },
      },
      { owner: 'rs-1', record: { ...bare, uid: 'b', node: 'n-a', revision: '1', endedAt: start + 90 } },
    ]);
    expect(collector.followed).toBe(0);
    collector.beginList();
    collector.endList(start + 100);
    expect(collector.waiting).toBe(0);
  });

  it('follows no more pods than allowed, and others after some are gone', () => {
    const collector = createCollector({ pods: 2, waiting: 100 });
    for (const uid of ['a', 'b', 'c']) collector.see(watched({ uid }), false, start);
    expect(collector.followed).toBe(2);
    collector.see(watched({ uid: 'b', node: 'n-b' }), false, start);
    collector.see(watched({ uid: 'a' }), true, start + 5);
    collector.see(watched({ uid: 'c' }), false, start + 6);
    collector.take(9);
    collector.beginList();
    collector.endList(start + 9);

    expect(collector.take(9).map(({ record: { uid, node } }) => [uid, node])).toEqual([
      ['b', 'n-b'],
      ['c', 'n-a'],
    ]);
  });

  it('ends no pod before its beginning', () => {
    const collector = createCollector(limits);
    collector.see(watched({ uid: 'a' }), false, start);
    collector.beginList();
    collector.endList(start - 100);
    expect(collector.take(9)).toMatchObject([{ record: { startedAt: start, endedAt: start } }]);
  });

  it('merges an update of a pending record, though there is no room for another', () => {
    const collector = createCollector({ pods: 100, waiting: 1 });
    collector.see(crashed('a', 1), false, start);
    collector.see(crashed('b', 1), false, start);
    collector.see(crashed('a', 2), false, start);

    expect(collector.dropped).toBe(1);
    const [only, ...others] = collector.take(9);
    expect(others).toEqual([]);
    expect(only?.record.containers[0]?.runs.map(({ n }) => n)).toEqual([1, 2]);
  });

  it('records a dropped update when it is observed again, and no update that was returned before', () => {
    const collector = createCollector({ pods: 100, waiting: 1 });
    collector.see(crashed('a', 1), false, start);
    collector.take(9);
    collector.see(crashed('b', 1), false, start);
    collector.see(crashed('a', 2), false, start);
    expect(collector.dropped).toBe(1);
    collector.take(9);
    collector.see(crashed('a', 1), false, start);
    expect(collector.take(9)).toEqual([]);
    collector.see(crashed('a', 2), false, start);
    expect(collector.take(9)).toHaveLength(1);
  });

  it('counts the records that it puts back and has no room for', () => {
    const collector = createCollector({ pods: 100, waiting: 1 });
    collector.see(crashed('a'), false, start);
    const taken = collector.take(9);
    collector.see(crashed('b'), false, start);
    collector.putBack(taken);

    expect([collector.waiting, collector.dropped]).toEqual([1, 1]);
  });
});
