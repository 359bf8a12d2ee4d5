import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { finalApprovalStates } from '../../core/incident/approval.js';
import { kinds } from '../../core/remediation/kinds/kinds.js';
import { DeliveryJob, queueNames } from '../../jobs/jobs.js';
import type { AlertCounters } from '../../usecases/alerts/alert-ports.js';
import { type LoginOutcome, loginOutcomes } from '../../usecases/approve/confirm-login.js';
import type { HistoryMeters } from '../../usecases/history/crash-history-ports.js';
import type { Counters } from '../../usecases/records/process-ports.js';
import type { SentinelMeters } from '../../usecases/sentinel/sentinel-ports.js';
import { createAlertMeters } from './alert-meters.js';
import { createHistoryMeters } from './history-meters.js';
import { createLeaseGauge } from './lease-gauge.js';
import { createRequestMeters, type RequestMeters } from './request-meters.js';
import { createSentinelMeters } from './sentinel-meters.js';
import { createSilenceMeters, type SilenceMeters } from './silence-meters.js';
import { registerStateGauges, type StateReaders } from './state-gauges.js';

export interface Metrics extends Counters, AlertCounters, RequestMeters, SilenceMeters {
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
