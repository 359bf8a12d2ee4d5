import { type Inspected, inspected } from '../../service/inspect/inspection.js';
import { createOpenIdLogin, type OpenIdLoginOptions } from './openid-login.js';

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
