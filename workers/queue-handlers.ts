import { createClusterNames } from '../src/edges/kubernetes/cluster-names.js';
import { createWorkloadPatcher } from '../src/edges/kubernetes/workload-patcher.js';
import { digestScanId } from '../src/edges/redis/bullmq-job-queue.js';
import { createRedisClusterAnswers } from '../src/edges/redis/redis-clusters.js';
import { createIncidentIoNotes, createPagerDutyNotes } from '../src/edges/webhooks/incident-notes.js';
import { createFailAlert, createHandleAlert } from '../src/service/alerts/handle-alert.js';
import type { Distrust } from '../src/service/approve/approval-ports.js';
import { createDecideApproval } from '../src/service/approve/decide-approval.js';
import { createDryRunRemediation, createFailDryRun } from '../src/service/approve/dry-run-remediation.js';
import type { MayApprove } from '../src/service/approve/may-approve.js';
import { createReviewRemediation } from '../src/service/approve/review-remediation.js';
import { createVerifyApproval } from '../src/service/approve/verify-approval.js';
import { createApplyRemediation, createFailRemediation } from '../src/service/change/apply-remediation.js';
import { createRemindExclusion } from '../src/service/change/remind-exclusion.js';
import { createVerifyRemediation } from '../src/service/change/verify-remediation.js';
import type { WorkloadPatcher } from '../src/service/change/workload-patcher.js';
import { createAnswerQuestion } from '../src/service/clusters/name-answers.js';
import { createCarryOutReview } from '../src/service/clusters/remote-reviews.js';
import { createTell } from '../src/service/create-engine.js';
import { createDeliver } from '../src/service/deliver/deliver.js';
import type { MessageDeps } from '../src/service/deliver/deliver-message.js';
import type { PostMortems } from '../src/service/deliver/deliver-note.js';
import type { IncidentThread } from '../src/service/deliver/incident-thread.js';
import type { DiagnosisEngine } from '../src/service/diagnose/engine.js';
import { createRunDigest, type DigestBoard } from '../src/service/diagnose/run-digest.js';
import { createFailScan, createRunScan, type ScanAudience } from '../src/service/diagnose/scan.js';
import { createFindGitTarget } from '../src/service/git/find-git-target.js';
import { createFailPullRequest, createRunPullRequest } from '../src/service/git/run-pull-request.js';
import type { QueueName } from '../src/service/jobs/jobs.js';
import type { Sights } from '../src/service/people/sights.js';
import { createExamineCandidate } from '../src/service/sentinel/examine-candidate.js';
import { languageOfChannel } from '../src/settings/config.js';
import { createDiagnosisHandler } from './diagnosis-handler.js';
import type { GitAccess } from './git-access.js';
import type { QueueHandler } from './run-worker.js';
import type { WorkerContainer } from './worker-container.js';

/** What computes for which jobs: verification never waits for a diagnosis. */
export interface DiagnosisEngines {
  readonly diagnosis: DiagnosisEngine;
  readonly verification: DiagnosisEngine;
  readonly git: GitAccess | undefined;
}

export interface People {
  readonly thread: IncidentThread & PostMortems & ScanAudience & DigestBoard;
  readonly mayApprove: MayApprove;
  readonly sights: Sights;
  readonly workspaceOf?: MessageDeps['workspaceOf'];
}

/** Reading takes at most so long, and diagnosing what was read again: somebody waits. */
const scanWithinMs = 60_000;
/** Nobody waits, but scans of people do. */
const digestWithinMs = 120_000;

