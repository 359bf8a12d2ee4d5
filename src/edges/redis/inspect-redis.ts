import type { Redis } from 'ioredis';
import type { Policy } from '../../doctor/policy/policy.js';
import type { ClusterFault } from '../../service/clusters/cluster-roll.js';
import { clusterRoles, faultsOfCluster, policyDigest } from '../../service/clusters/cluster-roll.js';
import { type Inspected, inspected } from '../../service/inspect/inspection.js';
import { settingProblem } from '../../service/inspect/setting-problem.js';
import { createRedisClock, openRedis, type RedisSettings } from './connection.js';
import { checkDecisionChain } from './redis-audit-log.js';
import { readClusterRoll } from './redis-clusters.js';

/** What BullMQ recommends at least (`redis-connection.ts: recommendedMinimumVersion`); below it, it warns. */
const leastVersion = '6.2.0';
const timeoutMs = 3_000;

export interface InspectRedisOptions extends RedisSettings {
  /** SHA-256 as lower-case hex. */
  readonly digest: (text: string) => string;
  /**
   * That of this process, with which those of the workers are compared; absent where it could not be read.
   */
  readonly policy: Policy | undefined;
}

/**
 * What the installation needs of Redis: it answers, is the primary, evicts nothing, survives a crash, has
 * about the time of this machine, and still holds the recorded decisions as they were written. Asks no
 * `CONFIG`, which hosted servers refuse.
 */
export async function inspectRedis({
  prefix,
  digest,
  policy,
  ...connection
}: InspectRedisOptions): Promise<readonly Inspected[]> {
  const redis = openRedis(connection, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    retryStrategy: () => null,
  });
  let said: Error | undefined;
  redis.on('error', (error: Error) => {
    said ??= error;
  });
  let isConnected = false;
  redis.on('connect', () => {
    isConnected = true;
  });
  const saidOfSentinels: string[] = [];
  redis.on('sentinelError', ({ message }: Error) => saidOfSentinels.push(message));
  try {
    await redis.connect();
    const isCluster = connection.clusterNodes !== undefined;
    // A Redis Cluster gives commands without a key to any node; a script runs on the node that holds its key.
    const info = isCluster ? String(await redis.eval(infoScript, 1, `${prefix}:info`)) : await redis.info();
    const fields = fieldsOf(info);
    // Valkey has a name of its own for it.
    const mode = fields.get('redis_mode') ?? fields.get('server_mode');
    if (mode === 'sentinel' || (mode === 'cluster' && !isCluster)) return [otherMode(`redis-is-${mode}`)];
    const clock = inspectedClock(await createRedisClock(redis, prefix).now());
    const decisions = await inspectDecisions(redis, prefix, digest);
    const own = policy && policyDigest(policy, digest);
    const clusters = await inspectClusterRoll({ redis, prefix }, own);
    return [...inspectedInfo(fields), ...clock, decisions, ...clusters];
  } catch (error) {
    const message = messageOf(said ?? (error instanceof Error ? error : new Error(String(error))));
    const { clusterNodes, sentinel } = connection;
    if (sentinel !== undefined && !isConnected) return [unnamed(message, sentinel.name, saidOfSentinels)];
    return [unanswered(message, clusterNodes === undefined ? setting : 'REDIS_CLUSTER_NODES', setting)];
  } finally {
    redis.disconnect();
  }
}

/** Whether the workers of each cluster report, where clusters have workers of their own. */
async function inspectClusterRoll(
  place: Parameters<typeof readClusterRoll>[0],
  policy: string | undefined,
): Promise<readonly Inspected[]> {
  const roll = await readClusterRoll(place);
  return roll.clusters.flatMap((cluster) => {
    const silent = clusterRoles.filter((role) => !roll.isServed(cluster, role));
    const faults = faultsOfCluster(roll, cluster, policy);
    return [
      ...(silent.length === 0 && faults.length === 0
        ? [inspected('kubernetes', 'works', 'cluster-workers-report', { cluster })]
        : []),
      ...silent.map((role) => inspected('kubernetes', 'missing', 'cluster-worker-silent', { cluster, role })),
      ...faults.map((fault) => inspected('kubernetes', 'missing', faultStatements[fault], { cluster })),
    ];
  });
}

const faultStatements = {
  'name-shared': 'cluster-name-shared',
  unreachable: 'cluster-api-away',
  'policy-differs': 'cluster-policy-differs',
} as const satisfies Readonly<Record<ClusterFault, string>>;

