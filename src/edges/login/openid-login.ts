import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import type { LoggedIn, LoginOutcome } from '../../service/approve/confirm-login.js';
import { type Inspected, inspected } from '../../service/inspect/inspection.js';
import { readWithin } from '../http/growing-buffer.js';

/** What belongs to one browser that logs in; nothing of it is stored. */
export interface LoginSecrets {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
}

export interface OpenIdLoginOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Read again for each discovery, so that a replaced one counts. */
  readonly clientSecret: () => string;
  readonly redirectUri: string;
  /** `email`, or the claim that holds the person's id in the chat. */
  readonly personClaim: string;
  readonly maxAgeSeconds: number;
  /** Accepted values of `acr`; any when empty. */
  readonly acr: readonly string[];
  /** For each request to the issuer. */
  readonly timeoutSeconds?: number;
}

type LoginEnd =
  | { readonly type: 'logged-in'; readonly login: LoggedIn }
  | {
      readonly type: Exclude<LoginOutcome, 'confirmed' | 'refused' | 'other-person'>;
      /** For the log. */
      readonly problem: string;
    };

export interface OpenIdLogin {
  /** The address of the issuer's login page. @throws when the issuer cannot be reached */
  begin(secrets: LoginSecrets): Promise<URL>;
  /** @param query what the issuer added to the address of this app */
  finish(query: string, secrets: LoginSecrets): Promise<LoginEnd>;
}

const defaultTimeoutSeconds = 10;
/** Metadata and keys of an issuer, and the answers with tokens. */
const maxAnswerBytes = 1_000_000;
/** Between the issuer's clock and this one. */
const clockToleranceSeconds = 30;
/** After this, metadata and client secret are read again. */
const keptMs = 600_000;

/**
 * The OpenID Connect authorization code flow with PKCE, state and nonce, by `openid-client`, which is loaded
 * when somebody logs in. The signature of the ID token is checked, although the token comes from the issuer
 * by TLS.
 */
