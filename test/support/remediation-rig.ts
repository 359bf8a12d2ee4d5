import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import type { AnyRule } from '#src/doctor/findings/rule.js';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { Policy } from '#src/doctor/policy/policy.js';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { createWorkloadPatcher } from '#src/edges/kubernetes/workload-patcher.js';
import { createMetrics } from '#src/edges/metrics/metrics.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import type { ApprovalAuthority } from '#src/service/approve/approval-authority.js';
import { createAwaitDryRun } from '#src/service/approve/await-dry-run.js';
import { createCheckBrakes } from '#src/service/approve/check-brakes.js';
import { createDecideApproval } from '#src/service/approve/decide-approval.js';
import { createDryRunRemediation } from '#src/service/approve/dry-run-remediation.js';
import type { MayApprove } from '#src/service/approve/may-approve.js';
import { createReviewRemediation } from '#src/service/approve/review-remediation.js';
import { createVerifyApproval } from '#src/service/approve/verify-approval.js';
import { createApplyRemediation } from '#src/service/change/apply-remediation.js';
import { createRemindExclusion } from '#src/service/change/remind-exclusion.js';
import { createVerifyRemediation } from '#src/service/change/verify-remediation.js';
import { createEngine, createTell } from '#src/service/create-engine.js';
import type { DiagnosisEngine } from '#src/service/diagnose/engine.js';
import { createRunDiagnosis } from '#src/service/diagnose/run-diagnosis.js';
import { createGitEditor } from '#src/service/git/edit-in-git.js';
import type { FindGitTarget } from '#src/service/git/find-git-target.js';
import type { GitHost } from '#src/service/git/git-host.js';
import { createGitWriter } from '#src/service/git/git-writer.js';
import { createRunPullRequest } from '#src/service/git/run-pull-request.js';
import type { Jobs, QueueName } from '#src/service/jobs/jobs.js';
import { jobIdOf } from '#src/service/jobs/jobs.js';
import type { Refused, Review } from '#src/service/people/conversation.js';
import type { JobQueue } from '#src/service/records/process-ports.js';
import { createLocalCluster, type LocalClusterOptions } from '../../demo/cluster/local-cluster.js';
import { allowed } from './allowed.js';
import { digest, testAuthority } from './authority.js';
import { buildIncident } from './records.js';
import { openRecords } from './redis-records.js';
import { openSights } from './sights.js';

const second = 1_000;
const verifySeconds = 120;

export interface RigOptions {
  readonly redis: Redis;
  readonly cluster?: LocalClusterOptions;
  /** In place of all the rules of the product. */
  readonly rule?: AnyRule;
  /** Replaces the default, under which everyone may approve everything. */
  readonly mayApprove?: MayApprove;
  /** Where Git declares the workloads, and its host. */
  readonly git?: {
    readonly host: GitHost;
    readonly repositories: readonly string[];
    readonly findTarget: FindGitTarget;
  };
  /** What the processes sign and verify with; that of the test key when absent. */
  readonly authority?: ApprovalAuthority;
  /** Added to the clock that all processes share, in milliseconds. */
  readonly sharedClockAhead?: () => number;
}

const allowEverybody: MayApprove = async (_subject, by) =>
  allowed(by, { approvers: 1, notRequester: false, typeName: false, login: false });

interface Queued {
  readonly queue: QueueName;
  readonly job: Jobs[QueueName];
  /** Epoch milliseconds. */
  readonly due: number;
}

/**
 * The use cases on a real Redis and on the local cluster over HTTP, with the cluster's standing clock for
 * their own: time passes only when a test advances it, and jobs run when they are due.
 */
