import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedisServer } from '../../../demo/redis/private-redis.js';
import { eventually, type Rig, startRig } from '../../support/faults-rig.js';
import { inThisProcess } from '../../support/in-this-process.js';
import { rolloutDoctor } from '../../support/run-command-line.js';
import { type SecuredRedis, startSecuredRedis } from '../../support/secured-redis.js';

const root = join(import.meta.dirname, '../../..');
const prefix = 'rollout-doctor';

/** The rules that docs/redis.md gives to the user, after the password. */
const documented = /ACL SETUSER rollout-doctor reset on >PASSWORD ((?:[^\n]*\\\n)*[^\n]*)/.exec(
  readFileSync(join(root, 'docs/redis.md'), 'utf8'),
)?.[1];
const rules = (documented ?? '').replaceAll('\\\n', ' ').trim().split(/\s+/);
const isInstalled = (program: string, flag: string) => spawnSync(program, [flag]).status === 0;
const canRun = hasRedisServer() && isInstalled('openssl', 'version');

describe.runIf(canRun)('a Redis with TLS, a password file and the documented user', () => {
  let redis: SecuredRedis;
  let rig: Rig;
  let env: Record<string, string> = {};

  beforeAll(async () => {
    expect(rules.length).toBeGreaterThan(10);
    redis = await startSecuredRedis(rules);
    env = {
      REDIS_URL: redis.url,
      REDIS_CA_FILE: redis.caFile,
      REDIS_PASSWORD_FILE: redis.passwordFile,
      REDIS_PREFIX: prefix,
    };
    rig = await startRig({
      startPart: inThisProcess,
      env,
      alerts: 'apiVersion: rollout-doctor/v1\nchannel: C0INCIDENTS\nsentinel: {}\n',
    });
  });
  afterAll(async () => {
    await rig?.stop();
    await redis?.stop();
  });

  const doctorSays = async (changed: Record<string, string> = {}) =>
    (await rolloutDoctor(['doctor'], { env: { ...env, KUBECONFIG: rig.kubeconfigPath, ...changed } })).out;
  const denied = async () => (await redis.admin.call('ACL', 'LOG')) as readonly unknown[];

  it('carries a diagnosis, an approved change, its verdict and its undo, and Redis denies nothing', async () => {
    await rig.ask('deploy/inference -n shop');
    const card = await rig.untilDeadlock();
    await rig.approve('dana', card);
    await eventually(
      'the verdict is counted',
      async () => (await rig.counted('rollout_doctor_verdicts_total', { verdict: 'recovered' })) === 1,
    );
    for (const command of ['incidents', 'history shop/inference', 'audit', 'scan shop'])
      await rig.ask(command);
    await rig.ask('silence shop/inference 1h');
    rig.slack.as('dana').opensHome();
    await rig.workers[0]?.stop();
    await rig.workers[0]?.start();
    const said = await doctorSays();

    expect(said).toMatch(/Redis/);
    expect(said).not.toMatch(/does not answer|refuses/);
    expect(await denied()).toEqual([]);
  });

  it('denies the user what the product does not do', async () => {
    const { port } = new URL(redis.url);
    const user = new Redis(`rediss://127.0.0.1:${port}`, {
      username: 'doctor',
      tls: { ca: readFileSync(redis.caFile) },
      password: readFileSync(redis.passwordFile, 'utf8').trimEnd(),
    });
    for (const [command = '', ...args] of [
      ['FLUSHALL'],
      ['KEYS', '*'],
      ['SCAN', '0'],
      ['CONFIG', 'SET', 'maxmemory', '1'],
      ['GET', 'somebody-else'],
      ['ACL', 'LIST'],
    ]) {
      await expect(user.call(command, ...args), command).rejects.toThrow(/NOPERM/);
    }
    user.disconnect();
  });

  it('names what is wrong when the authority is unknown, a file is missing or the password is wrong', async () => {
    expect(await doctorSays({ REDIS_CA_FILE: '' })).toMatch(/self-signed certificate/);
    expect(await doctorSays({ REDIS_PASSWORD_FILE: redis.caFile })).toMatch(/WRONGPASS/);
    expect(await doctorSays({ REDIS_CA_FILE: '/no/such/file' })).toMatch(/REDIS_CA_FILE/);
  });
});