export function createOpenIdLogin(options: OpenIdLoginOptions): OpenIdLogin {
  const { redirectUri, personClaim, maxAgeSeconds, acr } = options;
  let kept: { readonly configuration: Promise<Configuration>; readonly until: number } | undefined;

  function configurationOf(): Promise<Configuration> {
    if (kept !== undefined && performance.now() < kept.until) return kept.configuration;
    const configuration = discover(options);
    kept = { configuration, until: performance.now() + keptMs };
    configuration.catch(() => {
      kept = undefined;
    });
    return configuration;
  }

  return {
    async begin({ state, nonce, verifier }) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
      return buildAuthorizationUrl(await configurationOf(), {
        redirect_uri: redirectUri,
        scope: personClaim === 'email' ? 'openid email' : 'openid profile',
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        max_age: String(maxAgeSeconds),
        ...(acr.length === 0 ? {} : { acr_values: acr.join(' ') }),
        state,
        nonce,
      });
    },

    async finish(query, { state, nonce, verifier }) {
      const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
      try {
        const configuration = await configurationOf();
        const tokens = await authorizationCodeGrant(configuration, new URL(`${redirectUri}${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          maxAge: maxAgeSeconds,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims?.auth_time === undefined)
          return { type: 'failed', problem: 'the ID token has no auth_time' };
        const { iss, sub, auth_time } = claims;
        if (auth_time > Date.now() / 1_000 + clockToleranceSeconds) {
          return { type: 'failed', problem: 'the login is in the future' };
        }
        if (sub.length > maxSubject) return { type: 'failed', problem: 'the subject is too long' };
        const found: unknown = claims.acr;
        if (acr.length > 0 && !(typeof found === 'string' && acr.includes(found))) {
          return { type: 'too-weak', problem: 'the acr of the login is not accepted' };
        }
        const person =
          personIn(claims, personClaim) ??
          (configuration.serverMetadata().userinfo_endpoint === undefined
            ? undefined
            : personIn(await fetchUserInfo(configuration, tokens.access_token, sub), personClaim));
        if (person === undefined) {
          return {
            type: 'no-person',
            problem: `the login states no ${personClaim} that the issuer verified`,
          };
        }
        const at = new Date(auth_time * 1_000).toISOString();
        return { type: 'logged-in', login: { issuer: iss, subject: sub, at, person } };
      } catch (error) {
        return endOf(error);
      }
    },
  };
}

async function discover({
  issuer,
  clientId,
  clientSecret,
  timeoutSeconds = defaultTimeoutSeconds,
}: OpenIdLoginOptions): Promise<Configuration> {
  const client = await import('openid-client');
  const secret = clientSecret();
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  /**
   * The way that the issuer states; without a statement, OpenID Connect Discovery says `client_secret_basic`.
   */
  const authentication: ClientAuth = (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
  // Only the loopback address passes the settings without TLS.
  const insecure = new URL(issuer).protocol === 'http:' ? [client.allowInsecureRequests] : [];
  return client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: clockToleranceSeconds },
    authentication,
    {
      execute: [client.enableNonRepudiationChecks, ...insecure],
      timeout: timeoutSeconds,
      [client.customFetch]: boundedFetch,
    },
  );
}

/** Reads an answer to its end within a limit. */
const boundedFetch: CustomFetch = async (url, options) => {
  const answer = await fetch(url, options as RequestInit);
  const bytes = await readWithin(answer, maxAnswerBytes);
  if (bytes === undefined) throw new TypeError('the issuer sent too long an answer');
  const { status, statusText, headers } = answer;
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? new Uint8Array(bytes) : null, { status, statusText, headers });
};

const maxClaim = 320;
/** Of OpenID Connect Core, section 2. The cookie of a longer one would not fit. */
const maxSubject = 255;

function personIn(
  claims: { readonly [claim: string]: unknown },
  personClaim: string,
): LoggedIn['person'] | undefined {
  const value = claims[personClaim];
  if (typeof value !== 'string' || value === '' || value.length > maxClaim) return undefined;
  if (personClaim !== 'email') return { type: 'chat-id', id: value };
  return claims.email_verified === true ? { type: 'email', email: value } : undefined;
}

/** Errors of RFC 6749, section 4.1.2.1, and of OpenID Connect Core, section 3.1.2.6. */
const declined: ReadonlySet<string> = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
]);
const unavailable: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

async function endOf(error: unknown): Promise<LoginEnd> {
  const { AuthorizationResponseError, ClientError } = await import('openid-client');
  const problem = error instanceof Error ? error.message : String(error);
  if (error instanceof AuthorizationResponseError) {
    if (declined.has(error.error)) return { type: 'declined', problem };
    return { type: unavailable.has(error.error) ? 'unavailable' : 'failed', problem };
  }
  // `fetch` reports a server that does not answer so.
  if (error instanceof TypeError) return { type: 'unavailable', problem };
  if (!(error instanceof ClientError)) return { type: 'failed', problem };
  if (error.code === 'OAUTH_TIMEOUT') return { type: 'unavailable', problem };
  if (error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && isServerError(error.cause)) {
    return { type: 'unavailable', problem };
  }
  return { type: isAboutAge(error.cause) ? 'too-old' : 'failed', problem };
}

function isServerError(cause: unknown): boolean {
  return cause instanceof Response && cause.status >= 500;
}

function isAboutAge(cause: unknown): boolean {
  const about = cause instanceof Error ? cause.cause : undefined;
  return typeof about === 'object' && about !== null && 'claim' in about && about.claim === 'auth_time';
}

/** Characters of the reason. */
const maxMessage = 200;

/**
 * Asks the issuer for its metadata, as a login does. Nobody logs in, so neither client nor secret are tried.
 */
export async function inspectLogin(
  options: Pick<OpenIdLoginOptions, 'issuer' | 'timeoutSeconds'>,
): Promise<Inspected> {
  const { issuer } = options;
  const text = 'A'.repeat(43);
  const login = createOpenIdLogin({
    ...options,
    clientId: text,
    clientSecret: () => text,
    redirectUri: issuer,
    personClaim: 'email',
    maxAgeSeconds: 0,
    acr: [],
  });
  try {
    await login.begin({ state: text, nonce: text, verifier: text });
    return inspected('configuration', 'works', 'login-works', { issuer });
  } catch (error) {
    const message = reasonOf(error).slice(0, maxMessage);
    return inspected('configuration', 'unknown', 'login-away', { issuer, message });
  }
}

/** `fetch` reports what kept it from the issuer as the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
