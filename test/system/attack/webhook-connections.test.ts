import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maxUnsignedBodyBytes } from '#src/edges/webhooks/webhook-server.js';
import { alertmanagerBody } from '../../support/alert-payloads.js';
import { openConnection, type RawConnection, requestHead } from '../../support/raw-connection.js';
import { startWebhookRig, token, type WebhookRig } from './webhook-rig.js';

let rig: WebhookRig;
let connections: RawConnection[] = [];

beforeEach(async () => {
  rig = await startWebhookRig();
});

afterEach(async () => {
  for (const { socket } of connections) socket.destroy();
  connections = [];
  await rig.server.close();
});

const json = { 'content-type': 'application/json' };
const bearer = { authorization: `Bearer ${token}` };
const nowSeconds = () => String(Math.floor(Date.now() / 1_000));

function attack(first: string | Buffer): RawConnection {
  const connection = openConnection(rig.server.port, first);
  connections.push(connection);
  return connection;
}

async function genuine(): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${rig.server.port}/alerts/am`, {
    method: 'POST',
    headers: { ...json, ...bearer },
    body: JSON.stringify(alertmanagerBody({})),
  });
  return answer.status;
}

describe('a request to the webhook port', () => {
  it.each<[string, string, Record<string, string | number>, number]>([
    ['without credentials', '/alerts/am', { ...json }, 401],
    ['with a wrong token', '/alerts/am', { ...json, authorization: 'Bearer wrong' }, 401],
    ['with a wrong password', '/alerts/og', { ...json, authorization: 'Basic b2c6eA==' }, 401],
    ['without a PagerDuty signature', '/alerts/pd', { ...json }, 401],
    ['without a signature', '/alerts/gf', { ...json, 'x-time': nowSeconds() }, 401],
    ['with a signature and no timestamp', '/alerts/gf', { ...json, 'x-sig': 'ab' }, 401],
    ['with a signature of last year', '/alerts/gf', { ...json, 'x-sig': 'ab', 'x-time': 1_700_000_000 }, 401],
    ['to an unknown path', '/alerts/none', { ...json, ...bearer }, 404],
    ['with another content type', '/alerts/am', { 'content-type': 'text/html', ...bearer }, 415],
    ...['gzip', 'br', 'deflate', 'gzip, gzip', 'x-none', 'identity, gzip'].map(
      (encoding): [string, string, Record<string, string | number>, number] => [
        `that is encoded as ${encoding}`,
        '/alerts/am',
        { ...json, ...bearer, 'content-encoding': encoding },
        415,
      ],
    ),
    [
      'that announces too large a body',
      '/alerts/am',
      { ...json, ...bearer, 'content-length': 9_999_999_999 },
      413,
    ],
    [
      'that is unsigned and announces more than the limit for unsigned bodies',
      '/alerts/pd',
      { ...json, 'x-pagerduty-signature': 'v1=00', 'content-length': maxUnsignedBodyBytes + 1 },
      413,
    ],
  ])('%s is rejected before its body arrives', async (_, path, headers, status) => {
    const connection = attack(requestHead('POST', path, { 'content-length': 1_000, ...headers }));

    await expect.poll(() => connection.statuses()).toEqual([status]);
    expect(connection.received()).toMatch(/connection: close/i);
    await expect.poll(() => connection.isClosed()).toBe(true);
    expect(await genuine()).toBe(200);
  });

  it('that expects "100 Continue" is rejected at once with wrong credentials', async () => {
    const expecting = { ...json, expect: '100-continue', 'content-length': 1_000 };
    const wrong = attack(requestHead('POST', '/alerts/am', expecting));
    const right = attack(requestHead('POST', '/alerts/am', { ...expecting, ...bearer }));

    await expect.poll(() => wrong.statuses()).toEqual([401]);
    await expect.poll(() => right.statuses()).toEqual([100]);
  });

  it.each([
    ['endless chunks', 64_000],
    ['endless chunks of one byte', 1],
  ])('with %s is stored only up to the limit', async (_, chunkBytes) => {
    const head = { ...json, 'x-pagerduty-signature': 'v1=00', 'transfer-encoding': 'chunked' };
    const connection = attack(requestHead('POST', '/alerts/pd', head));
    const chunk = `${chunkBytes.toString(16)}\r\n${'x'.repeat(chunkBytes)}\r\n`;
    const block = chunk.repeat(Math.ceil(64_000 / chunkBytes));
    let sent = 0;
    const send = (): void => {
      while (!connection.socket.destroyed && sent < 40) {
        sent += 1;
        if (!connection.socket.write(block)) return void connection.socket.once('drain', send);
      }
    };
    send();

    await expect.poll(() => connection.statuses()).toEqual([413]);
    await expect.poll(() => connection.isClosed()).toBe(true);
    expect(rig.refused).toEqual(['too-large']);
  });

  it('that is compressed is rejected although it is small', async () => {
    const body = gzipSync(Buffer.alloc(10_000_000, 32));
    const headers = { ...json, ...bearer, 'content-encoding': 'gzip', 'content-length': body.length };
    const connection = attack(requestHead('POST', '/alerts/am', headers));
    connection.socket.write(body);

    await expect.poll(() => connection.statuses()).toEqual([415]);
  });

  it.each([
    ['two lengths', 'content-length: 5\r\ncontent-length: 7'],
    ['a length and chunks', 'content-length: 5\r\ntransfer-encoding: chunked'],
    ['a negative length', 'content-length: -5'],
    ['a length that is not a number', 'content-length: many'],
    ['a length of 40 digits', `content-length: ${'9'.repeat(40)}`],
    ['chunks within chunks', 'transfer-encoding: chunked, gzip'],
  ])('with %s is rejected', async (_, lines) => {
    const connection = attack(
      `POST /alerts/am HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n${lines}\r\n\r\n{"al"`,
    );

    await expect.poll(() => connection.statuses()[0]).toBeGreaterThanOrEqual(400);
    await expect.poll(() => connection.isClosed()).toBe(true);
    expect(rig.received).toEqual([]);
  });
});

describe('the webhook port', () => {
  it('drops the oldest unsigned bodies when they exceed the byte limit, and still accepts alerts', async () => {
    const half = Math.floor(maxUnsignedBodyBytes / 2);
    const head = requestHead('POST', '/alerts/pd', {
      ...json,
      'x-pagerduty-signature': 'v1=00',
      'content-length': maxUnsignedBodyBytes,
    });
    for (let at = 0; at < 60; at += 1) attack(head + 'x'.repeat(half + 1));
    const displaced = () => connections.filter((each) => each.statuses().includes(503)).length;

    await expect.poll(displaced).toBeGreaterThanOrEqual(60 - 8_000_000 / half);
    expect(new Set(rig.refused)).toEqual(new Set(['overloaded']));
    expect(await genuine()).toBe(200);
  });

  it('closes the oldest unauthenticated connections when they exceed the limit, and still accepts alerts', async () => {
    for (let at = 0; at < 1_100; at += 1) attack('POST /alerts/am HTTP/1.1\r\nx-slow: ');
    const closed = () => connections.filter((each) => each.statuses().includes(503)).length;

    await expect.poll(closed).toBeGreaterThanOrEqual(1_100 - 1_024);
    expect(await genuine()).toBe(200);
  });

  it('closes connections whose headers never end', async () => {
    const slow = [
      attack('POST /alerts/am HTTP/1.1\r\n'),
      attack('POST /alerts/am HTTP/1.1\r\nhost: x\r\nx-a: '),
      attack('P'),
    ];

    await expect
      .poll(() => slow.map((each) => each.isClosed()), { interval: 200 })
      .toEqual([true, true, true]);
    expect(slow[0]?.statuses()).toEqual([408]);
  });

  it('closes an authenticated connection whose body stops arriving', async () => {
    const headers = { ...json, ...bearer, 'content-length': 100 };
    const connection = attack(`${requestHead('POST', '/alerts/am', headers)}{"alerts"`);

    await expect.poll(() => connection.isClosed(), { interval: 200 }).toBe(true);
    expect(rig.received).toEqual([]);
  });

  it('rejects headers that are too long', async () => {
    const connection = attack(requestHead('POST', '/alerts/am', { 'x-long': 'x'.repeat(100_000) }));

    await expect.poll(() => connection.statuses()).toEqual([431]);
  });

  it('closes a connection with pipelined requests', async () => {
    const one = requestHead('POST', '/alerts/am', { ...json, ...bearer, 'content-length': 2 });
    const connection = attack(`${one}{}`.repeat(500));

    await expect.poll(() => connection.isClosed()).toBe(true);
    expect(connection.statuses().length).toBeGreaterThan(0);
    expect(rig.refused.length).toBeLessThanOrEqual(1);
    expect(await genuine()).toBe(200);
  });

  it('closes a connection that keeps sending after it was rejected', async () => {
    const connection = attack(
      requestHead('POST', '/alerts/am', { ...json, 'content-length': 9_000_000_000 }),
    );
    const block = Buffer.alloc(1_000_000, 120);
    const send = (): void => {
      while (!connection.socket.destroyed) {
        if (!connection.socket.write(block)) return void connection.socket.once('drain', send);
      }
    };
    connection.socket.once('connect', send);

    await expect.poll(() => connection.isClosed()).toBe(true);
    expect(rig.refused).toEqual(['unauthorized']);
  });
});
