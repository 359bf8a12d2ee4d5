import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { createPodWatcher } from '#src/edges/kubernetes/crash-watch/pod-cache.js';
import { connectProducer } from '#src/edges/redis/connection.js';
import { createRedisCrashHistory } from '#src/edges/redis/redis-crash-history.js';
import type { CrashHistory } from '#src/engine/objects/pod-record.js';
import { createEngine } from '#src/service/create-engine.js';
import { withCrashHistory } from '#src/service/diagnose/with-crash-history.js';
import { createKeepCrashHistory, type HistoryNews } from '#src/service/history/keep-crash-history.js';
import type { AccessRule } from '../../../demo/cluster/api/access.js';
import type { ApiObject } from '../../../demo/cluster/api-object.js';
import { createLocalCluster } from '../../../demo/cluster/local-cluster.js';
import { readyNode } from '../../../demo/cluster/seed/nodes.js';
import { eventually } from '../../support/eventually.js';

export { eventually };

export const badNode = 'n-bad';
const keepDays = 7;
/** Longer than a busy machine lets a renewal wait: a lost lease is a gap in the history. */
const leaseMs = 15_000;
const nodes = [badNode, 'n-a', 'n-b', 'n-c'];
const dayMs = 86_400_000;

/** A process that keeps the history, with its own connection to Redis. */
export interface Keeper {
  readonly news: HistoryNews[];
  readonly redis: Redis;
  /** Records written so far. */
  readonly written: () => number;
  leads(): boolean;
  /** Stops it gracefully. */
  stop(): Promise<void>;
}

export interface RigOptions {
  /** The rules of the account that watches. */
  readonly rules?: readonly AccessRule[];
  readonly namespaces?: readonly string[];
  readonly limits?: { readonly maxPods: number; readonly maxOwners: number };
}

/**
 * A local cluster whose clock only a test advances, with a Deployment `shop/api` whose containers crash on
 * one node while that is broken; and keepers of the history on a real Redis.
 */
export async function startRig(redisUrl: string, options: RigOptions = {}) {
  const { rules = [], namespaces = [''], limits = { maxPods: 200, maxOwners: 500 } } = options;
  const state = { broken: true };
  const cluster = await createLocalCluster({
    name: 'prod',
    namespaces: ['shop'],
    startAt: Date.parse('2026-11-20T09:00:00Z'),
    users: [{ name: 'watcher', token: 'watcher', rules }],
    kubelet: {
      usual: { startMs: 500, readyMs: 500, terminationMs: 500 },
      behaviourOf: (_pod, node) =>
        node?.metadata.name === badNode && state.broken
          ? {
              readyMs: undefined,
              crash: { afterMs: 5_000, exitCode: 139, reason: 'Error', log: 'canary-in-a-log' },
            }
          : undefined,
    },
  });
  cluster.load(
    nodes.map((name, number) =>
      readyNode({ name, number: number + 1, cpu: '8', memory: '32Gi' }, cluster.clock.now() - 30 * dayMs),
    ),
  );
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-history-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.kubeconfig(options.rules === undefined ? undefined : 'watcher'), {
    mode: 0o600,
  });
  const connections = connectClusters({ kubeconfig, contexts: [] });
  const clock = { now: () => new Date(cluster.clock.now()) };
  const prefix = `test-${randomUUID()}`;
  const keepers: Keeper[] = [];
  const storeOn = (redis: Redis) =>
    createRedisCrashHistory({ redis, prefix, keepMs: keepDays * dayMs, leaseMs, ...limits });
  const redis = await connected(redisUrl);
  const store = storeOn(redis);
  const reader = withCrashHistory(
    createClusterReader({ connections, clock, timeoutMs: 20_000, findTimeoutMs: 20_000 }),
    store,
    clock,
  );
  const engine = createEngine();

  const pods = (): readonly ApiObject[] => cluster.list('v1', 'Pod', 'shop');
  const owners = (): readonly string[] =>
    cluster.list('apps/v1', 'ReplicaSet', 'shop').map(({ metadata }) => metadata.uid);

  return {
    cluster,
    clock,
    prefix,
    redis,
    store,
    state,
    pods,
    badPods: () =>
      pods().filter((pod) => nodeOf(pod) === badNode && pod.metadata.deletionTimestamp === undefined),
    advance(seconds: number): void {
      cluster.advanceTo(cluster.clock.now() + seconds * 1_000);
    },
    deploy(replicas: number, env: readonly object[] = []): void {
      const labels = { app: 'api' };
      const containers = [{ name: 'app', image: 'registry.example/api:1', env }];
      cluster.create([
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'api', namespace: 'shop' },
          spec: {
            replicas,
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: { containers } },
          },
        },
      ] as never);
      cluster.settle();
    },
    /** Deletes pods as kubectl does, and waits for their replacements. */
    async deletePods(names: readonly string[]): Promise<void> {
      for (const name of names) {
        const answer = await connections[0]?.call({
          method: 'DELETE',
          path: `/api/v1/namespaces/shop/pods/${name}`,
        });
        if (answer?.status !== 200) throw new Error(`not deleted: ${JSON.stringify(answer)}`);
      }
      this.advance(60);
    },
    async keeper(): Promise<Keeper> {
      const own = await connected(redisUrl);
      const news: HistoryNews[] = [];
      let leads = false;
      let written = 0;
      const keep = createKeepCrashHistory(
        {
          watcher: createPodWatcher({ connections, pageTimeoutMs: 20_000, firstWaitMs: 20 }),
          history: storeOn(own),
          clock,
          elapsed: () => performance.now(),
          meters: {
            written: (records) => {
              written += records;
            },
            dropped: () => undefined,
            state: (_, { leads: now }) => {
              leads = now;
            },
          },
          say: (one) => news.push(one),
          pause: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
        },
        {
          namespaces,
          limits: { pods: 1_000, waiting: 1_000 },
          keepSeconds: keepDays * 86_400,
          leaseMs,
          writeEveryMs: 50,
        },
      );
      const stopping = new AbortController();
      const done = keep('prod', stopping.signal);
      const keeper: Keeper = {
        news,
        redis: own,
        written: () => written,
        leads: () => leads,
        async stop() {
          stopping.abort();
          await done;
          own.disconnect();
        },
      };
      keepers.push(keeper);
      return keeper;
    },
    history: (): Promise<CrashHistory | undefined> =>
      store.read({ cluster: 'prod', namespace: 'shop', owners: owners() }, clock.now()),
    async diagnose() {
      const read = await reader.snapshot(
        { cluster: 'prod', kind: 'Deployment', namespace: 'shop', name: 'api' },
        engine.needs,
      );
      if (read.type !== 'snapshot') throw new Error(`no snapshot: ${JSON.stringify(read)}`);
      return engine.diagnose(read.snapshot);
    },
    async stop(): Promise<void> {
      for (const keeper of keepers) await keeper.stop();
      redis.disconnect();
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Rig = Awaited<ReturnType<typeof startRig>>;

async function connected(url: string): Promise<Redis> {
  const redis = connectProducer({ url, prefix: 'unused' }, () => undefined);
  await redis.ping().catch(() => new Promise((resolve) => redis.once('ready', resolve)));
  return redis;
}

export function nodeOf(pod: ApiObject): string {
  return (pod.spec as { readonly nodeName?: string } | undefined)?.nodeName ?? '';
}

interface Status {
  readonly containerStatuses?: readonly { readonly restartCount: number }[];
}

export function restartsOf(pod: ApiObject): number {
  return (pod as unknown as { readonly status?: Status }).status?.containerStatuses?.[0]?.restartCount ?? 0;
}
