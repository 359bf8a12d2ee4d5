import { startWebhookServer, type WebhookServer } from './adapters/alerts/webhook-server.js';
import { startStatusServer } from './adapters/metrics/status-server.js';
import { type LinkTo, linkToMessages } from './adapters/slack/card-link.js';
import { createChannelMembership } from './adapters/slack/channel-membership.js';
import { createSlackClients } from './adapters/slack/clients.js';
import { createSlackApp } from './adapters/slack/create-slack-app.js';
import { createHomePage } from './adapters/slack/home-page.js';
import type { ListenerDeps } from './adapters/slack/listeners/deps.js';
import { createPeopleAnswers } from './adapters/slack/people-answers.js';
import { createSlackAudienceDirectory } from './adapters/slack/slack-audience-directory.js';
import { createSlackIdentity } from './adapters/slack/slack-identity.js';
import { createSlackPeopleDirectory } from './adapters/slack/slack-people-directory.js';
import { languageOfChannel } from './config.js';
import type { Container } from './container.js';
import { subjectOf } from './core/alert/subject-of.js';
import { isClusterVisible } from './core/authorization/view.js';
import type { Tell } from './core/language/catalogue.js';
import { createTell } from './doctor.js';
import { startDoctor } from './start-doctor.js';
import { createLocateSubject } from './usecases/alerts/locate-subject.js';
import { createReceiveAlert } from './usecases/alerts/receive-alert.js';
import { createAwaitDryRun } from './usecases/approve/await-dry-run.js';
import { createCancelChange } from './usecases/approve/cancel-change.js';
import { createSwitchChanges } from './usecases/approve/change-stop.js';
import { createDecideApproval } from './usecases/approve/decide-approval.js';
import { createMayApprove, type MayApprove } from './usecases/approve/may-approve.js';
import { createReviewRemediation } from './usecases/approve/review-remediation.js';
import { createLookAgain } from './usecases/diagnose/diagnose-again.js';
import { createRequestDiagnosis } from './usecases/diagnose/request-diagnosis.js';
import { createRequestScan } from './usecases/diagnose/request-scan.js';
import { createReadAudit } from './usecases/people/audit-trail.js';
import { createListIncidents } from './usecases/people/list-incidents.js';
import { createReadHome } from './usecases/people/read-home.js';
import { createSights, type Sights, sightIn } from './usecases/people/sights.js';
import { createSilencing } from './usecases/people/silencing.js';
import { createReadHistory } from './usecases/people/workload-history.js';

/** A decision reads the cluster once more, which takes at most READ_TIMEOUT_SECONDS (20 s). */
const maxDecisionMs = 30_000;

/** A dry run reads the object and sends one request; a worker that died in between is followed after some 20 s. */
const maxDryRunMs = 30_000;

export interface RunningApp {
  /** Of Slack's requests; undefined in Socket Mode. */
  readonly port: number | undefined;
  readonly statusPort: number;
  stop(): Promise<void>;
}

