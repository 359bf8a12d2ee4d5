import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpenIdLogin } from '#src/edges/login/openid-login.js';
import { client } from '../../support/company-login.js';
import { type Forged, startForgedIssuer } from '../../support/forged-issuer.js';

let issuer: Awaited<ReturnType<typeof startForgedIssuer>>;

beforeAll(async () => {
  issuer = await startForgedIssuer();
});
afterAll(() => issuer.close());

const redirectUri = 'http://127.0.0.1:1/login/callback';
const secrets = { state: 'a-state', nonce: 'a-nonce', verifier: 'v'.repeat(43) };
const now = () => Math.floor(Date.now() / 1_000);

/** How a login ends whose ID token is forged like this. */
async function endOf(
  forged: Forged,
  change: { readonly query?: string; readonly acr?: readonly string[] } = {},
) {
  issuer.world.forged = forged;
  const login = createOpenIdLogin({
    ...{ issuer: issuer.issuer, clientId: client.id, clientSecret: () => client.secret, redirectUri },
    ...{ personClaim: 'email', maxAgeSeconds: 300, acr: change.acr ?? [] },
  });
  const answer = await fetch(await login.begin(secrets), { redirect: 'manual' });
  const { search } = new URL(answer.headers.get('location') ?? '');
  return login.finish(change.query ?? search, secrets);
}

describe('a login', () => {
  it('asks with PKCE, state, nonce and the age of the login', async () => {
    const login = createOpenIdLogin({
      ...{ issuer: issuer.issuer, clientId: client.id, clientSecret: () => client.secret, redirectUri },
      ...{ personClaim: 'email', maxAgeSeconds: 300, acr: ['a', 'b'] },
    });
    expect(Object.fromEntries((await login.begin(secrets)).searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      max_age: '300',
      acr_values: 'a b',
      state: 'a-state',
      nonce: 'a-nonce',
    });
  });

  it.each<[string, () => Forged]>([
    ['as it should be', () => ({})],
    ['from a clock that is 20 seconds behind', () => ({ claims: { exp: now() - 20 } })],
    [
      'with a login of 5 minutes ago by a clock that differs by 20 seconds',
      () => ({ claims: { auth_time: now() - 320 } }),
    ],
    [
      'for several audiences, of which one is this app',
      () => ({ claims: { aud: ['other', client.id], azp: client.id } }),
    ],
  ])('is accepted with an ID token %s', async (_, forged) => {
    expect(await endOf(forged())).toMatchObject({
      type: 'logged-in',
      login: { subject: 'dana', person: { type: 'email', email: 'dana@example.com' } },
    });
  });

  it.each<[string, () => Forged, string]>([
    ['for another audience', () => ({ claims: { aud: 'other' } }), 'failed'],
    [
      'for several audiences and another party',
      () => ({ claims: { aud: ['other', client.id], azp: 'other' } }),
      'failed',
    ],
    ['of another issuer', () => ({ claims: { iss: 'https://evil.example' } }), 'failed'],
    ['with another nonce', () => ({ claims: { nonce: 'other' } }), 'failed'],
    ['without a nonce', () => ({ claims: { nonce: undefined } }), 'failed'],
    ['without a signature', () => ({ alg: 'none' }), 'failed'],
    ['signed with the client secret', () => ({ alg: 'HS256' }), 'failed'],
    ['signed by a key that the issuer does not publish', () => ({ withOtherKey: true }), 'failed'],
    ['that expired a minute ago', () => ({ claims: { exp: now() - 60 } }), 'failed'],
    ['that is valid in an hour', () => ({ claims: { nbf: now() + 3_600 } }), 'failed'],
    ['without the time of the login', () => ({ claims: { auth_time: undefined } }), 'failed'],
    ['with a text as the time of the login', () => ({ claims: { auth_time: 'now' } }), 'failed'],
    ['of a login six minutes ago', () => ({ claims: { auth_time: now() - 360 } }), 'too-old'],
    ['of a login in a minute', () => ({ claims: { auth_time: now() + 60 } }), 'failed'],
    ['with an address that is not verified', () => ({ claims: { email_verified: false } }), 'no-person'],
    ['with an address that may be verified', () => ({ claims: { email_verified: 'true' } }), 'no-person'],
    ['without an address', () => ({ claims: { email: undefined } }), 'no-person'],
    ['with several addresses', () => ({ claims: { email: ['dana@example.com'] } }), 'no-person'],
    ['of a subject too long for a cookie', () => ({ claims: { sub: 's'.repeat(256) } }), 'failed'],
    [
      'that is left out',
      () => ({
        answer: (to) =>
          void to
            .writeHead(200, { 'content-type': 'application/json' })
            .end('{"access_token":"x","token_type":"bearer"}'),
      }),
      'failed',
    ],
    [
      'behind an error of the request',
      () => ({
        answer: (to) =>
          void to.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}'),
      }),
      'failed',
    ],
    [
      'behind an error of the issuer',
      () => ({ answer: (to) => void to.writeHead(503).end() }),
      'unavailable',
    ],
    [
      'of two megabytes',
      () => ({
        answer: (to) =>
          void to
            .writeHead(200, { 'content-type': 'application/json' })
            .end(`{"x":"${'x'.repeat(2_000_000)}"}`),
      }),
      'unavailable',
    ],
    ['behind a closed connection', () => ({ answer: (to) => void to.destroy() }), 'unavailable'],
  ])('is refused with an ID token %s', async (_, forged, end) => {
    expect((await endOf(forged())).type).toBe(end);
  });

  it.each([
    ['another state', '?code=a-code&state=other', 'failed'],
    ['no state', '?code=a-code', 'failed'],
    ['no code', '?state=a-state', 'failed'],
    ['two codes', '?code=a-code&code=b-code&state=a-state', 'failed'],
    ['another issuer', '?code=a-code&state=a-state&iss=https%3A%2F%2Fevil.example', 'failed'],
    ['a refusal', '?error=access_denied&state=a-state', 'declined'],
    ['a refusal of another state', '?error=access_denied&state=other', 'failed'],
    ['an error of the issuer', '?error=temporarily_unavailable&state=a-state', 'unavailable'],
    ['an unknown error', '?error=%3Cscript%3E&state=a-state', 'failed'],
  ])('is refused when the browser comes back with %s', async (_, query, end) => {
    expect((await endOf({}, { query })).type).toBe(end);
  });

  it.each([
    ['none', undefined],
    ['another', 'urn:password'],
    ['a list', ['urn:second-factor']],
  ])('is refused with %s as its strength', async (_, acr) => {
    const forged = { claims: { acr } };
    expect((await endOf(forged, { acr: ['urn:second-factor'] })).type).toBe('too-weak');
  });
});
