import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { connectProducer } from '#src/edges/redis/connection.js';
import { createRedisDeliveryStore } from '#src/edges/redis/redis-delivery-store.js';
import type { DeliveryStore } from '#src/service/deliver/incident-thread.js';
import { withRedis } from '../../support/open-redis.js';

const ttlMs = 60_000;
const db = withRedis();

describe('the store of deliveries', () => {
  const stores = (postEveryMs = 1_000) =>
    createRedisDeliveryStore({
      redis: db.redis,
      prefix: `test-${randomUUID()}`,
      ttlMs,
      postEveryMs,
      editEveryMs: postEveryMs,
      reactEveryMs: postEveryMs,
    });

  const record = { tryingSince: '2026-01-01T00:00:00Z', message: { channel: 'C', ts: '1.5' }, version: 3 };

  /** Opens a delivery that no other process holds. */
  async function opened(store: DeliveryStore, key: string, lockMs = 10_000) {
    const delivery = await store.open(key, lockMs);
    if (delivery.type !== 'open') throw new Error(delivery.type);
    return delivery;
  }

  it('lets one process at a time deliver a message, and keeps the record', async () => {
    const store = stores();
    const delivery = await opened(store, 'k');
    expect(delivery.record).toEqual({});
    expect(await store.open('k', 10_000)).toEqual({ type: 'busy' });
    await delivery.close(record, undefined);

    expect((await opened(store, 'k')).record).toEqual(record);
  });

  it('keeps the record after a delivery that changed nothing', async () => {
    const store = stores();
    await (await opened(store, 'k')).close(record, undefined);
    await (await opened(store, 'k')).close(undefined, undefined);

    expect(await store.get('k')).toEqual(record);
    expect(await store.get('other')).toBeUndefined();
  });

  it('holds deliveries while Slack asked to wait', async () => {
    const store = stores();
    await store.hold(60_000);

    const held = await store.open('k', 10_000);
    expect(held).toMatchObject({ type: 'held' });
    expect(held.type === 'held' ? held.forMs : 0).toBeGreaterThan(50_000);
  });

  it('holds one workspace of an organization, and delays no other one', async () => {
    const store = stores();
    const turn = { urgency: 'alert', fairnessKey: '' } as const;
    await store.hold(60_000, 'T0BRIDGE');

    expect(await store.reserve('C0BRIDGE', 'a', turn, {}, 'T0BRIDGE')).toBeGreaterThan(50_000);
    expect(await store.reserveEdit('b', turn, 'T0BRIDGE')).toBeGreaterThan(50_000);
    expect(await store.held('T0BRIDGE')).toBeGreaterThan(50_000);
    expect(await store.reserve('C0ENGINE', 'c', turn, {}, 'T0ENGINE')).toBe(0);
    expect(await store.reserveEdit('d', turn, 'T0ENGINE')).toBe(0);
    expect(await store.reserveReaction('e', turn, {}, 'T0BRIDGE')).toBe(0);
    expect(await store.held()).toBe(0);
    expect((await store.open('f', 10_000)).type).toBe('open');
  });

  it('counts the edits of each workspace of an organization by themselves', async () => {
    const store = stores(1_000_000);
    const turn = { urgency: 'alert', fairnessKey: '' } as const;
    expect(await store.reserveEdit('a', turn, 'T0BRIDGE')).toBe(0);
    expect(await store.reserveEdit('b', turn, 'T0BRIDGE')).toBeGreaterThan(0);
    expect(await store.reserveEdit('c', turn, 'T0ENGINE')).toBe(0);
  });

  it('keeps the first incident of a thread on request', async () => {
    const store = stores();
    const thread = { channel: 'C', threadTs: '1.1', keepsFormer: true };
    for (const incidentId of ['first', 'second']) {
      await (await opened(store, incidentId)).close(undefined, { ...thread, incidentId });
    }
    expect(await store.incidentInThread('C', '1.1')).toBe('first');

    await (await opened(store, 'k')).close(undefined, { ...thread, incidentId: 'third', keepsFormer: false });
    expect(await store.incidentInThread('C', '1.1')).toBe('third');
  });

  it('stores the attempt in the step that takes the slot, and not before', async () => {
    const store = stores(1_000_000);
    const attempt = { tryingSince: '2026-01-01T00:00:00Z' };

    expect(await store.reserve('C1', 'a', { urgency: 'person', fairnessKey: '' }, attempt)).toBe(0);
    expect(await store.reserve('C1', 'b', { urgency: 'person', fairnessKey: '' }, attempt)).toBeGreaterThan(
      0,
    );
    expect(await store.get('a')).toEqual(attempt);
    expect(await store.get('b')).toBeUndefined();
  });

  it('does not release a lock that another process has taken over', async () => {
    const store = stores();
    const first = await opened(store, 'k', 1);
    await vi.waitUntil(async () => (await store.open('k', 10_000)).type === 'open', { timeout: 90_000 });
    await first.close(undefined, undefined);

    expect(await store.open('k', 10_000)).toEqual({ type: 'busy' });
  });

  it('releases a lock when Redis is available again', async () => {
    const prefix = `test-${randomUUID()}`;
    const away = connectProducer({ url: db.url, prefix: 'unused' }, () => undefined);
    await new Promise((resolve) => away.once('ready', resolve));
    const options = { prefix, ttlMs, postEveryMs: 1_000, editEveryMs: 1_000, reactEveryMs: 1_000 };
    const anHour = 3_600_000;
    const delivery = await opened(createRedisDeliveryStore({ redis: away, ...options }), 'k', anHour);
    const others = createRedisDeliveryStore({ redis: db.redis, ...options });
    const gone = new Promise((resolve) => away.once('end', resolve));
    away.disconnect();
    await gone;
    await delivery.close(undefined, undefined);
    await expect(delivery.close(record, undefined)).rejects.toMatchObject({ code: 'redis-unavailable' });
    expect(await others.open('k', anHour)).toEqual({ type: 'busy' });

    await away.connect();
    await vi.waitUntil(async () => (await others.open('k', anHour)).type === 'open', { timeout: 90_000 });
    away.disconnect();
  });

  const person = { urgency: 'person', fairnessKey: '' } as const;
  const alertOf = (fairnessKey: string) => ({ urgency: 'alert', fairnessKey }) as const;
  const detailOf = (fairnessKey: string) => ({ urgency: 'alert-detail', fairnessKey }) as const;

  it('gives one post the slot and returns waiting times to the others', async () => {
    const store = stores(5_000);
    const waits = await Promise.all(
      Array.from({ length: 5 }, (_, number) => store.reserve('C1', `k${number}`, person, {})),
    );

    expect(waits.filter((wait) => wait === 0)).toHaveLength(1);
    expect(waits.map((wait) => Math.ceil(wait / 5_000)).sort()).toEqual([0, 1, 2, 3, 3]);
    expect(await store.reserve('C2', 'k', person, {})).toBe(0);
    expect(await store.reserveEdit('k', person)).toBe(0);
  });

  it('schedules people first, then alerts by fairness key, then details, in any order of arrival', async () => {
    const everyMs = 1_000_000;
    const store = stores(everyMs);
    await store.reserve('C5', 'first', person, {});
    const came = [
      ...['d1', 'd2'].map((key) => [key, detailOf('prod/a')] as const),
      ...['a1', 'a2', 'a3', 'a4'].map((key) => [key, alertOf('prod/a')] as const),
      ['b1', alertOf('prod/b')] as const,
      ['p1', person] as const,
    ];
    for (const [key, turn] of came) await store.reserve('C5', key, turn, {});

    // A returned wait is at most 15 s, so the order is read from Redis.
    const waiting = (await db.redis.keys('*:turn:C5:waiting')).at(0) ?? '';
    const order = await db.redis.zrange(waiting, '0', '-1');
    await db.redis.del(waiting);
    expect(order).toEqual(['p1', 'a1', 'a2', 'b1', 'a3', 'a4', 'd1', 'd2']);
  });

  it('moves a waiting post to the front when a person requests it', async () => {
    const store = stores(1_000_000);
    await store.reserve('C3', 'first', person, {});
    for (const key of ['a1', 'a2']) await store.reserve('C3', key, alertOf('prod/a'), {});
    await store.reserve('C3', 'a2', person, {});

    const [waiting = ''] = await db.redis.keys('*:turn:C3:waiting');
    expect(await db.redis.zrange(waiting, '0', '-1')).toEqual(['a2', 'a1']);
    expect(await db.redis.pttl(waiting)).toBeGreaterThan(0);
  });

  it('gives every post one slot although another post never retries', async () => {
    const store = stores(20);
    const keys = ['gone', 'k1', 'k2', 'k3', 'k4'];
    await store.reserve('C4', 'first', person, {});
    for (const key of keys) await store.reserve('C4', key, alertOf('prod/a'), {});
    const taken: string[] = [];
    await vi.waitUntil(
      async () => {
        for (const key of keys.slice(1)) {
          if (taken.includes(key)) continue;
          if ((await store.reserve('C4', key, alertOf('prod/a'), {})) === 0) taken.push(key);
        }
        return taken.length === 4;
      },
      { timeout: 90_000, interval: 1 },
    );

    expect([...taken].sort()).toEqual(['k1', 'k2', 'k3', 'k4']);
    expect(await db.redis.keys('*:turn:C4:waiting')).toEqual([]);
  });
});
