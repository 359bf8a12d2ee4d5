import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { kinds } from '../../doctor/fixes/kinds/kinds.js';
import { type ApprovalState, finalApprovalStates } from '../../doctor/incidents/approval.js';
import type { AlertCounters } from '../../service/alerts/alert-ports.js';
import type { ApprovalStore } from '../../service/approve/approval-ports.js';
import { type LoginOutcome, loginOutcomes } from '../../service/approve/confirm-login.js';
import type { HistoryMeters } from '../../service/history/crash-history-ports.js';
import { DeliveryJob, type QueueName, queueNames } from '../../service/jobs/jobs.js';
import { type Counters, connectionReasons, type SocketMeters } from '../../service/records/process-ports.js';
import type { SentinelMeters } from '../../service/sentinel/sentinel-ports.js';
import { registerStateGauges, type StateReaders } from './state-gauges.js';

export interface Metrics extends Counters, AlertCounters, RequestMeters, SilenceMeters, LossMeters {
  /** The page for Prometheus, with its content type. */
  page(): Promise<{ readonly contentType: string; readonly body: string }>;
  /** One attempt of a job. */
  jobEnded(queue: string, outcome: string, seconds: number): void;
  /** From now on the page also shows what is read when somebody asks for it. */
  showState(readers: StateReaders): void;
  /** An attempt to confirm an approval with the company's login. */
  loginEnded(outcome: LoginOutcome): void;
  readonly history: HistoryMeters;
  readonly sentinel: SentinelMeters;
}

/**
 * Labels come from closed lists and from the settings (names of clusters): no name of a workload, a
 * namespace, a channel or a person ever becomes one.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const jobs = new Histogram({
    name: 'rollout_doctor_job_duration_seconds',
    help: 'Attempts of jobs by queue and how they ended',
    labelNames: ['queue', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const findings = new Counter({
    name: 'rollout_doctor_findings_total',
    help: 'Findings by cause and confidence',
    labelNames: ['cause', 'confidence'],
    registers,
  });
  const reads = new Histogram({
    name: 'rollout_doctor_diagnosis_read_duration_seconds',
    help: 'Time to read a cluster for one diagnosis',
    labelNames: ['outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers,
  });
  const approvals = new Counter({
    name: 'rollout_doctor_approvals_total',
    help: 'Approvals by the state they ended in',
    labelNames: ['state'],
    registers,
  });
  const verdicts = new Counter({
    name: 'rollout_doctor_verdicts_total',
    help: 'Verdicts on changes by remediation kind',
    labelNames: ['kind', 'verdict'],
    registers,
  });
  const refused = new Counter({
    name: 'rollout_doctor_messages_refused_total',
    help: 'Messages that Slack refused for good, by kind',
    labelNames: ['kind'],
    registers,
  });
  const logins = new Counter({
    name: 'rollout_doctor_logins_total',
    help: 'Attempts to confirm an approval with the login of the company, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  // A counter that appears with its first event has no increase yet; alerts are on these.
  for (const queue of queueNames) jobs.zero({ queue, outcome: 'failed' });
  for (const kind of [...kinds.map(({ kind }) => kind), 'undo']) verdicts.inc({ kind, verdict: 'worse' }, 0);
  for (const state of finalApprovalStates) approvals.inc({ state }, 0);
  for (const { shape } of DeliveryJob.options) refused.inc({ kind: shape.kind.value }, 0);
  for (const outcome of loginOutcomes) logins.inc({ outcome }, 0);
  const onLease = createLeaseGauge(registers);
  return {
    ...createAlertMeters(registers),
    ...createRequestMeters(registers),
    ...createSilenceMeters(registers),
    ...createLossMeters(registers),
    page: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
    history: createHistoryMeters(registers, (cluster, isHeld) => onLease('crash-history', cluster, isHeld)),
    sentinel: createSentinelMeters(registers, (cluster, isHeld) => onLease('sentinel', cluster, isHeld)),
    jobEnded: (queue, outcome, seconds) => jobs.observe({ queue, outcome }, seconds),
    showState: (readers) => registerStateGauges(registers, readers),
    found: (cause, confidence) => findings.inc({ cause, confidence }),
    diagnosisTook: (seconds, outcome) => reads.observe({ outcome }, seconds),
    approvalEnded: (state) => approvals.inc({ state }),
    loginEnded: (outcome) => logins.inc({ outcome }),
    verdict: (kind, verdict) => verdicts.inc({ kind, verdict }),
    messageRefused: (kind) => refused.inc({ kind }),
  };
}

/** What one process does for a cluster while no other does. */
type LeaseName = 'sentinel' | 'crash-history';

