import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { Seal } from '../../core/incident/approval.js';
import { type SealPurpose, sealedText } from '../../core/incident/approval-authority.js';
import type { ApprovalSigner } from '../../usecases/approve/approval-ports.js';
import type { LoginSecrets } from './openid-login.js';

/**
 * What a browser keeps while its person confirms one decision: a random secret, and the login once it is
 * checked. It is signed, and nothing of it is stored elsewhere, so any process of this installation goes on
 * with it.
 */
const Session = z.object({
  id: z.string(),
  secret: z.string(),
  login: z
    .object({ issuer: z.string(), subject: z.string(), at: z.string(), until: z.string() })
    .exactOptional(),
});
export type Session = z.output<typeof Session>;

const Sealed = z.object({ session: z.string(), seal: Seal });

/** Of all cookies of a request. */
const maxCookies = 16_000;

export interface LoginSessions {
  begin(id: string): Session;
  /** The session of the decision with this id. */
  of(request: IncomingMessage, id: string): Session | undefined;
  /** The value of `Set-Cookie`. With 0 seconds the browser removes the cookie. */
  cookie(session: Session, maxAgeSeconds: number): string;
  secrets(session: Session): LoginSecrets;
  /** What the form of the page has to send back. */
  formToken(session: Session): string;
}

/** @param isSecure whether browsers reach the app by TLS; only a loopback address is without */
export function createLoginSessions(signer: ApprovalSigner, isSecure: boolean): LoginSessions {
  const nameOf = (id: string) => `${isSecure ? '__Host-' : ''}rollout-doctor-${id}`;
  const derived = (purpose: string, { id, secret }: Session) =>
    signer.sign(textOf('login-derived', [purpose, id, secret])).mac;
  return {
    begin: (id) => ({ id, secret: randomBytes(32).toString('base64url') }),
    of({ headers: { cookie = '' } }, id) {
      if (cookie.length > maxCookies) return undefined;
      const start = `${nameOf(id)}=`;
      const found = cookie
        .split(';')
        .map((each) => each.trim())
        .find((each) => each.startsWith(start));
      const sealed = Sealed.safeParse(jsonOf(found?.slice(start.length))).data;
      if (sealed === undefined) return undefined;
      if (signer.check(textOf('login-session', [sealed.session]), sealed.seal) !== 'valid') return undefined;
      const session = Session.safeParse(JSON.parse(sealed.session)).data;
      return session?.id === id ? session : undefined;
    },
    cookie(session, maxAgeSeconds) {
      const text = JSON.stringify(session);
      const sealed = { session: text, seal: signer.sign(textOf('login-session', [text])) };
      const value = maxAgeSeconds === 0 ? '' : Buffer.from(JSON.stringify(sealed)).toString('base64url');
      // Lax: the issuer sends the browser back from its own site.
      const marks = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
      return `${nameOf(session.id)}=${value}; ${marks}`;
    },
    secrets: (session) => ({
      state: `${session.id}.${derived('state', session)}`,
      nonce: derived('nonce', session),
      verifier: derived('verifier', session),
    }),
    formToken: (session) => derived('form', session),
  };
}

function textOf(purpose: Extract<SealPurpose, `login-${string}`>, parts: readonly string[]): string {
  return sealedText(purpose, JSON.stringify(parts));
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
