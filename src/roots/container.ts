import { createHash, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Telemetry } from 'bullmq';
import { BullMQOtel } from 'bullmq-otel';
import type { Redis } from 'ioredis';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { StoredLink } from '../doctor/audit/audit-entry.js';
import type { Incident } from '../doctor/incidents/incident.js';
import type { ChangeStop } from '../doctor/policy/brakes.js';
import type { CurrentPolicy } from '../doctor/policy/policy.js';
import type { ScanRecord } from '../doctor/scans/scan-record.js';
import type { ClusterConnection } from '../edges/kubernetes/cluster-connection.js';
import { createClusterNames } from '../edges/kubernetes/cluster-names.js';
import { createClusterReader } from '../edges/kubernetes/cluster-reader.js';
import { type ReadBudget, scanBudgetOf } from '../edges/kubernetes/list-reading.js';
import { createWorkloadLocator } from '../edges/kubernetes/locate-workloads.js';
import { createReachableClusters } from '../edges/kubernetes/reachable-clusters.js';
import { createLog } from '../edges/log/create-log.js';
import { countedApprovals, type Metrics } from '../edges/metrics/metrics.js';
import { createAuditedWrite } from '../edges/redis/audited-write.js';
import {
  createBullMqJobQueue,
  createQueueDepths,
  keepDigestSchedule,
  type QueueDepth,
} from '../edges/redis/bullmq-job-queue.js';
import {
  type ConnectionLog,
  connectProducer,
  createConnectionLog,
  createRedisClock,
  createWriteProbe,
} from '../edges/redis/connection.js';
import { createRedisAlertStore } from '../edges/redis/redis-alert-store.js';
import { createRedisApprovalStore } from '../edges/redis/redis-approval-store.js';
import { createRedisAuditLog } from '../edges/redis/redis-audit-log.js';
import { createRedisSeenBefore } from '../edges/redis/redis-claims.js';
import { createRedisCrashHistory } from '../edges/redis/redis-crash-history.js';
import { createRedisDeliveryStore } from '../edges/redis/redis-delivery-store.js';
import { createRedisEndedDiagnoses } from '../edges/redis/redis-ended-diagnoses.js';
import { createRedisChangeStopStore, createRedisSilenceStore } from '../edges/redis/redis-in-force.js';
import { createRedisIncidentStore } from '../edges/redis/redis-incident-store.js';
import { createRedisScanStore } from '../edges/redis/redis-scan-store.js';
import {
  answerKeysOf,
  clusterAnswerKeysOf,
  clusterKeysOf,
  createHmacSigner,
} from '../edges/signing/cluster-keys.js';
import { traceFields } from '../edges/telemetry/traced.js';
import { version } from '../edges/telemetry/version.js';
import type { AlertStore, WorkloadLocator } from '../service/alerts/alert-ports.js';
import { type ApprovalAuthority, createApprovalAuthority } from '../service/approve/approval-authority.js';
import type { ApprovalSigner, ApprovalStore } from '../service/approve/approval-ports.js';
import { keepChangeStop } from '../service/approve/change-stop.js';
import { type CheckBrakes, createCheckBrakes } from '../service/approve/check-brakes.js';
import { isUnreachable } from '../service/clusters/cluster-roll.js';
import { createNoteCard } from '../service/deliver/delivery-jobs.js';
import type { DeliveryStore } from '../service/deliver/incident-thread.js';
import type { ClusterReader } from '../service/diagnose/cluster-reader.js';
import type { EndedDiagnoses } from '../service/diagnose/diagnosis-back-off.js';
import { keepScans } from '../service/diagnose/scan.js';
import { withCrashHistory } from '../service/diagnose/with-crash-history.js';
import type { CrashHistoryStore } from '../service/history/crash-history-ports.js';
import { createReadWaitingWork } from '../service/inspect/read-waiting-work.js';
import type {
  AuditReader,
  ChangeStopStore,
  ScanStore,
  Silence,
  SilenceStore,
} from '../service/people/people-ports.js';
import { keepSilences } from '../service/people/silencing.js';
import type { IncidentStore } from '../service/records/incident-store.js';
import { keepOpenIncidents } from '../service/records/keep-open-incidents.js';
import type {
  AuditLog,
  Clock,
  Digest,
  JobQueue,
  NewId,
  SharedClock,
} from '../service/records/process-ports.js';
import { type ClusterAccess, type Config, clusterAccessOf } from '../settings/config.js';
import type { SlackCredentials } from '../settings/load-slack.js';
import type { ClusterLinks, Clusters } from './cluster-links.js';
import { createClusterLinks, placeOfJob, queuesOf } from './cluster-links.js';
import { type KeptPolicy, keepPolicy, keepSlackCredentials } from './keep-file.js';

