import { rm } from 'node:fs/promises';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BoundedServer } from '#src/edges/http/http-server.js';
import { createMetrics } from '#src/edges/metrics/metrics.js';
import { startStatusServer } from '#src/edges/metrics/status-server.js';
import { connectProducer, createWriteProbe } from '#src/edges/redis/connection.js';
import { guarded } from '#src/edges/redis/guard.js';
import { hasRedisServer, type PrivateRedis, startPrivateRedis } from '../../../demo/redis/private-redis.js';
import { openConnection, type RawConnection, requestHead } from '../../support/raw-connection.js';

describe.runIf(hasRedisServer())('a command that Redis refuses', () => {
  it.each<[string, (redis: Redis) => Promise<unknown>, string]>([
    [
      'tells that the user may not read',
      (at) => at.call('ACL', 'SETUSER', 'default', '-get'),
      'redis-denies-command',
    ],
    ['tells that it accepts no writes', (at) => at.replicaof('127.0.0.1', 1), 'redis-refuses-writes'],
  ])('%s', async (_, spoil, key) => {
    const server = await startPrivateRedis();
    const redis = new Redis(server.url);
    try {
      await spoil(redis);
      const answer = guarded(() => (key === 'redis-denies-command' ? redis.get('x') : redis.set('x', '1')));
      await expect(answer).rejects.toMatchObject({ code: 'redis-unavailable', tells: { key } });
    } finally {
      redis.disconnect();
      await server.stop();
    }
  });
});

describe.runIf(hasRedisServer())('readiness', () => {
  let server: PrivateRedis;
  let redis: Redis;
  let admin: Redis;
  let status: BoundedServer;
  const opened: RawConnection[] = [];

  beforeEach(async () => {
    server = await startPrivateRedis();
    redis = connectProducer({ url: server.url, prefix: 'unused' }, () => undefined);
    admin = new Redis(server.url, { maxRetriesPerRequest: null });
    admin.on('error', () => undefined);
    const problem = createWriteProbe({ redis, prefix: 'attack', keepMs: 0 });
    status = await startStatusServer({ port: 0, metrics: createMetrics(), problem });
  });

  afterEach(async () => {
    for (const { socket } of opened.splice(0)) socket.destroy();
    redis.disconnect();
    admin.disconnect();
    await status.close();
    await server.stop();
  });

  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${status.port}${path}`);
    return { status: answer.status, text: (await answer.text()).trim() };
  };
  const ready = { status: 200, text: 'ready' };

  it.each<[string, (redis: Redis) => Promise<unknown>, (redis: Redis) => Promise<unknown>, string]>([
    [
      'is a replica',
      (at) => at.replicaof('127.0.0.1', 1),
      (at) => at.call('REPLICAOF', 'NO', 'ONE'),
      'Redis accepts no writes (READONLY)',
    ],
    [
      'is full',
      (at) => at.config('SET', 'maxmemory', '1'),
      (at) => at.config('SET', 'maxmemory', '0'),
      'Redis accepts no writes (OOM)',
    ],
    [
      'has too few replicas to write',
      (at) => at.config('SET', 'min-replicas-to-write', '1'),
      (at) => at.config('SET', 'min-replicas-to-write', '0'),
      'Redis accepts no writes (NOREPLICAS)',
    ],
    [
      'denies writes to the user',
      (at) => at.call('ACL', 'SETUSER', 'default', '-set'),
      (at) => at.call('ACL', 'SETUSER', 'default', '+set'),
      'Redis accepts no writes (NOPERM)',
    ],
  ])('is 503 while Redis %s, and 200 afterwards', async (_, spoil, mend, text) => {
    await expect.poll(() => get('/readyz')).toEqual(ready);
    await spoil(admin);
    await expect.poll(() => get('/readyz')).toEqual({ status: 503, text });
    expect(await redis.ping()).toBe('PONG');
    expect(await get('/healthz')).toEqual({ status: 200, text: 'ok' });
    await mend(admin);
    await expect.poll(() => get('/readyz')).toEqual(ready);
  });

  it('is 503 while Redis cannot save to its disk', async () => {
    await expect.poll(() => get('/readyz')).toEqual(ready);
    const [, folder = ''] = (await admin.config('GET', 'dir')) as string[];
    await admin.set('something', 'to save');
    await admin.config('SET', 'save', '1 1');
    await rm(folder, { recursive: true });
    await admin.bgsave().catch(() => undefined);
    try {
      await expect
        .poll(() => get('/readyz'))
        .toEqual({ status: 503, text: 'Redis accepts no writes (MISCONF)' });
    } finally {
      // A Redis that saves before it ends would not end.
      await admin.config('SET', 'save', '');
    }
  });

  it('is 503 without delay while Redis hangs', async () => {
    await expect.poll(() => get('/readyz')).toEqual(ready);
    const { pid } = server;
    if (pid === undefined) throw new Error('no Redis of our own');
    process.kill(pid, 'SIGSTOP');
    try {
      expect(await get('/readyz')).toEqual({ status: 503, text: 'Redis does not answer' });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await expect.poll(() => get('/readyz')).toEqual(ready);
  });

  it('is not granted while Redis refuses the password', async () => {
    const refused = new Redis(server.url, { enableOfflineQueue: false, password: 'x', username: 'nobody' });
    refused.on('error', () => undefined);
    const problem = createWriteProbe({ redis: refused, prefix: 'attack' });
    await expect.poll(() => refused.status).not.toBe('connecting');

    expect(await problem()).toMatch(/^Redis /);
    refused.disconnect();
  });

  it('is 503 while Redis is down, and 200 afterwards', async () => {
    await server.kill();
    await expect.poll(() => get('/readyz')).toEqual({ status: 503, text: 'Redis does not answer' });
    await server.start();
    await expect.poll(() => get('/readyz')).toEqual(ready);
  });

  it('sends one write to Redis for 500 requests, and its key expires', async () => {
    const problem = createWriteProbe({ redis, prefix: 'attack', keepMs: 60_000 });
    await redis.ping().catch(() => new Promise((resolve) => redis.once('ready', resolve)));
    await admin.config('RESETSTAT');
    const answers = await Promise.all(Array.from({ length: 500 }, () => problem()));

    expect(new Set(answers)).toEqual(new Set([undefined]));
    expect(await admin.info('commandstats')).toContain('cmdstat_set:calls=1,');
    expect(await admin.pttl('attack:write-probe')).toBeGreaterThan(0);
  });

  it('and metrics are served within a limit of connections, and the oldest are closed first', async () => {
    for (let at = 0; at < 90; at += 1)
      opened.push(openConnection(status.port, 'GET /metrics HTTP/1.1\r\nx-slow: '));

    await expect
      .poll(() => opened.filter((each) => each.statuses().includes(503)).length)
      .toBeGreaterThanOrEqual(90 - 64);
    expect((await get('/metrics')).text).toContain('rollout_doctor_');
  });

  it('and metrics reject a request with a body', async () => {
    const connection = openConnection(
      status.port,
      requestHead('POST', '/metrics', { 'content-length': 1_000_000_000 }),
    );
    opened.push(connection);

    await expect.poll(() => connection.statuses()).toEqual([405]);
    await expect.poll(() => connection.isClosed()).toBe(true);
  });
});
