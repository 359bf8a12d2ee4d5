import { createHash, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createRedisApprovalStore } from '../../../src/adapters/redis/redis-approval-store.js';
import { createRedisAuditLog } from '../../../src/adapters/redis/redis-audit-log.js';
import { createRedisIncidentStore } from '../../../src/adapters/redis/redis-incident-store.js';
import type { Policy } from '../../../src/core/authorization/policy.js';
import type { Snapshot } from '../../../src/core/cluster/snapshot.js';
import type { Diagnosis } from '../../../src/core/diagnosis/diagnosis.js';
import type { Plan, Refusal } from '../../../src/core/remediation/plan.js';
import { jobIdOf } from '../../../src/jobs/job-ids.js';
import type { Jobs, QueueName } from '../../../src/jobs/jobs.js';
import { createApplyRemediation } from '../../../src/usecases/apply-remediation.js';
import { createDecideApproval } from '../../../src/usecases/decide-approval.js';
import { createMayApprove } from '../../../src/usecases/may-approve.js';
import type { ChangeOutcome, JobQueue, NotFound, Unreadable } from '../../../src/usecases/ports.js';
import { createReviewRemediation } from '../../../src/usecases/review-remediation.js';
import { buildDiagnosis } from '../../builders/diagnosis.js';
import { buildApproval, buildIncident } from '../../builders/records.js';

export const approvalTtlMs = 15 * 60_000;

export const openPolicy: Policy = {
  apiVersion: 'rollout-doctor/v1',
  grants: [{ users: [], groups: ['ml-oncall'], clusters: ['*'], namespaces: ['ml'], actions: '*' }],
  demands: [],
};

/**
 * The approval use cases on real Redis stores, with a cluster that the test scripts: what a look says, what the API
 * server answers, and how often a change was really sent.
 */
export function createStage(redis: Redis, policy: Policy = openPolicy) {
  const prefix = `test-${randomUUID()}`;
  const ttlMs = 60_000;
  const queued = new Map<string, { readonly queue: QueueName; readonly job: Jobs[QueueName] }>();
  const jobs: JobQueue = {
    async enqueue(queue, job) {
      queued.set(jobIdOf(queue, job), { queue, job });
    },
  };
  const world = {
    now: Date.parse('2026-11-20T09:30:10Z'),
    look: { type: 'snapshot', snapshot: {} as Snapshot } as
      | { readonly type: 'snapshot'; readonly snapshot: Snapshot }
      | NotFound
      | Unreadable,
    diagnosis: buildDiagnosis() as Diagnosis,
    plan: buildApproval({}).plan as Plan | Refusal,
    dryRun: { type: 'accepted', generation: 3, mutated: [] } as ChangeOutcome,
    apply: { type: 'accepted', generation: 3, mutated: [] } as ChangeOutcome,
    sent: [] as string[],
    groups: new Map([
      ['U0DANA', ['ml-oncall']],
      ['U0MIN', ['ml-oncall']],
      ['U0SAM', ['web']],
    ]),
    members: new Set(['U0DANA', 'U0MIN', 'U0SAM']),
  };
  const clock = { now: () => new Date(world.now) };
  const deps = {
    incidents: createRedisIncidentStore({ redis, prefix, ttlMs }),
    approvals: createRedisApprovalStore({ redis, prefix, ttlMs }),
    audit: createRedisAuditLog({ redis, prefix, maxEntries: 1_000, ttlMs }),
    jobs,
    clock,
    digest: (text: string) => createHash('sha256').update(text).digest('hex'),
    cluster: {
      clusters: ['prod'],
      find: async () => ({ type: 'not-found', what: 'workload', name: '', nearest: [] }) as const,
      snapshot: async () => world.look,
    },
    doctor: {
      needs: new Set<never>(),
      diagnose: () => world.diagnosis,
      plan: () => world.plan,
      planUndo: () => world.plan,
      stands: () => true,
      judge: () => ({ verdict: undefined, progress: { catalogue: 'x', key: 'x', values: {} } }),
    },
    patcher: {
      dryRun: async () => world.dryRun,
      apply: async ({ id }: { readonly id: string }) => {
        world.sent.push(id);
        return world.apply;
      },
    },
    mayApprove: createMayApprove({
      policy,
      teamId: async () => 'T1',
      people: {
        person: async (id) => ({
          id,
          name: id,
          teamId: 'T1',
          locale: 'en-US',
          timeZone: 'UTC',
          isMember: world.members.has(id),
        }),
        groupsOf: async (id) => world.groups.get(id) ?? [],
      },
    }),
    approvalTtlMs,
    verifyWithinMs: 600_000,
  };
  return {
    ...deps,
    world,
    queued,
    review: createReviewRemediation(deps),
    decide: createDecideApproval(deps),
    apply: createApplyRemediation(deps),
    /** An incident whose card shows the deadlock. */
    async diagnosed() {
      const { incident } = await deps.incidents.open(buildIncident({ id: randomUUID().slice(0, 8) }));
      const next = { ...incident, version: 2, phase: 'diagnosed', diagnosis: world.diagnosis } as const;
      await deps.incidents.replace(next);
      return next;
    },
    jobsOf: (queue: QueueName) => [...queued.values()].filter((each) => each.queue === queue),
  };
}
