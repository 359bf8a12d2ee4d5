import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { client } from './company-login.js';

export interface Forged {
  /** Claims in place of the right ones; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly alg?: 'RS256' | 'HS256' | 'none';
  /** Signed by a key that the issuer does not publish. */
  readonly withOtherKey?: boolean;
  /** In place of a code, as RFC 6749, section 4.1.2.1 has it. */
  readonly error?: string;
  /** In place of the answer with the tokens. */
  readonly answer?: (response: ServerResponse) => void;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An issuer that logs everybody in at once and answers with ID tokens as the test forges them. */
export async function startForgedIssuer() {
  const world: {
    forged: Forged;
    /** Requests of this path are not answered to the end. */
    hangs?: { readonly path: string; readonly hang: (response: ServerResponse) => void } | undefined;
  } = { forged: {} };
  const own = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  let nonce = '';
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    const json = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (world.hangs?.path === url.pathname) return world.hangs.hang(response);
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        });
      case '/jwks':
        return json({
          keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig', alg: 'RS256' }],
        });
      case '/auth': {
        nonce = url.searchParams.get('nonce') ?? '';
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        const { error } = world.forged;
        if (error === undefined) back.searchParams.set('code', 'a-code');
        else back.searchParams.set('error', error);
        back.searchParams.set('state', url.searchParams.get('state') ?? '');
        return response.writeHead(302, { location: back.href }).end();
      }
      case '/token': {
        const { answer } = world.forged;
        if (answer !== undefined) return answer(response);
        const id_token = tokenOf(world.forged, { issuer, nonce }, own.privateKey, other.privateKey);
        return json({ access_token: 'x', token_type: 'bearer', expires_in: 60, id_token });
      }
      default:
        return response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    world,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function tokenOf(
  { claims = {}, alg = 'RS256', withOtherKey = false }: Forged,
  { issuer, nonce }: { readonly issuer: string; readonly nonce: string },
  own: KeyObject,
  other: KeyObject,
): string {
  const now = Math.floor(Date.now() / 1_000);
  const text = [
    encoded({ alg, ...(alg === 'RS256' ? { kid: '1' } : {}) }),
    encoded({
      ...{ iss: issuer, aud: client.id, sub: 'dana', nonce, iat: now, exp: now + 60, auth_time: now },
      ...{ email: 'dana@example.com', email_verified: true },
      ...claims,
    }),
  ].join('.');
  const signature = {
    none: () => '',
    HS256: () => createHmac('sha256', client.secret).update(text).digest('base64url'),
    RS256: () =>
      createSign('sha256')
        .update(text)
        .sign(withOtherKey ? other : own, 'base64url'),
  }[alg]();
  return `${text}.${signature}`;
}
