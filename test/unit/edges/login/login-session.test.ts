import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createLoginSessions } from '#src/edges/login/login-server.js';
import { createHmacSigner } from '#src/edges/signing/cluster-keys.js';
import { buildKey, testKey } from '../../../support/authority.js';

const id = '0123456789abcdef0123';
const login = { issuer: 'i', subject: 's', at: '2026-11-20T09:30:00Z', until: '2026-11-20T09:35:00Z' };
const secure = createLoginSessions(createHmacSigner([testKey]), true);
const requestWith = (cookie?: string) =>
  ({ headers: cookie === undefined ? {} : { cookie } }) as IncomingMessage;
const pairOf = (setCookie: string): string => setCookie.split(';')[0] ?? '';

describe('the cookie of a login', () => {
  it('belongs to exactly this host, to TLS and to no script', () => {
    expect(secure.cookie(secure.begin(id), 7_200)).toMatch(
      new RegExp(
        `^__Host-rollout-doctor-${id}=[\\w-]+; Path=/; Max-Age=7200; HttpOnly; SameSite=Lax; Secure$`,
        'u',
      ),
    );
  });

  it('is read back with its login, among other cookies', () => {
    const session = { ...secure.begin(id), login };
    const pair = pairOf(secure.cookie(session, 60));
    expect(secure.of(requestWith(`a=b; ${pair}; c=d`), id)).toEqual(session);
  });

  it.each<[string, (pair: string) => string | undefined]>([
    ['absent', () => undefined],
    ['of a host without the prefix of TLS', (pair) => pair.replace('__Host-', '')],
    ['removed', () => pairOf(secure.cookie(secure.begin(id), 0))],
    ['altered', (pair) => pair.replace(/.{4}$/u, 'AAAA')],
    ['no base64', (pair) => `${pair.split('=')[0]}=%%%`],
    ['JSON of another shape', (pair) => `${pair.split('=')[0]}=${Buffer.from('[1]').toString('base64url')}`],
    ['among too many others', (pair) => `${'a=b; '.repeat(4_000)}${pair}`],
    [
      'signed with another key',
      () =>
        pairOf(
          createLoginSessions(createHmacSigner([buildKey('test', 11)]), true).cookie(
            { ...secure.begin(id), login },
            60,
          ),
        ),
    ],
    [
      'of another decision under the name of this one',
      () => pairOf(secure.cookie({ ...secure.begin('f'.repeat(20)), login }, 60)).replace('f'.repeat(20), id),
    ],
  ])('is no session when it is %s', (_, change) => {
    const pair = pairOf(secure.cookie({ ...secure.begin(id), login }, 60));
    expect(secure.of(requestWith(change(pair)), id)).toBeUndefined();
  });

  it('gives each browser, and each purpose, a secret of its own', () => {
    const [one, other] = [secure.begin(id), secure.begin(id)];
    const all = [one, other].flatMap((each) => [
      ...Object.values(secure.secrets(each)),
      secure.formToken(each),
    ]);
    expect(new Set(all).size).toBe(8);
    for (const secret of all) expect(secret.length).toBeGreaterThanOrEqual(43);
  });
});
