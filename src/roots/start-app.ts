import { subjectOf } from '../doctor/alerts/subject-of.js';
import { isClusterVisible, noSight } from '../doctor/policy/view.js';
import type { ExplanationAnswer } from '../edges/library/shapes.js';
import { createCallLimits, createWorkBudget } from '../edges/mcp/call-limits.js';
import { createSightAnswers, type ManifestReader, type WorkloadsRead } from '../edges/mcp/sight-answers.js';
import { startStatusServer } from '../edges/metrics/status-server.js';
import { linkToMessages } from '../edges/slack/card-link.js';
import { createChannelMembership } from '../edges/slack/channel-membership.js';
import { createSlackClients } from '../edges/slack/clients.js';
import { createSlackApp, type SlackAppOptions } from '../edges/slack/create-slack-app.js';
import { createPeopleAnswers } from '../edges/slack/people-answers.js';
import { createHomePage, createSlackAudienceDirectory } from '../edges/slack/slack-audience-directory.js';
import { createSlackIdentity } from '../edges/slack/slack-identity.js';
import { createSlackPeopleDirectory } from '../edges/slack/slack-people-directory.js';
import { createReadWorkspaces } from '../edges/slack/slack-workspaces.js';
import { createThreadPool } from '../edges/threads/thread-pool.js';
import { createLocateSubject } from '../service/alerts/locate-subject.js';
import { createReceiveAlert } from '../service/alerts/receive-alert.js';
import { createAskForApproval } from '../service/approve/ask-for-approval.js';
import { createAwaitDryRun } from '../service/approve/await-dry-run.js';
import { createCancelChange } from '../service/approve/cancel-change.js';
import { createSwitchChanges } from '../service/approve/change-stop.js';
import { createDecideApproval } from '../service/approve/decide-approval.js';
import { createMayApprove } from '../service/approve/may-approve.js';
import { createReviewRemediation } from '../service/approve/review-remediation.js';
import { clustersAway, faultyClusters, policyDigest } from '../service/clusters/cluster-roll.js';
import { createRemoteReviews } from '../service/clusters/remote-reviews.js';
import { createTell } from '../service/create-engine.js';
import { cardKey, resultKey } from '../service/deliver/delivery-jobs.js';
import { createDiagnoseAgain } from '../service/diagnose/diagnose-again.js';
import { createProposeChange } from '../service/diagnose/propose-change.js';
import { createRequestDiagnosis } from '../service/diagnose/request-diagnosis.js';
import { createRequestScan } from '../service/diagnose/scan.js';
import { createFindGitTarget } from '../service/git/find-git-target.js';
import { createAssignIncident } from '../service/people/assign-incident.js';
import { createReadAudit } from '../service/people/audit-trail.js';
import {
  createFindByName,
  createListIncidents,
  createReadHistory,
  createReadIncident,
  createShareResult,
} from '../service/people/list-incidents.js';
import { createDiagnoseMember, createReadGroup } from '../service/people/read-group.js';
import { createReadHome } from '../service/people/read-home.js';
import { createSights, sightIn } from '../service/people/sights.js';
import { createSilencing } from '../service/people/silencing.js';
import { languageOfChannel } from '../settings/config.js';
import { checkGroups } from './check-start.js';
import type { Container } from './container.js';
import { restoreRecords } from './restore-records.js';
import { startEngine, threadBeside } from './start-engine.js';
import { confirmingByLogin, startLogin, startWebhooks } from './start-servers.js';

/** A decision reads the cluster once more, which takes at most READ_TIMEOUT_SECONDS (20 s). */
const maxDecisionMs = 30_000;
/** Slack shows an error after 3 seconds, of which the way of request and answer takes a part. */
const maxAcknowledgeMs = 2_000;

/**
 * A dry run reads the object and sends one request; a worker that died in between is followed after some 20
 * s.
 */
const maxDryRunMs = 30_000;

/** A call of a tool has a minute; the card of a command waits up to half of it for the diagnosis. */
const maxCardMs = 20_000;

/** Proposals of one assistant for one person or group, in this process. Each may make a card. */
const proposalLimits = { maxCalls: 10, windowMs: 600_000, maxAtOnce: 1, maxOfAll: 4 } as const;

/** Characters of manifests that one caller may have checked: about two seconds of a processor a minute. */
const manifestBudget = { most: 3_000_000, windowMs: 60_000 } as const;

interface RunningApp {
  /** Of Slack's requests; undefined in Socket Mode. */
  readonly port: number | undefined;
  readonly statusPort: number;
  stop(): Promise<void>;
}

const threaded = { startEngine, startManifestReader };

/**
 * Wires the Slack edge to the use cases and starts to receive.
 *
 * @param computing what computes in place of threads
 */
