import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { NamedWorkload } from '#src/doctor/commands/command.js';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import type { RequestedChange } from '#src/doctor/fixes/requested-change.js';
import type { Incident, Phase } from '#src/doctor/incidents/incident.js';
import { Policy } from '#src/doctor/policy/policy.js';
import { createAwaitDryRun } from '#src/service/approve/await-dry-run.js';
import { createDecideApproval } from '#src/service/approve/decide-approval.js';
import { createMayApprove } from '#src/service/approve/may-approve.js';
import { createReviewRemediation } from '#src/service/approve/review-remediation.js';
import type { WorkloadPatcher } from '#src/service/change/workload-patcher.js';
import { createEngine } from '#src/service/create-engine.js';
import type { ClusterReader } from '#src/service/diagnose/cluster-reader.js';
import { createDiagnoseAgain } from '#src/service/diagnose/diagnose-again.js';
import { createRequestDiagnosis } from '#src/service/diagnose/request-diagnosis.js';
import type { Review } from '#src/service/people/conversation.js';
import { loadConfig } from '#src/settings/config.js';
import { startPrivateRedis } from '../../../demo/redis/private-redis.js';
import { startSentinel } from '../../../workers/each-cluster.js';
import { createPatcher, type People } from '../../../workers/queue-handlers.js';
import { startWorkers } from '../../../workers/start-workers.js';
import { createWorkerContainer, type WorkerContainer } from '../../../workers/worker-container.js';
import { testKeyText } from '../../support/authority.js';
import { openSights } from '../../support/sights.js';
import type { Cluster } from './cluster.js';
import { accounts, applyShipped } from './shipped-rbac.js';

/** An incident and its last diagnosis. */
export interface DiagnosedIncident {
  readonly incident: Incident;
  readonly diagnosis: Diagnosis;
}

/**
 * The shipped program on a real cluster: app, workers and a Redis, with the shipped accounts' rights, without
 * Slack.
 */
export interface Program {
  /**
   * Dates every later diagnosis this many seconds into the future, for rules that wait a minute before they
   * report a rollout as stuck. Only the time of the diagnosis changes, nothing that was read.
   */
  dateDiagnoses(laterSeconds: number): void;
  /** Requests a diagnosis, or a change, as a slash command does, and waits for the answer. */
  diagnose(query: NamedWorkload, change?: RequestedChange): Promise<DiagnosedIncident>;
  /** Diagnoses the same incident again, as the button does. */
  diagnoseAgain(incident: Incident): Promise<DiagnosedIncident>;
  /** Opens the review of a remediation, or of `undo`; rejects when it is refused. */
  review(incident: Incident, remediationId: string): Promise<Review>;
  /** Approves the review, and waits until the change has its verdict or has failed. */
  approve(review: Review, typedName?: string): Promise<Incident>;
  /** All incidents, the newest first. */
  incidents(): Promise<readonly Incident[]>;
  /** The same cluster without the records: what the workers read with and write with. */
  readonly reader: ClusterReader;
  readonly patcher: WorkloadPatcher;
  stop(): Promise<void>;
}

const person = 'U0DANA';
const deadlineMilliseconds = 60_000;

/** Nothing is delivered here: no process serves that queue. */
const nobody: People['thread'] = {
  postMortemOf: async () => undefined,
  post: async () => ({ type: 'unavailable' }),
  edit: async () => ({ type: 'unavailable' }),
  react: async () => ({ type: 'unavailable' }),
  showScan: async () => ({ type: 'unavailable' }),
  postDigest: async () => ({ type: 'unavailable' }),
  findDigest: async () => 'unknown',
  find: async () => undefined,
};

/** Applies the cluster-wide rights. Namespaces that are made later are readable and changeable too. */
export async function grantClusterWide(cluster: Cluster): Promise<void> {
  await applyShipped(cluster, [
    'base/service-accounts.yaml',
    'cluster-wide/reader.yaml',
    'cluster-wide/patcher.yaml',
  ]);
}

/**
 * Starts the program as it ships: the app, diagnosis and verification run with the reading account, the
 * remediation worker, which has the API server try each plan, with the patching one. The accounts must have
 * their rights already.
 */
