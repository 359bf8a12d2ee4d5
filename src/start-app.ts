import { startWebhookServer, type WebhookServer } from './adapters/alerts/webhook-server.js';
import { answers } from './adapters/redis/connection.js';
import { type LinkTo, linkToMessages } from './adapters/slack/card-link.js';
import { createChannelMembership } from './adapters/slack/channel-membership.js';
import { createSlackClients } from './adapters/slack/clients.js';
import { createSlackApp } from './adapters/slack/create-slack-app.js';
import { createHomePage } from './adapters/slack/home-page.js';
import type { ListenerDeps } from './adapters/slack/listeners/deps.js';
import { createPeopleAnswers } from './adapters/slack/people-answers.js';
import type { Route } from './adapters/slack/route-server.js';
import { createSlackIdentity, type SlackIdentityLookup } from './adapters/slack/slack-identity.js';
import {
  createSlackPeopleDirectory,
  type SlackPeopleDirectory,
} from './adapters/slack/slack-people-directory.js';
import type { Container } from './container.js';
import { subjectOf } from './core/alert/subject-of.js';
import type { Tell } from './core/language/catalogue.js';
import { createDoctor, createTell } from './doctor.js';
import { createReadAudit } from './usecases/audit-trail.js';
import { createDecideApproval } from './usecases/decide-approval.js';
import { createListIncidents } from './usecases/list-incidents.js';
import { createLocateSubject } from './usecases/locate-subject.js';
import { createLookAgain } from './usecases/look-again.js';
import { createMayApprove, type MayApprove } from './usecases/may-approve.js';
import { createMayLook } from './usecases/may-look.js';
import { createReadHome } from './usecases/read-home.js';
import { createReceiveAlert } from './usecases/receive-alert.js';
import { createRequestDiagnosis } from './usecases/request-diagnosis.js';
import { createRequestScan } from './usecases/request-scan.js';
import { createReviewRemediation } from './usecases/review-remediation.js';
import { createSilencing } from './usecases/silencing.js';
import { createReadHistory } from './usecases/workload-history.js';

export interface RunningApp {
  readonly port: number | undefined;
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
  const mayApprove = createMayApprove({
    people,
    policy: config.policy,
    teamId: async () => (await identity.identity()).teamId,
  });
  const deps = {
    ...container,
    doctor: createDoctor(),
    mayApprove,
    approvalTtlMs: config.approvalMinutes * 60_000,
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
      routes: statusRoutes(container),
      identity,
      log,
    },
    {
      log,
      client: clients.interactive,
      people,
      tell,
      clusters: cluster.clusters,
      languageOfChannel: () => config.channelLanguage,
      isInChannel: createChannelMembership({ client: clients.lookup, clock }),
      seenBefore: container.seenBefore,
      incidentInThread: (channel, threadTs) => container.deliveries.incidentInThread(channel, threadTs),
      linkTo,
      requestDiagnosis: createRequestDiagnosis(container),
      lookAgain: createLookAgain(container),
      reviewRemediation: createReviewRemediation(deps),
      decideApproval: createDecideApproval(deps),
      alerts: {
        channels: config.alerts.settings.slack,
        rules: config.alerts.settings.rules,
        receive: createReceiveAlert(container),
        locate: (alert) =>
          locate(
            subjectOf(alert, {
              names: container.locator.clusters,
              aliases: config.alerts.settings.clusters,
            }),
          ),
        digest: container.digest,
      },
      silenceOf: (workload) => container.silences.of(workload),
      ...forPeople(container, { people, identity, tell, linkTo, mayApprove }),
    },
  );
  const { port } = await app.start();
  const webhooks = await startWebhooks(container);
  return {
    port,
    async stop() {
      await Promise.all([webhooks?.close(), app.stop()]);
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
    receive: createReceiveAlert(container),
  });
  log.info({ port: server.port, webhooks: settings.webhooks.map(({ name }) => name) }, 'alerts are received');
  return server;
}

/** What people can ask beside a diagnosis, and their Home page. */
function forPeople(
  container: Container,
  slack: {
    readonly people: SlackPeopleDirectory;
    readonly identity: SlackIdentityLookup;
    readonly tell: Tell;
    readonly linkTo: LinkTo;
    readonly mayApprove: MayApprove;
  },
): Required<Pick<ListenerDeps, 'homePage' | 'others'>> {
  const { people, identity, tell, linkTo, mayApprove } = slack;
  const teamId = async (): Promise<string> => (await identity.identity()).teamId;
  const deps = { ...container, mayLook: createMayLook({ people, teamId }) };
  return {
    homePage: createHomePage({ tell, linkTo, readHome: createReadHome({ ...deps, mayApprove }) }),
    others: createPeopleAnswers({
      tell,
      linkTo,
      listIncidents: createListIncidents(deps),
      readHistory: createReadHistory(deps),
      readAudit: createReadAudit(deps),
      requestScan: createRequestScan({ ...deps, clusters: container.cluster.clusters }),
      silencing: createSilencing({ ...deps, maxSeconds: container.config.silenceMaxHours * 3_600 }),
    }),
  };
}

function receiveOf({ slackMode, slackAppToken = '', slackSigningSecret = '' }: Container['config']) {
  return slackMode === 'socket'
    ? ({ mode: 'socket', appToken: slackAppToken } as const)
    : ({ mode: 'http', signingSecret: slackSigningSecret } as const);
}

/** `/healthz`: the process runs. `/readyz`: Redis answers. `/metrics`: for Prometheus. */
function statusRoutes({ metrics, redis }: Container): readonly Route[] {
  return [
    {
      path: '/healthz',
      method: 'GET',
      handler: (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' }).end('ok\n');
      },
    },
    {
      path: '/readyz',
      method: 'GET',
      handler: async (_, response) => {
        const ready = await answers(redis);
        response
          .writeHead(ready ? 200 : 503, { 'content-type': 'text/plain' })
          .end(ready ? 'ready\n' : 'Redis does not answer\n');
      },
    },
    {
      path: '/metrics',
      method: 'GET',
      handler: async (_, response) => {
        const { contentType, body } = await metrics.page();
        response.writeHead(200, { 'content-type': contentType }).end(body);
      },
    },
  ];
}