export async function startApp(container: Container, computing = threaded): Promise<RunningApp> {
  const { config, log, clock, cluster, metrics } = container;
  const { approvals, audit, authority, checkBrakes, deliveries, digest, incidents, jobs, newId } = container;
  const {
    alerts,
    locator,
    policy,
    policyFile,
    scans,
    slackCredentials,
    seenBefore,
    sharedClock,
    silences,
    stops,
  } = container;
  const slack = { slackApiUrl: config.slackApiUrl, log, onRequest: metrics.onSlackRequest };
  const token = () => slackCredentials().botToken;
  const clients = createSlackClients({ ...slack, token });
  const identity = createSlackIdentity(clients.lookup);
  const lookup = { client: clients.lookup, clock, identity };
  const workspaces = createReadWorkspaces(lookup);
  const people = createSlackPeopleDirectory({
    ...lookup,
    workspaces,
    defaultLanguage: config.channelLanguage,
  });
  policyFile.onChange((changed) => void checkGroups(clients.lookup, workspaces, changed, log));
  const audiences = createSlackAudienceDirectory({ client: clients.lookup, clock, workspaces });
  const sights = createSights({ audiences, people, policy });
  const mayApprove = createMayApprove({ people, policy });
  const engine = computing.startEngine(container, { maxThreads: 2 });
  const records = { clock, incidents, jobs, sights };
  const reviews = {
    ...records,
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
  const { links, signerOf } = container;
  const { reviewRemediation, decideApproval } =
    links === undefined
      ? {
          reviewRemediation: createReviewRemediation({
            ...reviews,
            policy,
            findGitTarget: config.git && createFindGitTarget(config.git.settings),
          }),
          decideApproval: createDecideApproval(reviews),
        }
      : createRemoteReviews({
          approvals,
          incidents,
          sights,
          signerOf,
          ask: links.ask,
          roll: links.roll,
          withinMs: maxDecisionMs,
        });
  const confirmLogin = confirmingByLogin({
    ...records,
    approvals,
    audit,
    authority,
    config,
    decideApproval,
    newId,
    people,
    sharedClock,
    redis: container.redis,
    signer: container.signer,
  });
  const tell = createTell();
  const linkTo = linkToMessages(() => identity.known()?.workspaceUrl);
  const locate = createLocateSubject(locator);
  const receiveAlert = createReceiveAlert({ alerts, clock, jobs, metrics });
  const requests = { ...records, audit, cluster, deliveries, mayApprove, newId };
  const requestDiagnosis = createRequestDiagnosis(requests);
  const app = createSlackApp(
    {
      ...slack,
      token,
      receive: receiveOf(container),
      meters: metrics,
      port: config.port,
      identity,
      language: config.channelLanguage,
    },
    {
      log,
      client: clients.interactive,
      people,
      tell,
      clustersFor: async (user) => {
        const sight = await sights.ofPerson(user);
        return cluster.clusters.filter((name) => isClusterVisible(sight, name));
      },
      languageOfChannel: (channel) => languageOfChannel(config, channel),
      isInChannel: createChannelMembership({ client: clients.lookup, clock }),
      seenBefore,
      isShown: async ({ id, look }, user) => {
        const shown = await Promise.all([
          deliveries.get(cardKey(id)),
          deliveries.get(resultKey(id, look, user)),
        ]);
        return shown.some((each) => each?.message !== undefined);
      },
      incidentInThread: (channel, threadTs) => deliveries.incidentInThread(channel, threadTs),
      linkTo,
      requestDiagnosis,
      readGroup: createReadGroup({ ...records, deliveries }),
      diagnoseMember: createDiagnoseMember({ ...records, deliveries }, requestDiagnosis),
      diagnoseAgain: createDiagnoseAgain(records),
      readIncident: createReadIncident(records),
      reviewRemediation,
      awaitDryRun: createAwaitDryRun({ approvals, authority, incidents, sights, maxDryRunMs }),
      decideApproval: confirmLogin.decideApproval,
      askForApproval: createAskForApproval({ ...records, audit, mayApprove, people }),
      maxDecisionMs,
      maxAcknowledgeMs,
      cancelChange: createCancelChange({ ...records, approvals, authority, mayApprove }),
      assignIncident: createAssignIncident({ ...records, audit, people }),
      shareResult: createShareResult(records),
      alerts: {
        channels: config.alerts.settings.slack,
        rules: config.alerts.settings.rules,
        receive: receiveAlert,
        async locate(alert, { user, channel }) {
          const allowed = await sightIn(sights, { by: user, channel });
          if (allowed.type === 'refused') return allowed;
          const { clusters: aliases } = config.alerts.settings;
          return locate(subjectOf(alert, { names: locator.clusters, aliases }), allowed.sight);
        },
        digest,
      },
      silenceOf: (workload) => silences.of(workload),
      homePage: createHomePage({
        tell,
        linkTo,
        pages: config.pages,
        readHome: createReadHome({
          approvals,
          audit,
          clock,
          deliveries,
          incidents,
          mayApprove,
          sights,
          silences,
          policyFaultSince: policyFile.faultSince,
          clustersAway: links && (() => clustersAway(links.roll)),
          clusterFaults: links && (() => faultyClusters(links.roll, policyDigest(policy(), digest))),
        }),
      }),
      findByName: createFindByName({ cluster, deliveries, incidents, sights }),
      others: createPeopleAnswers({
        tell,
        linkTo,
        pages: config.pages,
        hasTables: config.slackTables === 'on',
        listIncidents: createListIncidents({ deliveries, incidents, sights }),
        readHistory: createReadHistory({
          approvals,
          audit,
          cluster,
          deliveries,
          incidents,
          sights,
          silences,
        }),
        readAudit: createReadAudit({ approvals, audit, cluster, sights }),
        requestScan: createRequestScan({
          clock,
          clusters: () => cluster.clusters,
          jobs,
          newId,
          scans,
          sights,
        }),
        switchChanges: createSwitchChanges({ ...records, checkBrakes, mayApprove, policy, stops }),
        silencing: createSilencing({
          clock,
          cluster,
          mayApprove,
          sights,
          silences,
          maxSeconds: config.silenceMaxHours * 3_600,
        }),
      }),
    },
  );
  const { port } = await app.start();
  const proposeChange = createProposeChange({
    cluster,
    deliveries,
    engine,
    incidents,
    requestDiagnosis,
    sights,
    maxCardMs,
  });
  const admitProposal = createCallLimits(proposalLimits, () => performance.now());
  const waitForManifests = createWorkBudget(manifestBudget, () => performance.now());
  const manifests = computing.startManifestReader();
  const webhooks = await startWebhooks(
    container,
    receiveAlert,
    identity,
    ({ name, user, group, channel }) => {
      const caller = user === undefined ? name : `${name}/${user}`;
      return createSightAnswers({
        cluster,
        deliveries,
        engine,
        incidents,
        linkTo,
        manifests,
        caller,
        waitForManifests: (characters) => waitForManifests(caller, characters),
        sight: async () => {
          if (user !== undefined) return sights.ofPerson(user);
          return group === undefined ? noSight : sights.ofGroup(group);
        },
        admitProposal: () => admitProposal(caller),
        ...(channel !== undefined && {
          propose: (query, change) =>
            proposeChange({
              query,
              change,
              assistant: name,
              by: user,
              group,
              channel,
              language: languageOfChannel(config, channel),
            }),
        }),
      });
    },
  );
  const stopRestoring = restoreRecords(container);
  const login = await startLogin(container, confirmLogin, (person) => people.languageOf(person));
  const status = await startStatusServer({
    port: config.statusPort,
    metrics,
    problem: container.redisProblem,
  });
  return {
    port,
    statusPort: status.port,
    async stop() {
      stopRestoring();
      await Promise.all([webhooks?.close(), login?.close(), app.stop()]);
      await Promise.all([engine.close(), manifests.close()]);
      await status.close();
    },
  };
}

function receiveOf({
  config,
  slackCredentials,
}: Pick<Container, 'config' | 'slackCredentials'>): SlackAppOptions['receive'] {
  return config.slackMode === 'socket'
    ? { mode: 'socket', appToken: () => slackCredentials().appToken ?? '' }
    : { mode: 'http', signingSecret: () => slackCredentials().signingSecret ?? '' };
}

/** A thread of its own: no caller takes those that review what people click. */
export function startManifestReader(): ManifestReader & { close(): Promise<void> } {
  const pool = createThreadPool({
    entry: threadBeside(import.meta.url, 'manifest-thread'),
    maxThreads: 1,
    maxWaiting: 8,
    maxWaitMs: 20_000,
    deadlineMs: 10_000,
    maxHeapMb: 256,
    idleMs: 30_000,
  });
  return {
    async read(text, caller) {
      const outcome = await pool.run({ method: 'read', args: text, fairnessKey: caller });
      switch (outcome.type) {
        case 'answered':
          return outcome.value as WorkloadsRead;
        case 'busy':
          return outcome;
        case 'ended':
          if (outcome.because === 'failure') throw new Error('the thread that reads manifests failed');
          return { type: 'refused', because: 'too-large' };
        case 'threw':
          throw outcome.error;
      }
    },
    async explain(message, language, caller) {
      const outcome = await pool.run({ method: 'explain', args: { message, language }, fairnessKey: caller });
      if (outcome.type === 'answered') return outcome.value as ExplanationAnswer;
      if (outcome.type === 'threw') throw outcome.error;
      return undefined;
    },
    close: () => pool.close(),
  };
}
