import { type Inspected, inspected } from '../../usecases/inspect/inspection.js';
import { createOpenIdLogin, type OpenIdLoginOptions } from './openid-login.js';

/** Characters of the reason. */
const maxMessage = 200;

/** Asks the issuer for its metadata, as a login does. Nobody logs in, so the client secret is not tried. */
export async function inspectLogin(options: OpenIdLoginOptions): Promise<Inspected> {
  const { issuer } = options;
  const text = 'A'.repeat(43);
  try {
    await createOpenIdLogin(options).begin({ state: text, nonce: text, verifier: text });
    return inspected('configuration', 'works', 'login-works', { issuer });
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).slice(0, maxMessage);
    return inspected('configuration', 'unknown', 'login-away', { issuer, message });
  }
}
