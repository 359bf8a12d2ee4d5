import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../demo/free-ports.js';
import { redisServer } from '../../demo/redis/private-redis.js';
import { makeCertificate } from './redis-certificate.js';

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
  const certificate = makeCertificate(folder);
  writeFileSync(file('password'), `${password}\n`, { mode: 0o600 });
  const port = await freePort();
  const tls = ['--tls-port', String(port), '--port', '0', '--tls-auth-clients', 'no'];
  const policy = ['--maxmemory-policy', 'noeviction', '--appendonly', 'yes', '--save', ''];
  const server = spawn(
    redisServer,
    [...tls, ...certificate.flags, ...policy, '--bind', '127.0.0.1', '--dir', folder],
    {
      stdio: 'ignore',
    },
  );
  const admin = new Redis(`rediss://127.0.0.1:${port}`, {
    tls: { ca: certificate.ca },
    maxRetriesPerRequest: null,
  });
  admin.on('error', () => undefined);
  await admin.ping();
  await admin.call('ACL', 'SETUSER', 'doctor', 'reset', 'on', `>${password}`, ...rules);
  return {
    url: `rediss://doctor@127.0.0.1:${port}`,
    caFile: certificate.file,
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