/** Wires the Slack edge to the use cases and starts to receive. */
export async function startApp(container: Container): Promise<RunningApp> {
  const { config, log, clock, cluster } = container;
  const clients = createSlackClients({ token: config.slackBotToken, slackApiUrl: config.slackApiUrl, log });
  const identity = createSlackIdentity(clients.lookup);
  const people = createSlackPeopleDirectory({
    client: clients.lookup,
    clock,
    defaultLanguage: config.channelLanguage,
  });
  const teamId = async () => (await identity.identity()).teamId;
  const { policy } = config;
  const audiences = createSlackAudienceDirectory({ client: clients.lookup, clock });
  const sights = createSights({ audiences, people, policy, teamId });
  const mayApprove = createMayApprove({ people, policy, teamId });
  const doctor = startDoctor(container, { maxThreads: 2 });
  const deps = {
    ...container,
    doctor,
    mayApprove,
    sights,
    approvalTtlMs: config.approvalMinutes * 60_000,
    maxDryRunMs,
  };
  const tell = createTell();
  const linkTo = linkToMessages(() => identity.known()?.workspaceUrl);
  const locate = createLocateSubject(container.locator);
  const app = createSlackApp(
    {
      token: config.slackBotToken,
      slackApiUrl: config.slackApiUrl,
      receive: receiveOf(config),
      port: config.port,
      identity,
      log,
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
      seenBefore: container.seenBefore,
      incidentInThread: (channel, threadTs) => container.deliveries.incidentInThread(channel, threadTs),
      linkTo,
      requestDiagnosis: createRequestDiagnosis(deps),
      lookAgain: createLookAgain(deps),
      reviewRemediation: createReviewRemediation(deps),
      awaitDryRun: createAwaitDryRun(deps),
      decideApproval: createDecideApproval(deps),
      maxDecisionMs,
      cancelChange: createCancelChange(deps),
      alerts: {
        channels: config.alerts.settings.slack,
        rules: config.alerts.settings.rules,
        receive: createReceiveAlert(container),
        async locate(alert, { user, channel }) {
          const allowed = await sightIn(sights, { by: user, channel });
          if (allowed.type === 'refused') return allowed;
          const { clusters: aliases } = config.alerts.settings;
          return locate(subjectOf(alert, { names: container.locator.clusters, aliases }), allowed.sight);
        },
        digest: container.digest,
      },
      silenceOf: (workload) => container.silences.of(workload),
      ...forPeople(container, { sights, tell, linkTo, mayApprove }),
    },
  );
  const { port } = await app.start();
  const webhooks = await startWebhooks(container);
  const status = await startStatusServer({
    port: config.statusPort,
    metrics: container.metrics,
    problem: container.redisProblem,
  });
  return {
    port,
    statusPort: status.port,
    async stop() {
      await Promise.all([webhooks?.close(), app.stop()]);
      await doctor.close();
      await status.close();
    },
  };
}

/** The alert webhooks, where any are configured. */
async function startWebhooks(container: Container): Promise<WebhookServer | undefined> {
  const { config, log } = container;
  const { settings, secrets } = config.alerts;
  if (settings.webhooks.length === 0) return undefined;
  const server = await startWebhookServer({
    ...container,
    port: config.alertsPort,
    settings,
    secrets,
    language: config.channelLanguage,
    languageOfChannel: (channel) => languageOfChannel(config, channel),
    receive: createReceiveAlert(container),
    isFull: () => container.alerts.isFull(),
  });
  log.info({ port: server.port, webhooks: settings.webhooks.map(({ name }) => name) }, 'alerts are received');
  return server;
}

/** What people can ask beside a diagnosis, and their Home page. */
function forPeople(
  container: Container,
  slack: {
    readonly sights: Sights;
    readonly tell: Tell;
    readonly linkTo: LinkTo;
    readonly mayApprove: MayApprove;
  },
): Required<Pick<ListenerDeps, 'homePage' | 'others'>> {
  const { sights, tell, linkTo, mayApprove } = slack;
  const deps = { ...container, mayApprove, sights };
  return {
    homePage: createHomePage({ tell, linkTo, readHome: createReadHome(deps) }),
    others: createPeopleAnswers({
      tell,
      linkTo,
      listIncidents: createListIncidents(deps),
      readHistory: createReadHistory(deps),
      readAudit: createReadAudit(deps),
      requestScan: createRequestScan({ ...deps, clusters: container.cluster.clusters }),
      switchChanges: createSwitchChanges(deps),
      silencing: createSilencing({ ...deps, maxSeconds: container.config.silenceMaxHours * 3_600 }),
    }),
  };
}

function receiveOf({ slackMode, slackAppToken = '', slackSigningSecret = '' }: Container['config']) {
  return slackMode === 'socket'
    ? ({ mode: 'socket', appToken: slackAppToken } as const)
    : ({ mode: 'http', signingSecret: slackSigningSecret } as const);
}
