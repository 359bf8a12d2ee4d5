import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Coverage } from '#src/doctor/crash-history/merge-records.js';
import type { Observation } from '#src/doctor/crash-history/observe-pod.js';
import { createRedisCrashHistory } from '#src/edges/redis/redis-crash-history.js';
import { withRedis } from '../../support/open-redis.js';

const db = withRedis();

const now = new Date('2026-11-20T09:30:00Z');
const second = now.getTime() / 1000;
const day = 86_400;
const covered: Coverage = { v: 1, since: second - 5 * day, upTo: second, gaps: [] };

/** A store that holds three pods of each of two controllers, for a week; and a lease on it. */
async function started() {
  const store = createRedisCrashHistory({
    redis: db.redis,
    prefix: `test-${randomUUID()}`,
    keepMs: 7 * day * 1_000,
    leaseMs: 60_000,
    maxPods: 3,
    maxOwners: 2,
  });
  const token = (await store.lease('prod').acquire()) ?? 0;
  await store.cover('prod', token, '', covered);
  const read = (owners: readonly string[], namespace = 'shop', at = now) =>
    store.read({ cluster: 'prod', namespace, owners }, at);
  return {
    store,
    token,
    read,
    write: (all: readonly Observation[], at = now) => store.write('prod', token, all, at),
  };
}

/** A pod that ran for an hour and ended the given number of days ago. */
function gone(owner: string, uid: string, days: number): Observation {
  const endedAt = second - days * day;
  const record = {
    v: 1 as const,
    uid,
    name: '',
    node: 'n-a',
    revision: '1',
    startedAt: endedAt - 3600,
    endedAt,
    containers: [],
  };
  return { owner, record };
}

const uids = (history: { readonly pods: readonly { readonly uid: string }[] } | undefined) =>
  history?.pods.map(({ uid }) => uid).sort();

describe('the crash history in Redis', () => {
  it('returns each written record once, also when it was written twice', async () => {
    const { write, read } = await started();
    const pod = gone('rs', 'a', 1);
    expect(await write([pod])).toEqual({ type: 'written', dropped: 0 });
    expect(await write([pod, gone('rs', 'b', 2)])).toEqual({ type: 'written', dropped: 0 });

    expect(await read(['rs', 'other'])).toEqual({
      observedSince: covered.since,
      gaps: [],
      pods: expect.arrayContaining([pod.record, gone('rs', 'b', 2).record]),
      dropped: 0,
    });
    expect(uids(await read(['rs']))).toEqual(['a', 'b']);
  });

  it('drops the pods with the oldest last change, and counts them', async () => {
    const { write, read } = await started();
    expect(
      await write([gone('rs', 'c', 3), gone('rs', 'a', 1), gone('rs', 'e', 5), gone('rs', 'b', 2)]),
    ).toEqual({
      type: 'written',
      dropped: 1,
    });
    const history = await read(['rs']);
    expect(uids(history)).toEqual(['a', 'b', 'c']);
    expect(history?.dropped).toBe(1);
  });

  it('drops the controller that was written longest ago, and claims no coverage of the time before', async () => {
    const { write, read } = await started();
    const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
    await write([gone('first', 'a', 1)], later(0));
    await write([gone('second', 'b', 1)], later(1));
    expect(await write([gone('third', 'c', 1)], later(2))).toEqual({ type: 'written', dropped: 1 });

    const at = later(3);
    expect((await read(['second'], 'shop', at))?.observedSince).toBe(covered.since);
    expect(await read(['first'], 'shop', at)).toMatchObject({ pods: [], observedSince: second + 120 });
    await write([gone('first', 'd', 1)], at);
    expect(await read(['first'], 'shop', at)).toMatchObject({ observedSince: second + 120 });
  });

  it('forgets records after the retention time, and does not count them as dropped', async () => {
    const { write, read } = await started();
    await write([gone('rs', 'old', 6.9), gone('rs', 'new', 1)]);
    const later = new Date(now.getTime() + day * 1_000);
    expect(await write([gone('rs', 'newer', 0)], later)).toEqual({ type: 'written', dropped: 0 });
    expect(uids(await read(['rs'], 'shop', later))).toEqual(['new', 'newer']);
  });

  it('is unknown where nothing was watched, and covers one namespace or all', async () => {
    const { store, token } = await started();
    const other = createRedisCrashHistory({
      redis: db.redis,
      prefix: `test-${randomUUID()}`,
      keepMs: day * 1_000,
      leaseMs: 60_000,
      maxPods: 3,
      maxOwners: 2,
    });
    const asked = { cluster: 'prod', namespace: 'shop', owners: ['rs'] };
    expect(await other.read(asked, now)).toBeUndefined();
    const own = (await other.lease('prod').acquire()) ?? 0;
    await other.cover('prod', own, 'shop', { ...covered, since: second - 60 });
    expect((await other.read(asked, now))?.observedSince).toBe(second - 60);
    expect(await other.read({ ...asked, namespace: 'elsewhere' }, now)).toBeUndefined();
    expect(await store.coverage('prod', '')).toEqual(covered);
    expect(token).toBeGreaterThan(0);
  });

  it('has an open gap when the watcher has written nothing for ten minutes', async () => {
    const { read } = await started();
    expect((await read(['rs'], 'shop', new Date(now.getTime() + 60_000)))?.gaps).toEqual([]);
    expect((await read(['rs'], 'shop', new Date(now.getTime() + 600_000)))?.gaps).toEqual([
      { from: second, to: second + 600 },
    ]);
  });

  it('leaves out records that it cannot parse', async () => {
    const { store, token, write, read } = await started();
    await write([gone('rs', 'a', 1)]);
    const [key = ''] = (await db.redis.keys('test-*:crash-history:prod:pods:rs')).slice(-1);
    for (const each of await db.redis.keys('test-*:crash-history:prod:pods:rs'))
      await db.redis.hset(each, 'odd', '{"v":2}', 'torn', '{');
    expect(key).not.toBe('');
    expect(uids(await read(['rs']))).toEqual(['a']);
    expect(await store.write('prod', token, [gone('rs', 'odd', 1)], now)).toMatchObject({ type: 'written' });
    expect(uids(await read(['rs']))).toEqual(['a', 'odd']);
  });
});

describe('the lease on a crash history', () => {
  it('has one holder, can be released, and has a number that only rises, with which alone one writes', async () => {
    const { store, token, write, read } = await started();
    const lease = store.lease('prod');
    expect(await lease.acquire()).toBeUndefined();
    expect(await lease.renew(token)).toBe(true);
    expect(await lease.renew(token + 1)).toBe(false);
    await lease.release(token + 1);
    expect(await lease.acquire()).toBeUndefined();
    await lease.release(token);
    expect(await lease.renew(token)).toBe(false);
    expect(await lease.acquire()).toBeGreaterThan(token);
    expect(await write([gone('rs', 'from-a-former-leader', 1)])).toEqual({ type: 'fenced' });
    expect(await store.cover('prod', token, 'shop', covered)).toEqual({ type: 'fenced' });
    expect(await read(['rs'])).toMatchObject({ pods: [] });
  });

  it('has a rising number also after Redis lost its data', async () => {
    const { store, token } = await started();
    const lost = await db.redis.keys('test-*:crash-history:prod:lease*');
    await db.redis.del(...lost);
    expect(await store.lease('prod').acquire()).toBeGreaterThan(token);
    expect(await store.lease('prod').renew(token)).toBe(false);
  });

  it('of one cluster is independent of the lease of another', async () => {
    const { store } = await started();
    expect(await store.lease('staging').acquire()).toBeGreaterThan(0);
  });
});
