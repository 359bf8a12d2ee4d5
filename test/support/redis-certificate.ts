import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface RedisCertificate {
  /** The certificate, which is its own authority, in PEM. */
  readonly file: string;
  readonly ca: string;
  /** Of `redis-server`. */
  readonly flags: readonly string[];
}

/** Makes a certificate for 127.0.0.1 in the folder. */
export function makeCertificate(folder: string): RedisCertificate {
  const file = join(folder, 'ca.pem');
  const key = join(folder, 'key.pem');
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', '/CN=redis', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', file], { stdio: 'ignore' });
  const flags = ['--tls-cert-file', file, '--tls-key-file', key, '--tls-ca-cert-file', file];
  return { file, ca: readFileSync(file, 'utf8'), flags };
}