/**
 * What both kinds of process are made of; what writes to clusters is not part of it. Only `start-app` and
 * `start-workers` take it apart: nothing else receives more of it than it declares
 * (`test/thorough/architecture.test.ts`).
 */
export interface Container {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly queueDepths: () => Promise<readonly QueueDepth[]>;
  readonly clock: Clock;
  readonly sharedClock: SharedClock;
  readonly redis: Redis;
  readonly connectionLog: ConnectionLog;
  /** Why Redis accepts no writes at the moment, in words for the operator; undefined when it does. */
  readonly redisProblem: () => Promise<string | undefined>;
  readonly connections: readonly ClusterConnection[];
  readonly access: ClusterAccess;
  readonly cluster: ClusterReader;
  /** Present where this process has no credentials, and each cluster has workers of its own. */
  readonly links: ClusterLinks | undefined;
  readonly crashHistory: CrashHistoryStore;
  readonly locator: WorkloadLocator;
  readonly alerts: AlertStore;
  readonly incidents: IncidentStore;
  /** Stores again what Redis had confirmed to this process and lost since. */
  readonly restoreLost: () => Promise<{
    readonly incidents: readonly Incident[];
    readonly scans: readonly ScanRecord[];
    /** The stop of all changes, if it was lost. */
    readonly stops: readonly ChangeStop[];
    readonly silences: readonly Silence[];
  }>;
  readonly approvals: ApprovalStore;
  readonly authority: ApprovalAuthority;
  readonly signer: ApprovalSigner;
  /** Signs reviews and decisions that pass through Redis between the app and a cluster's workers. */
  readonly signerOf: (cluster: string) => ApprovalSigner;
  /** The same for questions about names, whose workers sign no approval. */
  readonly answerSignerOf: (cluster: string) => ApprovalSigner;
  readonly audit: AuditLog & AuditReader;
  readonly policy: CurrentPolicy;
  readonly policyFile: Pick<KeptPolicy, 'faultSince' | 'onChange'>;
  /** Their files may change while a process runs. */
  readonly slackCredentials: () => SlackCredentials;
  readonly stops: ChangeStopStore;
  readonly checkBrakes: CheckBrakes;
  readonly silences: SilenceStore;
  readonly scans: ScanStore;
  readonly deliveries: DeliveryStore;
  readonly endedDiagnoses: EndedDiagnoses;
  readonly jobs: JobQueue;
  /** Present where traces are sent. */
  readonly telemetry: Telemetry | undefined;
  /** Stores the schedule of the weekly digest as it is configured. */
  readonly keepDigestSchedule: () => Promise<void>;
  readonly seenBefore: (key: string) => Promise<boolean>;
  readonly newId: NewId;
  readonly digest: Digest;
  close(): Promise<void>;
}

/** Closing the queues takes this long at most, in milliseconds. */
const closeMs = 2_000;
const dayMs = 86_400_000;
const seenMs = 3_600_000;
/** Requests and refusals in the audit; decisions are kept by age alone. */
const maxAuditedRequests = 100_000;
/** A workload that was too large to compute is not computed again for this long, unless it changes. */
const endedDiagnosisMs = 600_000;
/** A leader that died is followed by another when this, and a third of it, has passed. */
export const leaseMs = 15_000;
/** What Redis holds of the crash history at most: of one controller, and of one cluster. */
const historyLimits = { maxPods: 200, maxOwners: 5_000 } as const;
/** Somebody waits at the keyboard for the name to be found. */
const findTimeoutMs = 5_000;

