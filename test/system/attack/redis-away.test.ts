import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasRedisServer } from '../../../demo/redis/private-redis.js';
import type { Part } from '../../../demo/stack.js';
import { eventually, type Rig, startRig } from '../../support/faults-rig.js';

const linesOf = (rig: Rig, { name }: Part) =>
  rig.logged
    .filter(({ process, msg }) => process === name && /Redis|connection|worker reports|sweep/.test(msg))
    .map(({ msg }) => msg);

const isReady = async ({ statusPort }: Part): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${statusPort}/readyz`)).status === 200;

/** Listens on the port of the killed Redis, and closes every connection. */
async function closesEveryConnection(rig: Rig) {
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    socket.destroy();
  });
  server.listen(Number(new URL(rig.redis.url).port), '127.0.0.1');
  await once(server, 'listening');
  return {
    accepted: () => accepted,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}

describe.runIf(hasRedisServer())('while Redis is down', () => {
  let rig: Rig;
  let parts: readonly Part[];
  beforeAll(async () => {
    rig = await startRig({ ownRedis: true, scenario: 'none' });
    parts = [...rig.apps, ...rig.workers];
  });
  afterAll(() => rig?.stop());

  async function expectOneSignalEnough(): Promise<void> {
    for (const part of parts) {
      await eventually(`${part.name} is not ready`, async () => !(await isReady(part)));
    }
    expect(await Promise.all(parts.map((part) => part.stop()))).toEqual(parts.map(() => 0));
  }

  it('each process logs one line when Redis is lost, and one when it is back', async () => {
    for (const part of parts) {
      await eventually(`${part.name} logs it`, () => linesOf(rig, part).length > 0);
      expect(linesOf(rig, part)).toEqual(['connected to Redis']);
    }
    for (const outage of [1, 2]) {
      await rig.redis.kill();
      const closing = await closesEveryConnection(rig);
      await eventually('every connection tried again several times', () => closing.accepted() > 50);
      await closing.close();
      await rig.redis.start();
      for (const part of parts) {
        await eventually(`${part.name} is ready`, () => isReady(part));
        const outages = Array.from({ length: outage }, () => [
          'Redis does not answer',
          'Redis answers again',
        ]);
        const lines = ['connected to Redis', ...outages.flat()];
        await eventually(`${part.name} logs it`, () => linesOf(rig, part).length >= lines.length);
        expect(linesOf(rig, part)).toEqual(lines);
      }
    }
  });

  it('and stopped, the first SIGTERM ends worker and app', async () => {
    await rig.redis.kill();
    await expectOneSignalEnough();
  });

  it('a process that starts without Redis logs one line, and another one when Redis answers', async () => {
    expect(parts.map(({ pid }) => pid)).toEqual(parts.map(() => undefined));
    rig.logged.length = 0;
    await Promise.all(parts.map((part) => part.start()));
    await rig.redis.start();
    for (const part of parts) {
      await eventually(`${part.name} logs it`, () => linesOf(rig, part).length >= 2);
      expect(linesOf(rig, part)).toEqual(['Redis does not answer', 'Redis answers again']);
    }
  });

  it('and hanging, the first SIGTERM ends worker and app', async () => {
    const { pid } = rig.redis;
    if (pid === undefined) throw new Error('no Redis of our own');
    process.kill(pid, 'SIGSTOP');
    try {
      await expectOneSignalEnough();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });

  it('and closing every connection, the first SIGTERM ends worker and app', async () => {
    await Promise.all(parts.map((part) => part.start()));
    await rig.redis.kill();
    const closing = await closesEveryConnection(rig);
    try {
      await eventually('connections were closed', () => closing.accepted() > parts.length);
      await expectOneSignalEnough();
    } finally {
      await closing.close();
    }
  });
});

it('a second SIGTERM ends a worker at once with status 1', async () => {
  const rig = await startRig({ env: { READ_TIMEOUT_SECONDS: '60' } });
  onTestFinished(() => rig.stop());
  rig.cluster.faults.add({ match: { verbs: ['list'], resources: ['nodes'] }, effect: { type: 'hang' } });
  await rig.ask('deploy/inference -n shop');
  await eventually('the diagnosis has begun', () =>
    rig.cluster.requests.some(({ resource }) => resource === 'nodes'),
  );
  const [worker] = rig.workers;
  worker?.signal('SIGTERM');
  await eventually('the worker stops', () => rig.logged.some(({ msg }) => msg === 'worker stops'));
  expect(await worker?.stop()).toBe(1);
});
