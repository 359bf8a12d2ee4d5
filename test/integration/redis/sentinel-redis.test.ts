import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedisServer } from '../../../demo/redis/private-redis.js';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';
import { idle } from '../../support/idle-objects.js';
import { inThisProcess } from '../../support/in-this-process.js';
import { rolloutDoctor } from '../../support/run-command-line.js';
import {
  type RedisServer,
  redisPassword,
  type SentinelRedis,
  sentinelPassword,
  startSentinelRedis,
} from '../../support/sentinel-redis.js';

const isInstalled = (program: string, flag: string) => spawnSync(program, [flag]).status === 0;

describe.runIf(hasRedisServer())('a Redis behind Redis Sentinels', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-passwords-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), `${text}\n`, { mode: 0o600 });
    return join(folder, name);
  };
  let redis: SentinelRedis;
  let rig: Rig;
  let env: Record<string, string> = {};

  beforeAll(async () => {
    redis = await startSentinelRedis();
    env = {
      // Nothing listens there: the Redis Sentinels name the host.
      REDIS_URL: 'redis://127.0.0.1:1',
      REDIS_PASSWORD_FILE: file('redis', redisPassword),
      REDIS_SENTINELS: `127.0.0.1:1,${redis.addresses}`,
      REDIS_SENTINEL_NAME: redis.name,
      REDIS_SENTINEL_PASSWORD_FILE: file('sentinel', sentinelPassword),
    };
    rig = await startRig({ startPart: inThisProcess, env });
    rig.cluster.create([idle('meanwhile'), idle('afterwards')]);
  });
  afterAll(async () => {
    await rig?.stop();
    await redis?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const otherThan = (server: RedisServer): RedisServer => {
    const [other] = redis.servers.filter((each) => each !== server);
    if (other === undefined) throw new Error('no replica');
    return other;
  };
  const untilInStep = (server: RedisServer) =>
    eventually('the replica has received everything', () => redis.isInStep(server));
  const untilPrimary = (server: RedisServer) =>
    eventually('the replica is promoted', async () => (await redis.primary()) === server);
  const untilReady = async () => {
    for (const { name, statusPort } of [...rig.apps, ...rig.workers]) {
      await eventually(
        `${name} reaches Redis`,
        async () => (await fetch(`http://127.0.0.1:${statusPort}/readyz`)).status === 200,
      );
    }
  };
  const doctorSays = async (changed: Record<string, string> = {}) =>
    (
      await rolloutDoctor(['doctor', '--only', 'redis'], {
        env: { REDIS_PREFIX: rig.prefix, ...env, ...changed },
      })
    ).out;

  it('keeps an open approval when the primary is killed, and changes and verifies once', async () => {
    await rig.ask('deploy/inference -n shop');
    const card = await rig.untilDeadlock();
    const view = await rig.review('dana', card);
    const primary = await redis.primary();
    const replica = otherThan(primary);
    await untilInStep(replica);
    await primary.kill();
    await untilPrimary(replica);
    await untilReady();

    await rig.ask('deploy/meanwhile -n shop');
    await rig.untilCard('shop/meanwhile is scaled to 0');
    await rig.slack.as('dana').submits(view, { reason: 'deadlock' });
    await rig.untilRecovered();
    expect(isChanged(rig)).toBe(true);
    expect(rig.changes()).toHaveLength(1);
    expect(rig.cards()).toHaveLength(2);
    expect(await rig.counted('rollout_doctor_verdicts_total', { verdict: 'recovered' })).toBe(1);
    expect(await doctorSays()).toMatch(/audit log is intact: decisions 1 to/);
  });

  it('leaves a primary that hangs for the one that is promoted, and does not return to it', async () => {
    const primary = await redis.primary();
    const replica = otherThan(primary);
    await replica.start();
    await untilInStep(replica);
    primary.signal('SIGSTOP');
    try {
      await untilPrimary(replica);
      await untilReady();
      await rig.ask('deploy/afterwards -n shop');
      await rig.untilCard('shop/afterwards is scaled to 0');
    } finally {
      primary.signal('SIGCONT');
    }
    await untilInStep(primary);
    await untilReady();
    await rig.ask('deploy/inference -n shop');
    await rig.untilCard('No problem found for shop/inference');
    expect(await redis.primary()).toBe(replica);
    expect(rig.changes()).toHaveLength(1);
  });

  it('names the setting that is wrong', async () => {
    const said = async (changed: Record<string, string>) => (await doctorSays(changed)).replace(/\s+/g, ' ');
    expect(await said({ REDIS_SENTINELS: redis.addresses, REDIS_SENTINEL_NAME: 'nobody' })).toContain(
      'No Redis Sentinel monitors a primary with the name nobody. Check REDIS_SENTINEL_NAME.',
    );
    expect(await said({ REDIS_SENTINEL_PASSWORD_FILE: '' })).toMatch(/NOAUTH.*REDIS_SENTINEL_PASSWORD_FILE/);
    expect(await said({ REDIS_PASSWORD_FILE: '' })).toMatch(/NOAUTH.*REDIS_URL/);
    expect(await said({ REDIS_SENTINELS: '127.0.0.1:1' })).toMatch(/Redis does not answer.*REDIS_SENTINELS/);
    const [sentinel] = redis.sentinels;
    const wrong = { REDIS_SENTINELS: '', REDIS_SENTINEL_NAME: '', REDIS_SENTINEL_PASSWORD_FILE: '' };
    const url = `redis://:${encodeURIComponent(sentinelPassword)}@127.0.0.1:${sentinel?.port}`;
    expect(await said({ ...wrong, REDIS_PASSWORD_FILE: '', REDIS_URL: url })).toContain(
      'REDIS_URL leads to a Redis Sentinel. Set its address in REDIS_SENTINELS.',
    );
  });

  it.runIf(isInstalled('openssl', 'version'))('is reached by TLS, as are the Redis Sentinels', async () => {
    const secured = await startSentinelRedis({ tls: true });
    try {
      const changed = {
        REDIS_URL: 'rediss://127.0.0.1:1',
        REDIS_SENTINELS: secured.addresses,
        REDIS_CA_FILE: secured.caFile ?? '',
      };
      expect(await doctorSays(changed)).toContain('Redis evicts no keys');
      expect(await doctorSays({ ...changed, REDIS_CA_FILE: '' })).toContain('Redis does not answer');
      expect(await doctorSays({ ...changed, REDIS_URL: env.REDIS_URL ?? '' })).toContain(
        'Redis does not answer',
      );
    } finally {
      await secured.stop();
    }
  });
});
