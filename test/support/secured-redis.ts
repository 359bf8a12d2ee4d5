import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

export interface SecuredRedis {
  /** `rediss://` with the name of the user and no password. */
  readonly url: string;
  readonly caFile: string;
  readonly passwordFile: string;
  /** May do everything. */
  readonly admin: Redis;
  stop(): Promise<void>;
}

const password = 'a password of the test: 0123456789';

/** A `redis-server` that takes TLS only, with a user `doctor` who may do what `rules` grants. */
export async function startSecuredRedis(rules: readonly string[]): Promise<SecuredRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-tls-'));
  const file = (name: string): string => join(folder, name);
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', '/CN=redis', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  execFileSync('openssl', [...request, ...subject, '-keyout', file('key.pem'), '-out', file('ca.pem')], {
    stdio: 'ignore',
  });
  writeFileSync(file('password'), `${password}\n`, { mode: 0o600 });
  const port = await freePort();
  const tls = ['--tls-port', String(port), '--port', '0', '--tls-auth-clients', 'no'];
  const files = [
    '--tls-cert-file',
    file('ca.pem'),
    '--tls-key-file',
    file('key.pem'),
    '--tls-ca-cert-file',
    file('ca.pem'),
  ];
  const policy = ['--maxmemory-policy', 'noeviction', '--appendonly', 'yes', '--save', ''];
  const server = spawn(
    'redis-server',
    [...tls, ...files, ...policy, '--bind', '127.0.0.1', '--dir', folder],
    {
      stdio: 'ignore',
    },
  );
  const admin = new Redis(`rediss://127.0.0.1:${port}`, {
    tls: { ca: readFileSync(file('ca.pem')) },
    maxRetriesPerRequest: null,
  });
  admin.on('error', () => undefined);
  await admin.ping();
  await admin.call('ACL', 'SETUSER', 'doctor', 'reset', 'on', `>${password}`, ...rules);
  return {
    url: `rediss://doctor@127.0.0.1:${port}`,
    caFile: file('ca.pem'),
    passwordFile: file('password'),
    admin,
    async stop() {
      admin.disconnect();
      const ended = once(server, 'exit');
      server.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