/** Counts who watches: over all processes, the sum of one lease and cluster is 1, and for some seconds 0. */
function createLeaseGauge(
  registers: Registry[],
): (lease: LeaseName, cluster: string, isHeld: boolean) => void {
  const gauge = new Gauge({
    name: 'rollout_doctor_lease_held',
    help: 'Whether this process is the one that watches the cluster for this purpose',
    labelNames: ['lease', 'cluster'],
    registers,
  });
  return (lease, cluster, isHeld) => gauge.set({ lease, cluster }, isHeld ? 1 : 0);
}

function createAlertMeters(registers: Registry[]): AlertCounters {
  const alerts = new Counter({
    name: 'rollout_doctor_alerts_total',
    help: 'Alerts by source and what became of them',
    labelNames: ['source', 'outcome'],
    registers,
  });
  const refused = new Counter({
    name: 'rollout_doctor_alert_requests_refused_total',
    help: 'Requests to alert webhooks that were turned away, by reason',
    labelNames: ['reason'],
    registers,
  });
  return {
    alert: (source, outcome, count = 1) => alerts.inc({ source, outcome }, count),
    alertRefused: (reason) => refused.inc({ reason }),
  };
}

type State = Parameters<HistoryMeters['state']>[1];

/** Sums over the clusters that this process watches. */
function createHistoryMeters(
  registers: Registry[],
  onLease: (cluster: string, isHeld: boolean) => void,
): HistoryMeters {
  const states = new Map<string, State>();
  const leading = (): readonly State[] => [...states.values()].filter(({ leads }) => leads);
  const written = new Counter({
    name: 'rollout_doctor_history_records_total',
    help: 'Records of pods written to the crash history',
    registers,
  });
  const dropped = new Counter({
    name: 'rollout_doctor_history_dropped_total',
    help: 'Records of the crash history that a limit pushed out',
    registers,
  });
  const gauge = (name: string, help: string, of: (states: readonly State[]) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(of(leading()));
      },
    });
  };
  gauge('rollout_doctor_history_pods', 'Pods that are followed', (all) =>
    all.reduce((sum, { pods }) => sum + pods, 0),
  );
  gauge('rollout_doctor_history_lag_seconds', 'Since the slowest watch was in step', (all) =>
    Math.max(0, ...all.map(({ lagSeconds }) => lagSeconds)),
  );
  return {
    written: (records) => written.inc(records),
    dropped: (records) => dropped.inc(records),
    state(cluster, state) {
      states.set(cluster, state);
      onLease(cluster, state.leads);
    },
  };
}

/** One request to an API server. */
interface ClusterRequest {
  readonly cluster: string;
  /** Lower-case method of HTTP, or `watch`. */
  readonly verb: string;
  /** Of the answer; undefined when none came. */
  readonly status: number | undefined;
  readonly seconds: number;
}

interface RequestMeters {
  /** @param request to one cluster of the settings, which bound how many names there are */
  onClusterRequest(request: ClusterRequest): void;
  /** @param method one that the product calls, such as `chat.postMessage`, or `response_url` */
  onSlackRequest(method: string, outcome: string, seconds: number): void;
}

const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

function createRequestMeters(registers: Registry[]): RequestMeters {
  const cluster = new Histogram({
    name: 'rollout_doctor_cluster_request_duration_seconds',
    help: 'Requests to API servers by cluster, verb and outcome; of a watch, the time until it begins',
    labelNames: ['cluster', 'verb', 'outcome'],
    buckets,
    registers,
  });
  const slack = new Histogram({
    name: 'rollout_doctor_slack_request_duration_seconds',
    help: 'Calls to Slack by method and outcome; rate-limited is status 429',
    labelNames: ['method', 'outcome'],
    buckets,
    registers,
  });
  return {
    onClusterRequest: ({ cluster: name, verb, status, seconds }) =>
      cluster.observe({ cluster: name, verb, outcome: outcomeOf(status) }, seconds),
    onSlackRequest: (method, outcome, seconds) => slack.observe({ method, outcome }, seconds),
  };
}

function outcomeOf(status: number | undefined): string {
  if (status === undefined) return 'no-answer';
  if (status === 429) return 'throttled';
  if (status >= 500) return 'error';
  return status >= 400 ? 'refused' : 'ok';
}

/**
 * Counts what ends without an error: a worker that takes no job any more, a connection to Slack that delivers
 * nothing.
 */
interface SilenceMeters extends SocketMeters {
  /** A worker took none of the jobs that waited, and another one is in its place. */
  workerReplaced(queue: QueueName): void;
}

