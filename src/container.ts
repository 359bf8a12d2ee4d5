import { createHash, randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { type Logger, pino } from 'pino';
import { connectClusters } from './adapters/kubernetes/cluster-connection.js';
import { createClusterReader } from './adapters/kubernetes/cluster-reader.js';
import { createPodWatcher } from './adapters/kubernetes/crash-watch/pod-watcher.js';
import { createWorkloadLocator } from './adapters/kubernetes/locate-workloads.js';
import { createScopeReader } from './adapters/kubernetes/scope-reader.js';
import { createCandidateReader } from './adapters/kubernetes/sentinel/candidate-reader.js';
import { createCandidateWatcher } from './adapters/kubernetes/sentinel/candidate-watcher.js';
import { createWorkloadPatcher } from './adapters/kubernetes/workload-patcher.js';
import { countedApprovals } from './adapters/metrics/counted-approvals.js';
import { createMetrics, type Metrics } from './adapters/metrics/metrics.js';
import { createBullMqJobQueue } from './adapters/redis/bullmq-job-queue.js';
import { connectProducer } from './adapters/redis/connection.js';
import { createRedisAlertStore } from './adapters/redis/redis-alert-store.js';
import { createRedisApprovalStore } from './adapters/redis/redis-approval-store.js';
import { createRedisAuditLog } from './adapters/redis/redis-audit-log.js';
import { createRedisCrashHistory } from './adapters/redis/redis-crash-history.js';
import { createRedisDeliveryStore } from './adapters/redis/redis-delivery-store.js';
import { createRedisIncidentStore, joinMs } from './adapters/redis/redis-incident-store.js';
import { createRedisRootClaims } from './adapters/redis/redis-root-claims.js';
import { createRedisScanStore } from './adapters/redis/redis-scan-store.js';
import { createRedisSeenBefore } from './adapters/redis/redis-seen-before.js';
import { createRedisSentinelStore } from './adapters/redis/redis-sentinel-store.js';
import { createRedisSilenceStore } from './adapters/redis/redis-silence-store.js';
import type { Config } from './config.js';
import type { AlertStore, WorkloadLocator } from './usecases/alert-ports.js';
import type { CrashHistoryStore, PodWatcher } from './usecases/crash-history-ports.js';
import type { DeliveryStore } from './usecases/incident-thread.js';
import type { AuditReader, ScanStore, ScopeReader, SilenceStore } from './usecases/people-ports.js';
import type {
  ApprovalStore,
  AuditLog,
  Clock,
  ClusterReader,
  Digest,
  IncidentStore,
  JobQueue,
  NewId,
  RootClaims,
  WorkloadPatcher,
} from './usecases/ports.js';
import type { CandidateReader, CandidateWatcher, SentinelStore } from './usecases/sentinel-ports.js';
import { withCrashHistory } from './usecases/with-crash-history.js';

/** What both kinds of process are made of. Only the roots (`main`, `workers/main`, `cli`) call this. */
export interface Container {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly redis: Redis;
  readonly cluster: ClusterReader;
  readonly crashHistory: CrashHistoryStore;
  readonly podWatcher: PodWatcher;
  readonly candidateWatcher: CandidateWatcher;
  readonly candidates: CandidateReader;
  readonly sentinel: SentinelStore;
  readonly locator: WorkloadLocator;
  readonly patcher: WorkloadPatcher;
  readonly alerts: AlertStore;
  readonly incidents: IncidentStore;
  readonly roots: RootClaims;
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog & AuditReader;
  readonly silences: SilenceStore;
  readonly scans: ScanStore;
  readonly scopes: ScopeReader;
  readonly deliveries: DeliveryStore;
  readonly jobs: JobQueue;
  readonly seenBefore: (key: string) => Promise<boolean>;
  readonly newId: NewId;
  readonly digest: Digest;
  close(): Promise<void>;
}

const dayMs = 86_400_000;
const seenMs = 3_600_000;
const auditEntries = 100_000;
/** Slack takes about one message a second in a channel. */
const postEveryMs = 1_000;
/** Slack takes some fifty edits a minute (`chat.update` is of tier 3). */
const editEveryMs = 1_200;
/** A leader that died is followed by another when this, and a third of it, has passed. */
export const leaseMs = 15_000;
/** What Redis holds of the crash history at most: of one controller, and of one cluster. */
const historyLimits = { maxPods: 200, maxOwners: 5_000 } as const;
/** Somebody waits at the keyboard for the name to be found. */
const findTimeoutMs = 5_000;

/** @throws when the kubeconfig cannot be used */
export function createContainer(config: Config, name: 'app' | 'worker'): Container {
  const log = createLog(config, name);
  const clock: Clock = { now: () => new Date() };
  const onRedisError = reportOnce(log);
  const redis = connectProducer({ url: config.redisUrl, prefix: config.redisPrefix }, onRedisError);
  redis.on('ready', () => log.info('connected to Redis'));
  const prefix = config.redisPrefix;
  const ttlMs = config.keepDays * dayMs;
  const timeoutMs = config.readTimeoutSeconds * 1_000;
  const connections = connectClusters({ kubeconfig: config.kubeconfig, contexts: config.clusters });
  const metrics = createMetrics();
  const crashHistory = createRedisCrashHistory({
    redis,
    prefix,
    keepMs: config.crashHistoryDays * dayMs,
    leaseMs,
    ...historyLimits,
  });
  const reader = createClusterReader({ connections, clock, timeoutMs, findTimeoutMs });
  const jobs = createBullMqJobQueue({ redis, prefix: `${prefix}-jobs`, onError: onRedisError });
  return {
    config,
    log,
    metrics,
    clock,
    redis,
    cluster: config.crashHistory === 'on' ? withCrashHistory(reader, crashHistory, clock) : reader,
    crashHistory,
    podWatcher: createPodWatcher({ connections, pageTimeoutMs: timeoutMs }),
    candidateWatcher: createCandidateWatcher({ connections, pageTimeoutMs: timeoutMs }),
    candidates: createCandidateReader({ connections, timeoutMs }),
    sentinel: createRedisSentinelStore({ redis, prefix, leaseMs, ttlMs }),
    locator: createWorkloadLocator({ connections, timeoutMs }),
    alerts: createRedisAlertStore({ redis, prefix, ttlMs }),
    patcher: createWorkloadPatcher({ connections, clock, timeoutMs }),
    incidents: createRedisIncidentStore({ redis, prefix, ttlMs }),
    roots: createRedisRootClaims({ redis, prefix, keepMs: joinMs }),
    approvals: countedApprovals(createRedisApprovalStore({ redis, prefix, ttlMs }), metrics),
    audit: createRedisAuditLog({ redis, prefix, maxEntries: auditEntries, ttlMs }),
    silences: createRedisSilenceStore({ redis, prefix }),
    scans: createRedisScanStore({ redis, prefix }),
    scopes: createScopeReader({ connections, clock }),
    deliveries: createRedisDeliveryStore({ redis, prefix, ttlMs, postEveryMs, editEveryMs }),
    jobs,
    seenBefore: createRedisSeenBefore({ redis, prefix, ttlMs: seenMs }),
    newId: () => randomBytes(10).toString('hex'),
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    async close() {
      await jobs.close();
      redis.disconnect();
    },
  };
}

/** Structured lines on standard output; tokens never get here, since no code hands the configuration to the log. */
function createLog({ logLevel }: Config, name: string): Logger {
  return pino({
    name: `rollout-doctor-${name}`,
    level: logLevel,
    redact: ['token', '*.token', 'authorization', '*.authorization', 'headers', '*.headers', 'err.config'],
  });
}

/** A Redis that is away makes the same error many times a second; one line a minute says enough. */
function reportOnce(log: Logger): (error: Error) => void {
  let said = 0;
  return (error) => {
    const now = Date.now();
    if (now - said < 60_000) return;
    said = now;
    log.error({ err: error }, 'Redis does not answer');
  };
}
