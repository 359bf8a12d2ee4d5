import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import * as z from 'zod';
import { type LoginFacts, Seal } from '../../doctor/incidents/approval.js';
import { type SealPurpose, sealedText } from '../../doctor/incidents/approval-authority.js';
import { type Language, languageOfBrowser } from '../../engine/language/language.js';
import type { Prose } from '../../engine/language/prose.js';
import type { ApprovalSigner } from '../../service/approve/approval-ports.js';
import type { ConfirmLogin, LoginOutcome, Waiting } from '../../service/approve/confirm-login.js';
import { DoctorError } from '../../service/errors.js';
import type { Decided } from '../../service/people/conversation.js';
import type { Clock } from '../../service/records/process-ports.js';
import type { BoundedServer } from '../http/http-server.js';
import { type Answer, type Route, startHttpServer } from '../http/http-server.js';
import { createBodyBudget, readBody } from '../http/read-body.js';
import { type PageOptions, renderConfirmation, renderOutcome } from './login-page.js';
import { loginText } from './login-text.js';
import type { LoginSecrets, OpenIdLogin } from './openid-login.js';

interface LoginServerOptions extends Omit<PageOptions, 'language'> {
  /** 0 takes a free port. */
  readonly port: number;
  /** All interfaces when absent. */
  readonly host?: string;
  /** How browsers reach this server, without a slash at the end. */
  readonly baseUrl: string;
  readonly openId: OpenIdLogin;
  readonly confirmLogin: Pick<ConfirmLogin, 'read' | 'identify' | 'confirm'>;
  readonly signer: ApprovalSigner;
  readonly clock: Clock;
  readonly languageOf: (person: string) => Promise<Language>;
  /** Of pages for nobody in particular, where the browser names no language that we have. */
  readonly language: Language;
  readonly onOutcome: (outcome: LoginOutcome) => void;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

const maxConnections = 256;
const requestTimeoutMs = 15_000;
const maxFormBytes = 4_000;
const maxFormBytesInFlight = 400_000;
/** An approval counts for at most two hours. */
const cookieSeconds = 7_200;
/** A page that stays open longer asks for the login again. */
const confirmWithinMs = 300_000;
const idPattern = /^[0-9a-f]{8,64}$/u;

export function confirmUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/confirm/${id}`;
}

export function redirectUriOf(baseUrl: string): string {
  return `${baseUrl}/login/callback`;
}

/**
 * Serves the pages on which a person confirms an approval:
 *
 * - `GET /confirm/<id>` leads to the company's login, or shows the change to the person who has logged in
 * - `GET /login/callback` checks the login, and leads back
 * - `POST /confirm/<id>/approve` counts the decision
 *
 * No GET stores or decides anything, so that programs that open links in messages do nothing.
 *
 * @throws when the port is taken
 */
export function startLoginServer(options: LoginServerOptions): Promise<BoundedServer> {
  const { baseUrl, clock, confirmLogin, languageOf, log, onOutcome, openId } = options;
  const { pathname, origin, protocol } = new URL(baseUrl);
  const prefix = pathname === '/' ? '' : pathname;
  const sessions = createLoginSessions(options.signer, protocol === 'https:');
  const budget = createBodyBudget(maxFormBytesInFlight);

  const says = (status: number, in_: Language, what: Prose): Answer => ({
    status,
    contentType: 'text/html; charset=utf-8',
    body: renderOutcome(in_, what),
  });
  const languageIn = ({ headers }: IncomingMessage): Language =>
    languageOfBrowser(headers['accept-language']) ?? options.language;
  function plainly(
    status: number,
    request: IncomingMessage,
    key: 'failed-inside' | 'gone' | 'no-page' | 'not-sent-here' | 'try-again',
  ): Answer {
    const in_ = languageIn(request);
    return says(status, in_, loginText[in_][key]());
  }
  async function ended(outcome: Exclude<LoginOutcome, 'confirmed' | 'refused'>, by: string): Promise<Answer> {
    onOutcome(outcome);
    const in_ = await languageOf(by);
    return says(outcome === 'unavailable' ? 503 : 403, in_, loginText[in_][outcome]());
  }

  async function confirmPage(
    id: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Answer> {
    const waiting = await confirmLogin.read(id);
    if (waiting === undefined) return plainly(410, request, 'gone');
    const session = sessions.of(request, id);
    if (isFresh(session)) return confirmation(id, waiting, session, session.login);
    // Another tab of this browser may be at the login already, and both come back with one cookie.
    const begun = session !== undefined && session.login === undefined ? session : sessions.begin(id);
    try {
      const url = await openId.begin(sessions.secrets(begun));
      return redirect(response, url.href, sessions.cookie(begun, cookieSeconds));
    } catch (error) {
      log.error({ err: error }, 'the issuer of the login could not be reached');
      return ended('unavailable', waiting.by);
    }
  }

  async function confirmation(
    id: string,
    waiting: Waiting,
    session: Session,
    login: LoginFacts,
  ): Promise<Answer> {
    const { tell, diffOf } = options;
    const token = sessions.formToken(session);
    const form = { login, token, action: `${prefix}/confirm/${id}/approve` };
    const body = renderConfirmation(waiting, form, { language: await languageOf(waiting.by), tell, diffOf });
    return { status: 200, contentType: 'text/html; charset=utf-8', body };
  }

  function isFresh(session: Session | undefined): session is Session & { readonly login: LoginFacts } {
    const { login } = session ?? {};
    return login !== undefined && clock.now().getTime() < Date.parse(login.until);
  }

  async function callback(request: IncomingMessage, response: ServerResponse): Promise<Answer> {
    const [, query = ''] = (request.url ?? '').split('?', 2);
    const [id = ''] = (new URLSearchParams(query).get('state') ?? '').split('.');
    const session = idPattern.test(id) ? sessions.of(request, id) : undefined;
    const waiting = session && (await confirmLogin.read(id));
    if (session === undefined || waiting === undefined) return plainly(410, request, 'gone');
    // Another tab has logged in, or a browser repeats the request: its page decides nothing by itself.
    if (isFresh(session)) return redirect(response, confirmUrl(baseUrl, id));
    const end = await openId.finish(`?${query}`, sessions.secrets(session));
    if (end.type !== 'logged-in') {
      log.warn({ outcome: end.type, problem: end.problem, user: waiting.by }, 'a login was not accepted');
      return ended(end.type, waiting.by);
    }
    const { issuer, subject, at } = end.login;
    const identity = await confirmLogin.identify(waiting, end.login);
    if (identity !== 'same') {
      log.warn({ outcome: identity, subject, user: waiting.by }, 'a login was not accepted');
      return ended(identity, waiting.by);
    }
    const until = new Date(clock.now().getTime() + confirmWithinMs).toISOString();
    const next = { ...sessions.begin(id), login: { issuer, subject, at, until } };
    return redirect(response, confirmUrl(baseUrl, id), sessions.cookie(next, cookieSeconds));
  }

  async function approve(id: string, request: IncomingMessage, response: ServerResponse): Promise<Answer> {
    const session = sessions.of(request, id);
    if (session?.login === undefined) return plainly(410, request, 'gone');
    if (!isFresh(session)) {
      // Browsers with this `form-action` do not follow a redirect to the issuer here.
      const found = await confirmLogin.read(id);
      const in_ = found === undefined ? languageIn(request) : await languageOf(found.by);
      return says(409, in_, loginText[in_]['page-too-old']());
    }
    const form = await readForm(request, response);
    if (!isFromPage(request) || !isEqual(form?.get('token'), sessions.formToken(session))) {
      log.warn({ id }, 'a form of another page was refused');
      return plainly(403, request, 'not-sent-here');
    }
    const waiting = await confirmLogin.read(id);
    const in_ = waiting === undefined ? languageIn(request) : await languageOf(waiting.by);
    const decided = await confirmLogin.confirm(id, session.login);
    onOutcome(decided.type === 'refused' ? 'refused' : 'confirmed');
    // Many cookies of one incident would exceed what the server reads of a request.
    response.setHeader('set-cookie', sessions.cookie(session, 0));
    return says(decided.type === 'refused' ? 409 : 200, in_, outcome(decided, in_));
  }

  function outcome(decided: Decided, in_: Language): Prose {
    const text = loginText[in_];
    switch (decided.type) {
      case 'refused':
        return options.tell(decided.because, in_);
      case 'approved': {
        const { gitTarget, workload } = decided.approval;
        const says = gitTarget === undefined ? text.approved : text['approved-pull-request'];
        return says({ workload: `${workload.namespace}/${workload.name}` });
      }
      case 'awaiting':
        return text.awaiting(decided);
      default:
        return text.gone();
    }
  }

  async function readForm(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<URLSearchParams | undefined> {
    const body = await readBody(request, response, { maxBytes: maxFormBytes, budget });
    if (body.type !== 'read') return undefined;
    const form = new URLSearchParams(body.bytes.toString('utf8'));
    body.release();
    return form;
  }

  /** Browsers name the page that sends a form. */
  function isFromPage({ headers }: IncomingMessage): boolean {
    const site = headers['sec-fetch-site'] ?? 'same-origin';
    return site === 'same-origin' && (headers.origin ?? origin) === origin;
  }

  function routeOf(path: string): Route | undefined {
    if (!path.startsWith(`${prefix}/`)) return undefined;
    const [, first = '', id = '', last, ...more] = path.slice(prefix.length).split('/');
    if (more.length > 0) return undefined;
    if (first === 'login' && id === 'callback' && last === undefined) {
      return { method: 'GET', answer: secured(callback) };
    }
    if (first !== 'confirm' || !idPattern.test(id)) return undefined;
    if (last === undefined)
      return { method: 'GET', answer: secured((...with_) => confirmPage(id, ...with_)) };
    return last === 'approve'
      ? { method: 'POST', answer: secured((...with_) => approve(id, ...with_)) }
      : undefined;
  }

  return startHttpServer({
    port: options.port,
    host: options.host,
    maxConnections,
    requestTimeoutMs,
    routeOf,
    refuse(status, request, error) {
      if (status !== 500) return plainly(status, request, 'no-page');
      log.error({ err: error }, 'an approval could not be confirmed');
      const isDown = error instanceof DoctorError && error.retryable;
      return plainly(isDown ? 503 : 500, request, isDown ? 'try-again' : 'failed-inside');
    },
  });
}

/** No other page may show ours, nothing is kept, and no script runs. */
function secured(answer: Route['answer']): Route['answer'] {
  return (request, response) => {
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
    return answer(request, response);
  };
}

const pageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
} as const;

function isEqual(found: string | null | undefined, expected: string): boolean {
  const [one, other] = [Buffer.from(found ?? ''), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function redirect(response: ServerResponse, location: string, cookie?: string): Answer {
  response.setHeader('location', location);
  if (cookie !== undefined) response.setHeader('set-cookie', cookie);
  return { status: 303, body: '' };
}

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
type Session = z.output<typeof Session>;

const Sealed = z.object({ session: z.string(), seal: Seal });

/** Of all cookies of a request. */
const maxCookies = 16_000;

interface LoginSessions {
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
