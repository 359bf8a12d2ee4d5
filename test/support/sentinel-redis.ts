import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../demo/free-ports.js';
import { redisServer } from '../../demo/redis/private-redis.js';
import { makeCertificate, type RedisCertificate } from './redis-certificate.js';

export interface RedisServer {
  readonly port: number;
  /** A connection of the test, which follows no failover. */
  readonly admin: Redis;
  signal(signal: NodeJS.Signals): void;
  /** Kills it without warning. */
  kill(): Promise<void>;
  /** Starts it again with what it had written. */
  start(): Promise<void>;
}

export interface SentinelRedis {
  /** Of REDIS_SENTINELS. */
  readonly addresses: string;
  readonly name: string;
  /** Of REDIS_CA_FILE, with TLS. */
  readonly caFile: string | undefined;
  readonly servers: readonly RedisServer[];
  readonly sentinels: readonly RedisServer[];
  /** The server that the Redis Sentinels name as the primary. */
  primary(): Promise<RedisServer>;
  /** Whether the server is a replica that has received all that its primary wrote. */
  isInStep(server: RedisServer): Promise<boolean>;
  stop(): Promise<void>;
}

const name = 'mymaster';
export const redisPassword = 'password of Redis: 0123456789';
export const sentinelPassword = 'password of Redis Sentinel: 0123456789';

/**
 * Two `redis-server`, a primary and its replica, and three Redis Sentinels that notice within a second that
 * one is gone.
 */
export async function startSentinelRedis(options: { readonly tls?: boolean } = {}): Promise<SentinelRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-sentinel-'));
  const certificate = options.tls === true ? makeCertificate(folder) : undefined;
  const started: (() => Promise<void>)[] = [];
  const start = async (
    password: string,
    lines: readonly string[],
    flags: readonly string[],
  ): Promise<RedisServer> => {
    const port = await freePort();
    const own = join(folder, String(port));
    const server = createServer({ folder: own, port, password, lines, flags, certificate });
    started.push(server.stop);
    await server.start();
    return server;
  };
  const data = [`masterauth "${redisPassword}"`, 'appendonly yes', 'save ""', 'maxmemory-policy noeviction'];
  const first = await start(redisPassword, [...data, 'repl-diskless-sync-delay 0'], []);
  const second = await start(redisPassword, [...data, `replicaof 127.0.0.1 ${first.port}`], []);
  const watch = [
    `sentinel monitor ${name} 127.0.0.1 ${first.port} 2`,
    `sentinel auth-pass ${name} "${redisPassword}"`,
    `sentinel down-after-milliseconds ${name} 1000`,
    `sentinel failover-timeout ${name} 3000`,
    `sentinel sentinel-pass "${sentinelPassword}"`,
  ];
  const sentinels: RedisServer[] = [];
  for (let count = 0; count < 3; count += 1) {
    sentinels.push(await start(sentinelPassword, watch, ['--sentinel']));
  }
  const servers = [first, second];
  return {
    addresses: sentinels.map(({ port }) => `127.0.0.1:${port}`).join(','),
    name,
    caFile: certificate?.file,
    servers,
    sentinels,
    async primary() {
      const asked = sentinels[0]?.admin.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name);
      const [, port] = (await asked) as readonly string[];
      const found = servers.find((server) => String(server.port) === port);
      if (found === undefined) throw new Error(`no server has the port ${port}`);
      return found;
    },
    async isInStep({ admin }) {
      const info = await admin.info('replication');
      const offset = (of: string) => new RegExp(`^${of}:(\\d+)`, 'm').exec(info)?.[1];
      if (!info.includes('master_link_status:up')) return false;
      const primary = servers.find((server) => server.admin !== admin);
      const ofPrimary = /^master_repl_offset:(\d+)/m.exec((await primary?.admin.info('replication')) ?? '');
      return Number(offset('slave_repl_offset')) >= Number(ofPrimary?.[1]);
    },
    async stop() {
      for (const stop of started.splice(0).reverse()) await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface ServerOptions {
  readonly folder: string;
  readonly port: number;
  readonly password: string;
  readonly lines: readonly string[];
  readonly flags: readonly string[];
  readonly certificate: RedisCertificate | undefined;
}

function createServer(options: ServerOptions): RedisServer & { readonly stop: () => Promise<void> } {
  const { folder, port, password, lines, flags, certificate } = options;
  const tls = [
    '--tls-port',
    String(port),
    '--port',
    '0',
    '--tls-replication',
    'yes',
    '--tls-auth-clients',
    'no',
  ];
  const secured = certificate === undefined ? [] : [...tls, ...certificate.flags];
  mkdirSync(folder);
  const file = join(folder, 'redis.conf');
  const own = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, `requirepass "${password}"`];
  writeFileSync(file, `${[...own, ...lines].join('\n')}\n`);
  const admin = new Redis({
    port,
    host: '127.0.0.1',
    password,
    lazyConnect: true,
    maxRetriesPerRequest: null,
    ...(certificate === undefined ? {} : { tls: { ca: certificate.ca } }),
  });
  admin.on('error', () => undefined);
  let running: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    const child = running;
    running = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    port,
    admin,
    signal: (signal) => void running?.kill(signal),
    kill,
    async start() {
      running = spawn(redisServer, [file, ...secured, ...flags], { stdio: 'ignore' });
      await admin.ping();
    },
    async stop() {
      admin.disconnect();
      await kill();
    },
  };
}
