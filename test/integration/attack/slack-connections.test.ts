import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maxBodyBytes, maxBytesInFlight, maxUnsignedBytes } from '#src/edges/slack/slack-server.js';
import { openConnection, type RawConnection, requestHead } from '../../support/raw-connection.js';
import { commandBody, type Rig, sendSigned, startRig } from '../../support/slack-rig.js';

let rig: Rig;
let connections: RawConnection[] = [];

beforeEach(async () => {
  rig = await startRig();
});

afterEach(async () => {
  for (const { socket } of connections) socket.destroy();
  connections = [];
  await rig.close();
});

function attack(first: string | Buffer): RawConnection {
  const connection = openConnection(rig.port ?? 0, first);
  connections.push(connection);
  return connection;
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const nowSeconds = () => Math.floor(Date.now() / 1_000);
/** Headers that anybody can send: the right format, an invalid signature. */
const forged = () => ({
  ...form,
  'x-slack-signature': `v0=${'0'.repeat(64)}`,
  'x-slack-request-timestamp': nowSeconds(),
});

const genuine = async (padding = 0): Promise<number> => {
  const body = commandBody('ml/inference', { trigger_id: `${Math.random()}`, padding: 'x'.repeat(padding) });
  return (await sendSigned({ port: rig.port, secret: rig.slack.signingSecret }, body)).status;
};

describe('a request to the port for Slack', () => {
  it.each<[string, () => Record<string, string | number>, number]>([
    ['without a signature', () => ({ 'content-type': 'application/json' }), 401],
    [
      'with a signature and no timestamp',
      () => ({ ...form, 'x-slack-signature': `v0=${'0'.repeat(64)}` }),
      401,
    ],
    [
      'with a timestamp and no signature',
      () => ({ ...form, 'x-slack-request-timestamp': nowSeconds() }),
      401,
    ],
    ['with a malformed signature', () => ({ ...forged(), 'x-slack-signature': 'v0=zz' }), 401],
    [
      'with the signature of another version',
      () => ({ ...forged(), 'x-slack-signature': `v1=${'0'.repeat(64)}` }),
      401,
    ],
    ['with an old timestamp', () => ({ ...forged(), 'x-slack-request-timestamp': nowSeconds() - 301 }), 401],
    [
      'with a timestamp in the future',
      () => ({ ...forged(), 'x-slack-request-timestamp': nowSeconds() + 400 }),
      401,
    ],
    [
      'with a timestamp that is not a number',
      () => ({ ...forged(), 'x-slack-request-timestamp': 'now' }),
      401,
    ],
    ['that is compressed', () => ({ ...forged(), 'content-encoding': 'gzip' }), 415],
    ['that announces too large a body', () => ({ ...forged(), 'content-length': maxBodyBytes + 1 }), 413],
    [
      'that is unsigned and too large for ssl_check',
      () => ({ ...form, 'content-length': maxUnsignedBytes + 1 }),
      413,
    ],
  ])('%s is rejected before its body arrives', async (_, headers, status) => {
    const connection = attack(
      requestHead('POST', '/slack/events', { 'content-length': 1_000, ...headers() }),
    );

    await expect.poll(() => connection.statuses()).toEqual([status]);
    await expect.poll(() => connection.isClosed()).toBe(true);
    expect(await genuine()).toBe(200);
  });

  it('with a forged signature is rejected when it is complete, and reaches no listener', async () => {
    const connection = attack(
      `${requestHead('POST', '/slack/events', { ...forged(), 'content-length': 21 })}command=%2Fx&text=abc`,
    );

    await expect.poll(() => connection.statuses()).toEqual([401]);
    expect(rig.asked).toEqual([]);
  });

  it('that checks TLS is answered although it is unsigned, and its command is ignored', async () => {
    const answer = await fetch(`http://127.0.0.1:${rig.port}/slack/events`, {
      method: 'POST',
      headers: form,
      body: 'ssl_check=1&token=abc&command=%2Frollout-doctor&text=ml%2Finference&user_id=U0DANA',
    });

    expect(answer.status).toBe(200);
    expect(rig.asked).toEqual([]);
  });

  it('with a body of the largest size that Slack sends is accepted', async () => {
    expect(await genuine(maxBodyBytes - 1_000)).toBe(200);
  });

  it('with endless chunks is stored only up to the limit', async () => {
    const connection = attack(
      requestHead('POST', '/slack/events', { ...forged(), 'transfer-encoding': 'chunked' }),
    );
    const chunk = `fa00\r\n${'x'.repeat(64_000)}\r\n`;
    for (let at = 0; at < 40; at += 1) connection.socket.write(chunk);

    await expect.poll(() => connection.statuses()).toEqual([413]);
    await expect.poll(() => connection.isClosed()).toBe(true);
  });
});

describe('the port for Slack', () => {
  it('drops the oldest unsigned bodies when they exceed the byte limit, and still answers Slack', async () => {
    const kept = maxBodyBytes - 10;
    const head = requestHead('POST', '/slack/events', { ...forged(), 'content-length': maxBodyBytes });
    for (let at = 0; at < 40; at += 1) attack(head + 'x'.repeat(kept));
    const displaced = () => connections.filter((each) => each.statuses().includes(503)).length;

    await expect.poll(displaced).toBeGreaterThanOrEqual(40 - maxBytesInFlight / kept);
    expect(await genuine()).toBe(200);
  });

  it('closes the oldest connections when they exceed the limit, and still answers Slack', async () => {
    for (let at = 0; at < 600; at += 1) attack('POST /slack/events HTTP/1.1\r\nx-slow: ');
    const closed = () => connections.filter((each) => each.statuses().includes(503)).length;

    await expect.poll(closed).toBeGreaterThanOrEqual(600 - 512);
    expect(await genuine()).toBe(200);
  });

  it('closes connections whose requests stop arriving', async () => {
    const slow = [
      attack('POST /slack/events HTTP/1.1\r\n'),
      attack(`${requestHead('POST', '/slack/events', { ...forged(), 'content-length': 100 })}comm`),
    ];

    await expect.poll(() => slow.map((each) => each.isClosed()), { interval: 200 }).toEqual([true, true]);
  });

  it('serves neither metrics nor readiness', async () => {
    for (const path of ['/metrics', '/readyz', '/metrics/', '/METRICS', '//metrics', '/slack/../metrics']) {
      const connection = attack(requestHead('GET', path, { connection: 'close' }));
      await expect.poll(() => connection.statuses()).toEqual([404]);
      expect(connection.received()).not.toContain('rollout_doctor_');
    }
  });
});
