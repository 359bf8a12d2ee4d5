import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AlertAuth } from '#src/doctor/alerts/alert-settings.js';
import { checkHeaders, checkSignature } from '#src/edges/webhooks/webhook-server.js';

const secret = 'a-secret-of-some-length';
const from = { env: 'SECRET' };
const now = Date.parse('2026-11-21T03:00:00Z');
const seconds = String(now / 1_000);
const body = Buffer.from('{"alerts":[]}');
const sign = (text: string, key = secret): string => createHmac('sha256', key).update(text).digest('hex');
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('credentials in a request header', () => {
  const bearer: AlertAuth = { type: 'bearer', token: from };
  const password: AlertAuth = { type: 'basic', user: 'am', password: from };

  it.each<[string, AlertAuth, string | undefined, boolean]>([
    ['the token', bearer, `Bearer ${secret}`, true],
    ['the token in another spelling of the scheme', bearer, `bearer  ${secret}`, true],
    ['another token', bearer, 'Bearer something-else', false],
    ['a token that only begins right', bearer, `Bearer ${secret.slice(0, -1)}`, false],
    ['the token as basic', bearer, `Basic ${secret}`, false],
    ['nothing', bearer, undefined, false],
    ['only a scheme', bearer, 'Bearer', false],
    ['user and password', password, basic(`am:${secret}`), true],
    ['another user', password, basic(`root:${secret}`), false],
    ['no password', password, basic('am:'), false],
    ['something that is no base64', password, 'Basic ***', false],
  ])('are accepted or refused: %s', (_, auth, authorization, good) => {
    const refused = checkHeaders(auth, secret, authorization === undefined ? {} : { authorization }, now);

    expect(refused).toEqual(good ? undefined : expect.objectContaining({ status: 401 }));
    expect(JSON.stringify(refused ?? '')).not.toContain(secret);
  });
});

describe('signatures of a request body', () => {
  const plain: AlertAuth = { type: 'hmac', secret: from, header: 'X-Grafana-Alerting-Signature', prefix: '' };
  const dated: AlertAuth = { ...plain, timestampHeader: 'X-Time' };
  const prefixed: AlertAuth = { ...plain, header: 'X-Hub-Signature-256', prefix: 'sha256=' };
  const pagerDuty: AlertAuth = { type: 'pagerduty', secret: from };
  const signed = (header: string, value: string, more: Record<string, string> = {}) => ({
    [header]: value,
    ...more,
  });

  it.each<[string, AlertAuth, Record<string, string>, boolean]>([
    ["Grafana's", plain, signed('x-grafana-alerting-signature', sign(body.toString())), true],
    ['in capitals', plain, signed('x-grafana-alerting-signature', sign(body.toString()).toUpperCase()), true],
    ['of another body', plain, signed('x-grafana-alerting-signature', sign('{}')), false],
    ['with another secret', plain, signed('x-grafana-alerting-signature', sign(body.toString(), 'x')), false],
    ['none', plain, {}, false],
    [
      'with its time',
      dated,
      signed('x-grafana-alerting-signature', sign(`${seconds}:${body}`), { 'x-time': seconds }),
      true,
    ],
    [
      'with a time of an hour ago',
      dated,
      signed('x-grafana-alerting-signature', sign(`${Number(seconds) - 3_600}:${body}`), {
        'x-time': String(Number(seconds) - 3_600),
      }),
      false,
    ],
    [
      'with a clock that is four minutes ahead',
      dated,
      signed('x-grafana-alerting-signature', sign(`${Number(seconds) + 240}:${body}`), {
        'x-time': String(Number(seconds) + 240),
      }),
      true,
    ],
    [
      'without the time it needs',
      dated,
      signed('x-grafana-alerting-signature', sign(body.toString())),
      false,
    ],
    [
      'with a time that was not signed',
      dated,
      signed('x-grafana-alerting-signature', sign(body.toString()), { 'x-time': seconds }),
      false,
    ],
    [
      'with a time that is none',
      dated,
      signed('x-grafana-alerting-signature', sign(`now:${body}`), { 'x-time': 'now' }),
      false,
    ],
    ['with a prefix', prefixed, signed('x-hub-signature-256', `sha256=${sign(body.toString())}`), true],
    ['without its prefix', prefixed, signed('x-hub-signature-256', sign(body.toString())), false],
    ["PagerDuty's", pagerDuty, signed('x-pagerduty-signature', `v1=${sign(body.toString())}`), true],
    [
      'one of several, while secrets are exchanged',
      pagerDuty,
      signed('x-pagerduty-signature', `v1=${sign(body.toString(), 'old')}, v1=${sign(body.toString())}`),
      true,
    ],
    [
      'of an unknown version',
      pagerDuty,
      signed('x-pagerduty-signature', `v2=${sign(body.toString())}`),
      false,
    ],
    ['empty', pagerDuty, signed('x-pagerduty-signature', ''), false],
    [
      'a thousand, of which the last one is right',
      pagerDuty,
      signed('x-pagerduty-signature', `${'v1=00,'.repeat(1_000)}v1=${sign(body.toString())}`),
      false,
    ],
  ])('are accepted or refused: %s', (_, auth, headers, good) => {
    const refused = checkSignature(auth, secret, headers, body, now);

    expect(refused).toEqual(good ? undefined : expect.objectContaining({ status: 401, reason: 'signature' }));
  });
});

/** The example of its author. source: docs.svix.com, Verifying webhooks manually */
describe('signatures of Standard Webhooks', () => {
  const auth: AlertAuth = { type: 'standard-webhooks', secret: from };
  const key = 'whsec_plJ3nmyCDGBKInavdOK15jsl';
  const signedBody = Buffer.from('{"event_type":"ping","data":{"success":true}}');
  const signature = 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=';
  const sentAt = 1_731_705_121;
  const headers = {
    'webhook-id': 'msg_loFOjxBNrRLzqYUf',
    'webhook-timestamp': `${sentAt}`,
    'webhook-signature': signature,
  };

  it.each<[string, Record<string, string>, boolean, { readonly text?: Buffer; readonly laterMs?: number }?]>([
    ['its own', {}, true],
    ['one of several', { 'webhook-signature': `v1,AAAA v1a,BBBB ${signature}` }, true],
    ['of another body', {}, false, { text: body }],
    ['of another message', { 'webhook-id': 'msg_other' }, false],
    ['without the id', { 'webhook-id': '' }, false],
    ['with another time', { 'webhook-timestamp': `${sentAt + 1}` }, false],
    ['without a time', { 'webhook-timestamp': '' }, false],
    ['an hour later', {}, false, { laterMs: 3_600_000 }],
    ['of an unknown version', { 'webhook-signature': signature.replace('v1', 'v2') }, false],
    ['none', { 'webhook-signature': '' }, false],
  ])('are accepted or refused: %s', (_, changed, good, { text = signedBody, laterMs = 0 } = {}) => {
    const given = { ...headers, ...changed };
    const at = sentAt * 1_000 + laterMs;
    const refused = checkHeaders(auth, key, given, at) ?? checkSignature(auth, key, given, text, at);

    expect(refused).toEqual(good ? undefined : expect.objectContaining({ status: 401 }));
    expect(JSON.stringify(refused ?? '')).not.toContain(key);
  });
});
