import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isHandled } from '#src/doctor/alerts/alert-record.js';
import { createRedisAlertStore } from '#src/edges/redis/redis-alert-store.js';
import { maxAlertsPerRequest } from '#src/edges/webhooks/parse-webhook.js';
import type { AlertStore } from '#src/service/alerts/alert-ports.js';
import { createReceiveAlert } from '#src/service/alerts/receive-alert.js';
import { withRedis } from '../../support/open-redis.js';
import { startWebhookRig, token, type WebhookRig } from './webhook-rig.js';

const db = withRedis();

const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };

async function post({ server }: WebhookRig, body: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}/alerts/am`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
}

const alertsOf = (count: number, from = 0) => ({
  alerts: Array.from({ length: count }, (_, at) => ({
    status: 'firing',
    labels: { i: String(from + at) },
  })),
});

/** A store in Redis with its own prefix, and a receiver that records its jobs. */
function startStore(limits: { readonly maxUnhandled?: number; readonly maxRecords?: number } = {}) {
  const prefix = `attack-${randomBytes(4).toString('hex')}`;
  const alerts = createRedisAlertStore({ redis: db.redis, prefix, ttlMs: 3_600_000, ...limits });
  const queued: string[] = [];
  const receive = createReceiveAlert({
    alerts,
    jobs: { enqueue: async (_, job) => void queued.push((job as { alertId: string }).alertId) },
    clock: { now: () => new Date() },
    metrics: { alert: () => undefined, alertRefused: () => undefined },
  });
  const stored = async () =>
    (await db.redis.keys(`${prefix}:alert:*`)).filter((key) => !key.endsWith(':open'));
  return { alerts, queued, receive, stored };
}

describe('one request with 33,000 alerts', () => {
  it('records the first thousand, and reports and counts the dropped ones', async () => {
    const { receive, stored, alerts } = startStore();
    const rig = await startWebhookRig({ receive, isFull: () => alerts.isFull() });
    const answer = await post(rig, alertsOf(33_000));

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      recorded: maxAlertsPerRequest,
      repeated: 0,
      dropped: 33_000 - maxAlertsPerRequest,
    });
    expect(await stored()).toHaveLength(maxAlertsPerRequest);
    expect(rig.outcomes).toContainEqual({ outcome: 'dropped', count: 33_000 - maxAlertsPerRequest });
    await rig.server.close();
  });

  it('records a repeated alert once', async () => {
    const { receive, stored } = startStore();
    const rig = await startWebhookRig({ receive });
    const same = { status: 'firing', fingerprint: 'same', labels: {} };
    const answer = await post(rig, { alerts: Array.from({ length: 900 }, () => same) });

    expect(await answer.json()).toEqual({ recorded: 1, repeated: 0 });
    expect(rig.received).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
    await rig.server.close();
  });
});

describe('unhandled alerts', () => {
  it('are rejected with 503 above a limit, and accepted again below it', async () => {
    const { receive, stored, alerts } = startStore({ maxUnhandled: 20 });
    const rig = await startWebhookRig({ receive, isFull: () => alerts.isFull() });
    const statuses: number[] = [];
    for (let from = 0; from < 100; from += 10) {
      const answer = await post(rig, alertsOf(10, from));
      statuses.push(answer.status);
      if (answer.status === 503) expect(answer.headers.get('retry-after')).toBe('5');
    }

    expect(statuses).toEqual([200, 200, ...Array.from({ length: 8 }, () => 503)]);
    expect(await stored()).toHaveLength(20);
    expect(rig.refused).toEqual(Array.from({ length: 8 }, () => 'overloaded'));
    await markHandled(alerts, (await alerts.unhandled())[0] ?? '');
    expect((await post(rig, alertsOf(1, 1_000))).status).toBe(200);
    await rig.server.close();
  });
});

describe('handled alerts', () => {
  it('are forgotten above a limit, the oldest first, while unhandled ones are kept', async () => {
    const { receive, stored, alerts } = startStore({ maxRecords: 30 });
    const rig = await startWebhookRig({ receive });
    await post(rig, alertsOf(10));
    const waiting = await alerts.unhandled();
    for (let from = 100; from < 200; from += 10) {
      await post(rig, alertsOf(10, from));
      for (const id of await alerts.unhandled()) if (!waiting.includes(id)) await markHandled(alerts, id);
    }

    expect((await stored()).length).toBeLessThanOrEqual(30);
    expect([...(await alerts.unhandled())].sort()).toEqual([...waiting].sort());
    await rig.server.close();
  });

  it('are kept above the limit while they go on firing', async () => {
    const { receive, alerts, queued } = startStore({ maxRecords: 30 });
    const rig = await startWebhookRig({ receive });
    const flapping = (round: number) => ({
      alerts: [
        { status: 'firing', fingerprint: 'flapping', labels: {}, startsAt: `2026-11-21T03:00:0${round}Z` },
      ],
    });
    await post(rig, flapping(0));
    const [id = ''] = queued;
    for (let round = 1; round < 8; round += 1) {
      await post(rig, alertsOf(10, round * 100));
      await post(rig, flapping(round));
      for (const each of await alerts.unhandled()) await markHandled(alerts, each);
    }

    expect(await alerts.get(id)).toMatchObject({ firings: 8 });
    await rig.server.close();
  });
});

async function markHandled(alerts: AlertStore, id: string): Promise<void> {
  const record = await alerts.get(id);
  if (record === undefined) throw new Error('no record');
  const next = { ...record, version: record.version + 1, handled: record.signals };
  expect(isHandled(next)).toBe(true);
  await alerts.replace(next);
}
