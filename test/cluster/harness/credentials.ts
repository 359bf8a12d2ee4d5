import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

export interface Credentials {
  readonly adminToken: string;
  readonly tokenFile: string;
  readonly signingKeyFile: string;
}

/**
 * The administrator's bearer token and the key that signs ServiceAccount tokens, written where only we read.
 */
export function writeCredentials(folder: string): Credentials {
  const adminToken = randomBytes(24).toString('hex');
  const tokenFile = join(folder, 'tokens.csv');
  writeFileSync(tokenFile, `${adminToken},admin,admin,"system:masters"\n`, { mode: 0o600 });
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const signingKeyFile = join(folder, 'service-account.key');
  writeFileSync(signingKeyFile, privateKey, { mode: 0o600 });
  return { adminToken, tokenFile, signingKeyFile };
}

export interface KubeconfigOptions {
  readonly file: string;
  readonly server: string;
  readonly certificateAuthority: string;
  readonly token: string;
  /** Name of the cluster and of the context. */
  readonly cluster: string;
  readonly user: string;
}

/** Writes a kubeconfig with one context and returns its path. */
export function writeKubeconfig(options: KubeconfigOptions): string {
  const { file, server, certificateAuthority, token, cluster, user } = options;
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: cluster, cluster: { server, 'certificate-authority': certificateAuthority } }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: cluster, context: { cluster, user } }],
    'current-context': cluster,
  };
  writeFileSync(file, stringify(config), { mode: 0o600 });
  return file;
}
