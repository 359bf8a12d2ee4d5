import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedisServer } from '../../../demo/redis/private-redis.js';
import { alertmanagerBody, alertmanagerMessage } from '../../support/alert-payloads.js';
import { type AlertRig, channel, startAlertRig } from '../../support/alert-rig.js';
import { eventually } from '../../support/eventually.js';

const canary = 'xoxb-1111111111-2222222222-CanaryCanaryCanaryCan';

describe.runIf(hasRedisServer())('alerts during failures of single parts', () => {
  let rig: AlertRig;

  beforeAll(async () => {
    // Slack sends an event again after one minute and five. Here it waits a second.
    rig = await startAlertRig({ ownRedis: true, slack: { eventRetryDelaysMs: Array(90).fill(1_000) } });
  }, 120_000);

  afterAll(async () => {
    await rig.stop();
  }, 60_000);

  it('are kept when the app is killed right after its answer while no worker runs', async () => {
    await Promise.all(rig.workers.map((worker) => worker.kill()));
    const answer = await rig.post(
      alertmanagerBody({ annotations: { description: `Authorization: Bearer ${canary}`, note: canary } }),
    );
    await rig.app.kill();
    expect(answer.status).toBe(200);

    await Promise.all([...rig.apps, ...rig.workers].map((part) => part.start()));
    await rig.untilCardShows(/shop\/inference[\s\S]*proven/);
    expect(rig.allCards()).toHaveLength(1);
  }, 180_000);

  it('are answered with 503 while Redis is down, and counted once after their retries', async () => {
    const further = alertmanagerBody({ fingerprint: 'b0b0b0b0', startsAt: '2035-01-01T00:00:00Z' });
    await rig.redis.kill();
    const away = await rig.post(further);
    await rig.redis.start();
    await eventually('the alert is accepted', async () => (await rig.post(further)).status === 200);
    const again = await rig.post(further);

    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await again.json()).toEqual({ recorded: 0, repeated: 1 });
    await rig.untilCardShows('fired 2 times');
    expect(rig.allCards()).toHaveLength(1);
  }, 180_000);

  it('that arrive in Slack during a short outage of Redis are handled', async () => {
    await rig.redis.kill();
    rig.slack.asBot('alertmanager').posts({
      channel,
      ...alertmanagerMessage('FIRING:1', {
        alertname: 'LateAlert',
        namespace: 'shop',
        deployment: 'inference',
      }),
    });
    await rig.redis.start();
    await rig.untilCardShows('LateAlert');
    expect(rig.allCards()).toHaveLength(1);
  }, 180_000);

  it('are delivered again by Slack when the app is killed before they are recorded', async () => {
    const { pid } = rig.redis;
    if (pid === undefined) throw new Error('no Redis of our own');
    const ofAlerts = () => rig.slack.eventAttempts.filter(({ subtype }) => subtype === 'bot_message');
    const before = ofAlerts().length;
    process.kill(pid, 'SIGSTOP');
    rig.slack.asBot('alertmanager').posts({
      channel,
      ...alertmanagerMessage('FIRING:1', {
        alertname: 'HeldAlert',
        namespace: 'shop',
        deployment: 'inference',
      }),
    });
    await rig.slack.until(() => ofAlerts().length > before, { what: 'an answer of the app' });
    await rig.app.kill();
    process.kill(pid, 'SIGCONT');
    await rig.app.start();
    await rig.untilCardShows('HeldAlert');

    expect(ofAlerts()[before]?.outcome).toBe('failed');
    expect(rig.allCards()).toHaveLength(1);
  }, 180_000);

  it('leave no secret in Slack or in Redis', async () => {
    const redis = new Redis(rig.redis.url);
    const keys = await redis.keys('*');
    const stored = await Promise.all(keys.map((key) => dumped(redis, key)));
    redis.disconnect();

    expect(keys.length).toBeGreaterThan(10);
    expect(stored.join('\n')).toContain('KubeDeploymentRolloutStuck');
    expect(stored.join('\n')).not.toContain('Canary');
    expect(JSON.stringify(rig.slack.messages(channel, { replies: true }))).not.toContain('Canary');
  });
});

async function dumped(redis: Redis, key: string): Promise<string> {
  switch (await redis.type(key)) {
    case 'string':
      return (await redis.get(key)) ?? '';
    case 'hash':
      return JSON.stringify(await redis.hgetall(key));
    case 'list':
      return JSON.stringify(await redis.lrange(key, 0, -1));
    case 'zset':
      return JSON.stringify(await redis.zrange(key, '0', '-1'));
    case 'stream':
      return JSON.stringify(await redis.xrange(key, '-', '+'));
    default:
      return '';
  }
}
