import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { createRedisSentinelStore } from '#src/edges/redis/redis-sentinel-store.js';
import type { SentinelStore } from '#src/service/sentinel/sentinel-ports.js';
import { withRedis } from '../../support/open-redis.js';
import { web } from '../alerts/stage.js';

let store: SentinelStore;
const prefix = `test-${randomUUID()}`;

const db = withRedis();
beforeAll(() => {
  store = createRedisSentinelStore({ redis: db.redis, prefix, leaseMs: 60_000, ttlMs: 60_000 });
});

const deadlock = (revision = '2') => ({
  workload: web,
  uid: 'u1',
  revision,
  cause: 'surge-deadlock' as const,
});
const [first, second, third] = [
  '2026-11-20T09:00:00Z',
  '2026-11-20T09:00:05Z',
  '2026-11-20T09:00:10Z',
] as const;

it('returns the time of the first of consecutive equal proofs', async () => {
  expect(await store.proven('c1', deadlock(), first)).toBe(first);
  expect(await store.proven('c1', deadlock(), second)).toBe(first);
  expect(await store.proven('c2', deadlock(), second)).toBe(second);
  expect(await store.proven('c1', deadlock('3'), third)).toBe(third);
  await store.unproven('c1');
  expect(await store.proven('c1', deadlock('3'), second)).toBe(second);
});

it('returns the reported incident of one revision and cause of one object', async () => {
  await store.noteTold(deadlock(), 'i1');

  expect(await store.told(deadlock())).toBe('i1');
  expect(await store.told(deadlock('3'))).toBeUndefined();
  expect(await store.told({ ...deadlock(), uid: 'u2' })).toBeUndefined();
  expect(await store.told({ ...deadlock(), cause: 'quota-deadlock' })).toBeUndefined();
});

it('gives each cluster its own lease', async () => {
  expect(await store.lease('prod').acquire()).toBeGreaterThan(0);
  expect(await store.lease('prod').acquire()).toBeUndefined();
  expect(await store.lease('test').acquire()).toBeGreaterThan(0);
});

it('leaves no key without an expiry in Redis', async () => {
  const keys = await db.redis.keys(`${prefix}:*`);
  const lives = await Promise.all(keys.map((key) => db.redis.pttl(key)));

  expect(keys.length).toBeGreaterThan(5);
  expect(lives.filter((ms) => ms < 0)).toEqual([]);
});
