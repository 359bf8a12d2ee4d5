import { describe, expect, it } from 'vitest';
import { createCollector } from '#src/core/crash-history/collector.js';
import { start, waiting, watched } from './pods.js';

const limits = { pods: 100, waiting: 100 };
const crashed = (uid: string, restarts = 1) =>
  watched({ uid, name: uid, statuses: [waiting(restarts, { from: 1, to: 9 })] });
const never = { statuses: [{ name: 'app', restartCount: 0, state: {} }] };

describe('a collector', () => {
  it('begins empty', () => {
    const { followed, waiting, dropped } = createCollector(limits);
    expect([followed, waiting, dropped]).toEqual([0, 0, 0]);
  });

  it('hands over the oldest first, so many as are wanted', () => {
    const collector = createCollector(limits);
    for (const uid of ['a', 'b', 'c']) collector.see(crashed(uid), false, start);

    expect(collector.take(0)).toEqual([]);
    expect(collector.take(2).map(({ record }) => record.uid)).toEqual(['a', 'b']);
    expect(collector.waiting).toBe(1);
    expect(collector.take(2).map(({ record }) => record.uid)).toEqual(['c']);
  });

  it('follows pods that run well without a word, and says when they are gone', () => {
    const collector = createCollector(limits);
    collector.see(watched({ uid: 'a' }), false, start);
    expect([collector.followed, collector.waiting]).toEqual([1, 0]);
    collector.see(watched({ uid: 'a' }), true, start + 60);

    expect([collector.followed, collector.waiting]).toEqual([0, 1]);
    expect(collector.take(9)).toMatchObject([{ owner: 'rs-1', record: { uid: 'a', endedAt: start + 60 } }]);
  });

  it('leaves pods alone that nobody diagnoses', () => {
    const collector = createCollector(limits);
    collector.see(watched({ ownerKind: 'Job' }), true, start);
    expect([collector.followed, collector.waiting]).toEqual([0, 0]);
  });

  it('knows of a pod that is no longer listed no more than it saw', () => {
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

  it('lets no pod end before it began', () => {
    const collector = createCollector(limits);
    collector.see(watched({ uid: 'a' }), false, start);
    collector.beginList();
    collector.endList(start - 100);
    expect(collector.take(9)).toMatchObject([{ record: { startedAt: start, endedAt: start } }]);
  });

  it('merges news of a pod that waits, though no other finds room', () => {
    const collector = createCollector({ pods: 100, waiting: 1 });
    collector.see(crashed('a', 1), false, start);
    collector.see(crashed('b', 1), false, start);
    collector.see(crashed('a', 2), false, start);

    expect(collector.dropped).toBe(1);
    const [only, ...others] = collector.take(9);
    expect(others).toEqual([]);
    expect(only?.record.containers[0]?.runs.map(({ n }) => n)).toEqual([1, 2]);
  });

  it('tells dropped news when it comes again, and what was told before not', () => {
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

  it('counts what it puts back and has no room for', () => {
    const collector = createCollector({ pods: 100, waiting: 1 });
    collector.see(crashed('a'), false, start);
    const taken = collector.take(9);
    collector.see(crashed('b'), false, start);
    collector.putBack(taken);

    expect([collector.waiting, collector.dropped]).toEqual([1, 1]);
  });
});