export async function startProgram(
  cluster: Cluster,
  {
    env = {},
    cancelSeconds = 5,
    watches = true,
  }: {
    readonly env?: Readonly<Record<string, string>>;
    /** How long a change can be cancelled after its approval, before it is sent. */
    readonly cancelSeconds?: number;
    /**
     * `false`: without the sentinel. It computes in this process too, and diagnoses again while the hundreds
     * of pods of a large form are removed.
     */
    readonly watches?: boolean;
  } = {},
): Promise<Program> {
  const redis = await startPrivateRedis();
  const prefix = `cluster-${randomUUID()}`;
  const containerOf = async (account: string, workers: string): Promise<WorkerContainer> => {
    const kubeconfig = await cluster.kubeconfigFor({ namespace: accounts.namespace, name: account });
    const loaded = loadConfig({
      SLACK_BOT_TOKEN: 'xoxb-none',
      SLACK_APP_TOKEN: 'xapp-none',
      REDIS_URL: redis.url,
      REDIS_PREFIX: prefix,
      KUBECONFIG: kubeconfig,
      WORKERS: workers,
      APPROVAL_KEYS: testKeyText,
      VERIFY_SECONDS: '45',
      VERIFY_EVERY_SECONDS: '1',
      LOG_LEVEL: 'error',
      ...env,
    });
    if (loaded.type === 'invalid') throw new Error(JSON.stringify(loaded.problems));
    return createWorkerContainer(loaded.config);
  };
  let laterMilliseconds = 0;
  const dated = (container: WorkerContainer): WorkerContainer => ({
    ...container,
    cluster: {
      ...container.cluster,
      snapshot: (...asked) => datedReader(container.cluster, laterMilliseconds, asked),
    },
  });
  const reading = dated(await containerOf(accounts.reader, 'diagnosis,verification'));
  const patching = dated(await containerOf(accounts.patcher, 'remediation'));
  await Promise.all([reading, patching].map(untilConnected));
  const engine = createEngine();
  const stopSentinel = watches ? startSentinel(reading) : async () => {};
  const policy = Policy.parse({
    grants: [{ users: [person], namespaces: ['*'], actions: '*' }],
    brakes: { cancelSeconds },
  });
  const mayApprove = createMayApprove({
    policy: () => policy,
    people: {
      person: async (id) => ({
        ...{ id, ids: [id], name: id },
        locale: 'en-US',
        timeZone: 'UTC',
        kind: 'member' as const,
        isMember: true,
      }),
      groupIds: async () => new Map<string, string>(),
      groupsOf: async () => [],
    },
  });
  const workers = [reading, patching].map((container) =>
    startWorkers(
      container,
      { diagnosis: engine, verification: engine, git: undefined },
      { thread: nobody, mayApprove, sights: openSights() },
    ),
  );
  const deps = {
    ...reading,
    engine,
    maxDryRunMs: 30_000,
    approvalTtlMs: 900_000,
    mayApprove,
    sights: openSights(),
  };
  const request = createRequestDiagnosis({ ...reading, mayApprove, sights: openSights() });
  const again = createDiagnoseAgain({ ...reading, sights: openSights() });
  const reviewRemediation = createReviewRemediation(deps);
  const awaitDryRun = createAwaitDryRun(deps);
  const decide = createDecideApproval(deps);

  async function readDiagnosed(id: string): Promise<DiagnosedIncident> {
    const incident = await untilPhase(reading, id, (phase) => phase !== 'diagnosing');
    if (incident.diagnosis === undefined || incident.phase === 'failed') {
      throw new Error(`no diagnosis: ${JSON.stringify(incident.failure)}`);
    }
    return { incident, diagnosis: incident.diagnosis };
  }

  return {
    dateDiagnoses: (laterSeconds) => {
      laterMilliseconds = laterSeconds * 1_000;
    },
    async diagnose(query, change) {
      const asked = await request({
        query,
        origin: { via: 'command', by: person },
        channel: 'C0',
        language: 'en',
        ...(change === undefined ? {} : { change }),
      });
      if (asked.type !== 'queued') throw new Error(`not found: ${JSON.stringify(asked)}`);
      return readDiagnosed(asked.incident.id);
    },
    async diagnoseAgain({ id }) {
      const asked = await again({ incidentId: id, by: person });
      if (asked.type === 'refused') throw new Error(`not diagnosed again: ${JSON.stringify(asked.because)}`);
      return readDiagnosed(id);
    },
    async review({ id }, remediationId) {
      const opened = await reviewRemediation({ incidentId: id, remediationId, by: person });
      const review = opened.type === 'refused' ? opened : await awaitDryRun(opened, person);
      if (review.type === 'refused') throw new Error(`review refused: ${JSON.stringify(review.because)}`);
      if (review.dryRun.type !== 'accepted')
        throw new Error(`not accepted: ${JSON.stringify(review.dryRun)}`);
      return review;
    },
    async approve({ approval }, typedName) {
      const decided = await decide({
        approvalId: approval.id,
        by: person,
        decision: 'approve',
        reason: 'test',
        ...(typedName === undefined ? {} : { typedName }),
      });
      if (decided.type !== 'approved') throw new Error(`not approved: ${JSON.stringify(decided)}`);
      return untilPhase(
        reading,
        approval.incidentId,
        (phase) => phase !== 'applying' && phase !== 'verifying',
      );
    },
    incidents: () => reading.incidents.recent(100),
    reader: reading.cluster,
    patcher: createPatcher(patching),
    async stop() {
      await stopSentinel();
      await Promise.all(workers.map((each) => each.close(5_000)));
      await Promise.all([reading.close(), patching.close()]);
      await redis.stop();
    },
  };
}

async function untilConnected({ redis }: WorkerContainer): Promise<void> {
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve) => redis.once('ready', resolve));
}

async function untilPhase(
  { incidents }: WorkerContainer,
  id: string,
  accepts: (phase: Phase) => boolean,
): Promise<Incident> {
  const expiry = Date.now() + deadlineMilliseconds;
  for (;;) {
    const incident = await incidents.get(id);
    if (incident !== undefined && accepts(incident.phase)) return incident;
    if (Date.now() > expiry) {
      throw new Error(
        `incident ${id} stays ${incident?.phase}: ${JSON.stringify(incident?.change?.progress)}`,
      );
    }
    await delay(50);
  }
}

async function datedReader(
  cluster: ClusterReader,
  laterMilliseconds: number,
  asked: Parameters<ClusterReader['snapshot']>,
): ReturnType<ClusterReader['snapshot']> {
  const answer = await cluster.snapshot(...asked);
  if (answer.type !== 'snapshot') return answer;
  const takenAt = new Date(Date.parse(answer.snapshot.takenAt) + laterMilliseconds).toISOString();
  return { ...answer, snapshot: { ...answer.snapshot, takenAt } };
}