/** The handlers of all queues; those that a process does not serve are not built. */
export function createQueueHandlers(
  container: WorkerContainer,
  engines: DiagnosisEngines,
  { thread, mayApprove, sights, workspaceOf }: People,
): { readonly [Name in QueueName]: () => QueueHandler<Name> } {
  const { config, log, metrics, clock, sharedClock, incidents, jobs } = container;
  const { alerts, approvals, audit, authority, checkBrakes, cluster, deliveries, digest, silences } =
    container;
  const { settings } = config.alerts;
  const clusterAnswers = createRedisClusterAnswers({ redis: container.redis, prefix: config.redisPrefix });
  const engine = engines.diagnosis;
  const records = { clock, incidents, jobs };
  const onDistrusted = (approvalId: string, because: Distrust): void =>
    log.error({ approvalId, because }, 'a stored approval did not pass verification; nothing was sent');
  const onLost = (approvalId: string): void => {
    log.error({ approvalId, code: 'record-lost' }, 'Redis lost an approval that an incident waited for');
    metrics.recordLost('approval');
  };
  return {
    /** Finds out what alerts are about and opens their incidents; reads clusters and never writes to them. */
    alert() {
      const deps = {
        ...records,
        alerts,
        audit,
        digest,
        metrics,
        sights,
        silences,
        locator: container.locator,
        clusterAliases: settings.clusters,
        onNotShown: (channel: string, because: string) =>
          log.warn(
            { channel, because },
            'an alert came to nothing: the policy lets its channel show no namespace',
          ),
      };
      const handle = createHandleAlert(deps);
      return {
        concurrency: 8,
        handle: async (job, attempt) => void (await handle(job, attempt)),
        fail: createFailAlert(deps),
      };
    },

    /** Diagnoses workloads; reads clusters and never writes to them. */
    diagnosis: () => createDiagnosisHandler({ ...records, checkBrakes, cluster, engine, metrics }, 8),

    /** Diagnoses whole namespaces; reads clusters and never writes to them. */
    scan() {
      const { scans } = container;
      const deps = { clock, cluster, deliveries, engine, scans, sights, audience: thread };
      const fail = createFailScan(deps);
      const scan = createRunScan({ ...deps, withinMs: scanWithinMs });
      const digest = createRunDigest({
        clock,
        cluster,
        engine,
        sights,
        board: thread,
        settings: settings.digest,
        channel: settings.channel,
        withinMs: digestWithinMs,
        onNotShown: (channel) =>
          log.warn(
            { channel },
            'the weekly digest is not posted: the policy lets its channel show no namespace',
          ),
      });
      return {
        concurrency: 1,
        handle: (job) => (job.scanId === digestScanId ? digest() : scan(job)),
        // Nobody asked for the digest: there is nobody to tell, and the log has the reference.
        fail: async ({ scanId }, reference) =>
          scanId === digestScanId ? undefined : fail(scanId, reference),
      };
    },

    /** Diagnoses candidates; reads clusters and never writes to them. */
    sentinel() {
      const { candidates, sentinel } = container;
      return {
        concurrency: 2,
        handle: createExamineCandidate({
          ...records,
          audit,
          candidates,
          cluster,
          digest,
          engine,
          metrics,
          sentinel,
          sights,
          silences,
          meters: metrics.sentinel,
          settings: settings.sentinel,
          channel: settings.channel,
          languageOfChannel: (channel) => languageOfChannel(config, channel),
          sayIgnored: ({ on, annotation, because }, workload) =>
            log.warn({ workload, on, annotation }, `sentinel: an annotation is ignored: it is ${because}`),
        }),
        // Nobody was told anything: there is nothing to take back, and the log has the reference.
        fail: async () => undefined,
      };
    },

    /**
     * Has the API server try plans under review. A queue of its own: a person waits, and changes may wait for
     * a cluster.
     */
    'dry-run'() {
      const patcher = createPatcher(container);
      const gitWriter = engines.git?.writerWith(engine);
      const deps = {
        approvals,
        audit,
        authority,
        clock,
        sharedClock,
        mayApprove,
        patcher,
        onDistrusted,
        gitWriter,
      };
      return { concurrency: 4, handle: createDryRunRemediation(deps), fail: createFailDryRun(deps) };
    },

    /** Carries out approved plans; with the dry runs, the only handler whose ServiceAccount may write. */
    remediation() {
      const deps = {
        ...records,
        approvals,
        audit,
        authority,
        checkBrakes,
        cluster,
        sharedClock,
        onDistrusted,
        onLost,
        patcher: createPatcher(container),
        verifyApproval: createVerifyApproval({ authority, mayApprove, sharedClock }),
        verifyWithinMs: config.verifySeconds * 1_000,
      };
      return { concurrency: 4, handle: createApplyRemediation(deps), fail: createFailRemediation(deps) };
    },

    /** Opens approved pull requests and follows them; the only handler that writes to Git. */
    'pull-request'() {
      const deps = {
        ...records,
        approvals,
        authority,
        checkBrakes,
        cluster,
        sharedClock,
        onDistrusted,
        onLost,
        gitHost: engines.git?.gitHost,
        gitWriter: engines.git?.writerWith(engines.verification),
        engine: engines.verification,
        tell: createTell(),
        verifyApproval: createVerifyApproval({ authority, mayApprove, sharedClock }),
      };
      return { concurrency: 4, handle: createRunPullRequest(deps), fail: createFailPullRequest(deps) };
    },

    /**
     * Diagnoses whether changes helped until each has its verdict; and reminds of those meant to be lifted.
     */
    verification() {
      const verifyEveryMs = config.verifyEverySeconds * 1_000;
      const deps = { ...records, approvals, cluster, metrics, engine: engines.verification, verifyEveryMs };
      const { verify, giveUp } = createVerifyRemediation(deps);
      const remind = createRemindExclusion(deps);
      return {
        concurrency: 8,
        async handle(job) {
          if (job.remind) return void (await remind(job));
          const outcome = await verify(job);
          return outcome.type === 'again' ? { afterMs: outcome.afterMs } : undefined;
        },
        fail: giveUp,
      };
    },

    /**
     * Answers questions about names of the one cluster that this worker serves; reads it and never writes to
     * it.
     */
    question() {
      const [connection] = container.connections;
      const cluster = connection?.name ?? '';
      return {
        concurrency: 8,
        async handle(job) {
          if (connection === undefined) return undefined;
          return void (await createAnswerQuestion({
            answers: clusterAnswers,
            sharedClock,
            cluster,
            signer: container.answerSignerOf(cluster),
            names: createClusterNames(connection),
            deadline: () => AbortSignal.timeout(config.readTimeoutSeconds * 1_000),
          })(job));
        },
        // The app reports that no answer came in time.
        fail: async () => undefined,
      };
    },

    /** Reviews fixes and counts decisions for people whose app has no credentials for this cluster. */
    review() {
      const engine = engines.verification;
      const served = container.connections[0]?.name ?? '';
      const reviews = {
        ...records,
        sights,
        approvals,
        audit,
        authority,
        checkBrakes,
        cluster,
        digest,
        engine,
        mayApprove,
        sharedClock,
        approvalTtlMs: config.approvalMinutes * 60_000,
      };
      const { carryOut, fail } = createCarryOutReview({
        answers: clusterAnswers,
        sharedClock,
        signer: container.signerOf(served),
        cluster: served,
        decideApproval: createDecideApproval(reviews),
        reviewRemediation: createReviewRemediation({
          ...reviews,
          policy: container.policy,
          findGitTarget: config.git && createFindGitTarget(config.git.settings),
        }),
      });
      return {
        concurrency: 4,
        handle: async (job) => void (await carryOut(job)),
        async fail({ questionId }, reference) {
          if (questionId !== undefined) await fail(questionId, reference);
        },
      };
    },

    /** Brings Slack up to the records; a Slack that is down or throttles only delays it. */
    delivery() {
      const { roots } = container;
      const hasPrivateResults = config.healthyResults === 'private';
      const { pagerduty, incidentIo } = settings;
      const { pagerduty: token, 'incident-io': key } = config.alerts.noteTokens ?? {};
      const deliver = createDeliver({
        ...records,
        notes: {
          hosts: {
            ...(pagerduty && token && { pagerduty: createPagerDutyNotes({ ...pagerduty, token }) }),
            ...(incidentIo && key && { 'incident-io': createIncidentIoNotes({ ...incidentIo, token: key }) }),
          },
          postMortemOf: thread.postMortemOf,
        },
        alerts,
        approvals,
        deliveries,
        roots,
        thread,
        ...(workspaceOf === undefined ? {} : { workspaceOf }),
        hasPrivateResults,
      });
      return {
        concurrency: 8,
        async handle(job, { urgency }) {
          const outcome = await deliver(job, urgency);
          if (outcome.type === 'later') return { afterMs: outcome.afterMs };
          if (outcome.type === 'refused') {
            log.error(
              { error: outcome.error, kind: job.kind },
              job.kind === 'note' ? 'a note was refused for good' : 'Slack refused a message for good',
            );
            metrics.messageRefused(job.kind);
          }
          return undefined;
        },
        fail: async () => undefined,
      };
    },
  };
}

/** The only writer to clusters. No other process builds one. */
export function createPatcher({
  config,
  connections,
  clock,
  sharedClock,
  authority,
}: Pick<WorkerContainer, 'config' | 'connections' | 'clock' | 'sharedClock' | 'authority'>): WorkloadPatcher {
  const timeoutMs = config.readTimeoutSeconds * 1_000;
  return createWorkloadPatcher({ connections, clock, sharedClock, authority, timeoutMs });
}
