import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { AlertCounters } from '../../usecases/alerts/alert-ports.js';
import type { HistoryMeters } from '../../usecases/history/crash-history-ports.js';
import type { Counters } from '../../usecases/records/process-ports.js';
import type { SentinelMeters } from '../../usecases/sentinel/sentinel-ports.js';
import { createAlertMeters } from './alert-meters.js';
import { createHistoryMeters } from './history-meters.js';
import { createSentinelMeters } from './sentinel-meters.js';

export interface Metrics extends Counters, AlertCounters {
  /** The page for Prometheus, with its content type. */
  page(): Promise<{ readonly contentType: string; readonly body: string }>;
  jobEnded(queue: string, outcome: string): void;
  readonly history: HistoryMeters;
  readonly sentinel: SentinelMeters;
}

/** Labels come from closed lists only: no name from a cluster or a workspace ever becomes one. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const jobs = new Counter({
    name: 'rollout_doctor_jobs_total',
    help: 'Jobs by queue and how the attempt ended',
    labelNames: ['queue', 'outcome'],
    registers,
  });
  const findings = new Counter({
    name: 'rollout_doctor_findings_total',
    help: 'Findings by cause and confidence',
    labelNames: ['cause', 'confidence'],
    registers,
  });
  const looks = new Histogram({
    name: 'rollout_doctor_look_seconds',
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
  return {
    ...createAlertMeters(registers),
    page: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
    history: createHistoryMeters(registers),
    sentinel: createSentinelMeters(registers),
    jobEnded: (queue, outcome) => jobs.inc({ queue, outcome }),
    found: (cause, confidence) => findings.inc({ cause, confidence }),
    diagnosisTook: (seconds, outcome) => looks.observe({ outcome }, seconds),
    approvalEnded: (state) => approvals.inc({ state }),
    verdict: (kind, verdict) => verdicts.inc({ kind, verdict }),
    messageRefused: (kind) => refused.inc({ kind }),
  };
}