/** @param output of log lines and decisions, in place of standard output */
export function createContainer(
  config: Config,
  name: 'app' | 'worker',
  metrics: Metrics,
  clusters: Clusters,
  output?: DestinationStream,
): Container {
  const log = createLog(config.logLevel, `rollout-doctor-${name}`, output);
  const clock: Clock = { now: () => new Date() };
  const policy = keepPolicy({ path: config.policyFile, loaded: config.policy, clock, log });
  const slackCredentials = keepSlackCredentials({ variables: config, loaded: config.slack, clock, log });
  const connectionLog = createConnectionLog(log);
  const redis = connectionLog.watch(connectProducer(config.redis, () => undefined));
  const prefix = config.redisPrefix;
  const ttlMs = config.keepDays * dayMs;
  const timeoutMs = config.readTimeoutSeconds * 1_000;
  const { connections } = clusters;
  const budget: ReadBudget = {
    atOnce: config.readRequestsAtOnce,
    maxRequests: config.readMaxRequests,
    maxBytes: config.readMaxMegabytes * 1_000_000,
  };
  const crashHistory = createRedisCrashHistory({
    redis,
    prefix,
    keepMs: config.crashHistoryDays * dayMs,
    leaseMs,
    ...historyLimits,
  });
  const access = clusterAccessOf(config);
  const names = connections.map(createClusterNames);
  const reader = createClusterReader({
    ...clusters,
    clock,
    timeoutMs,
    findTimeoutMs,
    budget,
    scopeBudget: scanBudgetOf(budget),
    configMetadata: config.configMetadata,
  });
  const digest: Digest = (text) => createHash('sha256').update(text).digest('hex');
  const recordDecision = createAuditedWrite({
    redis,
    prefix,
    digest,
    keepMs: config.auditDays * dayMs,
    onDecision: createDecisionLog(name, output),
  });
  const audit = createRedisAuditLog({
    redis,
    prefix,
    digest,
    recordDecision,
    maxRequests: maxAuditedRequests,
    ttlMs,
  });
  const sharedClock = createRedisClock(redis, prefix);
  const stopKeeper = keepChangeStop({
    store: createRedisChangeStopStore({ redis, prefix, recordDecision }),
    audit,
    sharedClock,
  });
  const { stops } = stopKeeper;
  const silenceKeeper = keepSilences({
    store: createRedisSilenceStore({ redis, prefix, recordDecision }),
    audit,
    sharedClock,
  });
  const deliveries = createRedisDeliveryStore({ redis, prefix, ttlMs });
  const incidentKeeper = keepOpenIncidents({
    store: createRedisIncidentStore({ redis, prefix, ttlMs, recordDecision }),
    clock,
    onRestore: createNoteCard({ deliveries, hasPrivateResults: config.healthyResults === 'private' }),
  });
  const { incidents } = incidentKeeper;
  const scanKeeper = keepScans({ store: createRedisScanStore({ redis, prefix }), clock });
  const { scans } = scanKeeper;
  const telemetry =
    config.otlpEndpoint === undefined ? undefined : new BullMQOtel({ tracerName: 'rollout-doctor', version });
  const jobs = createBullMqJobQueue({
    redis,
    prefix: `${prefix}-jobs`,
    telemetry,
    ...(access.type === 'direct' ? {} : { placeOf: placeOfJob({ incidents, scans }) }),
    // The queues use the connection above, whose state is logged there.
    onError: (err) => log.debug({ err }, 'a queue reports an error'),
  });
  const redisProblem = createWriteProbe({ redis, prefix });
  const signer = createHmacSigner(config.approvalKeys ?? []);
  const signerOf = (cluster: string): ApprovalSigner =>
    access.type === 'beside-app'
      ? createHmacSigner(clusterKeysOf(config.approvalKeys ?? [], cluster))
      : signer;
  const answerSignerOf = (cluster: string): ApprovalSigner =>
    createHmacSigner(
      access.type === 'beside-app'
        ? clusterAnswerKeysOf(config.answerKeys ?? answerKeysOf(config.approvalKeys ?? []), cluster)
        : (config.answerKeys ?? []),
    );
  const authority = createApprovalAuthority({ signer, signerOf, digest });
  const newId: NewId = () => randomBytes(10).toString('hex');
  const links =
    access.type === 'beside-app'
      ? createClusterLinks({
          redis,
          prefix,
          jobs,
          newId,
          sharedClock,
          findTimeoutMs,
          timeoutMs,
          signerOf: answerSignerOf,
        })
      : undefined;
  const approvals = countedApprovals(
    createRedisApprovalStore({ redis, prefix, ttlMs, recordDecision }),
    metrics,
  );
  const queueDepths = createQueueDepths(() => queuesOf(jobs, access, links?.roll.clusters ?? []));
  metrics.showState({
    process: name,
    approvalSeconds: config.approvalMinutes * 60,
    policy,
    queueDepths,
    waitingWork: createReadWaitingWork({ incidents, approvals, clock }),
    redisProblem,
    reachable:
      links === undefined
        ? createReachableClusters(connections)
        : async () =>
            new Map(
              links.roll.clusters.map((each) => [
                each,
                links.roll.isServed(each, 'diagnosis') && !isUnreachable(links.roll, each),
              ]),
            ),
  });
  return {
    config,
    log,
    metrics,
    queueDepths,
    clock,
    sharedClock,
    redis,
    connectionLog,
    redisProblem,
    connections,
    access,
    cluster:
      links?.cluster ??
      (config.crashHistory === 'on' ? withCrashHistory(reader, crashHistory, clock) : reader),
    links,
    crashHistory,
    locator: createWorkloadLocator({
      clusters: links?.names ?? (() => names),
      // A question to another process takes its own time on the way.
      timeoutMs: links === undefined ? timeoutMs : timeoutMs + findTimeoutMs,
    }),
    alerts: createRedisAlertStore({ redis, prefix, ttlMs }),
    incidents,
    approvals,
    audit,
    policy: policy.current,
    policyFile: policy,
    slackCredentials: slackCredentials.current,
    stops,
    checkBrakes: createCheckBrakes({ audit, sharedClock, policy: policy.current, stops }),
    silences: silenceKeeper.silences,
    scans,
    deliveries,
    restoreLost: async () => ({
      incidents: await incidentKeeper.restoreLost(),
      scans: await scanKeeper.restoreLost(),
      stops: await stopKeeper.restoreLost(),
      silences: await silenceKeeper.restoreLost(),
    }),
    endedDiagnoses: createRedisEndedDiagnoses({ redis, prefix, keepMs: endedDiagnosisMs }),
    jobs,
    telemetry,
    async keepDigestSchedule() {
      const { digest } = config.alerts.settings;
      // Each cluster with workers of its own has a digest of its own, unless the settings name one.
      const isElsewhere =
        access.type === 'own-cluster' && ![undefined, access.cluster].includes(digest?.cluster);
      const place = access.type === 'own-cluster' ? access : 'anywhere';
      await keepDigestSchedule(jobs.queueAt('scan', place), isElsewhere ? undefined : digest);
    },
    seenBefore: createRedisSeenBefore({ redis, prefix, ttlMs: seenMs }),
    newId,
    signer,
    signerOf,
    answerSignerOf,
    authority,
    digest,
    async close() {
      // While Redis is away, the queues wait for it; their jobs are on record or were refused.
      policy.close();
      links?.close();
      slackCredentials.close();
      await Promise.race([jobs.close(), setTimeout(closeMs, undefined, { ref: false })]);
      redis.disconnect();
    },
  };
}

/**
 * The second place where decisions are kept: one JSON line each on standard output, whatever the log level.
 * `hash` is that of the link in Redis, so that the lines show what Redis held when the decision was recorded.
 */
export function createDecisionLog(
  processName: string,
  destination: DestinationStream = process.stdout,
): (link: StoredLink) => void {
  const log = pino({ name: `rollout-doctor-${processName}`, level: 'info', mixin: traceFields }, destination);
  return ({ text, hash }) => log.info({ decision: JSON.parse(text), hash }, 'decision recorded');
}
