import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOpenIdLogin, inspectLogin } from '#src/edges/login/openid-login.js';
import { freePort } from '../../../demo/free-ports.js';
import { client } from '../../support/company-login.js';
import { startForgedIssuer } from '../../support/forged-issuer.js';

let issuer: Awaited<ReturnType<typeof startForgedIssuer>>;

beforeEach(async () => {
  issuer = await startForgedIssuer();
});
afterEach(() => issuer.close());

const secrets = { state: 'a-state', nonce: 'a-nonce', verifier: 'v'.repeat(43) };

const optionsOf = (at: string) => ({
  ...{ issuer: at, clientId: client.id, clientSecret: () => client.secret, timeoutSeconds: 0.3 },
  ...{ redirectUri: 'http://127.0.0.1:1/login/callback', personClaim: 'email', maxAgeSeconds: 300, acr: [] },
});

/** Each sends this much of its answer, and then nothing more. */
const hangs: readonly [string, (response: ServerResponse) => void][] = [
  ['nothing', () => undefined],
  [
    'its headers',
    (response) => void response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders(),
  ],
  [
    'half of its answer',
    (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"issuer":'),
  ],
];

describe('an issuer that hangs', () => {
  it.each(hangs)('fails a login before its page, after it has sent %s', async (_, hang) => {
    issuer.world.hangs = { path: '/.well-known/openid-configuration', hang };
    await expect(createOpenIdLogin(optionsOf(issuer.issuer)).begin(secrets)).rejects.toThrow();
  });

  it.each(hangs.flatMap(([what, hang]) => ['/token', '/jwks'].map((path) => [path, what, hang] as const)))(
    'ends a login as unavailable at %s, after it has sent %s, and the next login works',
    async (path, _, hang) => {
      const login = createOpenIdLogin(optionsOf(issuer.issuer));
      const again = async () => {
        const answer = await fetch(await login.begin(secrets), { redirect: 'manual' });
        return login.finish(new URL(answer.headers.get('location') ?? '').search, secrets);
      };
      issuer.world.hangs = { path, hang };
      expect(await again()).toMatchObject({ type: 'unavailable' });

      issuer.world.hangs = undefined;
      expect(await again()).toMatchObject({ type: 'logged-in' });
    },
  );
});

describe('the check of the login by `doctor`', () => {
  it('reports an issuer that answers', async () => {
    expect(await inspectLogin(optionsOf(issuer.issuer))).toMatchObject({
      ...{ state: 'works', says: { key: 'login-works', values: { issuer: issuer.issuer } } },
    });
  });

  it.each(hangs)('reports an issuer that hangs after it has sent %s', async (_, hang) => {
    issuer.world.hangs = { path: '/.well-known/openid-configuration', hang };
    expect(await inspectLogin(optionsOf(issuer.issuer))).toMatchObject({ says: { key: 'login-away' } });
  });

  it.each([
    ['a port without a server', async () => `http://127.0.0.1:${await freePort()}`, 'ECONNREFUSED'],
    ['an address without metadata', () => `${issuer.issuer}/other`, 'HTTP response status'],
    [
      'the metadata of another issuer',
      () => issuer.issuer.replace('127.0.0.1', 'localhost'),
      'does not match the expected issuer',
    ],
  ])('reports %s, and why', async (_, at, why) => {
    expect(await inspectLogin(optionsOf(await at()))).toMatchObject({
      says: { key: 'login-away', values: { message: expect.stringContaining(why) } },
    });
  });
});
