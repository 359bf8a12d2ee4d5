import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { StoredLink } from '#src/doctor/audit/audit-entry.js';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import type { Plan, Refusal } from '#src/doctor/fixes/plan.js';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { Policy } from '#src/doctor/policy/policy.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { createAskForApproval } from '#src/service/approve/ask-for-approval.js';
import { createAwaitDryRun } from '#src/service/approve/await-dry-run.js';
import { createCancelChange } from '#src/service/approve/cancel-change.js';
import { createCheckBrakes } from '#src/service/approve/check-brakes.js';
import { createDecideApproval } from '#src/service/approve/decide-approval.js';
import { createDryRunRemediation, createFailDryRun } from '#src/service/approve/dry-run-remediation.js';
import { createMayApprove } from '#src/service/approve/may-approve.js';
import { createReviewRemediation } from '#src/service/approve/review-remediation.js';
import { createVerifyApproval } from '#src/service/approve/verify-approval.js';
import { createApplyRemediation } from '#src/service/change/apply-remediation.js';
import type {
  ChangeOutcome,
  FirstStepRead,
  SecondStepOutcome,
  WorkloadPatcher,
} from '#src/service/change/workload-patcher.js';
import type { NotFound, Unreadable } from '#src/service/diagnose/cluster-reader.js';
import { createDiagnoseAgain } from '#src/service/diagnose/diagnose-again.js';
import { DoctorError } from '#src/service/errors.js';
import { type Jobs, jobIdOf, type QueueName } from '#src/service/jobs/jobs.js';
import type { PeopleDirectory } from '#src/service/people/people-ports.js';
import type { JobQueue } from '#src/service/records/process-ports.js';
import { digest, testAuthority } from '../../support/authority.js';
import { buildDiagnosis } from '../../support/diagnosis.js';
import { buildApproval, buildIncident } from '../../support/records.js';
import { openRecords } from '../../support/redis-records.js';
import { openSights } from '../../support/sights.js';

export const approvalTtlMs = 15 * 60_000;

export const openPolicy: Policy = Policy.parse({
  grants: [{ users: [], groups: ['ml-oncall'], clusters: ['*'], namespaces: ['ml'], actions: '*' }],
  demands: [],
  brakes: { cancelSeconds: 0 },
});

/**
 * The approval use cases on real Redis stores, with a scripted cluster: the result of a read, the answers of
 * the API server, and the changes that were sent.
 */
