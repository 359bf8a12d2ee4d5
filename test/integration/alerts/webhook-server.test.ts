import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Notification } from '#src/doctor/alerts/alert-record.js';
import { AlertSettings } from '#src/doctor/alerts/alert-settings.js';
import type { BoundedServer } from '#src/edges/http/http-server.js';
import { maxBodyBytes, startWebhookServer } from '#src/edges/webhooks/webhook-server.js';
import { DoctorError } from '#src/service/errors.js';
import { alertmanagerBody } from '../../support/alert-payloads.js';

const token = 'a-token-of-some-length';
const settings = AlertSettings.parse({
  channel: 'C012INCIDENTS',
  routes: [{ when: { namespace: 'ml' }, channel: 'C012ML' }],
  webhooks: [
    { name: 'am', source: 'alertmanager', auth: { type: 'bearer', token: { env: 'A' } } },
    { name: 'robusta', source: 'robusta', auth: { type: 'bearer', token: { env: 'A' } } },
  ],
});

let server: BoundedServer;
let received: { readonly id: string; readonly notification: Notification }[];
let refused: string[];
let receive: () => Promise<'recorded' | 'repeated'>;
const logged: string[] = [];

beforeEach(async () => {
  received = [];
  refused = [];
  receive = async () => 'recorded';
  server = await startWebhookServer({
    port: 0,
    host: '127.0.0.1',
    settings,
    secrets: new Map([
      ['am', token],
      ['robusta', token],
    ]),
    language: 'en',
    languageOfChannel: () => 'en',
    isFull: async () => false,
    receive: async (id, notification) => {
      received.push({ id, notification });
      return receive();
    },
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    clock: { now: () => new Date('2026-11-21T03:00:00Z') },
    metrics: { alert: () => undefined, alertRefused: (reason) => refused.push(reason) },
    log: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }),
  });
});

afterEach(async () => {
  await server.close();
});

const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };

function send(init: RequestInit, path = '/alerts/am'): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', headers, ...init });
}

describe('the alert webhooks', () => {
  it('accept a valid alert, and answer after it is recorded', async () => {
    let done = false;
    receive = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      done = true;
      return 'recorded';
    };
    const answer = await send({ body: JSON.stringify(alertmanagerBody({})) });

    expect([answer.status, done]).toEqual([200, true]);
    expect(received[0]?.notification.place).toEqual({ channel: 'C012INCIDENTS' });
  });

  it('log wrong tokens once, however many come', async () => {
    const before = logged.length;
    const wrong = { ...headers, authorization: 'Bearer wrong-token-of-some-length' };
    for (let at = 0; at < 50; at += 1) expect((await send({ headers: wrong, body: '{}' })).status).toBe(401);
    const lines = logged.slice(before).filter((line) => line.includes('an alert request was refused'));
    expect(lines).toHaveLength(1);
    expect(refused).toHaveLength(50);
  });

  it('give equal alerts the same id and different alerts different ids', async () => {
    const other = { fingerprint: 'other', labels: { namespace: 'ml', deployment: 'x' } };
    await send({ body: JSON.stringify(alertmanagerBody({}, other)) });
    await send({ body: JSON.stringify(alertmanagerBody({ status: 'resolved' })) });
    const [first, second, again] = received.map(({ id }) => id);

    expect(again).toBe(first);
    expect(second).not.toBe(first);
    expect(received[1]?.notification.place.channel).toBe('C012ML');
  });

  it('accept the plain text of Robusta', async () => {
    const answer = await send(
      { body: 'Crashing pod web-0\n', headers: { authorization: `Bearer ${token}` } },
      '/alerts/robusta',
    );

    expect(answer.status).toBe(200);
  });

  it.each<[string, RequestInit, string, number, string]>([
    ['another path', {}, '/alerts/other', 404, 'unknown-path'],
    ['a path of Object', {}, '/alerts/constructor', 404, 'unknown-path'],
    ['another method', { method: 'PUT', body: '{}' }, '/alerts/am', 405, 'method'],
    ['a GET request', { method: 'GET' }, '/alerts/am', 405, 'method'],
    [
      'no credentials',
      { headers: { 'content-type': 'application/json' }, body: '{}' },
      '/alerts/am',
      401,
      'unauthorized',
    ],
    [
      'a content type other than JSON',
      { headers: { ...headers, 'content-type': 'text/plain' }, body: '{}' },
      '/alerts/am',
      415,
      'content-type',
    ],
    [
      'a zipped body',
      { headers: { ...headers, 'content-encoding': 'gzip' }, body: 'x' },
      '/alerts/am',
      415,
      'encoding',
    ],
    ['a body that is not JSON', { body: 'xoxb-canary' }, '/alerts/am', 400, 'json'],
    ['a body that is not an alert', { body: '{"canary":1}' }, '/alerts/am', 400, 'schema'],
    ['a body that is too large', { body: 'x'.repeat(maxBodyBytes + 1) }, '/alerts/am', 413, 'too-large'],
  ])('reject %s with its reason, and count the rejection', async (_, init, path, status, reason) => {
    const answer = await send(init, path);
    const text = await answer.text();

    expect([answer.status, refused]).toEqual([status, [reason]]);
    expect(JSON.parse(text)).toMatchObject({ error: reason });
    expect(text).not.toMatch(/canary|a-token/);
    expect(received).toEqual([]);
  });

  it('reject a body that exceeds the limit without a Content-Length', async () => {
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        { port: server.port, host: '127.0.0.1', path: '/alerts/am', method: 'POST', headers },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sent.on('error', reject);
      for (let part = 0; part < 45; part += 1) sent.write('x'.repeat(50_000));
      sent.end();
    });

    expect(answer).toBe(413);
  });

  it('drop a body that ends too early', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      `POST /alerts/am HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"alerts":`,
      () => socket.destroy(),
    );
    await expect.poll(() => refused).toEqual(['incomplete']);
    expect(received).toEqual([]);
  });

  it('answer 503 with Retry-After while Redis is down, and reveal no detail of another error', async () => {
    receive = async () => {
      throw new DoctorError({ code: 'redis-unavailable', message: 'away', retryable: true });
    };
    const away = await send({ body: JSON.stringify(alertmanagerBody({})) });
    receive = async () => {
      throw new Error('canary');
    };
    const broken = await send({ body: JSON.stringify(alertmanagerBody({})) });

    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
    expect(broken.status).toBe(500);
    expect(await broken.text()).not.toContain('canary');
  });

  it('write no token to the log', () => {
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join('\n')).not.toContain(token);
  });
});