/** A Cluster of which no node answers states what the last one did beside its own message. */
function messageOf(error: Error): string {
  const { lastNodeError } = error as { readonly lastNodeError?: unknown };
  return lastNodeError instanceof Error ? lastNodeError.message : error.message;
}

const setting = 'REDIS_URL';
const infoScript = `return redis.call('INFO')`;

/** How a Redis Sentinel answers, in words of ioredis, that monitors nothing under the name. */
const nameUnknown = /No such master with that name|invalid reply: null$/;

/** @param ofSentinels what happened with each Redis Sentinel that named no primary */
function unnamed(message: string, name: string, ofSentinels: readonly string[]): Inspected {
  if (ofSentinels.length > 0 && ofSentinels.every((each) => nameUnknown.test(each))) {
    const problem = settingProblem('REDIS_SENTINEL_NAME', 'redis-name-unknown', { name });
    return inspected('redis', 'missing', 'redis-name-unknown', { name }, problem);
  }
  return unanswered(message, 'REDIS_SENTINELS', 'REDIS_SENTINEL_PASSWORD_FILE');
}

function unanswered(error: string, address: string, login: string): Inspected {
  const message = error.slice(0, 200);
  if (!/WRONGPASS|NOAUTH|NOPERM/.test(message))
    return inspected('redis', 'unknown', 'redis-away', { message, setting: address });
  const problem = settingProblem(login, 'redis-refused', { problem: message });
  return inspected('redis', 'missing', 'redis-refused', { message, setting: login }, problem);
}

function otherMode(key: 'redis-is-sentinel' | 'redis-is-cluster'): Inspected {
  return inspected('redis', 'missing', key, {}, settingProblem(setting, key, {}));
}

async function inspectDecisions(
  redis: Redis,
  prefix: string,
  digest: InspectRedisOptions['digest'],
): Promise<Inspected> {
  const chain = await checkDecisionChain({ redis, prefix, digest });
  if (chain.type === 'broken') {
    const { seq, problem } = chain;
    return inspected('redis', 'missing', 'audit-broken', { seq, problem });
  }
  return inspected('redis', 'works', 'audit-intact', { first: chain.first, last: chain.last });
}

/** A machine whose clock is kept by NTP differs by far less; what a round trip adds is below it. */
const maxClockDifferenceMs = 5_000;

function inspectedClock(now: Date): readonly Inspected[] {
  const differenceMs = Math.abs(now.getTime() - Date.now());
  return differenceMs <= maxClockDifferenceMs
    ? []
    : [inspected('redis', 'note', 'redis-clock-differs', { seconds: Math.round(differenceMs / 1_000) })];
}

function inspectedInfo(info: ReadonlyMap<string, string>): readonly Inspected[] {
  const version = info.get('redis_version') ?? '';
  const policy = info.get('maxmemory_policy');
  const appends = info.get('aof_enabled');
  return [
    older(version, leastVersion)
      ? inspected('redis', 'note', 'redis-old', { version, least: leastVersion })
      : inspected('redis', 'works', 'redis-works', { version }),
    ...(info.get('role') === 'slave'
      ? [inspected('redis', 'missing', 'redis-replica', {}, settingProblem(setting, 'redis-replica', {}))]
      : []),
    policy === undefined
      ? inspected('redis', 'unknown', 'redis-silent', { what: 'maxmemory-policy' })
      : policy === 'noeviction'
        ? inspected('redis', 'works', 'redis-keeps-keys', {})
        : inspected(
            'redis',
            'missing',
            'redis-evicts',
            { found: policy },
            settingProblem(setting, 'redis-evicts', { found: policy }),
          ),
    appends === undefined
      ? inspected('redis', 'unknown', 'redis-silent', { what: 'appendonly' })
      : appends === '1'
        ? inspected('redis', 'works', 'redis-appends', {})
        : inspected('redis', 'missing', 'redis-forgets', {}),
  ];
}

function fieldsOf(info: string): ReadonlyMap<string, string> {
  return new Map(
    info.split(/\r?\n/).flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon <= 0 || line.startsWith('#') ? [] : [[line.slice(0, colon), line.slice(colon + 1)]];
    }),
  );
}

function older(version: string, least: string): boolean {
  const [a, b] = [version, least].map((text) => text.split('.').map(Number));
  for (const [position, wanted] of (b ?? []).entries()) {
    const has = a?.[position] ?? 0;
    if (Number.isNaN(has)) return false;
    if (has !== wanted) return has < wanted;
  }
  return false;
}
