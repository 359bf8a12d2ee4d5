import type { Config } from './config.js';
import { readClientSecret } from './load-login.js';
import { type Inspected, inspected } from './usecases/inspect/inspection.js';

/** Whether the login that the settings name, or the policy demands, can be used. */
export async function inspectLoginSettings({
  login,
  policy,
}: Pick<Config, 'login' | 'policy'>): Promise<readonly Inspected[]> {
  if (login === undefined) {
    const isDemanded = policy.demands.some((demand) => demand.login);
    return isDemanded ? [inspected('configuration', 'missing', 'login-unset', {})] : [];
  }
  const [{ inspectLogin }, { redirectUriOf }] = await Promise.all([
    import('./adapters/login/inspect-login.js'),
    import('./adapters/login/login-server.js'),
  ]);
  const { baseUrl, clientSecretFile, ...others } = login;
  const redirectUri = redirectUriOf(baseUrl);
  return [
    await inspectLogin({ ...others, redirectUri, clientSecret: () => readClientSecret(clientSecretFile) }),
  ];
}