export function createStage(redis: Redis, policy: Policy = openPolicy) {
  const prefix = `test-${randomUUID()}`;
  const decisions: StoredLink[] = [];
  const queued = new Map<string, { readonly queue: QueueName; readonly job: Jobs[QueueName] }>();
  const jobs: JobQueue = {
    async enqueue(queue, job) {
      queued.set(jobIdOf(queue, job), { queue, job });
    },
  };
  const world = {
    now: Date.parse('2026-11-20T09:30:10Z'),
    read: { type: 'snapshot', snapshot: {} as Snapshot } as
      | { readonly type: 'snapshot'; readonly snapshot: Snapshot }
      | NotFound
      | Unreadable,
    diagnosis: buildDiagnosis() as Diagnosis,
    plan: buildApproval({}).plan as Plan | Refusal,
    dryRun: { type: 'accepted', generation: 3, mutated: [] } as ChangeOutcome,
    apply: { type: 'accepted', generation: 3, mutated: [] } as ChangeOutcome,
    /** The state of a change that an earlier attempt may have made. */
    made: undefined as Awaited<ReturnType<WorkloadPatcher['findMade']>>,
    /** The state of the first step of a plan with two steps. */
    firstStep: { type: 'observed' } as FirstStepRead,
    /** The outcome for the pods of the second step. */
    secondStep: { deleted: ['db-2'], skipped: [] } as SecondStepOutcome,
    policy,
    slackDown: false,
    /** How far the clock of the worker is behind that of Redis, in milliseconds. */
    clockBehindMs: 0,
    sent: [] as string[],
    /** Approvals whose second step was sent. */
    secondSteps: [] as string[],
    /** Plans of which a dry run was sent. */
    tried: [] as string[],
    /** Runs right before a dry run is answered. */
    onTry: async (): Promise<void> => undefined,
    /** Runs right before a change is sent. */
    onSend: async (): Promise<void> => undefined,
    groups: new Map([
      ['U0DANA', ['ml-oncall']],
      ['U0MIN', ['ml-oncall']],
      ['U0SAM', ['web']],
    ]),
    members: new Set(['U0DANA', 'U0MIN', 'U0SAM']),
    /** Ids in the organisation, by id; of people who have one. */
    organisationIds: new Map<string, string>(),
  };
  const clock = { now: () => new Date(world.now - world.clockBehindMs) };
  const people: PeopleDirectory = {
    person: async (id) => {
      if (world.slackDown) {
        throw new DoctorError({ code: 'slack-unavailable', message: 'down', retryable: true });
      }
      return {
        ...{ id, ids: [id], name: id, organisationId: world.organisationIds.get(id) },
        locale: 'en-US',
        timeZone: 'UTC',
        kind: world.members.has(id) ? ('member' as const) : ('guest' as const),
        isMember: world.members.has(id),
      };
    },
    groupsOf: async (id) => world.groups.get(id) ?? [],
    groupIds: async (names) =>
      new Map(names.map((name) => [name, `S0${name.toUpperCase().replace('-', '')}`])),
  };
  const sharedClock = { now: async () => new Date(world.now) };
  const currentPolicy = () => world.policy;
  const mayApprove = createMayApprove({ policy: currentPolicy, people });
  const records = openRecords(redis, prefix, (link) => decisions.push(link));
  const deps = {
    ...records,
    policy: currentPolicy,
    checkBrakes: createCheckBrakes({ ...records, sharedClock, policy: currentPolicy }),
    authority: testAuthority,
    sharedClock,
    jobs,
    clock,
    sights: openSights(),
    digest,
    cluster: {
      clusters: ['prod'],
      find: async () => ({ type: 'not-found', what: 'workload', name: '', nearest: [] }) as const,
      snapshot: async () => world.read,
    },
    engine: {
      needs: new Set<never>(),
      diagnose: () => world.diagnosis,
      plan: () => world.plan,
      planUndo: () => world.plan,
      forecastUndo: () => undefined,
      stands: () => true,
      check: () => undefined,
      judge: () => ({ verdict: undefined, progress: { catalogue: 'x', key: 'x', values: {} } }),
    },
    patcher: {
      dryRun: async ({ id }: { readonly id: string }) => {
        world.tried.push(id);
        await world.onTry();
        return world.dryRun;
      },
      apply: async ({ id }: { readonly id: string }) => {
        await world.onSend();
        world.sent.push(id);
        return world.apply;
      },
      findMade: async () => world.made,
      readFirstStep: async () => world.firstStep,
      applySecondStep: async ({ id }: { readonly id: string }) => {
        await world.onSend();
        world.secondSteps.push(id);
        return world.secondStep;
      },
    },
    mayApprove,
    verifyApproval: createVerifyApproval({ authority: testAuthority, mayApprove, sharedClock }),
    approvalTtlMs,
    maxDryRunMs: 1_000,
    verifyWithinMs: 600_000,
  };
  const open = createReviewRemediation(deps);
  const tryPlan = createDryRunRemediation(deps);
  const awaitDryRun = createAwaitDryRun(deps);
  return {
    ...deps,
    people,
    prefix,
    /** The logged decisions, in order. */
    decisions,
    world,
    queued,
    open,
    tryPlan,
    failTry: createFailDryRun(deps),
    awaitDryRun,
    /** Opens a review and has its dry run answered. */
    async review(request: Parameters<typeof open>[0]) {
      const review = await open(request);
      if (review.type === 'refused' || review.dryRun.type !== 'asked') return review;
      const { id, incidentId } = review.approval;
      await tryPlan({ v: 1, incidentId, approvalId: id, ask: review.dryRun.ask });
      return awaitDryRun(review, request.by);
    },
    ask: createAskForApproval({ ...deps, people }),
    decide: createDecideApproval(deps),
    apply: createApplyRemediation(deps),
    cancel: createCancelChange(deps),
    diagnoseAgain: createDiagnoseAgain(deps),
    /** An incident whose card shows the deadlock. */
    async diagnosed(fields: Partial<Incident> = {}) {
      const { incident } = await deps.incidents.open(
        buildIncident({ id: randomUUID().slice(0, 8), ...fields }),
      );
      const next = { ...incident, version: 2, phase: 'diagnosed', diagnosis: world.diagnosis } as const;
      await deps.incidents.replace(next);
      return next;
    },
    jobsOf: (queue: QueueName) => [...queued.values()].filter((each) => each.queue === queue),
  };
}

export type Stage = ReturnType<typeof createStage>;

/** The fix that the card of the deadlock offers. */
export const remediationId = 'patch-strategy-in-place';

/** The open policy with one demand. */
export const demanding = (demand: object): Policy => Policy.parse({ ...openPolicy, demands: [demand] });

/** A review of that fix for a new incident, and the job that carries it out once it is approved. */
export async function reviewed(stage: Stage, by = 'U0DANA', fields: Partial<Incident> = {}) {
  const incident = await stage.diagnosed(fields);
  const review = await stage.review({ incidentId: incident.id, remediationId, by });
  if (review.type === 'refused') throw new Error(`refused: ${review.because.key}`);
  const { approval } = review;
  const job = { v: 1, incidentId: incident.id, approvalId: approval.id } as const;
  return { incident, review, approval, approvalId: approval.id, job };
}

export const approve = (stage: Stage, approvalId: string, by = 'U0DANA', typedName?: string) =>
  stage.decide({
    ...{ approvalId, by, decision: 'approve', reason: 'GPU deadlock' },
    ...(typedName === undefined ? {} : { typedName }),
  });

/** The job of an approved fix. */
export async function approved(stage: Stage, fields: Partial<Incident> = {}) {
  const { job } = await reviewed(stage, 'U0DANA', fields);
  const decided = await approve(stage, job.approvalId);
  if (decided.type !== 'approved') throw new Error(JSON.stringify(decided));
  return job;
}
