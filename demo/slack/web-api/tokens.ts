import type { AppIdentity } from '../app-identity.js';
import type { Method } from './method.js';

/**
 * Whether a token looks like one that Slack gave out: numbers of a workspace and a user in it. The local
 * Slack never takes such a one, so that nobody points a real app at it by mistake.
 */
export function looksReal(token: string): boolean {
  return /^xox[a-z](\.xox[a-z])?-\d{6,}-/.test(token) || /^xapp-\d-A[A-Z0-9]{6,}-\d{6,}-/.test(token);
}

/** Why the token will not do for the method; `undefined` when it will. */
export function tokenProblem(
  app: AppIdentity,
  method: Method,
  token: string | undefined,
): string | undefined {
  if (token === undefined || token === '') return 'not_authed';
  if (token !== app.botToken && token !== app.appToken) return 'invalid_auth';
  const kind = token === app.botToken ? 'bot' : 'app';
  return kind === method.token ? undefined : 'not_allowed_token_type';
}
