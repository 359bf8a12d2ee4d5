import { Counter, Gauge, type Registry } from 'prom-client';
import { type QueueName, queueNames } from '../../jobs/jobs.js';
import { connectionReasons, type SocketMeters } from '../../usecases/records/process-ports.js';

/**
 * Counts what ends without an error: a worker that takes no job any more, a connection to Slack that delivers
 * nothing.
 */
export interface SilenceMeters extends SocketMeters {
  /** A worker took none of the jobs that waited, and another one is in its place. */
  workerReplaced(queue: QueueName): void;
}

/** Payloads of Socket Mode by their type. */
const payloadTypes = new Set(['events_api', 'interactive', 'slash_commands']);

export function createSilenceMeters(registers: Registry[]): SilenceMeters {
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
