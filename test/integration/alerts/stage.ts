import { createHash, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { createRedisAlertStore } from '#src/edges/redis/redis-alert-store.js';
import { createRedisDeliveryStore } from '#src/edges/redis/redis-delivery-store.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import type { Located } from '#src/service/alerts/alert-ports.js';
import { createHandleAlert } from '#src/service/alerts/handle-alert.js';
import { createReceiveAlert } from '#src/service/alerts/receive-alert.js';
import type { Unreadable } from '#src/service/diagnose/cluster-reader.js';
import { createRunDiagnosis } from '#src/service/diagnose/run-diagnosis.js';
import type { Jobs, QueueName } from '#src/service/jobs/jobs.js';
import { jobIdOf } from '#src/service/jobs/jobs.js';
import type { JobQueue, Urgency } from '#src/service/records/process-ports.js';
import { createSweep } from '#src/service/records/sweep.js';
import { buildAlert } from '../../support/alert-builders.js';
import { buildDiagnosis } from '../../support/diagnosis.js';
import { openRecords } from '../../support/redis-records.js';
import { openSights } from '../../support/sights.js';

export const web: WorkloadRef = { cluster: 'prod', kind: 'Deployment', namespace: 'shop', name: 'web' };

export function located(...workloads: readonly WorkloadRef[]): Located {
  return { type: 'located', workloads, others: [] };
}

export const maxAlertRecords = 20;

/** The alert use cases on real Redis stores, with clusters and diagnoses that the test scripts. */
export function createAlertStage(redis: Redis) {
  const prefix = `test-${randomUUID()}`;
  const world = {
    now: Date.parse('2026-11-21T03:00:00Z'),
    found: located(web) as Located | Unreadable,
    /** What a cluster waits for before it answers. */
    answersAfter: async (): Promise<void> => undefined,
    diagnosis: buildDiagnosis() as Diagnosis,
    /** The process dies instead of queueing. */
    dies: false,
    counted: [] as string[],
  };
  const queued = new Map<
    string,
    {
      readonly queue: QueueName;
      readonly urgency: Urgency | undefined;
      readonly delayMs: number | undefined;
    }
  >();
  const jobs: JobQueue = {
    async enqueue(queue, job, { urgency, delayMs } = {}) {
      if (world.dies) throw new Error('killed');
      queued.set(jobIdOf(queue, job), { queue, urgency, delayMs });
    },
  };
  const clock = { now: () => new Date(world.now) };
  const find = async () => {
    await world.answersAfter();
    return world.found;
  };
  const deps = {
    alerts: createRedisAlertStore({ redis, prefix, ttlMs: 3_600_000, maxRecords: maxAlertRecords }),
    ...openRecords(redis, prefix),
    deliveries: createRedisDeliveryStore({
      redis,
      prefix,
      ttlMs: 3_600_000,
      postEveryMs: 1,
      editEveryMs: 1,
      reactEveryMs: 1,
    }),
    sights: openSights(),
    checkBrakes: async () => undefined,
    onNotShown: () => undefined,
    jobs,
    clock,
    sharedClock: { now: async () => clock.now() },
    digest: (text: string) => createHash('sha256').update(text).digest('hex'),
    clusterAliases: {},
    locator: { clusters: ['prod'], named: find, ownerOf: find, sufferingOn: find, sufferingIn: find },
    metrics: {
      alert: (_: string, outcome: string) => void world.counted.push(outcome),
      alertRefused: () => undefined,
      found: () => undefined,
      diagnosisTook: () => undefined,
      approvalEnded: () => undefined,
      verdict: () => undefined,
      messageRefused: () => undefined,
    },
  };
  const receive = createReceiveAlert(deps);
  const handle = createHandleAlert(deps);
  const run = createRunDiagnosis({
    ...deps,
    cluster: {
      snapshot: async () => ({ type: 'snapshot', snapshot: {} as never }),
    },
    engine: { needs: new Set(), diagnose: () => world.diagnosis } as never,
  });
  const receiveAlert = (
    id: string,
    changes: Parameters<typeof buildAlert>[0] = {},
    place: { readonly channel: string; readonly threadTs?: string } = { channel: 'C0INCIDENTS' },
    firstSentAt?: Date,
  ) => receive(id, { alert: buildAlert(changes), place, language: 'en' }, firstSentAt);
  const handleAlert = (alertId: string, lastAttempt = false) =>
    handle({ v: 1, alertId, signal: 1 } satisfies Jobs['alert'], { lastAttempt });
  async function diagnose(incidentId: string, look?: number) {
    const incident = await deps.incidents.get(incidentId);
    await run(
      { v: 1, incidentId, look: look ?? incident?.look ?? 0 },
      { lastAttempt: true, urgency: 'alert' },
    );
    return deps.incidents.get(incidentId);
  }
  async function incidentsOf(alertId: string) {
    const ids = (await deps.alerts.get(alertId))?.incidents ?? [];
    return (await Promise.all(ids.map((id) => deps.incidents.get(id)))).flatMap((each) => each ?? []);
  }
  async function onlyIncident(alertId: string): Promise<Incident> {
    const [incident, ...others] = await incidentsOf(alertId);
    if (incident === undefined || others.length > 0) throw new Error('not one incident');
    return incident;
  }
  return {
    ...deps,
    ...{ prefix, world, queued, receiveAlert, handleAlert, diagnose, incidentsOf, onlyIncident },
    sweep: createSweep(deps),
    advanceMinutes: (minutes: number) => {
      world.now += minutes * 60_000;
    },
    /** Receives and handles the alert, and runs its diagnosis. */
    async diagnoseAlert(alertId: string, changes?: Parameters<typeof buildAlert>[0]): Promise<Incident> {
      await receiveAlert(alertId, changes);
      await handleAlert(alertId);
      const [first] = await incidentsOf(alertId);
      return (await diagnose(first?.id ?? '')) ?? onlyIncident(alertId);
    },
    jobsOf: (queue: QueueName) => [...queued].filter(([, job]) => job.queue === queue).map(([id]) => id),
  };
}