/** Records that Redis confirmed and lost, by what they hold. */
const lostRecords = ['incident', 'approval', 'scan', 'change-stop', 'silence'] as const;

type LossMeters = { recordLost(record: (typeof lostRecords)[number]): void };

function createLossMeters(registers: Registry[]): LossMeters {
  const lost = new Counter({
    name: 'rollout_doctor_records_lost_total',
    help: 'Records of work under way that Redis had confirmed and lost since',
    labelNames: ['record'],
    registers,
  });
  for (const record of lostRecords) lost.inc({ record }, 0);
  return { recordLost: (record) => lost.inc({ record }) };
}

/** Payloads of Socket Mode by their type. */
const payloadTypes = new Set(['events_api', 'interactive', 'slash_commands']);

function createSilenceMeters(registers: Registry[]): SilenceMeters {
  const workers = new Counter({
    name: 'rollout_doctor_workers_replaced_total',
    help: 'Workers that took no job while jobs waited, and were replaced',
    labelNames: ['queue'],
    registers,
  });
  const connections = new Counter({
    name: 'rollout_doctor_slack_connections_total',
    help: 'Connections of Socket Mode by why they were opened',
    labelNames: ['reason'],
    registers,
  });
  const payloads = new Counter({
    name: 'rollout_doctor_slack_payloads_total',
    help: 'Commands, clicks and events that Socket Mode delivered',
    labelNames: ['type'],
    registers,
  });
  const ofConnection = new Gauge({
    name: 'rollout_doctor_slack_connection_payloads',
    help: 'Payloads that the newest connection of Socket Mode delivered',
    registers,
  });
  for (const queue of queueNames) workers.inc({ queue }, 0);
  for (const reason of connectionReasons) connections.inc({ reason }, 0);
  for (const type of payloadTypes) payloads.inc({ type }, 0);
  return {
    workerReplaced: (queue) => workers.inc({ queue }),
    slackConnected(reason) {
      connections.inc({ reason });
      ofConnection.set(0);
    },
    slackDelivered(type) {
      payloads.inc({ type: payloadTypes.has(type) ? type : 'other' });
      ofConnection.inc();
    },
  };
}

type SentinelState = Parameters<SentinelMeters['state']>[1];

/** Sums over the clusters that this process watches. */
export function createSentinelMeters(
  registers: Registry[],
  onLease: (cluster: string, isHeld: boolean) => void,
): SentinelMeters {
  const states = new Map<string, SentinelState>();
  const leading = (): readonly SentinelState[] => [...states.values()].filter(({ leads }) => leads);
  const candidates = new Counter({
    name: 'rollout_doctor_sentinel_candidates_total',
    help: 'Signs of a stuck rollout that were queued, by what was seen first',
    labelNames: ['reason'],
    registers,
  });
  const dropped = new Counter({
    name: 'rollout_doctor_sentinel_dropped_total',
    help: 'Signs that a limit pushed out before they were queued',
    registers,
  });
  const diagnoses = new Counter({
    name: 'rollout_doctor_sentinel_diagnoses_total',
    help: 'Diagnoses of candidates by outcome; told is a card',
    labelNames: ['outcome'],
    registers,
  });
  const reportedAfter = new Histogram({
    name: 'rollout_doctor_sentinel_report_duration_seconds',
    help: 'From the first refusal until a card was queued; longer where quiet hours or a later proof held it',
    buckets: [15, 30, 45, 60, 90, 180, 600, 3_600, 43_200],
    registers,
  });
  new Gauge({
    name: 'rollout_doctor_sentinel_lag_seconds',
    help: 'Since the quietest cluster sent anything; bookmarks come about once a minute',
    registers,
    collect() {
      this.set(Math.max(0, ...leading().map(({ lagSeconds }) => lagSeconds)));
    },
  });
  return {
    candidate: (reason) => candidates.inc({ reason }),
    dropped: (count) => dropped.inc(count),
    countExamination: (outcome) => diagnoses.inc({ outcome }),
    reportedAfter: (seconds) => reportedAfter.observe(seconds),
    state(cluster, state) {
      states.set(cluster, state);
      onLease(cluster, state.leads);
    },
  };
}

const ends: ReadonlySet<ApprovalState> = new Set(finalApprovalStates);

/**
 * The store, which counts each approval once when it ends: of writers that race, compare-and-set lets one
 * through.
 */
export function countedApprovals(store: ApprovalStore, counters: Counters): ApprovalStore {
  return {
    ...store,
    async replace(next, decision) {
      const stored = await store.replace(next, decision);
      if (!('type' in stored) && ends.has(stored.state)) counters.approvalEnded(stored.state);
      return stored;
    },
  };
}
