import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../demo/redis/private-redis.js';
import { eventually } from './eventually.js';

export interface ClusterNode {
  readonly port: number;
  /** A connection of the test, which follows no redirection. */
  readonly admin: Redis;
  /** Kills it without warning. */
  kill(): Promise<void>;
  /** Starts it again with what it had written. */
  start(): Promise<void>;
}

export interface ClusterRedis {
  /** Of REDIS_CLUSTER_NODES: the first node alone. */
  readonly address: string;
  readonly nodes: readonly ClusterNode[];
  stop(): Promise<void>;
}

const slots = 16_384;

/** A Redis Cluster of three nodes without replicas, with the slots in equal parts. */
export async function startClusterRedis(): Promise<ClusterRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-cluster-'));
  const nodes = [await createNode(folder), await createNode(folder), await createNode(folder)];
  for (const [number, { admin }] of nodes.entries()) {
    const [from, to] = [number, number + 1].map((part) => Math.floor((slots * part) / nodes.length));
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String((to ?? 0) - 1));
    for (const { port, busPort } of nodes) {
      await admin.call('CLUSTER', 'MEET', '127.0.0.1', String(port), String(busPort));
    }
  }
  for (const { admin } of nodes) {
    await eventually('the nodes know each other', async () => {
      const info = String(await admin.call('CLUSTER', 'INFO'));
      return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3');
    });
  }
  return {
    address: `127.0.0.1:${nodes[0]?.port}`,
    nodes,
    async stop() {
      for (const node of nodes) {
        node.admin.disconnect();
        await node.kill();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function createNode(folder: string): Promise<ClusterNode & { readonly busPort: number }> {
  const [port, busPort] = [await freePort(), await freePort()];
  const dir = join(folder, String(port));
  mkdirSync(dir);
  const admin = new Redis(port, '127.0.0.1', { lazyConnect: true, maxRetriesPerRequest: null });
  admin.on('error', () => undefined);
  let running: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const listens = ['--port', String(port), '--cluster-port', String(busPort), '--bind', '127.0.0.1'];
    const keeps = ['--dir', dir, '--save', '', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'];
    running = spawn('redis-server', [...listens, ...keeps, '--cluster-enabled', 'yes'], { stdio: 'ignore' });
    await admin.ping();
  };
  await start();
  return {
    port,
    busPort,
    admin,
    start,
    async kill() {
      const child = running;
      running = undefined;
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