export async function startRig({
  redis,
  cluster: options = {},
  rule,
  mayApprove = allowEverybody,
  git,
  authority = testAuthority,
  sharedClockAhead = () => 0,
}: RigOptions) {
  const cluster = await createLocalCluster({ startAt: Date.parse('2026-11-20T09:30:00Z'), ...options });
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-rig-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  const connections = connectClusters({ kubeconfig, contexts: [] });
  const clock = { now: () => new Date(cluster.clock.now()) };
  const sharedClock = { now: async () => new Date(cluster.clock.now() + sharedClockAhead()) };
  const prefix = `test-${randomUUID()}`;
  const queued = new Map<string, Queued>();
  const said: Jobs['delivery'][] = [];
  const jobs: JobQueue = {
    async enqueue(queue, job, { delayMs = 0 } = {}) {
      if (queue === 'delivery') said.push(job as Jobs['delivery']);
      else queued.set(jobIdOf(queue, job), { queue, job, due: cluster.clock.now() + delayMs });
    },
  };
  const whole = createEngine();
  const engine: DiagnosisEngine =
    rule === undefined ? whole : { ...whole, diagnose: (snapshot) => diagnose(snapshot, [rule]) };
  const parsed = Policy.parse({
    grants: [],
    brakes: { cancelSeconds: 0, limits: [{ changesPerHour: 1_000 }] },
  });
  const policy = () => parsed;
  const records = openRecords(redis, prefix);
  const deps = {
    clock,
    policy,
    checkBrakes: createCheckBrakes({ ...records, sharedClock, policy }),
    jobs,
    engine,
    sights: openSights(),
    metrics: createMetrics(),
    cluster: createClusterReader({ connections, clock, timeoutMs: 10_000, findTimeoutMs: 10_000 }),
    ...records,
    sharedClock,
    authority,
    patcher: createWorkloadPatcher({
      connections,
      clock,
      sharedClock,
      authority,
      timeoutMs: 10_000,
    }),
    digest,
    mayApprove,
    verifyApproval: createVerifyApproval({ authority, mayApprove, sharedClock }),
    approvalTtlMs: 900 * second,
    maxDryRunMs: 10 * second,
    findGitTarget: git?.findTarget,
    tell: createTell(),
    verifyWithinMs: verifySeconds * second,
    verifyEveryMs: second,
  };
  const gitWriter =
    git &&
    createGitWriter({
      ...deps,
      host: git.host,
      editor: createGitEditor(git.host),
      isAllowed: (name) => git.repositories.includes(name),
    });
  const open = createReviewRemediation(deps);
  const tryPlan = createDryRunRemediation({ ...deps, gitWriter });
  const awaitDryRun = createAwaitDryRun(deps);
  const usecases = {
    diagnosis: createRunDiagnosis(deps),
    open,
    tryPlan,
    awaitDryRun,
    /** Opens a review and has its dry run answered. */
    async review(request: Parameters<typeof open>[0]): Promise<Review | Refused> {
      const review = await open(request);
      if (review.type === 'refused' || review.dryRun.type !== 'asked') return review;
      const { id, incidentId } = review.approval;
      await tryPlan({ v: 1, incidentId, approvalId: id, ask: review.dryRun.ask });
      return awaitDryRun(review, request.by);
    },
    decide: createDecideApproval(deps),
    remediation: createApplyRemediation(deps),
    pullRequest: createRunPullRequest({ ...deps, gitWriter, gitHost: git?.host }),
    verify: createVerifyRemediation(deps).verify,
    remind: createRemindExclusion(deps),
  };
  const once = { lastAttempt: false, urgency: 'person' } as const;

  const pass = (seconds: number): void => {
    for (let passed = 0; passed < seconds; passed += 1) cluster.advanceTo(cluster.clock.now() + second);
  };

  /** Runs what is due; a verification that is not done lets a second pass. */
  const work = async (): Promise<void> => {
    for (;;) {
      const next = [...queued].find(([, { due }]) => due <= cluster.clock.now());
      if (next === undefined) return;
      const [id, { queue, job }] = next;
      queued.delete(id);
      if (queue === 'diagnosis') await usecases.diagnosis(job as Jobs['diagnosis'], once);
      if (queue === 'dry-run') await tryPlan(job as Jobs['dry-run']);
      if (queue === 'remediation') {
        const later = await usecases.remediation(job as Jobs['remediation'], once);
        if (later === undefined) continue;
        pass(later.afterMs / second);
        queued.set(id, { queue, job, due: cluster.clock.now() });
      }
      if (queue === 'pull-request') {
        const later = await usecases.pullRequest(job as Jobs['pull-request']);
        if (later !== undefined) queued.set(id, { queue, job, due: cluster.clock.now() + later.afterMs });
      }
      if (queue !== 'verification') continue;
      const verification = job as Jobs['verification'];
      if (verification.remind) {
        await usecases.remind(verification);
        continue;
      }
      const outcome = await usecases.verify(verification);
      if (outcome.type === 'again') {
        pass(outcome.afterMs / second);
        queued.set(id, { queue, job, due: cluster.clock.now() });
      }
    }
  };

  const current = async (id: string): Promise<Incident> => {
    const incident = await deps.incidents.get(id);
    if (incident === undefined) throw new Error('the incident is gone');
    return incident;
  };

  return {
    ...deps,
    local: cluster,
    said,
    redis,
    prefix,
    pass,
    work,
    current,
    usecases,
    /** @param channel in which it is shown; an incident of another channel is another one */
    async diagnosed(workload: Omit<WorkloadRef, 'cluster'>, channel?: string): Promise<Incident> {
      const id = randomUUID().slice(0, 8);
      const at = clock.now().toISOString();
      const ref = { cluster: cluster.name, ...workload };
      await deps.incidents.open(
        buildIncident({
          ...{ id, workload: ref, createdAt: at, updatedAt: at },
          ...(channel === undefined ? {} : { channel }),
        }),
      );
      await usecases.diagnosis({ v: 1, incidentId: id, look: 1 }, once);
      return current(id);
    },
    async reviewed(incident: Incident, remediationId: string): Promise<Review> {
      const review = await usecases.review({ incidentId: incident.id, remediationId, by: 'U0DANA' });
      if (review.type === 'refused') {
        throw new Error(`refused: ${review.because.key} ${JSON.stringify(review.because.values)}`);
      }
      return review;
    },
    /** Approves, and lets the change be made and verified. */
    async approved({ approval, incident }: Review): Promise<Incident> {
      const decided = await usecases.decide({
        approvalId: approval.id,
        by: 'U0DANA',
        decision: 'approve',
        reason: 'because',
      });
      if (decided.type !== 'approved') throw new Error(`not approved: ${JSON.stringify(decided)}`);
      await work();
      return current(incident.id);
    },
    /** Changes sent for good, as `verb resource`. */
    writes: () =>
      cluster.requests
        .filter(
          ({ verb, query, resource }) =>
            writing.has(verb) && !query.includes('dryRun') && resource !== 'events',
        )
        .filter(({ body }) => !body.includes('dryRun'))
        .map(({ verb, resource }) => `${verb} ${resource}`),
    async stop() {
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Rig = Awaited<ReturnType<typeof startRig>>;

const writing: ReadonlySet<string> = new Set(['patch', 'delete', 'update', 'create']);

/** Names of the remediations on the card, by kind. */
export function idOf({ diagnosis }: Incident, kind: string): string {
  const remediations = diagnosis?.findings.flatMap((finding) => finding.remediations) ?? [];
  const found = remediations.find((remediation) => remediation.kind === kind);
  if (found !== undefined) return found.id;
  const withheld = diagnosis?.findings.flatMap((finding) => finding.withheld) ?? [];
  throw new Error(`no ${kind} offered: ${JSON.stringify({ withheld, defects: diagnosis?.defects })}`);
}

/** All that Redis holds under the rig's prefix, as text. */
export async function storedBy({ redis, prefix }: Rig): Promise<string> {
  const texts: string[] = [];
  for (const key of await redis.keys(`*${prefix}*`)) {
    const type = await redis.type(key);
    if (type === 'string') texts.push((await redis.get(key)) ?? '');
    if (type === 'hash') texts.push(JSON.stringify(await redis.hgetall(key)));
    if (type === 'list') texts.push(JSON.stringify(await redis.lrange(key, 0, -1)));
    if (type === 'stream') texts.push(JSON.stringify(await redis.xrange(key, '-', '+')));
  }
  return texts.join('\n');
}
