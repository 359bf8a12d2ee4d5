import { Counter, type Registry } from 'prom-client';
import type { AlertCounters } from '../../usecases/alerts/alert-ports.js';

export function createAlertMeters(registers: Registry[]): AlertCounters {
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
