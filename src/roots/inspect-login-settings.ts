import { type Inspected, inspected } from '../service/inspect/inspection.js';
import type { Config } from '../settings/config.js';

/** Whether the issuer of the login answers; missing where the policy demands a login and no issuer is set. */
export async function inspectLoginSettings({
  issuer,
  policy,
}: {
  readonly issuer: string | undefined;
  /** Absent where it could not be read. */
  readonly policy: Config['policy'] | undefined;
}): Promise<readonly Inspected[]> {
  if (issuer === undefined) {
    const isDemanded = policy?.demands.some((demand) => demand.login) === true;
    return isDemanded ? [inspected('configuration', 'missing', 'login-unset', {})] : [];
  }
  // The client of OpenID Connect is loaded for this alone.
  const { inspectLogin } = await import('../edges/login/inspect-login.js');
  return [await inspectLogin({ issuer })];
}
