import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../demo/free-ports.js';
import { redisServer } from '../../demo/redis/private-redis.js';
import { eventually } from './eventually.js';
import { makeCertificate, type RedisCertificate } from './redis-certificate.js';
import { openRedisLink, type RedisLink } from './redis-link.js';

export interface ClusterNode {
  /** At which clients reach it. */
  readonly port: number;
  /** The network between clients and this node, where `links` are asked for. */
  readonly link: RedisLink | undefined;
  /** A connection of the test, which follows no redirection. */
  readonly admin: Redis;
  signal(signal: NodeJS.Signals): void;
  /** Kills it without warning. */
  kill(): Promise<void>;
  /** Starts it again with what it had written. */
  start(): Promise<void>;
}

export interface ClusterRedis {
  /** Of the first node. */
  readonly address: string;
  /** Of REDIS_CA_FILE, with TLS. */
  readonly caFile: string | undefined;
  /** The primaries first, then their replicas in the same order. */
  readonly nodes: readonly ClusterNode[];
  /** The primary that serves this key, as these nodes know it. */
  primaryOf(key: string, asked?: readonly ClusterNode[]): Promise<ClusterNode>;
  stop(): Promise<void>;
}

const slots = 16_384;
const primaries = 3;
const password = 'password-of-the-test';

/** The rules that docs/redis.md gives to a user of a Redis Cluster, with its patterns of keys. */
function documentedRules(): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs/redis.md'), 'utf8');
  const found = /ACL SETUSER rollout-doctor reset on >PASSWORD (~\{(?:[^\n]*\\\n)*[^\n]*)/.exec(text)?.[1];
  const rules = found?.replaceAll('\\\n', ' ').trim().split(/\s+/) ?? [];
  if (rules.length <= 10) throw new Error('docs/redis.md has no user of a Redis Cluster');
  return rules;
}

/** Adds the documented user. A node keeps its users in memory: one that starts again has lost it. */
export async function addUser({ admin }: ClusterNode): Promise<void> {
  await admin.call('ACL', 'SETUSER', 'rollout-doctor', 'reset', 'on', `>${password}`, ...documentedRules());
}

/** Environment of app and workers. Nothing listens at the address of REDIS_URL: the nodes name each other. */
export function clusterEnv({ address, caFile }: ClusterRedis): Readonly<Record<string, string>> {
  return {
    REDIS_URL: `${caFile === undefined ? 'redis' : 'rediss'}://rollout-doctor:${password}@127.0.0.1:1`,
    REDIS_CLUSTER_NODES: `127.0.0.1:1,${address}`,
    REDIS_PREFIX: '{rollout-doctor}',
    ...(caFile === undefined ? {} : { REDIS_CA_FILE: caFile }),
  };
}

/**
 * A Redis Cluster of three primaries with the slots in equal parts, by default without replicas. With them it
 * promotes one some seconds after its primary is gone; with a shorter timeout it would do so whenever the
 * machine is busy.
 */
export async function startClusterRedis(
  options: { readonly replicas?: boolean; readonly tls?: boolean; readonly links?: boolean } = {},
): Promise<ClusterRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-cluster-'));
  const certificate = options.tls === true ? makeCertificate(folder) : undefined;
  const nodes: StartedNode[] = [];
  const stop = async (): Promise<void> => {
    for (const node of nodes) {
      node.admin.disconnect();
      await node.kill();
      await node.link?.close();
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const count = options.replicas === true ? 2 * primaries : primaries;
    while (nodes.length < count) nodes.push(await createNode(folder, certificate, options.links));
    await formCluster(nodes);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    address: `127.0.0.1:${nodes[0]?.port}`,
    caFile: certificate?.file,
    nodes,
    async primaryOf(key, asked = nodes) {
      for (const { admin } of asked) {
        const slot = Number(await admin.call('CLUSTER', 'KEYSLOT', key));
        const ranges = (await admin.call('CLUSTER', 'SLOTS')) as readonly [
          number,
          number,
          [string, number],
        ][];
        const [, , at] = ranges.find(([from, to]) => from <= slot && slot <= to) ?? [];
        const found = nodes.find(({ port }) => port === at?.[1]);
        if (found !== undefined) return found;
      }
      throw new Error(`no node serves ${key}`);
    },
    stop,
  };
}

