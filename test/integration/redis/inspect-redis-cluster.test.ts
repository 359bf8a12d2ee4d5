import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { inspectRedis } from '#src/edges/redis/inspect-redis.js';

let server: Server | undefined;
afterEach(() => {
  server?.close();
});

/** A node that answers every command with this line. */
async function nodeAnswering(line: string): Promise<number> {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const commands = bytes.toString('latin1').match(/^\*\d+\r$/gmu) ?? [];
      socket.write(`${line}\r\n`.repeat(commands.length));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/**
 * With the words of `redis-server`, and with those of `valkey-server` (`src/server.c: genValkeyInfoString`).
 */
it.each(['redis_mode', 'server_mode'])(
  'names the setting for a Redis Cluster that reports %s',
  async (field) => {
    const info = `${field}:cluster`;
    const port = await nodeAnswering(`$${info.length}\r\n${info}`);
    const found = await inspectRedis({
      url: `redis://127.0.0.1:${port}`,
      prefix: 'rollout-doctor',
      digest: (text) => text,
      policy: undefined,
    });

    expect(found).toMatchObject([{ state: 'missing', says: { key: 'redis-is-cluster' } }]);
  },
);

const inspect = (port: number) =>
  inspectRedis({
    url: 'redis://doctor:secret@unused:6379',
    prefix: '{rollout-doctor}',
    clusterNodes: [{ host: '127.0.0.1', port }],
    digest: (text) => text,
    policy: undefined,
  });

it('names the addresses of a Redis Cluster that does not answer', async () => {
  const port = await nodeAnswering('');
  server?.close();

  expect(await inspect(port)).toMatchObject([
    {
      state: 'unknown',
      says: {
        key: 'redis-away',
        values: { setting: 'REDIS_CLUSTER_NODES', message: 'Connection is closed.' },
      },
    },
  ]);
});

it('states that a Redis Cluster refuses the password', async () => {
  const port = await nodeAnswering('-WRONGPASS invalid username-password pair or user is disabled.');
  const found = await inspect(port);

  expect(found).toMatchObject([
    { state: 'missing', says: { key: 'redis-refused', values: { setting: 'REDIS_URL' } } },
  ]);
  expect(JSON.stringify(found)).not.toContain('secret');
});
