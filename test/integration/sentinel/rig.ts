import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { createCandidateWatcher } from '#src/edges/kubernetes/sentinel/candidate-watcher.js';
import { connectProducer } from '#src/edges/redis/connection.js';
import { createRedisSentinelStore } from '#src/edges/redis/redis-sentinel-store.js';
import type { SentinelJob } from '#src/service/jobs/jobs.js';
import { jobIdOf } from '#src/service/jobs/jobs.js';
import type { JobQueue } from '#src/service/records/process-ports.js';
import { createKeepSentinel, type SentinelNews } from '#src/service/sentinel/keep-sentinel.js';
import type { AccessRule } from '../../../demo/cluster/api/access.js';
import { createLocalCluster } from '../../../demo/cluster/local-cluster.js';
import { readyNode } from '../../../demo/cluster/seed/nodes.js';
import { deploymentOf, rollOut } from '../../support/sentinel-rollouts.js';

/** One process that competes for the lease, with its own connection to Redis. */
export interface Keeper {
  readonly news: readonly SentinelNews[];
  /** Every job that this process queued, repetitions included. */
  readonly queued: readonly SentinelJob[];
  leads(): boolean;
  /** Disconnects it from Redis, as a broken network does. */
  cutOff(): void;
  /** Stops it gracefully. */
  stop(): Promise<void>;
}

export interface SentinelRigOptions {
  /** The rules of the account that watches. */
  readonly rules?: readonly AccessRule[];
  readonly namespaces?: readonly string[];
}

/**
 * A local cluster with one node of one core, whose clock only a test advances, and keepers on a real Redis.
 */
export async function startSentinelRig(redisUrl: string, options: SentinelRigOptions = {}) {
  const { rules = [], namespaces = [''] } = options;
  const cluster = await createLocalCluster({
    name: 'prod',
    namespaces: ['shop', 'team'],
    startAt: Date.parse('2026-11-20T09:00:00Z'),
    users: [{ name: 'watcher', token: 'watcher', rules }],
    kubelet: { usual: { startMs: 500, readyMs: 500, terminationMs: 500 } },
  });
  cluster.load([
    readyNode({ name: 'n-a', number: 1, cpu: '1', memory: '8Gi' }, cluster.clock.now() - 86_400_000),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-sentinel-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.kubeconfig(options.rules === undefined ? undefined : 'watcher'));
  const connections = connectClusters({ kubeconfig, contexts: [] });
  const clock = { now: () => new Date(cluster.clock.now()) };
  const prefix = `test-${randomUUID()}`;
  const keepers: Keeper[] = [];
  /** The queued jobs by id, as in BullMQ. */
  const jobs = new Map<string, SentinelJob>();
  const state = { isQueueAway: false };

  return {
    cluster,
    jobs,
    state,
    advance(seconds: number): void {
      cluster.advanceTo(cluster.clock.now() + seconds * 1_000);
    },
    /** Creates a Deployment of one pod and waits until it can be ready. */
    deploy(name: string, cpu: string, namespace = 'shop'): void {
      cluster.create([deploymentOf({ namespace, name, cpu })]);
      this.advance(10);
    },
    quota(name: string, cpu: string): void {
      cluster.create([
        {
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { name, namespace: 'shop' },
          spec: { hard: { 'requests.cpu': cpu } },
        },
      ]);
      this.advance(10);
    },
    async update(name: string, cpu: string, namespace = 'shop'): Promise<void> {
      await rollOut(cluster, { namespace, name, cpu });
      this.advance(10);
    },
    async keeper(): Promise<Keeper> {
      const redis = connectProducer({ url: redisUrl, prefix: 'unused' }, () => undefined);
      await redis.ping().catch(() => new Promise((resolve) => redis.once('ready', resolve)));
      const news: SentinelNews[] = [];
      const queued: SentinelJob[] = [];
      let leads = false;
      const queue: JobQueue = {
        async enqueue(name, job) {
          if (state.isQueueAway || redis.status !== 'ready') throw new Error('the queue is away');
          const id = jobIdOf(name, job);
          queued.push(job as SentinelJob);
          if (!jobs.has(id)) jobs.set(id, job as SentinelJob);
        },
      };
      const keep = createKeepSentinel(
        {
          watcher: createCandidateWatcher({ connections, pageTimeoutMs: 20_000, firstWaitMs: 20 }),
          sentinel: createRedisSentinelStore({ redis, prefix, leaseMs: 1_500, ttlMs: 3_600_000 }),
          jobs: queue,
          clock,
          digest: (text) => createHash('sha256').update(text).digest('hex'),
          elapsed: () => performance.now(),
          meters: {
            candidate: () => undefined,
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
          limits: { known: 100, waiting: 100 },
          afterSeconds: 30,
          leaseMs: 1_500,
          queueEveryMs: 50,
        },
      );
      const stopping = new AbortController();
      const done = keep('prod', stopping.signal);
      const keeper: Keeper = {
        news,
        queued,
        leads: () => leads,
        cutOff: () => redis.disconnect(),
        async stop() {
          stopping.abort();
          await done;
          redis.disconnect();
        },
      };
      keepers.push(keeper);
      return keeper;
    },
    async stop(): Promise<void> {
      for (const keeper of keepers) await keeper.stop();
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type SentinelRig = Awaited<ReturnType<typeof startSentinelRig>>;
