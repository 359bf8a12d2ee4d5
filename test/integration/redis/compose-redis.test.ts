import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedis } from '#src/edges/redis/connection.js';
import { freePort } from '../../../demo/free-ports.js';
import { hasRedisServer, redisServer } from '../../../demo/redis/private-redis.js';
import { composeServices } from '../../cluster/harness/compose-services.js';
import { eventually } from '../../support/eventually.js';

const file = fileURLToPath(new URL('../../../docker-compose.yml', import.meta.url));
const password = 'p4ss-of-the-test';

describe.runIf(hasRedisServer())('the Redis of docker-compose.yml', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-compose-redis-'));
  const connections: Redis[] = [];
  let end: () => Promise<unknown>;
  let port = 0;

  const connect = (url: string): Redis => {
    const options = {
      connectTimeout: 2_000,
      lazyConnect: true,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    };
    const redis = openRedis({ url: url.replace('redis:6379', `127.0.0.1:${port}`) }, options);
    redis.on('error', () => undefined);
    connections.push(redis);
    return redis;
  };

  beforeAll(async () => {
    copyFileSync(file, join(folder, 'docker-compose.yml'));
    writeFileSync(join(folder, '.env'), `REDIS_PASSWORD=${password}\nPOLICY_FILE=./policy.json\n`);
    const [program, ...args] = composeServices(folder).redis?.command ?? [];
    expect(program).toBe('redis-server');
    port = await freePort();
    const own = ['--port', String(port), '--dir', folder, '--bind', '127.0.0.1'];
    const server = spawn(redisServer, [...args, ...own], { stdio: 'ignore' });
    end = async () => {
      server.kill();
      await once(server, 'exit');
    };
    await eventually('Redis answers', async () =>
      connect('redis://redis:6379')
        .ping()
        .then(
          () => true,
          (error: Error) => error.message.startsWith('NOAUTH'),
        ),
    );
  });
  afterAll(async () => {
    for (const each of connections) each.disconnect();
    await end();
    rmSync(folder, { recursive: true, force: true });
  });

  it('refuses who has no password, and the user that needs none', async () => {
    await expect(connect('redis://redis:6379').get('rollout-doctor:x')).rejects.toThrow('NOAUTH');
    const other = connect('redis://rollout-doctor:other@redis:6379');
    await expect(other.get('rollout-doctor:x')).rejects.toThrow();
  });

  it('gives the user of the app its own keys and nothing else', async () => {
    const url = composeServices(folder).app?.env.REDIS_URL ?? '';
    const redis = connect(url);
    await redis.set('rollout-doctor:x', '1');
    expect(await redis.get('rollout-doctor:x')).toBe('1');
    await expect(redis.get('other:x')).rejects.toThrow('NOPERM');
    await expect(redis.flushall()).rejects.toThrow('NOPERM');
    await expect(redis.config('GET', '*')).rejects.toThrow('NOPERM');
  });

  it.each([
    ['REDIS_PASSWORD', 'POLICY_FILE=./policy.json\nREDIS_PASSWORD=\n'],
    ['POLICY_FILE', `REDIS_PASSWORD=${password}\n`],
  ])('does not start without %s in .env', (name, written) => {
    writeFileSync(join(folder, '.env'), written);
    expect(() => composeServices(folder)).toThrow(`set ${name} in .env`);
  });
});
