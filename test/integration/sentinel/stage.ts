import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { SentinelSettings } from '#src/doctor/sentinel/sentinel-settings.js';
import { createRedisSentinelStore } from '#src/edges/redis/redis-sentinel-store.js';
import type { SentinelJob } from '#src/service/jobs/jobs.js';
import { createExamineCandidate } from '#src/service/sentinel/examine-candidate.js';
import type { Behind } from '#src/service/sentinel/sentinel-ports.js';
import { buildDiagnosis } from '../../support/diagnosis.js';
import { createAlertStage, web } from '../alerts/stage.js';

export const defaultChannel = 'C0INCIDENTS';

/** The diagnosis of a deadlock of `shop/web` at this revision. */
export const stuck = (revision = '2') => buildDiagnosis({ workload: web, revision });

export function behind(fields: Partial<Extract<Behind, { readonly type: 'workload' }>> = {}): Behind {
  return {
    type: 'workload',
    workload: web,
    annotated: { workload: {}, namespace: {} },
    oldPods: 'some',
    ...fields,
  };
}

/**
 * The examinations of the sentinel on real Redis stores, beside alerts and people, with scripted clusters and
 * time.
 */
export function createSentinelStage(redis: Redis, settings: unknown = {}) {
  const stage = createAlertStage(redis);
  const { world, clock } = stage;
  const script = { behind: behind(), snapshots: 0, reportedAfter: [] as number[], ignored: [] as string[] };
  const outcomes: string[] = [];
  const examine = createExamineCandidate({
    ...stage,
    candidates: { behind: async () => script.behind },
    sentinel: createRedisSentinelStore({
      redis,
      prefix: `test-${randomUUID()}`,
      leaseMs: 1_000,
      ttlMs: 3_600_000,
    }),
    cluster: {
      snapshot: async () => {
        script.snapshots += 1;
        return { type: 'snapshot', snapshot: {} as never };
      },
    },
    engine: { needs: new Set(), diagnose: () => world.diagnosis } as never,
    meters: {
      countExamination: (outcome) => void outcomes.push(outcome),
      reportedAfter: (seconds) => void script.reportedAfter.push(seconds),
    },
    settings: SentinelSettings.parse(settings),
    channel: defaultChannel,
    languageOfChannel: () => 'en',
    sayIgnored: ({ because }) => void script.ignored.push(because),
  });
  const dueAt = clock.now().toISOString();
  const job = (fields: Partial<SentinelJob> = {}): SentinelJob => ({
    v: 1,
    candidate: 'c1',
    cluster: 'prod',
    owner: { kind: 'ReplicaSet', namespace: 'shop', name: 'web-5c96' },
    reason: 'FailedScheduling',
    since: new Date(Date.parse(dueAt) - 30_000).toISOString(),
    dueAt,
    ...fields,
  });
  return {
    ...stage,
    script,
    outcomes,
    /** Examines the candidate and returns the pause until the next examination in seconds, or `undefined`. */
    async examineOnce(fields: Partial<SentinelJob> = {}): Promise<number | undefined> {
      const later = await examine(job(fields));
      return later === undefined ? undefined : later.afterMs / 1_000;
    },
    /** Examines the candidate until no further examination is due, at most `most` times. */
    async examineRepeatedly(most: number, fields: Partial<SentinelJob> = {}): Promise<readonly number[]> {
      const pauses: number[] = [];
      for (let run = 0; run < most; run += 1) {
        const later = await examine(job(fields));
        if (later === undefined) break;
        pauses.push(later.afterMs / 1_000);
        world.now += later.afterMs;
      }
      return pauses;
    },
    cards: () => stage.jobsOf('delivery').filter((id) => id.startsWith('card-')),
    diagnoseIncident: stage.diagnose,
  };
}
