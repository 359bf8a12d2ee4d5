import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../free-ports.js';

export interface PrivateRedis {
  readonly url: string;
  readonly pid: number | undefined;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
  /** Kills the server without warning; `start` brings it back on the same port with what it had written. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /**
   * Starts the killed server anew with nothing but a backup that `redis-cli --rdb` wrote, without an
   * append-only file.
   */
  restore(backup: string): Promise<void>;
}

/** The program of the server: `REDIS_SERVER` names another one, such as `valkey-server`. */
export const redisServer = process.env.REDIS_SERVER ?? 'redis-server';

/** Whether a server can be started here. A shared one must not be killed, filled or secured. */
export const hasRedisServer = (): boolean => spawnSync(redisServer, ['--version']).status === 0;

const readyWithinMs = 10_000;

/** Whether a Redis answers at the address. */
export async function answersPing(url: string): Promise<boolean> {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: readyWithinMs,
  });
  // Without a listener ioredis writes each error into the terminal.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
    return true;
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}

/**
 * A `redis-server` of our own on a free port of 127.0.0.1, with its data in a temporary folder, or the one
 * that REDIS_URL names, which is then left running.
 *
 * @throws when the program is missing or does not come up; the message holds its last lines
 */
export async function startPrivateRedis(
  options: { readonly url?: string | undefined; readonly appendOnly?: boolean } = {},
): Promise<PrivateRedis> {
  if (options.url !== undefined && options.url !== '') {
    const nothing = async (): Promise<void> => undefined;
    return {
      url: options.url,
      pid: undefined,
      stop: nothing,
      kill: nothing,
      start: nothing,
      restore: nothing,
    };
  }
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-redis-'));
  const port = await freePort();
  let running: ChildProcess | undefined;

  const start = async (appendOnly = options.appendOnly === true): Promise<void> => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    args.push('--appendonly', appendOnly ? 'yes' : 'no', '--appendfsync', 'always');
    args.push('--maxmemory-policy', 'noeviction', '--daemonize', 'no');
    const child = spawn(redisServer, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    running = child;
    await ready(child);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const child = running;
    running = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  try {
    await start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return running?.pid;
    },
    start: () => start(),
    async restore(backup) {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder);
      await copyFile(backup, join(folder, 'dump.rdb'));
      await start(false);
    },
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ready(child: ChildProcess): Promise<void> {
  const lines: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const failed = (why: string): void => {
      reject(new Error(`${redisServer} ${why}: ${lines.slice(-5).join(' | ')}`));
    };
    const timer = setTimeout(() => failed('did not come up in time'), readyWithinMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      failed(`could not be started (${error.message})`);
    });
    child.once('exit', (status) => {
      clearTimeout(timer);
      failed(`ended with status ${status}`);
    });
    child.stderr?.on('data', (chunk: Buffer) => lines.push(chunk.toString().trim()));
    child.stdout?.on('data', (chunk: Buffer) => {
      lines.push(chunk.toString().trim());
      if (!lines.at(-1)?.includes('Ready to accept connections')) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve();
    });
  });
}