interface StartedNode extends ClusterNode {
  readonly ownPort: number;
  readonly busPort: number;
}

async function formCluster(nodes: readonly StartedNode[]): Promise<void> {
  for (const [number, { admin }] of nodes.entries()) {
    // As `redis-cli --cluster create` does: nodes with equal epochs would settle them among each other later.
    await admin.call('CLUSTER', 'SET-CONFIG-EPOCH', String(number + 1));
  }
  for (const [number, { admin }] of nodes.entries()) {
    if (number < primaries) {
      const [from, to] = [number, number + 1].map((part) => Math.floor((slots * part) / primaries));
      await admin.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String((to ?? 0) - 1));
    }
    for (const { ownPort, busPort } of nodes) {
      await admin.call('CLUSTER', 'MEET', '127.0.0.1', String(ownPort), String(busPort));
    }
  }
  const answers = async ({ admin }: ClusterNode, command: string): Promise<string> =>
    String(await admin.call('CLUSTER', command));
  for (const node of nodes) {
    await eventually('the nodes know each other', async () =>
      (await answers(node, 'INFO')).includes(`cluster_known_nodes:${nodes.length}`),
    );
  }
  for (const [number, node] of nodes.entries()) {
    if (number < primaries) continue;
    const primary = nodes[number % primaries];
    if (primary === undefined) throw new Error('no primary');
    await node.admin.call('CLUSTER', 'REPLICATE', await answers(primary, 'MYID'));
    await eventually('the replica has received everything', async () =>
      (await node.admin.info('replication')).includes('master_link_status:up'),
    );
  }
  for (const node of nodes) {
    await eventually('the Redis Cluster serves all slots', async () => {
      const [info, list] = [await answers(node, 'INFO'), await answers(node, 'NODES')];
      const replicas = list.split('\n').filter((line) => / (myself,)?slave /.test(line)).length;
      return info.includes('cluster_state:ok') && replicas === nodes.length - primaries;
    });
  }
}

async function createNode(
  folder: string,
  certificate: RedisCertificate | undefined,
  isLinked = false,
): Promise<StartedNode> {
  const [ownPort, busPort] = [await freePort(), await freePort()];
  const link = isLinked ? await openRedisLink(`redis://127.0.0.1:${ownPort}`) : undefined;
  const port = link === undefined ? ownPort : Number(new URL(link.url).port);
  const dir = join(folder, String(ownPort));
  mkdirSync(dir);
  const admin = new Redis(ownPort, '127.0.0.1', {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    ...(certificate === undefined ? {} : { tls: { ca: certificate.ca } }),
  });
  admin.on('error', () => undefined);
  const secured = ['--tls-cluster', 'yes', '--tls-replication', 'yes', '--tls-auth-clients', 'no'];
  const listens =
    certificate === undefined
      ? ['--port', String(ownPort)]
      : ['--tls-port', String(ownPort), '--port', '0', ...secured, ...certificate.flags];
  const keeps = ['--dir', dir, '--save', '', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'];
  const announced = link === undefined ? [] : ['--cluster-announce-port', String(port)];
  const joins = ['--cluster-enabled', 'yes', '--cluster-port', String(busPort), ...announced];
  const copies = ['--cluster-node-timeout', '5000', '--repl-diskless-sync-delay', '0'];
  let running: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const flags = [...listens, '--bind', '127.0.0.1', ...keeps, ...joins, ...copies];
    running = spawn(redisServer, flags, { stdio: 'ignore' });
    await admin.ping();
  };
  await start();
  return {
    port,
    link,
    ownPort,
    busPort,
    admin,
    start,
    signal: (signal) => void running?.kill(signal),
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
