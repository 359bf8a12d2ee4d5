import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { choosePagePort } from '../../../demo/live/page-port.js';
import { answersPing, hasRedisServer, startPrivateRedis } from '../../../demo/redis/private-redis.js';

it('takes the next port if the first one is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  expect(await choosePagePort(undefined, port)).toBeGreaterThan(port);
  server.close();
});

it('takes a port that is named, unless it is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  expect(await choosePagePort(port)).toBeUndefined();
  server.close();
  await once(server, 'close');
  expect(await choosePagePort(port)).toBe(port);
});

describe.runIf(hasRedisServer())('the Redis that REDIS_URL names', () => {
  it('is refused where nothing answers', async () => {
    const redis = await startPrivateRedis();
    expect(await answersPing(redis.url)).toBe(true);
    await redis.stop();
    expect(await answersPing(redis.url)).toBe(false);
  });
});
